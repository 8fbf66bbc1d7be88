"""The crash of releases up to v0.17.8: fair sharing, a ClusterQueue without a cohort, candidates that do not suffice.

Recorded from v0.17.8's own code, which ends in a nil pointer dereference in ``TargetClusterQueueOrdering.Iter``.
"""

import json
from pathlib import Path

import pytest

from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kueue.cycle.cycle import HeadStatus, run_cycle
from kubectl_fairshare.schedulers.kueue.cycle.nominate import nominate
from kubectl_fairshare.schedulers.kueue.cycle.play import Play
from kubectl_fairshare.schedulers.kueue.cycle.queues import waiting
from kubectl_fairshare.schedulers.kueue.cycle.stopping import stopping_head
from kubectl_fairshare.schedulers.kueue.explain.cycle import cycle_report
from kubectl_fairshare.schedulers.kueue.explain.preemptors.takers import takers
from kubectl_fairshare.schedulers.kueue.gaps import MAY_CRASH
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.objects import Preemption
from kubectl_fairshare.schedulers.kueue.tree.state import State, state_of
from kubectl_fairshare.schedulers.kueue.why.explainer import Explainer
from kubectl_fairshare.schedulers.kueue.why.verdict import Inquiry
from kubectl_fairshare.schedulers.kueue.words.sentences import sentence
from tests.screens import ROOT, shown
from tests.unit.schedulers.kueue.build import FAIR, cohort, holder, pending, queue, state


def known(release: str, parent: str | None = None, policy: str = "LowerPriority", strategies: object = FAIR) -> State:
    return state(
        *([] if parent is None else [cohort(parent)]),
        queue("a", parent, 4, preemption=Preemption(policy)),
        queue("b", None, 4),
        holder("high", "a", 3, priority=9),
        holder("low", "a", 1, priority=0),
        pending("w", "a", 2, priority=5),
        pending("other", "b", 1),
        strategies=FAIR if strategies is FAIR else None,
        release=release,
    )


def test_the_manager_dies_of_a_queue_without_a_cohort_and_schedules_nothing() -> None:
    dying = known("0.17")
    head = next(w for w in dying.kueue.pending if w.key.name == "w")
    assert nominate(dying, head).crashes
    run = run_cycle(dying)
    assert {entry.status for entry in run.entries} == {HeadStatus.INADMISSIBLE}
    laws = {entry.nomination.refused.law for entry in run.entries if entry.nomination.refused is not None}
    assert laws == {Law.SCHEDULER_CRASH}
    assert len(run.entries) == 2


def test_no_queue_preempts_running_work_before_the_head_is_gone() -> None:
    for release, able in (("0.17", False), ("0.18", True)):
        given = known(release)
        held = takers(given, PreemptorNumbers(), given.kueue.holders)
        assert any(held.of[each.key] for each in given.kueue.holders) is able
    shown_now = shown("kubectl-fairshare why workload/low -n team -f testdata/kueue/crash.yaml --release 0.17").stdout
    assert "no queue could preempt it now: Kueue v0.17 stops here" in " ".join(shown_now.split())


def test_a_cycle_is_not_exact_where_only_chance_decides_whether_it_dies() -> None:
    """Memory can never fit and ends the flavor: if Kueue takes it first, it does not come to cpu and to its crash."""
    schedulers = known_schedulers()
    manifests = read((str(ROOT / "testdata/kueue/chance-crash.yaml"),), schedulers=schedulers).manifests
    told = {}
    for release in ("0.17", "0.18"):
        snapshot = assemble(manifests, schedulers, releases={"kueue": release}).snapshot
        told[release] = {gap.feature for gap in cycle_report(state_of(snapshot)).fidelity.gaps if gap.touches}
    assert {release: MAY_CRASH in gaps for release, gaps in told.items()} == {"0.17": True, "0.18": False}


@pytest.mark.parametrize(
    "alive",
    [
        known("0.18"),
        known("0.17", parent="co"),
        known("0.17", policy="Never"),
        known("0.17", strategies=None),
    ],
    ids=["a later release", "a cohort", "no preemption", "classical preemption"],
)
def test_it_lives_where_one_of_the_conditions_is_missing(alive: State) -> None:
    assert not any(entry.nomination.crashes for entry in run_cycle(alive).entries)


