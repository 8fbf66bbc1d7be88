"""PatchRelease releases before the measured ones of their lines: what each changed since the one before it.

An answer for one of them is by the rules of the measured one, with the laws of the tables put back. What else
differs is named by feature, and so are laws that were put back and not measured on the very patch.
Source: the release notes of Kueue 0.16, 0.17 and 0.19, which are public in whole, and the changes to its scheduler,
caches and requests between the tags. Tested in ``tests/unit/schedulers/kueue/test_earlier_releases.py``.
"""

from typing import Final

from kubectl_fairshare.schedulers.kueue.release.law import Number
from kubectl_fairshare.schedulers.kueue.release.patch import (
    AMOUNTS,
    CHECKS,
    DEVICES,
    EQUAL_HEADS,
    FAIR,
    LABELS,
    NO_REQUESTS,
    POD_LEVEL,
    PREFERENCES,
    RAY,
    RECLAIMS,
    SHARING,
    SLICES,
    TOPOLOGY,
    TRANSFORMED,
    PatchRelease,
)


def _whole(*changes: tuple[str, str]) -> PatchRelease:
    return PatchRelease(whole=True, changes=changes)


EARLIER: Final[dict[Number, PatchRelease]] = {
    (0, 16, 1): _whole(
        (TOPOLOGY, "topologies place pods by what they request, excluded resources included"),
        (SLICES, "RayJobs that scale themselves are managed as a whole"),
        ("", "finished and deactivated Workloads leave the cache"),
    ),
    (0, 16, 2): _whole(
        (PREFERENCES, "the two preferences of flavors are no longer swapped"),
        (FAIR, "with fair sharing, heads that do not borrow come first"),
        (EQUAL_HEADS, "UIDs decide between heads of one moment"),
        (SLICES, "a slice that replaces another counts once"),
        (TOPOLOGY, "nodes with a NoExecute taint may be replaced, and no pod gets a node of another one"),
    ),
    (0, 16, 3): _whole(
        (FAIR, "a preemptor within its nominal quota takes victims whatever the shares"),
        (TOPOLOGY, "transformed resources count for quota alone where topologies place pods"),
        ("", "no victim is preempted twice, and equal Workloads are passed over together (in this patch alone)"),
    ),
    (0, 16, 4): _whole(
        (NO_REQUESTS, "a Workload that requests nothing is not tried again and again"),
        (SHARING, "the order of a queue is the same in each listing"),
        (TOPOLOGY, "a Workload with limits alone keeps its place in the second pass"),
    ),
    (0, 16, 5): _whole(
        (FAIR, "whether a head borrows is asked for each flavor, and in each cohort above its queue"),
        (TOPOLOGY, "preemption with several resources, and pod sets without a place, which are refused"),
        (SLICES, "names of slices of Ray clusters"),
    ),
    (0, 16, 6): _whole(
        (TOPOLOGY, "pod sets of 0 pods"),
        (SHARING, "entry penalties end when the Workload is admitted"),
        (CHECKS, "checks for all flavors are there before a flavor is"),
    ),
    (0, 16, 7): _whole(
        (TOPOLOGY, "leaders and workers of one group, and nodes that fail while checks retry"),
        ("", "a cohort that is deleted takes its quota away at once"),
    ),
    (0, 16, 8): _whole(
        (AMOUNTS, "the sum of what pod sets request does not leave 64 bits"),
        (TOPOLOGY, "the second pass knows all flavors of the first, and no count falls below 0"),
        (SLICES, "slices of one second are sorted"),
        ("", "Workloads that end while they are tried are not tried again"),
    ),
    (0, 16, 9): _whole(
        (TOPOLOGY, "pod sets of one Workload see each other's pods on a node"),
        (SLICES, "the old slice ends when the new one is admitted"),
        ("", "preemption does not wait for Workloads that are gone; tolerations that mean the same are written once"),
    ),
    (0, 17, 1): _whole(
        (TOPOLOGY, "pod sets of 0 pods"),
        (SHARING, "entry penalties end when the Workload is admitted"),
        (CHECKS, "checks for all flavors are there before a flavor is"),
        (SLICES, "pods of finished slices run on"),
    ),
    (0, 17, 2): _whole(
        (TOPOLOGY, "leaders and workers of one group, and nodes that fail while checks retry"),
        ("", "a cohort that is deleted takes its quota away at once"),
    ),
    (0, 17, 3): _whole(
        (AMOUNTS, "the sum of what pod sets request does not leave 64 bits"),
        (TOPOLOGY, "the second pass knows all flavors of the first, and no count falls below 0"),
        (SLICES, "slices of one second are sorted"),
        ("", "Workloads that end while they are tried are not tried again"),
    ),
    (0, 17, 4): _whole(
        (TOPOLOGY, "pod sets of one Workload see each other's pods on a node"),
        (SLICES, "the old slice ends when the new one is admitted"),
        ("", "preemption does not wait for Workloads that are gone; tolerations that mean the same are written once"),
    ),
    (0, 17, 5): _whole(
        (TOPOLOGY, "pod sets without a place are refused, and nodes count what pods request"),
        (DEVICES, "requests for devices that can never be met are not tried again"),
    ),
    (0, 17, 6): _whole(
        (LABELS, "only the keys of the flavor's own labels count in node affinity"),
        (TOPOLOGY, "heads whose place is taken in the cycle are placed anew"),
        (RAY, "the cleanup of Redis counts at the head of a Ray cluster"),
    ),
    (0, 17, 7): _whole(
        (TRANSFORMED, "transformations keep milli-units"),
        (RAY, "the submitter of a RayJob in SidecarMode counts"),
        (RECLAIMS, "pods that can be reclaimed count at most as many as there are"),
        (SHARING, "past usage is kept when a manager starts again"),
        (TOPOLOGY, "what a deleted Workload took of its nodes is free again"),
        (SLICES, "slices of one second, and jobs smaller than what has succeeded"),
        (POD_LEVEL, "resources of the pod as a whole get defaults, and requests from limits"),
        ("", "a group that waits for pods is not admitted at once"),
    ),
    (0, 17, 8): _whole(
        (TOPOLOGY, "the order of equal domains and hosts, the requests of slices, and pods that keep their nodes"),
        (SHARING, "the scheduler goes on where a LocalQueue is gone, and no penalty is lost"),
        (SLICES, "pods that ended, and counts of reclaimable pods after a job shrinks"),
    ),
    (0, 19, 1): _whole(
        (
            TOPOLOGY,
            "leaders, groups that request nothing, hosts named like a domain, and pods of other schedulers",
        ),
        (SHARING, "weights of 0, amounts below a milli-unit, and entry penalties"),
        (PREFERENCES, "a flavor without candidates ranks below each one that can serve"),
        (AMOUNTS, "requests beyond 64 bits, and below 0"),
        (TRANSFORMED, "what transformations produce is kept apart from what pods request"),
        (SLICES, "leaders, priorities, and slices that are evicted"),
        (DEVICES, "which DeviceClass of several is charged"),
        ("", "all resources that do not fit are named; failed indexes give back their quota"),
    ),
    (0, 19, 2): _whole(
        (TOPOLOGY, "the replacement of a lost node takes its room in the cycle, in the very domain"),
        (SHARING, "entry penalties are kept for each Workload"),
        (DEVICES, "resources of one mapping that several containers request"),
    ),
}
