"""Cycles of cohorts."""

from collections.abc import Iterator, Mapping, Sequence

from kubectl_fairshare.finding import Finding, Related, Remedy
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.lint.words.figures import few
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.model.objects import Cohort, cluster_key
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven


@error_rule("K041")
def cohort_cycle(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each cycle, at its member with the first name."""
    cohorts = given.kueue.cohorts
    if not given.forest.cyclic_cohorts:
        return
    cycles, ends = _cycles(cohorts)
    leading, queues = _below(given, cycles, ends)
    for number, (first, *rest) in enumerate(cycles):
        way = " → ".join(f"`{name}`" for name in (first, *rest, first))
        message = (
            f"Cohort `{first}` is its own parent" if not rest else f"the parents of these cohorts form a cycle: {way}"
        )
        yield Finding(
            Place(cluster_key("Cohort", first), ("spec", "parentName")),
            message,
            Remedy("remove one of these parents, or name another"),
            evidence=(
                ("inactive queues", few(queues.get(number, [])) or "none yet"),
                *((("cohorts that lead into it", few(leading[number])),) if number in leading else ()),
            ),
            related=tuple(Related("continues here", Place(cohorts[n].key, ("spec", "parentName"))) for n in rest),
        )


def _cycles(cohorts: Mapping[str, Cohort]) -> tuple[list[tuple[str, ...]], dict[str, int | None]]:
    """Every cycle, from its first member by name along the parents, and the cycle that each cohort leads to.

    Every cohort is visited once: a walk stops where an earlier one has been.
    """
    cycles: list[tuple[str, ...]] = []
    ends: dict[str, int | None] = {}
    for name in sorted(cohorts):
        way: dict[str, int] = {}
        at: str | None = name
        while at is not None and at in cohorts and at not in ends and at not in way:
            way[at] = len(way)
            at = cohorts[at].parent
        end = None if at is None else ends.get(at)
        if at in way:
            cycle = list(way)[way[at] :]
            start = cycle.index(min(cycle))
            end = len(cycles)
            cycles.append((*cycle[start:], *cycle[:start]))
        ends.update(dict.fromkeys(way, end))
    in_order = sorted(range(len(cycles)), key=cycles.__getitem__)
    number = {old: new for new, old in enumerate(in_order)}
    return [cycles[i] for i in in_order], {n: None if end is None else number[end] for n, end in ends.items()}


def _below(
    given: KueueGiven, cycles: Sequence[Sequence[str]], ends: Mapping[str, int | None]
) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
    """For each cycle, the cohorts outside it that lead to it, and the inactive queues."""
    members = {name for cycle in cycles for name in cycle}
    leading: dict[int, list[str]] = {}
    queues: dict[int, list[str]] = {}
    for name, end in sorted(ends.items()):
        if end is not None and name not in members:
            leading.setdefault(end, []).append(name)
    for queue in given.kueue.cluster_queues.values():
        end = None if queue.cohort is None else ends.get(queue.cohort)
        if end is not None:
            queues.setdefault(end, []).append(queue.name)
    return leading, queues
