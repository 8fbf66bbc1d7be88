"""Situations of quota on a living cluster: limits, priorities, preemptions, flavors, and who stands before whom."""

import time
from collections.abc import Callable
from typing import Final

from tests.live.stage.kueue import KUEUE
from tests.live.stage.server import Object
from tests.live.stage.situations import ANY, family, has, simple
from tests.live.stage.stage import LABEL, Row, Stage


def zero_quota(s: Stage) -> list[Row]:
    mine = s.queue(s.groups([s.flavor()], 0), s.chance.choice(["", family(s)]))
    return [Row(s.waits(mine.local), "Never", mine.name, {"resource": "cpu"})]


def zero_quota_borrows(s: Stage) -> list[Row]:
    cohort, flavor = family(s), s.flavor()
    other = s.queue(s.groups([flavor], 4), cohort)
    mine = s.queue(s.groups([flavor], 0), cohort)
    holder = s.running(other.local, 3)
    return [Row(s.waits(mine.local, 2), "NotNow", mine.name, {"holder": holder, "resource": "cpu"})]


def affinity(s: Stage) -> list[Row]:
    flavor = s.flavor(nodeLabels={"zone": "a"})
    mine = s.queue(s.groups([flavor], 4))

    def within(operator: str, *values: str) -> Object:
        terms = [{"matchExpressions": [{"key": "zone", "operator": operator, "values": [*values]}]}]
        required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
        return {"affinity": {"nodeAffinity": required}}

    return [
        Row(s.waits(mine.local, pod=within("In", "b", "c")), "Never", flavor),
        Row(s.waits(mine.local, pod=within("NotIn", "a")), "Never", flavor),
        Row(s.admitted(mine.local, pod=within("In", "a", "c")), "Running", flavor),
    ]


def behind_one_that_never_fits(s: Stage) -> list[Row]:
    mine = s.queue(s.groups([s.flavor()], 4), queueingStrategy="StrictFIFO")
    head = s.waits(mine.local, 5)
    s.next_second()
    behind = s.job(mine.local, 1)
    s.until(behind, lambda _: True)
    time.sleep(1.5)
    return [Row(head, "Never", mine.name), Row(behind, "NotNow", mine.name, {"ahead": head})]


def ahead_by_priority(s: Stage) -> list[Row]:
    low, high = s.priorities(1, 2)
    mine = s.queue(s.groups([s.flavor()], 4), queueingStrategy="StrictFIFO")
    holder = s.running(mine.local, 3)
    first = s.waits(mine.local, 4, labels={f"{LABEL}/priority-class": low})
    late = s.waits(mine.local, 3, labels={f"{LABEL}/priority-class": high})
    return [
        Row(first, "NotNow", mine.name, {"ahead": late}),
        Row(late, "NotNow", mine.name, {"holder": holder}),
    ]


def preempted_twice(s: Stage) -> list[Row]:
    classes = s.priorities(1, 2, 3)
    mine = s.queue(s.groups([s.flavor()], 4), preemption=ANY)
    jobs = [s.admitted(mine.local, 4, labels={f"{LABEL}/priority-class": c}) for c in classes]
    s.finish(jobs[2])
    s.until(jobs[1], has("Admitted"))
    last = s.admitted(mine.local, 4, labels={f"{LABEL}/priority-class": classes[2]})
    return [
        Row(s.told(jobs[0]), "NotNow", mine.name, {"preemptor": jobs[1]}),
        Row(s.told(jobs[1]), "NotNow", mine.name, {"preemptor": last}),
        Row(jobs[2], "Finished"),
    ]


def admitted_again(s: Stage) -> list[Row]:
    low, high = s.priorities(1, 2)
    mine = s.queue(s.groups([s.flavor()], 4), preemption=ANY)
    victim = s.admitted(mine.local, 4, labels={f"{LABEL}/priority-class": low})
    job = s.admitted(mine.local, 4, labels={f"{LABEL}/priority-class": high})
    s.finish(job)
    s.until(victim, has("Admitted"))
    return [Row(victim, "Running", mine.name, {"preemptor": job})]


def behind_a_preemption(s: Stage) -> list[Row]:
    cohort, flavor = family(s), s.flavor()
    mine, other = (s.queue(s.groups([flavor], 8), cohort, preemption=ANY) for _ in range(2))
    victim = s.running(other.local, 16)
    job = s.job(mine.local, 8)
    s.until(victim, has("Evicted"))
    s.told(job, "Pending the preemption of")
    later = s.job(mine.local, 1)
    s.until(later, lambda _: True)
    return [Row(job, "Waiting", mine.name, {"victim": victim}), Row(later, "NotNow", mine.name)]


