"""Which flavors pods may use: taints first, then labels, each pod set in turn."""

import pytest

from kubectl_fairshare.model.selectors import NodeTerm, Requirement, Taint, Toleration
from kubectl_fairshare.schedulers.kueue.flavors.matching import mismatch
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.objects import ResourceFlavor
from kubectl_fairshare.schedulers.kueue.model.workload import PodSet

TAINT = Taint("gpu", "yes", "NoSchedule")
SOFT = Taint("gpu", "yes", "PreferNoSchedule")
HARD = Taint("old", "", "NoExecute")
ZONE_A = Requirement("zone", "In", ("a",))
ZONE_B = Requirement("zone", "In", ("b",))
ELSEWHERE = Requirement("rack", "In", ("7",))


def flavor(*taints: Taint, tolerations: tuple[Toleration, ...] = ()) -> ResourceFlavor:
    return ResourceFlavor("spot", {"zone": "a", "arch": "arm"}, taints, tolerations)


def pods(
    *tolerations: Toleration, selector: tuple[Requirement, ...] = (), affinity: tuple[NodeTerm, ...] | None = None
) -> PodSet:
    return PodSet("main", 1, {}, node_selector=selector, affinity=affinity, tolerations=tolerations)


@pytest.mark.parametrize(
    ("given", "pod_set", "law"),
    [
        (None, pods(), Law.FLAVOR_NOT_FOUND),
        (flavor(), pods(), None),
        (flavor(TAINT), pods(), Law.UNTOLERATED_TAINT),
        (flavor(HARD), pods(), Law.UNTOLERATED_TAINT),
        (flavor(SOFT), pods(), None),
        (flavor(Taint("sla", "95", "NoSchedule")), pods(Toleration("sla", "Gt", "90")), None),
        (flavor(Taint("sla", "95", "NoSchedule")), pods(Toleration("sla", "Lt", "90")), Law.UNTOLERATED_TAINT),
        (flavor(TAINT), pods(Toleration("gpu", "Equal", "yes")), None),
        (flavor(TAINT, HARD), pods(Toleration("gpu", "Exists")), Law.UNTOLERATED_TAINT),
        (flavor(TAINT, tolerations=(Toleration("gpu", "Exists"),)), pods(), None),
        (flavor(TAINT), pods(selector=(ZONE_B,)), Law.UNTOLERATED_TAINT),
        (flavor(), pods(selector=(ZONE_A,)), None),
        (flavor(), pods(selector=(ZONE_B,)), Law.AFFINITY_MISMATCH),
        (flavor(), pods(selector=(ELSEWHERE,)), None),
        # Kueue passes on the terms that are left, and no terms are no affinity
        (flavor(), pods(affinity=()), None),
        (flavor(), pods(affinity=(NodeTerm((ZONE_A,)),)), None),
        (flavor(), pods(affinity=(NodeTerm((ZONE_B,)),)), Law.AFFINITY_MISMATCH),
        (flavor(), pods(affinity=(NodeTerm((ZONE_B,)), NodeTerm((ZONE_A,)))), None),
        (flavor(), pods(affinity=(NodeTerm((ZONE_A, ZONE_B)),)), Law.AFFINITY_MISMATCH),
        # a term about labels that the flavor does not name becomes empty, and then all matches
        (flavor(), pods(affinity=(NodeTerm((ELSEWHERE,)), NodeTerm((ZONE_B,)))), None),
        (flavor(), pods(affinity=(NodeTerm((ELSEWHERE, ZONE_B)),)), Law.AFFINITY_MISMATCH),
        (flavor(), pods(selector=(ZONE_B,), affinity=(NodeTerm((ZONE_A,)),)), Law.AFFINITY_MISMATCH),
    ],
)
def test_mismatch(given: ResourceFlavor | None, pod_set: PodSet, law: Law | None) -> None:
    found = mismatch("spot", given, [pod_set])

    assert (None if found is None else found.law) is law


def test_every_pod_set_must_match() -> None:
    found = mismatch("spot", flavor(), [pods(), pods(selector=(ZONE_B,))])

    assert found is not None
    assert found.law is Law.AFFINITY_MISMATCH


def test_the_taint_is_named() -> None:
    found = mismatch("spot", flavor(SOFT, HARD), [pods()])

    assert found is not None
    assert [found.operand(name) for name in ("flavor", "key", "value", "effect")] == ["spot", "old", "", "NoExecute"]
