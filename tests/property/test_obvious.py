"""The obvious implementation answers every small case, and keeps its accounts."""

import json
from datetime import datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.property.effort import examples
from tests.property.generate import NOW, cases, histories, reordered
from tests.property.obvious import decide
from tests.property.obvious.amounts import Amounts
from tests.property.obvious.tree import counted_usage, holding, initial_state, releasing
from tests.property.obvious.world import Workload, read_world

Manifest = dict[str, Any]


@examples(60)
@given(cases(), st.data())
def test_the_order_of_the_objects_changes_nothing(case: Manifest, data: st.DataObject) -> None:
    answer = decide(case)
    again = decide(data.draw(reordered(case)))

    assert json.dumps(answer, sort_keys=True) == json.dumps(again, sort_keys=True)
    assert {plan["mode"] for plan in answer["plans"]} <= {"Fit", "Preempt", "NoFit"}
    assert {head["workload"] for head in answer["cycle"]} == set(answer["heads"].values())


@examples(60)
@given(cases(odd=False), st.data())
def test_usage_after_adds_and_removes_is_what_is_held(case: Manifest, data: st.DataObject) -> None:
    world = read_world(case)
    state = initial_state(world)
    held: dict[str, Workload] = {}
    for step, number, queue, amounts in data.draw(histories(case)):
        if step == "add":
            held[f"held{number}"] = _holder(f"held{number}", queue, amounts)
            state = holding(state, queue, amounts)
        else:
            del held[f"held{number}"]
            state = releasing(state, queue, amounts)

    world.running |= held

    for (node, fr), used in state.used.items():
        assert used == counted_usage(world, node, fr)


def _holder(key: str, queue: str, amounts: Amounts) -> Workload:
    now = datetime.fromisoformat(NOW)
    return Workload(key, "team-a", key, 0, now, queue, [], True, False, now, amounts)
