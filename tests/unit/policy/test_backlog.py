"""``capacity --backlog``: with the raise all of it runs, with one unit less it does not, under each scheduler."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.policy.capacity.backlog import backlog_rows
from kubectl_fairshare.schedulers import known_schedulers, scheduler_named
from kubectl_fairshare.schedulers.sandbox import MadeUpWork, Sandbox
from tests.screens import ROOT, Screen
from tests.unit.policy.test_sandboxes import INPUTS, snapshot_of

Run = Callable[[str], Screen]
GPU = "nvidia.com/gpu"
BACKLOGS = {"kueue": [{GPU: 8}, {GPU: 8}, {GPU: 8}], "kai": [{GPU: 8}, {GPU: 6}], "elasticquota": [{GPU: 3}, {GPU: 4}]}


def opened(scheduler: str) -> Sandbox:
    return scheduler_named(scheduler).review.sandbox(snapshot_of(scheduler))


def roomy(scheduler: str) -> Sandbox:
    """The sandbox where quotas alone keep work out: without Nodes, or without work on them."""
    if scheduler == "kai":
        return opened(scheduler).idle()
    manifests = read([str(ROOT / INPUTS[scheduler][0])], known_schedulers()).manifests
    kept = [each for each in manifests if each.key.kind != "Node"]
    return scheduler_named(scheduler).review.sandbox(assemble(kept, known_schedulers()).snapshot)


def runs(sandbox: Sandbox, queue: str, backlog: list[dict[str, int]], *, preempting: bool) -> bool:
    removals = 0
    for number, load in enumerate(backlog):
        after = sandbox.submitted(f"job-{number}", MadeUpWork(queue, load))
        sandbox, removals = after.sandbox, removals + len(after.removals)
    return not sandbox.waiting() and (preempting or not removals)


@pytest.mark.parametrize("scheduler", INPUTS)
def test_with_the_raise_it_runs_and_with_one_unit_less_it_does_not(scheduler: str) -> None:
    sandbox, backlog = roomy(scheduler), BACKLOGS[scheduler]
    queue = sandbox.sites[0].queue

    for row in backlog_rows(sandbox, [MadeUpWork(queue, load) for load in backlog], {}):
        assert row.raises
        more = {(row.pool, each.more.resource): int(each.more.value) for each in row.raises}
        assert runs(sandbox.raised(queue, more), queue, backlog, preempting=row.preempting)
        for pair, amount in more.items():
            less = {**more, pair: amount - 1}
            assert not runs(sandbox.raised(queue, less), queue, backlog, preempting=row.preempting)


def test_a_backlog_that_fits_needs_no_raise() -> None:
    rows = backlog_rows(opened("kueue").idle(), [MadeUpWork("vision", {GPU: 1})], {})

    assert [row.raises for row in rows] == [()] * len(rows)


def test_what_no_raise_helps_says_what_binds() -> None:
    rows = backlog_rows(opened("kai"), [MadeUpWork(opened("kai").sites[0].queue, {GPU: 1000})], {})

    assert [(row.raises, bool(row.binds)) for row in rows] == [(None, True)] * len(rows)


def rows(run: Run, words: str) -> Any:
    return json.loads(run(f"kubectl-fairshare capacity -f testdata/demo/org {words} -o json").stdout)["backlog"]


def test_a_number_repeats_a_shape(run: Run) -> None:
    once = rows(run, f"--queue vision --backlog 2x{GPU}=8")

    assert once == rows(run, f"--queue vision --backlog {GPU}=8 --backlog {GPU}=8")
    assert [each["raises"] for each in once if each["raises"]]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (f"--backlog {GPU}=8", "needs `--queue`"),
        (f"--queue vision --backlog 999x{GPU}=8", "has more than 256 workloads"),
        ("--queue vision --backlog 3x", "`3x` is not a backlog"),
        ("--queue vision --backlog tpu=1", "--backlog: no queue has quota for `tpu`"),
    ],
)
def test_a_wrong_backlog_is_explained(run: Run, words: str, message: str) -> None:
    screen = run(f"kubectl-fairshare capacity -f testdata/demo/org {words}")

    assert screen.code == 2
    assert message in screen.stderr
