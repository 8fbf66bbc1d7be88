"""The order in which things stand in the input changes nothing."""

import json
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.schedulers.kueue.conformance.cases import case_snapshot
from kubectl_fairshare.schedulers.kueue.conformance.decisions import replay
from kubectl_fairshare.schedulers.kueue.engine import KueueEngine
from tests.property.asking import plans, told
from tests.property.effort import examples
from tests.property.generate import cases

Manifest = dict[str, Any]
UNORDERED = ("objects", "conditions", "podSetAssignments", "reclaimablePods", "tolerations")


def shuffled(value: Any, random: Random, key: str = "") -> Any:
    """The same document with the keys of every mapping, and the lists that are sets to Kubernetes, in another order."""
    if isinstance(value, dict):
        return {k: shuffled(value[k], random, k) for k in random.sample(list(value), len(value))}
    if isinstance(value, list):
        items = [shuffled(item, random) for item in value]
        return random.sample(items, len(items)) if key in UNORDERED else items
    return value


@examples(150)
@given(cases(distinct_ages=False), st.integers(0, 999))
def test_permuting_the_input_changes_no_answer(case: Manifest, seed: int) -> None:
    other = shuffled(case, Random(seed))

    assert json.dumps(replay(other), sort_keys=True) == json.dumps(replay(case), sort_keys=True)


@examples(100)
@given(cases(distinct_ages=False), st.integers(0, 999))
def test_permuting_the_input_changes_no_explanation(case: Manifest, seed: int) -> None:
    other = shuffled(case, Random(seed))

    assert KueueEngine().shares(case_snapshot(other)) == KueueEngine().shares(case_snapshot(case))
    assert [told(plan) for plan in plans(other)] == [told(plan) for plan in plans(case)]
