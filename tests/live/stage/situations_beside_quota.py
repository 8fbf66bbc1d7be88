"""What beside quota keeps a Job out, on a living cluster: stops, checks, deactivations, names that lead nowhere."""

import time
from collections.abc import Callable
from typing import Final

from tests.live.stage.kueue import KUEUE
from tests.live.stage.server import Object
from tests.live.stage.situations import NOW, family, has, simple
from tests.live.stage.stage import LABEL, Row, Stage


def checked(s: Stage, active: str = "True", controller: str = "example.com/budget") -> str:
    """An AdmissionCheck; without a condition where ``active`` is empty."""
    name = s.kueue("AdmissionCheck", s.name(), {"controllerName": controller})
    if active:
        told = {"type": "Active", "status": active, "reason": "Told", "message": "", "lastTransitionTime": NOW}
        s.api.merge(f"{KUEUE}/admissionchecks/{name}/status", {"status": {"conditions": [told]}})
    return name


def using(*names: str) -> Object:
    return {"admissionChecks": [{"name": name} for name in names]}


def now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def say(s: Stage, job: str, check: str, state: str, **more: object) -> None:
    """Answers for an AdmissionCheck's controller."""
    s.until(job, lambda w: any(c["name"] == check for c in w.get("status", {}).get("admissionChecks") or ()))
    found = s.workload(job)
    assert found is not None
    states = found["status"]["admissionChecks"]
    for each in states:
        if each["name"] == check:
            each.update(state=state, message=f"the budget says {state}", lastTransitionTime=now(), **more)
    path = f"{KUEUE}/namespaces/{s.namespace}/workloads/{found['metadata']['name']}/status"
    s.api.merge(path, {"status": {"admissionChecks": states}})


def local_drains(s: Stage) -> list[Row]:
    mine, _ = simple(s)
    job = s.admitted(mine.local)
    s.patch("localqueues", mine.local, {"spec": {"stopPolicy": "HoldAndDrain"}}, namespaced=True)
    return [Row(s.told(job), "Waiting", mine.local)]


def drains_while_pods_run(s: Stage) -> list[Row]:
    mine, _ = simple(s)
    job = s.running(mine.local)
    s.patch("clusterqueues", mine.name, {"spec": {"stopPolicy": "HoldAndDrain"}})
    s.until(job, has("Evicted"))
    return [Row(job, "Waiting", mine.name)]


def held_while_running(s: Stage) -> list[Row]:
    mine, _ = simple(s)
    job = s.running(mine.local)
    s.patch("clusterqueues", mine.name, {"spec": {"stopPolicy": "Hold"}})
    return [Row(job, "Running", mine.name), Row(s.waits(mine.local), "Waiting", mine.name)]


def resumed(s: Stage) -> list[Row]:
    mine, _ = simple(s, stopPolicy="Hold")
    job = s.waits(mine.local)
    s.patch("clusterqueues", mine.name, {"spec": {"stopPolicy": "None"}})
    s.until(job, has("Admitted"))
    return [Row(job, "Running", mine.name)]


def check_missing(s: Stage) -> list[Row]:
    gone = s.name()
    mine, _ = simple(s, admissionChecksStrategy=using(gone))
    return [Row(s.waits(mine.local), "Never", gone)]


def check_inactive(s: Stage) -> list[Row]:
    name = checked(s, s.chance.choice(["", "False"]))
    mine, _ = simple(s, admissionChecksStrategy=using(name))
    return [Row(s.waits(mine.local), "Waiting", name)]


def check_retry(s: Stage) -> list[Row]:
    name = checked(s)
    mine, _ = simple(s, admissionChecksStrategy=using(name))
    job = s.job(mine.local)
    say(s, job, name, "Retry")
    s.until(job, has("Requeued"))
    time.sleep(1)
    return [Row(job, "Waiting", name)]


def check_retry_later(s: Stage) -> list[Row]:
    name = checked(s)
    mine, _ = simple(s, admissionChecksStrategy=using(name))
    job = s.job(mine.local)
    say(s, job, name, "Retry", requeueAfterSeconds=600)
    s.until(job, lambda w: "requeueState" in w["status"])
    time.sleep(1)
    return [Row(job, "Waiting", name)]


def check_rejected(s: Stage) -> list[Row]:
    name = checked(s)
    mine, _ = simple(s, admissionChecksStrategy=using(name))
    job = s.job(mine.local)
    say(s, job, name, "Rejected")
    s.until(job, has("Evicted"))
    time.sleep(1)
    return [Row(job, "Never", name)]


def one_of_two_checks(s: Stage) -> list[Row]:
    ready, late = checked(s), checked(s)
    mine, _ = simple(s, admissionChecksStrategy=using(ready, late))
    job, through = s.job(mine.local), s.job(mine.local)
    say(s, job, ready, "Ready")
    for name in (ready, late):
        say(s, through, name, "Ready")
    s.until(through, has("Admitted"))
    return [Row(job, "Waiting", late), Row(through, "Running", mine.name)]


