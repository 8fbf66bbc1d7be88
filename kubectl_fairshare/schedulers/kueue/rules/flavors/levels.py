"""The levels of a Topology."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.finding import Edit, Finding, Remedy, Remove, Reorder
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.lint.refusals import lawful, value_at
from kubectl_fairshare.model.json import rows
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven

_LEVELS: Final = ("spec", "levels")
_HOSTNAME: Final = "kubernetes.io/hostname"


@error_rule("K028")
def topology_levels_out_of_order(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each Topology and mistake."""
    for each, _ in lawful(given, "1.5-level-twice"):
        labels = [str(level.get("nodeLabel")) for level in rows(value_at(each, _LEVELS))]
        twice = [i for i, label in enumerate(labels) if label in labels[:i]]
        edits: tuple[Edit, ...] = tuple(Remove(each.at(*_LEVELS, i)) for i in reversed(twice))
        message = f"level `{labels[twice[0]]}` occurs twice: the API server rejects it"
        yield Finding(each.at(*_LEVELS, twice[0]), message, Remedy("remove one of the two", edits))
    for each, _ in lawful(given, "1.5-hostname-not-lowest"):
        labels = [str(level.get("nodeLabel")) for level in rows(value_at(each, _LEVELS))]
        at = labels.index(_HOSTNAME)
        order = (*(i for i in range(len(labels)) if i != at), at)
        yield Finding(
            each.at(*_LEVELS, at),
            f"`{_HOSTNAME}` is above `{labels[at + 1]}`, but it must be the lowest level: the API server rejects it",
            Remedy("put it last", (Reorder(each.at(*_LEVELS), order),)),
            evidence=(("levels", ", ".join(labels)),),
        )
