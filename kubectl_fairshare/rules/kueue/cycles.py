"""Cohorts above themselves."""

from collections.abc import Iterator, Mapping

from kubectl_fairshare.finding import Finding, Related, Remedy, Severity
from kubectl_fairshare.model.kueue import Cohort, cluster_key
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.rules.given import Given
from kubectl_fairshare.rules.protocol import rule


@rule(
    "K041",
    "cohort-cycle",
    Severity.ERROR,
    summary="cohorts stand above themselves",
    why=(
        "Kueue skips every ClusterQueue whose cohort leads into the cycle, yet leaves the queue Active=True; some "
        "releases hang or crash on it. Nothing on the Cohort reports it."
    ),
    remedy="take one `parentName` of the cycle away, or name another parent",
    covers=("X10",),
)
def cohort_cycle(given: Given) -> Iterator[Finding]:
    """One finding for each cycle, at its member with the first name."""
    cohorts = given.kueue.cohorts
    for cycle in _cycles(cohorts):
        first, *rest = cycle
        way = " → ".join(f"`{name}`" for name in (*cycle, first))
        below = sorted(q.name for q in given.kueue.cluster_queues.values() if q.cohort in given.forest.cyclic_cohorts)
        message = f"Cohort `{first}` is its own parent" if not rest else f"cohorts stand above themselves: {way}"
        yield Finding(
            Place(cluster_key("Cohort", first), ("spec", "parentName")),
            message,
            Remedy("take one of these parents away, or name another"),
            evidence=(("queues out of service", ", ".join(below) or "none yet"),),
            related=tuple(Related("goes on here", Place(cohorts[n].key, ("spec", "parentName"))) for n in rest),
        )


def _cycles(cohorts: Mapping[str, Cohort]) -> Iterator[tuple[str, ...]]:
    """Every cycle once, from its member with the first name on, along the parents."""
    done: set[str] = set()
    for name in sorted(cohorts):
        way: list[str] = []
        at: str | None = name
        while at is not None and at in cohorts and at not in done:
            done.add(at)
            way.append(at)
            at = cohorts[at].parent
        if at in way:
            cycle = way[way.index(at) :]
            start = cycle.index(min(cycle))
            yield (*cycle[start:], *cycle[:start])