def check_of_another_flavor(s: Stage) -> list[Row]:
    name, first, second = checked(s), s.flavor(), s.flavor()
    strategy = {"admissionChecks": [{"name": name, "onFlavors": [second]}]}
    mine = s.queue(s.groups([first, second], 4), admissionChecksStrategy=strategy)
    plain = s.admitted(mine.local, 4)
    job = s.job(mine.local, 4)
    s.until(job, has("QuotaReserved"))
    return [Row(plain, "Running", first), Row(job, "Waiting", name)]


def out_of_time(s: Stage) -> list[Row]:
    mine, _ = simple(s)
    job = s.admitted(mine.local, labels={f"{LABEL}/max-exec-time-seconds": "1"})
    s.until(job, has("Evicted"))
    return [Row(s.told(job), "Never")]


def prebuilt_missing(s: Stage) -> list[Row]:
    gone, (mine, _) = s.name(), simple(s)
    job = s.job(mine.local, labels={f"{LABEL}/prebuilt-workload-name": gone})
    time.sleep(1)
    return [Row(job, "Never", gone)]


def runtime_class_missing(s: Stage) -> list[Row]:
    mine, _ = simple(s)
    job = s.job(mine.local, pod={"runtimeClassName": "gone"})
    s.until(job, lambda _: True)
    time.sleep(2)
    return [Row(job, "Running", mine.name)]


def pod_priority_missing(s: Stage) -> list[Row]:
    gone, (mine, _) = s.name(), simple(s)
    job = s.job(mine.local, pod={"priorityClassName": gone})
    time.sleep(1)
    return [Row(job, "Never", gone)]


def topology_missing(s: Stage) -> list[Row]:
    gone = s.name()
    flavor = s.flavor(nodeLabels={"a": "b"}, topologyName=gone)
    mine = s.queue(s.groups([flavor], 4), family(s))
    return [Row(s.waits(mine.local), "Never", gone)]


def label_changed(s: Stage) -> list[Row]:
    full, free = (s.queue(s.groups([s.flavor()], 4)) for _ in range(2))
    s.running(full.local, 4)
    job = s.waits(full.local, 4)
    other = s.waits(full.local, 3)
    s.api.merge(f"{s.jobs}/{job}", {"metadata": {"labels": {f"{LABEL}/queue-name": free.local}}})
    s.until(job, has("Admitted"))
    gone = s.name()
    s.api.merge(f"{s.jobs}/{other}", {"metadata": {"labels": {f"{LABEL}/queue-name": gone}}})
    s.told(other, "doesn't exist")
    return [Row(job, "Running", free.name), Row(other, "Never", gone)]


def owned(s: Stage) -> list[Row]:
    mine, quota = simple(s)
    above = s.admitted(mine.local, quota)
    uid = s.api.get(f"{s.jobs}/{above}")["metadata"]["uid"]
    owner = {"apiVersion": "batch/v1", "kind": "Job", "name": above, "uid": uid, "controller": True}
    child = s.job(mine.local, quota, metadata={"ownerReferences": [owner]})
    time.sleep(1)
    return [Row(above, "Running", mine.name), Row(child, "Running", mine.name)]


def workload_deleted(s: Stage) -> list[Row]:
    mine, _ = simple(s)
    job = s.waits(mine.local, 100)
    before = s.workload(job)
    assert before is not None
    path = f"{KUEUE}/namespaces/{s.namespace}/workloads/{before['metadata']['name']}"
    s.api.delete(path)
    s.until(job, lambda w: w["metadata"]["uid"] != before["metadata"]["uid"])
    return [Row(s.told(job), "Never", mine.name)]


def held_and_too_large(s: Stage) -> list[Row]:
    mine, _ = simple(s)
    stopped = s.local(mine.name, stopPolicy="Hold")
    return [Row(s.waits(stopped, 1000), "Waiting", stopped)]


def stopped_without_flavor(s: Stage) -> list[Row]:
    gone = s.name()
    mine = s.queue(s.groups([gone], 4), stopPolicy="Hold")
    return [Row(s.waits(mine.local), "Never", gone)]


def held_without_queue(s: Stage) -> list[Row]:
    stopped = s.local(s.name(), stopPolicy="Hold")
    return [Row(s.waits(stopped), "Waiting", stopped)]


def foreign_and_too_large(s: Stage) -> list[Row]:
    mine, _ = simple(s, namespaceSelector={"matchLabels": {"team": "x"}})
    return [Row(s.waits(mine.local, 1000), "Never", mine.name, {"reason": "Misconfigured"})]


def no_selector(s: Stage) -> list[Row]:
    mine = s.queue(s.groups([s.flavor()], 4))
    s.patch("clusterqueues", mine.name, {"spec": {"namespaceSelector": None}})
    time.sleep(0.5)
    return [Row(s.waits(mine.local), "Never", mine.name)]


def runs_without_queue(s: Stage) -> list[Row]:
    return [Row(s.job("", spec={"suspend": False}), "Unmanaged")]


