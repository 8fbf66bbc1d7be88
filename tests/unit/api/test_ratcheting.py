"""What counts as unchanged in an update."""

from typing import Any

import pytest

from kubectl_fairshare.api.ratcheting import is_unchanged, old_item
from kubectl_fairshare.api.structures.structure import Array
from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.schedulers.kueue.admission.kinds import structure

QUEUE = structure("v1beta2", "ClusterQueue")


def queue(*flavors: str, covered: str = "cpu", policy: str = "Hold") -> Any:
    items = [{"name": name, "resources": []} for name in flavors]
    return {"spec": {"stopPolicy": policy, "resourceGroups": [{"coveredResources": [covered], "flavors": items}]}}


@pytest.mark.parametrize(
    ("path", "unchanged"),
    [
        (("spec", "stopPolicy"), False),
        (("spec", "resourceGroups", 0, "coveredResources"), True),
        (("spec", "resourceGroups", 0, "flavors", 0, "name"), True),
        ((), False),
    ],
)
def test_a_place_is_unchanged_with_all_that_is_above_it_compared(path: FieldPath, unchanged: bool) -> None:
    # resourceGroups has no keys, so its items have no counterpart: they are excused as a whole list or not at all.
    assert is_unchanged(QUEUE, queue("a"), queue("a", policy="None"), path) is unchanged


def test_a_list_without_keys_is_followed_as_a_whole() -> None:
    place = ("spec", "resourceGroups", 0, "flavors", 0)
    assert not is_unchanged(QUEUE, queue("a"), queue("a", covered="gpu"), place)


def test_the_old_item_has_the_same_key() -> None:
    keyed, plain = Array(QUEUE, keys=("name",)), Array(QUEUE)
    items = [{"name": "a", "x": 1}, {"name": "b", "x": 2}]
    assert old_item(keyed, {"name": "b", "x": 3}, items) == items[1]
    assert old_item(keyed, {"name": "c"}, items) is None
    assert old_item(keyed, "b", items) is None
    assert old_item(plain, items[0], items) is None
