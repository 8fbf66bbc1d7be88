"""The tree ids that the webhook fills in when quotas are created: a quota without one takes its parent's.

Source: koordinator v1.8.0, ``fillQuotaDefaultInformation``. Tested in
``tests/unit/schedulers/koordinator/test_admission.py``.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from kubectl_fairshare.schedulers.koordinator.model.names import ROOT


class PlaceInTree(NamedTuple):
    """Where a quota says that it belongs: its parent, and its tree id, which may be empty."""

    parent: str
    tree: str


def filled_trees(places: Mapping[str, PlaceInTree], new: Collection[str]) -> dict[str, str | None]:
    """The tree ids of the ``new`` quotas without one, by name; None where a quota above is not among ``places``."""
    return {name: _filled(name, places, new) for name in new if not places[name].tree and name != ROOT}


def _filled(name: str, places: Mapping[str, PlaceInTree], new: Collection[str]) -> str | None:
    passed: set[str] = set()
    while not places[name].tree and name in new and name not in passed:
        passed.add(name)
        name = places[name].parent
        if name == ROOT:
            return ""
        if name not in places:
            return None
    return places[name].tree
