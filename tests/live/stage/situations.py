"""The situations that people ask about, made on a living cluster, each with what is known of its Jobs."""

import time
from collections.abc import Callable
from typing import Final

from tests.live.stage.kueue import KUEUE
from tests.live.stage.server import Object
from tests.live.stage.stage import LABEL, Queue, Row, Stage, condition

ANY: Final = {"reclaimWithinCohort": "Any", "withinClusterQueue": "LowerPriority"}


def sizes(s: Stage) -> tuple[list[str], int]:
    """One to three flavors, and a quota for each."""
    return [s.flavor() for _ in range(s.chance.choice([1, 1, 2, 3]))], s.chance.choice([4, 8, 12])


def family(s: Stage) -> str:
    """A cohort, at some depth below others or implicit."""
    cohort = ""
    for _ in range(s.chance.choice([0, 0, 1, 2])):
        cohort = s.cohort(cohort)
    return cohort or s.name()


def simple(s: Stage, **spec: object) -> tuple[Queue, int]:
    """A queue that is its own tree or in a cohort, and all that it can give of one flavor."""
    flavors, quota = sizes(s)
    return s.queue(s.groups(flavors, quota), s.chance.choice(["", family(s)]), **spec), quota


def has(kind: str, status: str = "True") -> Callable[[Object], bool]:
    """Whether a Workload has a condition."""
    return lambda w: condition(w, kind)[0] == status


def borrowing(s: Stage) -> list[Row]:
    cohort, flavor = family(s), s.flavor()
    s.queue(s.groups([flavor], 8), cohort, preemption=ANY)
    mine = s.queue(s.groups([flavor], 8), cohort)
    return [Row(s.running(mine.local, 4), "Running", mine.name) for _ in range(3)]


def borrowing_limit(s: Stage) -> list[Row]:
    cohort, (flavors, quota) = family(s), sizes(s)
    limit = s.chance.choice([0, 1, 2])
    mine = s.queue(s.groups(flavors, quota, borrowingLimit=limit), cohort)
    s.queue(s.groups(flavors, quota), cohort)
    return [Row(s.waits(mine.local, quota + limit + 1), "Never", mine.name, {"resource": "cpu"})]


def check(s: Stage) -> list[Row]:
    name = s.kueue("AdmissionCheck", s.name(), {"controllerName": "example.com/budget"})
    active = {"type": "Active", "status": "True", "reason": "Active", "message": "", "lastTransitionTime": NOW}
    s.api.merge(f"{KUEUE}/admissionchecks/{name}/status", {"status": {"conditions": [active]}})
    mine, _ = simple(s, admissionChecksStrategy={"admissionChecks": [{"name": name}]})
    job = s.job(mine.local)
    s.until(job, has("QuotaReserved"))
    return [Row(job, "Waiting", name)]


def cohort_limit(s: Stage) -> list[Row]:
    flavor, parent = s.flavor(), s.cohort()
    limit = s.chance.choice([0, 3, 6])
    child = s.cohort(parent, resourceGroups=s.groups([flavor], 0, borrowingLimit=limit))
    mine = s.queue(s.groups([flavor], 12), child)
    s.queue(s.groups([flavor], 24), parent)
    return [Row(s.waits(mine.local, 12 + limit + 1), "Never", child, {"resource": "cpu"})]


def cycle(s: Stage) -> list[Row]:
    flavor, names = s.flavor(), [s.name() for _ in range(s.chance.choice([2, 3]))]
    for name in names:
        s.cohort(name=name)
    mine = s.queue(s.groups([flavor], 4), names[0])
    before = s.admitted(mine.local)
    for child, parent in zip(names, names[1:] + names[:1], strict=True):
        s.patch("cohorts", child, {"spec": {"parentName": parent}})
    return [Row(s.queued(mine.local), "Never", names[0]), Row(before, "Running", mine.name)]


def deactivated(s: Stage) -> list[Row]:
    mine, quota = simple(s)
    job = s.admitted(mine.local, quota)
    s.patch("workloads", s.workload_name(job), {"spec": {"active": False}}, namespaced=True)
    return [Row(s.told(job), "Never")]