def failed(s: Stage) -> list[Row]:
    job = s.running(simple(s)[0].local)
    s.finish(job, kinds=("FailureTarget", "Failed"))
    return [Row(job, "Finished")]


def cycle_above(s: Stage) -> list[Row]:
    flavor, above, names = s.flavor(), s.cohort(), [s.name() for _ in range(2)]
    below = s.cohort(above)
    for name in names:
        s.cohort(name=name)
    mine = s.queue(s.groups([flavor], 4), below)
    s.patch("cohorts", above, {"spec": {"parentName": names[0]}})
    s.patch("cohorts", names[0], {"spec": {"parentName": names[1]}})
    s.patch("cohorts", names[1], {"spec": {"parentName": names[0]}})
    time.sleep(0.5)
    return [Row(s.queued(mine.local), "Never", names[0])]


def own_parent(s: Stage) -> list[Row]:
    name = s.cohort()
    mine = s.queue(s.groups([s.flavor()], 4), name)
    s.patch("cohorts", name, {"spec": {"parentName": name}})
    time.sleep(0.5)
    return [Row(s.queued(mine.local), "Never", name)]


def deactivated_before(s: Stage) -> list[Row]:
    mine, _ = simple(s)
    job = s.waits(mine.local, 1000)
    s.patch("workloads", s.workload_name(job), {"spec": {"active": False}}, namespaced=True)
    return [Row(s.told(job), "Never")]


def reactivated(s: Stage) -> list[Row]:
    mine, quota = simple(s)
    job = s.admitted(mine.local, quota)
    s.patch("workloads", s.workload_name(job), {"spec": {"active": False}}, namespaced=True)
    s.told(job)
    s.patch("workloads", s.workload_name(job), {"spec": {"active": True}}, namespaced=True)
    s.until(job, has("Admitted"))
    return [Row(job, "Running", mine.name)]


def queue_leaves(s: Stage) -> list[Row]:
    mine, _ = simple(s)
    holder = s.running(mine.local)
    s.api.delete(f"{KUEUE}/clusterqueues/{mine.name}")
    time.sleep(0.5)
    return [Row(holder, "Running", mine.name), Row(s.waits(mine.local), "Never", mine.name)]


def local_queue_deleted(s: Stage) -> list[Row]:
    mine, _ = simple(s)
    job = s.waits(mine.local, 1000)
    s.gone(f"{KUEUE}/namespaces/{s.namespace}/localqueues", mine.local)
    return [Row(job, "Never", mine.local, untold=True)]


def queue_deleted(s: Stage) -> list[Row]:
    mine, _ = simple(s)
    job = s.waits(mine.local, 1000)
    s.gone(f"{KUEUE}/clusterqueues", mine.name)
    return [Row(job, "Never", mine.name, untold=True)]


def namespace_relabelled(s: Stage) -> list[Row]:
    mine, _ = simple(s, namespaceSelector={"matchLabels": {"team": s.tag}})
    job = s.running(mine.local)
    s.api.merge(f"/api/v1/namespaces/{s.namespace}", {"metadata": {"labels": {"team": "other"}}})
    time.sleep(0.5)
    return [Row(job, "Running", mine.name), Row(s.waits(mine.local), "Never", s.namespace)]


def limit_range_of_pods(s: Stage) -> list[Row]:
    mine, _ = simple(s)
    limits = [{"type": "Pod", "max": {"cpu": "1"}}, {"type": "Container", "min": {"cpu": "500m"}}]
    s.api.create(
        f"/api/v1/namespaces/{s.namespace}/limitranges", {"metadata": {"name": "tiny"}, "spec": {"limits": limits}}
    )
    time.sleep(0.5)
    return [
        Row(s.waits(mine.local, 2), "Never", "tiny"),
        Row(s.waits(mine.local, "100m"), "Never", "tiny"),
        Row(s.admitted(mine.local, "750m"), "Running", mine.name),
    ]


def suspended_by_hand(s: Stage) -> list[Row]:
    mine, _ = simple(s)
    job = s.running(mine.local)
    s.api.merge(f"{s.jobs}/{job}", {"spec": {"suspend": True}})
    time.sleep(1.5)
    return [Row(job, "Running", mine.name)]


SITUATIONS: Final[tuple[Callable[[Stage], list[Row]], ...]] = (
    local_drains,
    drains_while_pods_run,
    held_while_running,
    resumed,
    check_missing,
    check_inactive,
    check_retry,
    check_retry_later,
    check_rejected,
    one_of_two_checks,
    check_of_another_flavor,
    out_of_time,
    prebuilt_missing,
    runtime_class_missing,
    pod_priority_missing,
    topology_missing,
    label_changed,
    owned,
    workload_deleted,
    held_and_too_large,
    stopped_without_flavor,
    held_without_queue,
    foreign_and_too_large,
    no_selector,
    runs_without_queue,
    failed,
    cycle_above,
    own_parent,
    deactivated_before,
    reactivated,
    queue_leaves,
    local_queue_deleted,
    queue_deleted,
    namespace_relabelled,
    limit_range_of_pods,
    suspended_by_hand,
)
