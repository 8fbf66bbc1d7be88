"""The crash of releases up to v0.17.8: fair sharing, a ClusterQueue without a cohort, candidates that do not suffice.

Recorded from v0.17.8's own code, which ends in a nil pointer dereference in ``TargetClusterQueueOrdering.Iter``.
"""

from pathlib import Path

import pytest

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kueue.cycle.cycle import HeadStatus, run_cycle
from kubectl_fairshare.schedulers.kueue.cycle.nominate import nominate
from kubectl_fairshare.schedulers.kueue.explain.cycle import cycle_report
from kubectl_fairshare.schedulers.kueue.gaps import MAY_CRASH
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.objects import Preemption
from kubectl_fairshare.schedulers.kueue.tree.state import State, state_of
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
