"""``capacity``: every figure gets in, one unit more does not, under each scheduler."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.policy.capacity.rooms import ScaledShape, capacity
from kubectl_fairshare.schedulers import scheduler_named
from kubectl_fairshare.schedulers.sandbox import MadeUpWork
from tests.screens import Screen
from tests.unit.policy.test_sandboxes import INPUTS, snapshot_of

Run = Callable[[str], Screen]
GPU = "nvidia.com/gpu"
IN = {Outcome.ADMITTED, Outcome.PREEMPTS}


def rows(run: Run, words: str) -> Any:
    return json.loads(run(f"kubectl-fairshare capacity {words} -o json").stdout)["queues"]


@pytest.mark.parametrize("scheduler", INPUTS)
def test_the_figure_gets_in_and_one_unit_more_does_not(scheduler: str) -> None:
    snapshot = snapshot_of(scheduler)
    sandbox = scheduler_named(scheduler).review.sandbox(snapshot)

    found = capacity(scheduler_named(scheduler), snapshot, ScaledShape({}), (), (GPU,)).rows

    assert found
    for row in found:
        for room, wanted in ((row.now, {Outcome.ADMITTED}), (row.preempting, IN)):
            assert room.size is not None
            size = int(room.size.value)
            assert size == 0 or sandbox.ruling(MadeUpWork(row.queue, {GPU: size}), row.pool).outcome in wanted
            assert sandbox.ruling(MadeUpWork(row.queue, {GPU: size + 1}), row.pool).outcome not in wanted


def test_now_is_at_most_after_preemption_which_is_at_most_ever(run: Run) -> None:
    for row in rows(run, "-f testdata/demo/org"):
        sizes = [row[when]["size"]["value"] for when in ("now", "preempting", "ever")]
        assert sizes == sorted(sizes)


def test_whose_work_goes_and_what_binds_are_named(run: Run) -> None:
    speech = next(row for row in rows(run, "-f testdata/demo/org --queue speech"))

    assert speech["preempting"]["victims"] == ["vision"]
    assert "a100" in speech["now"]["binds"]


def test_a_shape_is_scaled_as_a_whole(run: Run) -> None:
    (row,) = rows(run, f"-f testdata/demo/org --queue vision --request {GPU}=4")

    assert row["now"]["size"]["value"] % 4 == 0


def test_copies_are_workloads_of_one_unit(run: Run) -> None:
    (row,) = rows(run, "-f testdata/diff/before.yaml --queue vision")

    assert row["copies"] == 20
    assert rows(run, "-f testdata/diff/before.yaml --queue vision --no-copies")[0]["copies"] == 0


def test_all_quotas_are_compared_with_the_nodes(run: Run) -> None:
    found = json.loads(run("kubectl-fairshare capacity -f testdata/demo/capacity -o json").stdout)["promises"]

    assert {each["resource"]: (each["quotas"]["value"], each["nodes"]["value"]) for each in found}[GPU] == (10, 10)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--queue visoin", "there is no queue `visoin`"),
        ("--resource tpu", "no queue has quota for `tpu`"),
        ("--request cpu", "`cpu` is not a request"),
        ("--request nvidia.com/gpu=1 --resource nvidia.com/gpu", "excludes `--resource`"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(run: Run, words: str, message: str) -> None:
    screen = run(f"kubectl-fairshare capacity -f testdata/diff/before.yaml {words}")

    assert screen.code == 2
    assert message in screen.stderr
