"""Traces of Koordinator's pods: which pods count, and what became of them."""

from collections.abc import Mapping

import yaml

from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.schedulers.koordinator.why.past import history
from tests.unit.schedulers.koordinator.build import snapshot

INPUT = """
apiVersion: v1
kind: List
items:
- apiVersion: scheduling.sigs.k8s.io/v1alpha1
  kind: ElasticQuota
  metadata:
    namespace: quotas
    name: vision
    annotations: {quota.scheduling.koordinator.sh/namespaces: '["team-vision"]'}
  spec: {min: {cpu: 4}, max: {cpu: 8}}
- apiVersion: v1
  kind: Pod
  metadata:
    {namespace: other, name: sweep-a, creationTimestamp: "2026-03-02T08:00:00Z",
     labels: {quota.scheduling.koordinator.sh/name: vision},
     ownerReferences: [{apiVersion: batch/v1, kind: Job, name: sweep, uid: j1, controller: true}]}
  spec: {priority: 7, containers: [{name: c, image: i, resources: {requests: {cpu: "2", memory: 1Gi}}}]}
  status:
    phase: Succeeded
    conditions: [{type: PodScheduled, status: "True", lastTransitionTime: "2026-03-02T08:00:03Z"}]
    containerStatuses: [{name: c, state: {terminated: {finishedAt: "2026-03-02T08:30:03Z"}}}]
- apiVersion: v1
  kind: Pod
  metadata: {namespace: team-vision, name: late, creationTimestamp: "2026-03-02T09:00:00Z"}
  spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}
- apiVersion: v1
  kind: Pod
  metadata: {namespace: nobody, name: outside, creationTimestamp: "2026-03-02T09:00:00Z"}
  spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}
- apiVersion: v1
  kind: Event
  metadata: {namespace: team-vision, name: lost.1}
  involvedObject: {apiVersion: v1, kind: Pod, namespace: team-vision, name: lost}
  type: Normal
  reason: Preempted
  message: m
  eventTime: "2026-03-02T08:45:00.000000Z"
"""


def traced() -> Mapping[str, TracedJob]:
    return {job.name: job for job in history(snapshot(*yaml.safe_load(INPUT)["items"])).jobs}


def test_only_pods_with_a_quota_of_their_own_are_in_a_trace() -> None:
    assert {name: job.queue for name, job in traced().items()} == {"sweep": "vision", "late": "vision"}


def test_the_pods_of_a_job_are_one_job_with_its_moments() -> None:
    sweep = traced()["sweep"]
    assert (sweep.priority, sweep.total) == (7, {"cpu": 2000, "memory": 1 << 30})
    assert sweep.duration == 1800 * 10**9


def test_a_pod_that_waits_has_neither_admission_nor_end() -> None:
    late = traced()["late"]
    assert (late.admitted, late.finished, late.duration) == (None, None, None)


def test_deleted_pods_are_counted_by_their_events() -> None:
    past = history(snapshot(*yaml.safe_load(INPUT)["items"]))
    assert past.lost.jobs == 1
    assert len(past.notes) == 2


def test_without_such_pods_there_is_nothing_to_say() -> None:
    past = history(snapshot(yaml.safe_load(INPUT)["items"][0]))
    assert (past.jobs, past.notes, past.until) == ((), (), None)


def test_a_job_names_what_decides_about_it_and_is_not_in_its_line() -> None:
    items = yaml.safe_load(INPUT)["items"]
    items[1]["metadata"]["labels"] |= {
        "quota.scheduling.koordinator.sh/preemptible": "false",
        "pod-group.scheduling.sigs.k8s.io": "sweep",
    }
    items[1]["spec"] |= {"nodeName": "n1", "affinity": {"podAffinity": {"x": 1}}}
    sweep, late = history(snapshot(*items)).jobs
    assert sweep.lacks == (
        "affinity",
        "the label `quota.scheduling.koordinator.sh/preemptible`",
        "gangs, reservations or shared devices",
    )
    assert late.lacks == ()