def test_targets_that_suffice_do_not_crash_it() -> None:
    fitting = state(
        queue("a", None, 4, preemption=Preemption("LowerPriority")),
        holder("low", "a", 4, priority=0),
        pending("w", "a", 2, priority=5),
        strategies=FAIR,
        release="0.17",
    )
    found = nominate(fitting, fitting.kueue.pending[0])
    assert [target.holder.key.name for target in found.leaving] == ["low"]


ALONE = """
{apiVersion: config.kueue.x-k8s.io/v1beta2, kind: Configuration,
 fairSharing: {preemptionStrategies: [LessThanOrEqualToFinalShare, LessThanInitialShare]}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: f}, spec: {}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: a}, spec: {namespaceSelector: {},
 preemption: {withinClusterQueue: LowerPriority},
 resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, resources: [{name: cpu, nominalQuota: 4}]}]}]}}
"""


def test_search_finds_the_load_that_stops_the_manager(tmp_path: Path) -> None:
    path = tmp_path / "alone.yaml"
    path.write_text(ALONE, "utf-8")
    call = f"kubectl-fairshare search -f {path} --never crashes --random 20 --workloads 3 --jobs 1 --release"
    stopped, goes_on = shown(f"{call} 0.17 --write {tmp_path / 'found.yaml'}"), shown(f"{call} 0.18")
    assert (stopped.code, goes_on.code) == (1, 0)
    assert "Kueue v0.17 stops here: nothing is scheduled" in " ".join(stopped.stdout.split())
    kept = shown(f"kubectl-fairshare test {tmp_path / 'found.yaml'}")
    assert (kept.code, "stops here" in kept.stdout) == (1, True)


def test_plan_says_that_the_release_stops_here() -> None:
    dying = known("0.17")
    head = next(w for w in dying.kueue.pending if w.key.name == "w")
    refused = nominate(dying, head).refused
    assert refused is not None
    assert sentence(refused).startswith("Kueue v0.17 stops here: nothing is scheduled.")


STATE = "testdata/kueue/crash.yaml"
STOPS = "Kueue v0.17 stops here: nothing is scheduled."


@pytest.mark.parametrize(
    "question",
    [
        "why -A -o wide",
        "why workload/behind -n team",
        "why workload/waits -n team",
        "cycle",
        "plan --queue team/other --request cpu=1",
        "plan --queue team/alone --request cpu=1",
        "capacity --request cpu=1",
    ],
)
def test_every_question_about_other_work_says_that_nothing_is_scheduled(question: str) -> None:
    """What would fit waits until the head is gone; a later release, or the queue without preemption, admits it."""
    found = shown(f"kubectl-fairshare {question} -f {ROOT / STATE} --release 0.17")
    words = " ".join(found.stdout.split())
    assert STOPS in words
    assert not any(yes in words for yes in ("admitted now (", "Kueue admits it", "room now in 1", "Quota reserved"))
    assert "not exact" not in words
    later = shown(f"kubectl-fairshare {question} -f {ROOT / STATE} --release 0.18").stdout
    assert "stops here" not in " ".join(later.split())


@pytest.mark.parametrize("question", ["plan --queue team/other --request cpu=99 -o json", "why -A"])
def test_work_behind_the_head_that_never_fits_is_never_admitted(question: str, tmp_path: Path) -> None:
    """Ends of running work may bring the manager back, and still leave no room for it."""
    never = tmp_path / "never.yaml"
    never.write_text(NEVER, "utf-8")
    found = shown(f"kubectl-fairshare {question} -f {ROOT / STATE} -f {never} --release 0.17")
    if question == "why -A":
        assert "1 never, " in found.stdout
        return
    plan = json.loads(found.stdout)
    assert (plan["outcome"], plan["fidelity"]["exact"]) == ("Never", True)
    assert not any(value for name, value in plan["condition"].items() if name != "type")


