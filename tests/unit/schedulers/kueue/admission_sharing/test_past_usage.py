"""The memory of Kueue's manager as a value: charges, and what they count."""

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.admission_sharing.past_usage import (
    Entry,
    UsageLedger,
    admitted_usage,
    covered_resources,
    requests_of,
    scoped_queues,
)
from kubectl_fairshare.schedulers.kueue.model.consumption import ExactQuantity
from kubectl_fairshare.schedulers.kueue.model.objects import USAGE_BASED, AdmissionSharing
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, PodSet
from kubectl_fairshare.schedulers.kueue.release import release_named
from tests.unit.schedulers.kueue.build import NAMESPACE, holder, pending, queue, state

SHARING = AdmissionSharing(half_life=300, sampling=300)  # half of every request is charged
LOCAL = (NAMESPACE, "q")


def test_an_admission_charges_its_local_queue_where_the_queue_orders_by_usage() -> None:
    past = UsageLedger(SHARING, frozenset({"q"}), {LOCAL: Entry(weight=2.0)})
    charged = past.with_admission("q", pending("w", "q", 8), None)
    assert charged.usage("q", LOCAL) == 2.0
    assert charged.with_admission("q", pending("w", "q", 4), None).usage("q", LOCAL) == 1.0  # it replaces the former
    assert past.with_admission("other", pending("w", "q", 8), None) is past
    assert charged.usage("other", LOCAL) == 0.0


def test_older_releases_charge_whatever_the_queue_orders_by() -> None:
    """Kueue v0.17.8 adds a penalty for each workload that it assumes: later releases do where the queue is scoped."""
    older = replace(SHARING, release=release_named("0.17"))
    charged = UsageLedger(older, frozenset(), {}).with_admission("q", pending("w", "q", 8), None)
    assert charged.of(LOCAL).penalty == {"gpu": ExactQuantity(4000, 3)}
    assert charged.usage("q", LOCAL) == 0.0


def test_pods_that_ended_and_resources_that_are_let_through_are_not_charged() -> None:
    pods = (PodSet("main", 4, {"cpu": 500, "gpu": 1}, reclaimable=1),)
    assert requests_of(pods) == {"cpu": ExactQuantity(1500, 3), "gpu": ExactQuantity(3)}
    assert requests_of(pods, ["gpu"]) == {"gpu": ExactQuantity(3)}


def test_only_admitted_workloads_count_as_present_use() -> None:
    spot = FlavorResource("spot", "gpu")
    running = holder("a", "q", {spot: 2, FlavorResource("other", "gpu"): 1}, admitted=5)
    found = admitted_usage([running, holder("b", "q", {spot: 9})])
    assert found == {"gpu": ExactQuantity(3)}
    assert admitted_usage([running], until=4) == {}


def test_the_scope_is_the_cluster_queues_and_undeclared_resources_are_left_out_where_they_are_let_through() -> None:
    kueue = state(queue("q", quotas=1, admission_scope=USAGE_BASED), queue("plain", quotas=1)).kueue
    assert scoped_queues(kueue) == {"q"}
    assert covered_resources(kueue, "q") is None
    lenient = replace(kueue, configuration=replace(kueue.configuration, quota_check="IgnoreUndeclared"))
    assert covered_resources(lenient, "q") == ("gpu",)
