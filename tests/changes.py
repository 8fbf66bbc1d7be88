"""Changes of remedies in one form: Kueue's documents have amounts with their texts, other schedulers' have numbers."""

from typing import Any


def plain(change: dict[str, Any]) -> dict[str, Any]:
    """A change whose values are numbers, with their texts as `beforeQuantity` and `afterQuantity` if it has such."""
    found = dict(change)
    for name in ("before", "after"):
        if isinstance(found.get(name), dict):
            found |= {name: found[name]["value"], f"{name}Quantity": found[name]["quantity"]}
    return found | ({"also": [plain(each) for each in change["also"]]} if "also" in change else {})