def finished(s: Stage) -> list[Row]:
    job = s.running(simple(s)[0].local)
    s.finish(job)
    return [Row(job, "Finished")]


def flavor_affinity(s: Stage) -> list[Row]:
    taint = {"key": "dedicated", "value": "ml", "effect": s.chance.choice(["NoSchedule", "NoExecute"])}
    plain, tainted = s.flavor(nodeLabels={"gpu": "a100"}), s.flavor(nodeLabels={"gpu": "h100"}, nodeTaints=[taint])
    mine = s.queue(s.groups([plain, tainted], 4), family(s))
    tolerations = [{"key": "dedicated", "operator": s.chance.choice(["Exists"]), "effect": taint["effect"]}]
    return [
        Row(s.waits(mine.local, pod={"nodeSelector": {"gpu": "l4"}}), "Never", mine.name),
        Row(s.waits(mine.local, pod={"nodeSelector": {"gpu": "h100"}}), "Never", tainted),
        Row(
            s.admitted(mine.local, pod={"nodeSelector": {"gpu": "h100"}, "tolerations": tolerations}),
            "Running",
            tainted,
        ),
    ]


def held(s: Stage) -> list[Row]:
    mine, _ = simple(s)
    stopped = s.local(mine.name, stopPolicy="Hold")
    holding, drains = simple(s, stopPolicy="Hold")[0], simple(s)[0]
    out = s.admitted(drains.local)
    s.patch("clusterqueues", drains.name, {"spec": {"stopPolicy": "HoldAndDrain"}})
    return [
        Row(s.waits(stopped), "Waiting", stopped),
        Row(s.waits(holding.local), "Waiting", holding.name),
        Row(s.told(out), "Waiting", drains.name),
    ]


def lending_limit(s: Stage) -> list[Row]:
    cohort, flavor = family(s), s.flavor()
    lender = s.queue(s.groups([flavor], 12, lendingLimit=3), cohort)
    mine = s.queue(s.groups([flavor], 12), cohort)
    return [Row(s.waits(mine.local, 18), "Never", lender.name, {"resource": "cpu"})]


def limit_range(s: Stage) -> list[Row]:
    mine, _ = simple(s)
    limits = [
        {"type": "Container", "max": {"cpu": "500m"}, "default": {"cpu": "500m"}, "defaultRequest": {"cpu": "500m"}}
    ]
    s.api.create(
        f"/api/v1/namespaces/{s.namespace}/limitranges", {"metadata": {"name": "small"}, "spec": {"limits": limits}}
    )
    time.sleep(0.5)  # until Kueue has seen it
    return [Row(s.waits(mine.local, 2), "Never", "small")]


def missing_class(s: Stage) -> list[Row]:
    gone, (mine, _) = s.name(), simple(s)
    return [Row(s.job(mine.local, labels={f"{LABEL}/priority-class": gone}), "Never", gone)]


def namespace(s: Stage) -> list[Row]:
    selector = {"matchLabels": {"team": "somebody-else"}}
    mine, _ = simple(s, namespaceSelector=selector)
    return [Row(s.waits(mine.local), "Never", mine.name)]


def never(s: Stage) -> list[Row]:
    cohort, (flavors, quota) = family(s), sizes(s)
    mine = s.queue(s.groups(flavors, quota), cohort)
    s.queue(s.groups(flavors, quota), cohort)
    return [Row(s.waits(mine.local, 2 * quota + 1), "Never", mine.name, {"resource": "cpu"})]


def no_cluster_queue(s: Stage) -> list[Row]:
    gone = s.name()
    return [Row(s.waits(s.local(gone)), "Never", gone)]


def no_flavor(s: Stage) -> list[Row]:
    gone = s.name()
    mine = s.queue(s.groups([s.flavor(), gone], 4), family(s))
    return [Row(s.waits(mine.local), "Never", gone)]


def no_local_queue(s: Stage) -> list[Row]:
    simple(s)
    gone = s.name()
    return [Row(s.waits(gone), "Never", gone)]