def limit_binds_on_usage(s: Stage) -> list[Row]:
    cohort, flavor = family(s), s.flavor()
    mine = s.queue(s.groups([flavor], 4, borrowingLimit=2), cohort)
    s.queue(s.groups([flavor], 8), cohort)
    holder = s.running(mine.local, 4)
    return [Row(s.waits(mine.local, 4), "NotNow", mine.name, {"holder": holder})]


def lending_binds_on_usage(s: Stage) -> list[Row]:
    cohort, flavor = family(s), s.flavor()
    s.queue(s.groups([flavor], 8, lendingLimit=4), cohort)
    mine = s.queue(s.groups([flavor], 4), cohort)
    holder = s.running(mine.local, 3)
    return [Row(s.waits(mine.local, 6), "NotNow", mine.name, {"holder": holder})]


def cohort_limit_on_usage(s: Stage) -> list[Row]:
    flavor, parent = s.flavor(), s.cohort()
    child = s.cohort(parent, resourceGroups=s.groups([flavor], 0, borrowingLimit=2))
    mine, sister = s.queue(s.groups([flavor], 4), child), s.queue(s.groups([flavor], 4), child)
    s.queue(s.groups([flavor], 24), parent)
    holder = s.running(sister.local, 8)
    return [Row(s.waits(mine.local, 4), "NotNow", child, {"holder": holder})]


def second_resource(s: Stage) -> list[Row]:
    flavor, memory = s.flavor(), s.flavor()
    groups = [*s.groups([flavor], 8), *s.groups([memory], 2 << 30, "memory")]
    mine = s.queue(groups, s.chance.choice(["", family(s)]))
    holder = s.running(mine.local, requests={"cpu": "1", "memory": "1536Mi"})
    return [
        Row(
            s.waits(mine.local, requests={"cpu": "1", "memory": "1Gi"}),
            "NotNow",
            mine.name,
            {"holder": holder, "resource": "memory"},
        ),
        Row(s.waits(mine.local, requests={"cpu": "1", "memory": "3Gi"}), "Never", mine.name, {"resource": "memory"}),
    ]


def second_flavor(s: Stage) -> list[Row]:
    first, second = s.flavor(), s.flavor()
    mine = s.queue(s.groups([first, second], 4))
    jobs = [s.running(mine.local, 4) for _ in range(2)]
    return [
        Row(jobs[0], "Running", first),
        Row(jobs[1], "Running", second),
        Row(s.waits(mine.local, 3), "NotNow", mine.name),
    ]


def flavor_deleted(s: Stage) -> list[Row]:
    flavor = s.flavor()
    mine = s.queue(s.groups([flavor], 4))
    holder = s.running(mine.local)
    s.api.delete(f"{KUEUE}/resourceflavors/{flavor}")
    time.sleep(0.5)
    return [Row(holder, "Running", mine.name), Row(s.admitted(mine.local), "Running", mine.name)]


def may_not_preempt(s: Stage) -> list[Row]:
    low, high = s.priorities(1, 2)
    mine = s.queue(s.groups([s.flavor()], 4), preemption={"withinClusterQueue": "LowerPriority"})
    holder = s.running(mine.local, 4, labels={f"{LABEL}/priority-class": high})
    job = s.waits(mine.local, 4, labels={f"{LABEL}/priority-class": low})
    return [Row(job, "NotNow", mine.name, {"holder": holder})]


def a_stopped_queue_lends(s: Stage) -> list[Row]:
    cohort, flavor = family(s), s.flavor()
    mine = s.queue(s.groups([flavor], 4), cohort)
    s.queue(s.groups([flavor], 8), cohort, stopPolicy="Hold")
    return [Row(s.admitted(mine.local, 6), "Running", mine.name)]


def scaled_to_nothing(s: Stage) -> list[Row]:
    mine, _ = simple(s)
    job = s.job(mine.local, 1, 0, spec={"completions": 0})
    time.sleep(1.5)
    return [Row(job, "Running", mine.name)]


SITUATIONS: Final[tuple[Callable[[Stage], list[Row]], ...]] = (
    zero_quota,
    zero_quota_borrows,
    affinity,
    behind_one_that_never_fits,
    ahead_by_priority,
    preempted_twice,
    admitted_again,
    behind_a_preemption,
    limit_binds_on_usage,
    lending_binds_on_usage,
    cohort_limit_on_usage,
    second_resource,
    second_flavor,
    flavor_deleted,
    may_not_preempt,
    a_stopped_queue_lends,
    scaled_to_nothing,
)
