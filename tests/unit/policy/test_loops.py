"""Loops of evictions: the ones that were found, what ends them, and that they are no work of the search alone."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_fairshare.answers.search import LoopEvent, LoopStep
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.model.quantity import amount
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.search.invariants import NoEndlessEvictions
from kubectl_fairshare.policy.search.search import SearchBounds, first_breach, loop_after
from kubectl_fairshare.policy.simulation.parameters import Parameters
from kubectl_fairshare.policy.simulation.run import simulate
from kubectl_fairshare.schedulers import known_schedulers, scheduler_named
from kubectl_fairshare.schedulers.kueue.review.loops import PACES, _returned
from kubectl_fairshare.schedulers.kueue.review.sandbox import KueueSandbox
from kubectl_fairshare.schedulers.sandbox import AT_ONCE, EvictionLoop, MadeUpWork, Sandbox, loop_since
from tests.screens import ROOT, shown
from tests.unit.policy.test_search import sandbox_of, searched, smallest

KUEUE = scheduler_named("kueue")
FOLDER = ROOT / "testdata" / "search" / "loops"
NAMES = sorted(path.stem for path in FOLDER.glob("*.yaml") if not path.stem.endswith("-test"))


def loads_of(name: str) -> list[MadeUpWork]:
    """The workloads of a test file, in the order of their arrival."""
    suite = yaml.safe_load((FOLDER / f"{name}-test.yaml").read_text())
    arriving: list[dict[str, Any]] = suite["tests"][0]["when"]["arrive"]
    return [
        MadeUpWork(each["queue"], {r: amount(r, v) for r, v in each["request"].items()}, 1, each.get("priority", 0))
        for each in arriving
    ]


def with_gate(name: str, folder: Path) -> Sandbox:
    """The policy with PrioritizePreemptorWorkloads."""
    documents = list(yaml.safe_load_all((FOLDER / f"{name}.yaml").read_text()))
    configuration = next((each for each in documents if each["kind"] == "Configuration"), None)
    if configuration is None:
        documents.append({"apiVersion": "config.kueue.x-k8s.io/v1beta2", "kind": "Configuration"})
        configuration = documents[-1]
    configuration["featureGates"] = {"PrioritizePreemptorWorkloads": True}
    path = folder / "policy.yaml"
    path.write_text(yaml.safe_dump_all(documents))
    return sandbox_of(str(path))


@pytest.mark.parametrize("name", NAMES)
def test_the_loops_that_were_found_are_loops(name: str) -> None:
    """Each workload that is evicted starts again, and `test` says so."""
    loop = loop_after(sandbox_of(f"testdata/search/loops/{name}.yaml"), loads_of(name))
    assert loop is not None
    evicted = sorted(each.name for each in loop.steps if each.event is LoopEvent.EVICTED)
    started = sorted(each.name for each in loop.steps if each.event is LoopEvent.STARTS)
    assert evicted == started
    assert loop.steps[0].event is LoopEvent.EVICTED
    assert all(each.rule and each.by for each in loop.steps if each.event is LoopEvent.EVICTED)
    screen = shown(f"kubectl-fairshare test testdata/search/loops/{name}-test.yaml")
    assert (screen.code, "a state returns" in " ".join(screen.stdout.split())) == (1, True)


@pytest.mark.parametrize("name", NAMES)
def test_a_simulation_of_the_same_jobs_has_no_end_either(name: str, tmp_path: Path) -> None:
    """It is played by another part of the program, with alarms and a clock; there, victims stop at one moment."""
    manifests = read([str(FOLDER / f"{name}.yaml")], known_schedulers()).manifests
    queues = [m.key.name for m in manifests if m.key.kind == "ClusterQueue"]
    text = "".join(
        f"\n---\n{{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {{name: main, namespace: {name}}}, "
        f"spec: {{clusterQueue: {name}}}}}"
        for name in queues
    )
    path = tmp_path / "policy.yaml"
    path.write_text((FOLDER / f"{name}.yaml").read_text() + text)
    snapshot = assemble(read((str(path),), known_schedulers()).manifests, known_schedulers()).snapshot
    jobs = [
        TracedJob(f"w{n}", work.queue, "main", n * 10**9, (TracedPods("main", 1, work.request),), work.priority)
        for n, work in enumerate(loads_of(name), 1)
    ]
    assert simulate(KUEUE, snapshot, jobs, Parameters(most_evictions=60)).endless


@pytest.mark.parametrize("name", NAMES)
def test_with_the_gate_preemptors_go_first_and_all_of_them_end(name: str, tmp_path: Path) -> None:
    """In each of them, what a preemptor needs goes to another workload first (kueue#13662)."""
    assert loop_after(with_gate(name, tmp_path), loads_of(name)) is None


@pytest.mark.parametrize("name", ["nominal-entitlement"])
def test_the_search_finds_them_by_itself_and_makes_them_small(name: str) -> None:
    sandbox, invariant = sandbox_of(f"testdata/search/loops/{name}.yaml"), NoEndlessEvictions()
    example = smallest(sandbox, invariant, searched(sandbox, invariant, SearchBounds(3, 2000, 8)))
    assert len(example.loads) <= 3
    assert first_breach(sandbox, example.loads, invariant) == (len(example.loads), example.breach)


def test_the_loop_of_two_victims_goes_on_at_any_pace_and_ends_with_the_gate(tmp_path: Path) -> None:
    """The state of kueue#13662: both victims start again whether they stop together or one after the other."""
    for sandbox, ends in (
        (sandbox_of("testdata/search/loops/reclaim-of-two.yaml"), False),
        (with_gate("reclaim-of-two", tmp_path), True),
    ):
        loops = loops_at_each_pace(sandbox, "reclaim-of-two")
        assert [loop is None for loop in loops] == [ends, ends]
        for loop in loops:
            evicted = [each.name for each in loop.steps if each.event is LoopEvent.EVICTED] if loop is not None else []
            assert sorted(set(evicted)) == ([] if ends else ["w1", "w2"])


def loops_at_each_pace(sandbox: Sandbox, name: str) -> list[EvictionLoop | None]:
    """The loop after the last of the workloads, for each pace of evictions."""
    *before, last = loads_of(name)
    for number, load in enumerate(before, 1):
        sandbox = sandbox.submitted(f"w{number}", load).sandbox
    assert isinstance(sandbox, KueueSandbox)
    return [_returned(sandbox._opened("last", last)[1](pace, ticking=True)[0], pace) for pace in PACES]


@pytest.mark.parametrize("name", ["nominal-entitlement", "borrowing-reclaim"])
def test_victims_that_stop_one_after_the_other_loop_as_well(name: str) -> None:
    loops = loops_at_each_pace(sandbox_of(f"testdata/search/loops/{name}.yaml"), name)
    events = [[each.event for each in loop.steps] for loop in loops if loop is not None]
    assert events == [
        [LoopEvent.EVICTED, LoopEvent.STARTS],
        [LoopEvent.EVICTED, LoopEvent.STOPPED, LoopEvent.STARTS],
    ]


def test_a_policy_without_preemption_has_no_loops() -> None:
    sandbox, invariant = sandbox_of("testdata/search/both.yaml"), NoEndlessEvictions()
    assert not searched(sandbox, invariant, SearchBounds(2, 20, 8)).counterexamples


def test_a_loop_begins_with_an_eviction_and_counts_cycles_from_it() -> None:
    """Steps of which none is an eviction are none."""
    starts = LoopStep(7, LoopEvent.STARTS, "w1", "a")
    evicted = LoopStep(9, LoopEvent.EVICTED, "w1", "a", "w2", "b", "reclaim")
    assert loop_since([starts], AT_ONCE) is None
    turned = (replace(evicted, cycle=1), replace(starts, cycle=2))
    assert loop_since([starts, evicted], AT_ONCE) == EvictionLoop(turned, AT_ONCE)


def test_elasticquotas_can_loop_as_well() -> None:
    """Borrowers within one node and three quotas take turns; found among the states of the rules."""
    sandbox, invariant = sandbox_of("testdata/rules/E001/good.yaml", "elasticquota"), NoEndlessEvictions()
    example = smallest(sandbox, invariant, searched(sandbox, invariant, SearchBounds(0, 60, 9, 7777)))
    loop = loop_after(sandbox, example.loads)
    assert loop is not None
    assert loop.pace == AT_ONCE
    assert {each.by for each in loop.steps if each.event is LoopEvent.EVICTED} <= {each.name for each in loop.steps}
