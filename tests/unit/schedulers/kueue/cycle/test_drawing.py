"""Requests that chance draws: each draw is an outcome, and equal outcomes are one."""

import json
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.schedulers.kueue.cycle.cycle import HeadStatus
from kubectl_fairshare.schedulers.kueue.cycle.possible import possible_cycles, possible_scans
from kubectl_fairshare.schedulers.kueue.cycle.stopping import stopping_head, uncertain_head
from kubectl_fairshare.schedulers.kueue.explain.cycle import cycle_report
from kubectl_fairshare.schedulers.kueue.explain.planning import plan
from kubectl_fairshare.schedulers.kueue.model.objects import Preemption
from kubectl_fairshare.schedulers.kueue.model.workload import Pending, PodSet
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.screens import shown
from tests.unit.schedulers.kueue.build import FAIR, GPU, cohort, holder, pending, queue, state

STATE = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: kueue-manager-config, namespace: kueue-system}
data:
  controller_manager_config.yaml: |
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    resources:
      transformations: [{input: example.com/slice, strategy: Replace, outputs: {memory: 5Gi}}]
---
{apiVersion: v1, kind: Namespace, metadata: {name: d}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: f}}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: a}
spec:
  namespaceSelector: {}
  resourceGroups:
  - {coveredResources: [memory], flavors: [{name: f, resources: [{name: memory, nominalQuota: QUOTA}]}]}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: a, namespace: d}, spec: {clusterQueue: a}}
"""
JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {name: j, namespace: d, labels: {kueue.x-k8s.io/queue-name: a}}
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
      - {name: c, image: i, resources: {requests: {memory: 2Gi, example.com/slice: 1}, limits: {example.com/slice: 1}}}
"""


def drawing(name: str, cluster_queue: str, *amounts: int, **more: Any) -> Pending:
    """A workload of which chance draws how much it requests."""
    first, *others = ({GPU.resource: amount} for amount in amounts)
    return pending(name, cluster_queue, pod_sets=(PodSet("main", 1, first, instead=tuple(others)),), **more)


def ends(given: State) -> tuple[Outcome, list[Outcome]]:
    found = plan(given, given.kueue.pending[0])
    return found.outcome, [outcome for outcome, _ in found.possible]


@pytest.mark.parametrize(
    ("quota", "outcome", "possible"),
    [
        (5, Outcome.ADMITTED, []),
        (3, Outcome.UNKNOWN, [Outcome.WAITS, Outcome.ADMITTED]),
        (1, Outcome.NEVER, []),
    ],
)
def test_a_plan_is_certain_where_all_draws_come_to_the_same(
    quota: int, outcome: Outcome, possible: list[Outcome]
) -> None:
    assert ends(state(queue("a", quotas=quota), drawing("w", "a", 4, 2))) == (outcome, possible)


def test_pod_sets_are_drawn_each_for_itself() -> None:
    one = PodSet("one", 1, {GPU.resource: 3}, instead=({GPU.resource: 1},))
    workload = pending("w", "a", pod_sets=(one, PodSet("two", 1, {GPU.resource: 3}, instead=({GPU.resource: 1},))))
    admitted = {}
    for quota in range(1, 8):
        found = possible_scans(state(queue("a", quotas=quota), workload), workload)
        admitted[quota] = {way[-1].admits for way in found.results}
    assert admitted == {1: {False}, **{q: {False, True} for q in range(2, 6)}, 6: {True}, 7: {True}}


def test_a_cycle_has_the_outcomes_of_all_draws_of_all_heads() -> None:
    given = state(
        cohort("all", quotas=4),
        *(queue(name, "all") for name in "ab"),
        drawing("a", "a", 3, 1, created=1, queued=1),
        drawing("b", "b", 3, 1),
    )
    found = {
        tuple(e.nomination.workload.key.name for e in run.entries if e.status is HeadStatus.ASSUMED)
        for run in possible_cycles(given).results
    }
    assert found == {("a", "b"), ("a",)}


def test_draws_and_ties_of_another_tree_are_independent() -> None:
    given = state(
        *(cohort(tree, quotas=2) for tree in "xy"),
        queue("a", "x"),
        *(queue(name, "y") for name in "bc"),
        drawing("a", "a", 3, 1),
        *(pending(name, name, 2) for name in "bc"),
    )
    found = {
        "".join(sorted(e.nomination.workload.key.name for e in run.entries if e.status is HeadStatus.ASSUMED))
        for run in possible_cycles(given).results
    }
    assert found == {"b", "c", "ab", "ac"}


def test_a_head_that_one_draw_alone_lets_in_never_waits() -> None:
    report = cycle_report(state(queue("a", quotas=3), drawing("w", "a", 4, 2)))
    assert [list(outcomes.values()) for _, outcomes in report.possible] == [[Outcome.WAITS], [Outcome.ADMITTED]]
    assert not report.fidelity.defined


def deadly(*amounts: int) -> State:
    own = Preemption(within_cluster_queue="LowerPriority")
    return state(
        queue("alone", quotas=4, preemption=own),
        queue("other", quotas=4),
        holder("high", "alone", 3, priority=9),
        holder("low", "alone", 1),
        drawing("head", "alone", *amounts, priority=5),
        pending("w", "other"),
        strategies=FAIR,
        release="0.17",
    )


def test_the_manager_may_die_of_one_draw_and_not_of_another() -> None:
    given = deadly(2, 1)
    found = uncertain_head(given)
    assert stopping_head(given) is None
    assert found is not None
    assert found.key.name == "head"
    other = next(w for w in given.kueue.pending if w.key.name == "w")
    assert [gap.feature for gap in plan(given, other).fidelity.gaps if gap.touches] == ["MayCrash"]
    sure = deadly(2, 3)
    assert stopping_head(sure) is not None
    assert uncertain_head(sure) is None


@pytest.mark.parametrize(
    ("release", "quota", "grade", "outcome"),
    [
        ("0.17", "8Gi", "exact", "admitted"),
        ("0.17", "6Gi", "not exact", "unknown"),
        ("0.17", "1Gi", "exact", "never"),
        ("0.19", "6Gi", "exact", "never"),
    ],
)
def test_the_answer_about_a_job_lists_what_chance_may_come_to(
    tmp_path: Path, release: str, quota: str, grade: str, outcome: str
) -> None:
    (tmp_path / "state.yaml").write_text(STATE.replace("QUOTA", quota), "utf-8")
    (tmp_path / "job.yaml").write_text(JOB, "utf-8")
    asked = f"-f {tmp_path}/state.yaml -w {tmp_path}/job.yaml --release {release} -o json"
    found = json.loads(shown(f"kubectl-fairshare plan {asked}").stdout)
    assert (found["fidelity"]["grade"], found["outcome"].lower()) == (grade, outcome)
    others = found["condition"]["otherMessages"]
    assert len(others) == (1 if (release, quota) == ("0.17", "1Gi") else 0)
