"""Scenarios: KAI's own form, and what is refused."""

import io
import json
from typing import Any

import pytest

from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.schedulers.kai.model.scenario import SimulationScenario
from kubectl_fairshare.schedulers.kai.reading.scenario import read_scenario

WHOLE: dict[str, Any] = {
    "Cycles": 7,
    "WindowSize": 3,
    "HalfLifePeriod": 2,
    "KValue": 0.5,
    "Nodes": [{"GPUs": 8, "Count": 4}],
    "Queues": [{"Name": "top"}, {"Name": "leaf", "Parent": "top", "DeservedGPUs": 2, "Weight": 3, "Priority": 5}],
    "Jobs": {"leaf": {"GPUs": 2, "NumPods": 1, "NumJobs": 3}},
}


def scenario(data: Any) -> SimulationScenario:
    return read_scenario("-", io.BytesIO(json.dumps(data).encode()), 1 << 20)


def test_keys_are_read_in_any_case_and_count_is_passed_over_as_kai_does() -> None:
    lower = {key.lower(): value for key, value in WHOLE.items()}
    assert scenario(WHOLE) == scenario(lower)
    assert scenario(WHOLE).nodes == (8,)


def test_what_is_left_out_has_kais_defaults() -> None:
    found = scenario({k: v for k, v in WHOLE.items() if k in ("Nodes", "Queues", "Jobs")})
    assert (found.cycles, found.window, found.half_life, found.k) == (100, 5, 0, 1)
    top = found.queues[0]
    assert (top.priority, top.quota.gpu, top.limit.gpu, top.weight.gpu) == (100, 0, -1, 1)


def test_null_is_the_default() -> None:
    assert scenario({**WHOLE, "KValue": None}).k == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"Queues": []}, "`Queues` must be a list that is not empty"),
        ({"Nodes": {}}, "`Nodes` must be a list"),
        ({"Jobs": {"nowhere": {}}}, "does not exist: `nowhere`"),
        ({"Queues": [{"Name": "a", "Parent": "b"}]}, "parent that does not exist"),
        ({"Queues": [{"Parent": "b"}]}, "`Name` is missing"),
        ({"Queues": ["a"]}, "must be a mapping"),
        ({"Queues": [{"Name": "a", "Parent": "b"}, {"Name": "b", "Parent": "a"}]}, "form a cycle"),
        ({"Queues": [{"Name": "a", "Parent": "a"}]}, "form a cycle"),
        ({"Queues": [{"Name": "a"}, {"Name": "a"}]}, "two queues called `a`"),
        ({"Queues": [{"Name": "a\x1b[31m"}]}, "cannot be printed"),
        ({"Queues": [{"Name": f"q{i}", "Parent": f"q{i - 1}" if i else ""} for i in range(999)]}, "have more than"),
        ({"Jobs": {"leaf": {"GPUs": -1}}}, "a number from 0"),
        ({"Jobs": {"leaf": {"GPUs": 1, "NumPods": 1000, "NumJobs": 1000}}}, "1,000,000 pods"),
        ({"Cycles": -1}, "whole number"),
        ({"Cycles": 1.5}, "whole number"),
        ({"KValue": "much"}, "a number, not `much`"),
        ({"Window": 3}, "unknown field `Window`"),
    ],
)
def test_what_makes_no_sense_is_refused(change: Any, message: str) -> None:
    with pytest.raises(FairshareError, match=message):
        scenario({**WHOLE, **change})


def test_a_text_that_is_no_mapping_is_refused(tmp_path: Any) -> None:
    path = tmp_path / "s.yaml"
    for text in ("", "- 1\n", "a: 1\n---\nb: 2\n"):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(FairshareError, match="a mapping with"):
            read_scenario(str(path), None, 1000)
