"""Where a living Kueue did otherwise than was told."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from tests.live.stage.scheduling_log import Cycle, Evaluated
from tests.live.stage.server import Object
from tests.live.stage.world import Happened


def from_plan(plan: Object, happened: Happened, afterwards: Iterable[Object]) -> Iterator[str]:
    """In what Kueue did otherwise than planned.

    ``afterwards`` are plans without those who had to leave, and then without some of them.
    """
    preempts = plan["outcome"] == "Preempts"
    victims = {victim["object"]["name"] for victim in plan["victims"]} if preempts else set()
    if victims != happened.victims:
        yield f"planned the victims {sorted(victims)}"
    elif preempts and happened.nominated != _flavors(plan):
        yield f"planned to preempt in {_flavors(plan)}"
    elif preempts and happened.contended:
        return  # as planned; then one that had left was faster than the one for whom it had to leave, perhaps for ever
    elif preempts:
        yield from _once_left(afterwards, happened)
    elif plan["outcome"] == "Admitted":
        yield from _from_admission(plan, happened)
    elif happened.flavors is not None:
        yield f"planned {plan['outcome']}"
    elif {plan["condition"]["message"], *plan["condition"]["otherMessages"]}.isdisjoint(
        (happened.words, *happened.alternates)
    ):
        yield f"planned the words {plan['condition']['message']!r}"


def _once_left(afterwards: Iterable[Object], happened: Happened) -> Iterator[str]:
    """Where no plan without victims is what happened.

    Kueue looks anew once victims have left: a flavor before the one for which they left may be free now. They leave one
    after another, and it may look in between: part of the pods may have room then. Or they left in the middle of its
    search, which had come past that flavor before: then it stays with the flavors for which they left.
    """
    first: list[str] | None = None
    for plan in afterwards:
        differences = list(_from_admission(plan, happened))
        if plan["outcome"] == "Admitted" and not differences:
            return
        first = differences if first is None else first
    if happened.went_on and happened.flavors == happened.nominated:
        return
    yield from first or ("planned no admission afterwards",)


def _from_admission(plan: Object, happened: Happened) -> Iterator[str]:
    counts = {p["name"]: p["count"] for p in plan["podSets"]}
    if happened.flavors != _flavors(plan):
        yield f"planned {plan['outcome']} in {_flavors(plan)}"
    elif happened.counts != counts:
        yield f"planned {counts} pods"
    elif happened.places != (places := _places(plan)):
        yield f"planned the places {places}"


def _places(plan: Object) -> dict[str, dict[str, int]]:
    """The pods of each pod set by domain: the host's name, or the values of all levels."""
    return {unit["podSets"][0]: dict(_domains(unit["domains"])) for unit in plan["topology"] if unit["placed"]}


def _domains(rows: list[Object]) -> Iterator[tuple[str, int]]:
    path: list[str] = []
    for row, following in zip(rows, [*rows[1:], {"depth": 0}], strict=True):
        path[row["depth"] :] = [row["name"]]
        if following["depth"] <= row["depth"]:
            host = row["level"] == "kubernetes.io/hostname"
            yield row["name"] if host else "/".join(path), row["pods"]


def _flavors(plan: Object) -> dict[str, dict[str, str]]:
    return {p["name"]: {f["resource"]: f["flavor"] for f in p["flavors"]} for p in plan["podSets"]}


def from_cycle(told: Object, happened: Cycle) -> Iterator[str]:
    """In what a scheduling cycle went otherwise than told: whom it looked at, in which order, and what it decided."""
    entries = {entry["workload"]["name"]: entry for entry in told["entries"]}
    if entries.keys() != happened.evaluated.keys():
        yield f"told the heads {sorted(entries)}, but these were {sorted(happened.evaluated)}"
        return
    order = [name for name, entry in entries.items() if entry["status"] != "inadmissible"]
    if order != happened.order:
        yield f"told the order {order}, but it was {happened.order}"
    for name, entry in entries.items():
        found = _as_issued(happened.evaluated[name])
        expected = [_as_evaluated(entry, message) for message in (entry["message"], *entry.get("otherMessages", ()))]
        if found not in expected:
            yield f"told of {name} {expected[0]}, but it was {found}"


def _as_evaluated(entry: Object, message: str) -> Evaluated:
    return Evaluated(
        entry["clusterQueue"],
        "" if entry["status"] == "inadmissible" else entry["status"],
        message,
        {(f["podSet"], f["resource"]): f["flavor"] for f in entry["flavors"]},
        entry["borrowingLevel"],
        tuple(victim["workload"]["name"] for victim in entry["victims"]),
    )


def _as_issued(found: Evaluated) -> Evaluated:
    """What the log says, without targets that were found and left alone: of those nothing was told."""
    targets = found.targets if "Pending the preemption of" in found.message else ()
    return replace(found, targets=targets)