def test_never_is_exact_where_only_chance_decides_whether_the_manager_dies(tmp_path: Path) -> None:
    never = tmp_path / "never.yaml"
    never.write_text(OTHER + NEVER.replace("namespace: team", "namespace: ns"), "utf-8")
    state = ROOT / "testdata/kueue/chance-crash.yaml"
    found = shown(f"kubectl-fairshare why workload/giant -n ns -f {state} -f {never} --release 0.17 -o json")
    why = json.loads(found.stdout)
    assert (why["verdict"], why["fidelity"]["exact"]) == ("Never", True)


OTHER = """
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: other}, spec: {namespaceSelector: {},
 cohortName: org, resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, resources: [
 {name: cpu, nominalQuota: 4}]}]}]}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: other, namespace: ns},
 spec: {clusterQueue: other}}
---"""
NEVER = """
{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: giant, namespace: team},
 spec: {queueName: other, podSets: [{name: main, count: 1, template: {spec: {containers: [
 {name: m, image: i, resources: {requests: {cpu: 99}}}]}}}]}}
"""


def test_an_upgrade_admits_the_work_that_waits_for_the_head() -> None:
    upgraded = shown(f"kubectl-fairshare diff {ROOT / STATE} {ROOT / STATE} --release 0.17..0.18 -o json")
    changed = json.loads(upgraded.stdout)["outcomes"]
    assert [each["object"]["name"] for each in changed] == ["waits"]


def test_what_would_help_is_tried() -> None:
    found = shown(f"kubectl-fairshare why workload/waits -n team -f {ROOT / STATE} --release 0.17")
    assert "withinClusterQueue LowerPriority → Never: admitted now" in " ".join(found.stdout.split())


def later_crash() -> State:
    """The first head of ``a`` fits and leaves the second one, of which the manager dies in the second cycle."""
    return state(
        cohort("co"),
        queue("a", None, 4, preemption=Preemption("LowerPriority")),
        queue("b", "co", 4),
        queue("c", None, 4),
        holder("low", "a", 1, priority=0),
        pending("first", "a", 2, priority=9),
        pending("deadly", "a", 4, priority=5),
        *(pending(f"b{i}", "b", 1, queued=i) for i in range(3)),
        pending("c1", "c", 1),
        strategies=FAIR,
        release="0.17",
    )


def test_a_crash_of_a_later_cycle_keeps_out_what_is_not_admitted_before_it() -> None:
    """The second cycle is the last one, and so is each first cycle of a manager that starts again."""
    found = later_crash()
    assert stopping_head(found) is None
    play = Play(found, waiting(found), 1_000, lambda _: None)
    assert play.settle(64)
    assert play.stops is not None
    assert [h.key.name for h in play.state.holders.of(found.forest.queue_ids["b"])] == ["b0"]
    laws = {w.key.name: Explainer(found).why(Inquiry(w)).because.law for w in found.kueue.pending}
    assert laws == {
        **dict.fromkeys(("first", "b0", "c1"), Law.NEXT_CYCLE),
        **dict.fromkeys(("deadly", "b1", "b2"), Law.SCHEDULER_CRASH),
    }


SCENARIO = """
{apiVersion: fairshare.dev/v1alpha1, kind: JobScenario, jobs: [
 {name: high, namespace: team, queue: alone, count: 1, duration: 2h, priority: 9, requests: {cpu: 3}},
 {name: low, namespace: team, queue: alone, at: 1m, count: 1, duration: 2h, priority: 0, requests: {cpu: 1}},
 {name: deadly, namespace: team, queue: alone, at: 2m, count: 1, duration: 1h, priority: 5, requests: {cpu: 2}}]}
"""


def test_a_simulation_in_which_the_manager_dies_is_not_exact(tmp_path: Path) -> None:
    scenario = tmp_path / "scenario.yaml"
    scenario.write_text(SCENARIO, "utf-8")
    call = f"kubectl-fairshare simulate -f {ROOT / STATE} --scenario {scenario} --release"
    told = {r: shown(f"{call} {r}").stdout for r in ("0.17", "0.18")}
    assert {r: "its manager dies" in " ".join(text.split()) for r, text in told.items()} == {
        "0.17": True,
        "0.18": False,
    }
