"""What an answer says of the outcomes that chance, or an open moment, allows.

An unknown outcome lists at least two that differ, unless something that is not modelled decides, or the search for
outcomes stopped. A known outcome lists none of another kind.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

_OUTCOMES: Final = ("Plan", "Why")
"""What lists possible outcomes; other documents list possible figures."""
_KINDS: Final = {"Preempts": "Admitted"}


def of_chance(document: Mapping[str, Any], doubts: list[str]) -> Iterator[str]:
    """Where the possible outcomes of a plan, or of a reason, contradict its outcome."""
    outcome = document.get("outcome", document.get("verdict"))
    possible = document.get("possible", []) if document.get("kind") in _OUTCOMES else []
    listed = [(each["outcome"], repr(each["victims"]), each["where"]) for each in possible]
    kinds = {_KINDS.get(outcome, outcome) for outcome, _, _ in listed}
    if document.get("kind") == "Plan" and outcome != "Unknown" and kinds - {_KINDS.get(outcome, outcome)}:
        yield f"{outcome}, and possible: {sorted(kinds)}"
    open_, known = not document["fidelity"]["exact"] and not doubts, document["fidelity"]["allOutcomes"]
    if outcome == "Unknown" and open_ and known and len(kinds) < 2:
        yield f"unknown by chance, and possible: {listed}"
    if listed and len({*listed}) < 2:
        yield f"one possible outcome is listed as several: {listed}"
