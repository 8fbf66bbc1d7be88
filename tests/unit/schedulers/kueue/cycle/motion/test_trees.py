"""Which cohort trees a change of the policy concerns: Kueue wakes the workloads that are set aside there, no others."""

from collections.abc import Callable
from typing import Any

import pytest

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.cycle.motion.trees import renewed
from kubectl_fairshare.schedulers.kueue.model.objects import ResourceFlavor
from kubectl_fairshare.schedulers.kueue.tree.state import State, state_of
from tests.unit.schedulers.kueue.build import cohort, queue, state

OBJECTS: dict[str, Any] = {"a": queue("a", quotas=1), "m": cohort("m"), "b": queue("b", "m"), "c": queue("c", "m")}


@pytest.mark.parametrize(
    ("changed", "woken"),
    [
        ({}, ""),
        ({"a": queue("a", quotas=2)}, "a"),
        ({"b": queue("b", "m", 2)}, "bc"),
        ({"m": cohort("m", weight=2.0)}, "bc"),
        ({"b": queue("b")}, "b"),
        ({"d": queue("d")}, "d"),
        ({"d": queue("d", "m")}, "bcd"),
    ],
)
def test_a_change_of_a_queue_or_cohort_concerns_its_tree(changed: dict[str, Any], woken: str) -> None:
    after = state(*{**OBJECTS, **changed}.values())
    assert renewed(state(*OBJECTS.values()), after) == frozenset(woken)


def with_flavor(before: State) -> State:
    flavors = {"default": ResourceFlavor("default", {"pool": "gpu"}, (), ())}
    return state_of(before.snapshot.with_part(replace(before.kueue, flavors=flavors)))


def with_settings(before: State) -> State:
    configuration = replace(before.configuration, excluded_prefixes=("x",))
    return state_of(before.snapshot.with_part(replace(before.kueue, configuration=configuration)))


def with_labels(before: State) -> State:
    return state_of(replace(before.snapshot, namespaces={name: {"a": "b"} for name in before.snapshot.namespaces}))


@pytest.mark.parametrize("change", [with_flavor, with_settings, with_labels])
def test_a_change_of_what_all_share_concerns_all_trees(change: Callable[[State], State]) -> None:
    before = state(*OBJECTS.values())
    assert renewed(before, change(before)) == frozenset("abc")