def not_now(s: Stage) -> list[Row]:
    cohort, flavor = family(s), s.flavor()
    mine, other = (s.queue(s.groups([flavor], 8), cohort) for _ in range(2))
    holder = s.running(other.local, 14)
    job = s.waits(mine.local, 8)
    return [Row(holder, "Running", other.name), Row(job, "NotNow", mine.name, {"holder": holder})]


def partial(s: Stage) -> list[Row]:
    mine = s.queue(s.groups([s.flavor()], 8))
    least = {f"{LABEL}/job-min-parallelism": "2"}
    return [
        Row(s.running(mine.local, 4), "Running", mine.name),
        Row(s.admitted(mine.local, 2, 3, annotations=least), "Running", mine.name),
        Row(s.waits(mine.local, 2, 3, annotations=least), "NotNow", mine.name),
    ]


def preempting(s: Stage) -> list[Row]:
    cohort, flavor = family(s), s.flavor()
    mine, other = (s.queue(s.groups([flavor], 8), cohort, preemption=ANY) for _ in range(2))
    victim = s.running(other.local, 16)
    job = s.job(mine.local, 8)
    s.until(victim, has("Evicted"))
    s.told(job, "Pending the preemption of")
    return [
        Row(job, "Waiting", mine.name, {"victim": victim}),
        Row(victim, "Waiting", other.name, {"preemptor": job}),
    ]


def priority(s: Stage) -> list[Row]:
    low, high = s.priorities(10, 1000)
    mine = s.queue(s.groups([s.flavor()], 12), preemption=ANY)
    victim = s.admitted(mine.local, 9, labels={f"{LABEL}/priority-class": low})
    job = s.admitted(mine.local, 12, labels={f"{LABEL}/priority-class": high})
    return [Row(s.told(victim), "NotNow", mine.name, {"preemptor": job}), Row(job, "Running", mine.name)]


def reclaimed(s: Stage) -> list[Row]:
    cohort, flavor = family(s), s.flavor()
    mine, other = (s.queue(s.groups([flavor], 4), cohort, preemption=ANY) for _ in range(2))
    borrowers = [s.admitted(other.local, 2) for _ in range(4)]
    job = s.admitted(mine.local, 3)
    gone = [b for b in borrowers if condition(s.workload(b) or {}, "QuotaReserved")[0] == "False"]
    return [
        Row(job, "Running", mine.name),
        *(Row(s.told(b), "NotNow", other.name, {"preemptor": job}) for b in gone),
        *(Row(b, "Running", other.name) for b in borrowers if b not in gone),
    ]


def strict_fifo(s: Stage) -> list[Row]:
    mine = s.queue(s.groups([s.flavor()], 12), queueingStrategy="StrictFIFO")
    holder = s.running(mine.local, 9)
    head = s.waits(mine.local, 6)
    s.next_second()
    behind = s.job(mine.local, 3)
    s.until(behind, lambda _: True)
    return [
        Row(holder, "Running", mine.name),
        Row(head, "NotNow", mine.name, {"holder": holder}),
        Row(behind, "NotNow", mine.name, {"ahead": head}),
    ]


def uncovered(s: Stage) -> list[Row]:
    mine, _ = simple(s)
    asks: Object = {"cpu": "1", "example.com/fpga": "1"}
    return [
        Row(
            s.waits(mine.local, requests=asks, resources={"limits": asks}),
            "Never",
            mine.name,
            {"resource": "example.com/fpga"},
        )
    ]


def unmanaged(s: Stage) -> list[Row]:
    simple(s)
    return [Row(s.job(""), "Unmanaged")]


NOW: Final = "2026-01-01T00:00:00Z"
SITUATIONS: Final[tuple[Callable[[Stage], list[Row]], ...]] = (
    borrowing,
    borrowing_limit,
    check,
    cohort_limit,
    cycle,
    deactivated,
    finished,
    flavor_affinity,
    held,
    lending_limit,
    limit_range,
    missing_class,
    namespace,
    never,
    no_cluster_queue,
    no_flavor,
    no_local_queue,
    not_now,
    partial,
    preempting,
    priority,
    reclaimed,
    strict_fifo,
    uncovered,
    unmanaged,
)
