"""Laws of older releases about flavors: what may be named by chance, and which flavor is chosen.

The sentences and laws are those of Kueue v0.18.4: ``findFlavorForPodSets``, ``assignFlavors`` and ``isPreferred``.
"""

import pytest

from kubectl_fairshare.model.selectors import Requirement
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination, namespace_refusal, nominate
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Mode
from kubectl_fairshare.schedulers.kueue.model.objects import (
    ClusterQueue,
    Fungibility,
    Preemption,
    Quota,
    ResourceFlavor,
    ResourceGroup,
)
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, PodSet
from kubectl_fairshare.schedulers.kueue.words.messages import nomination_message, other_messages, refusal
from tests.unit.schedulers.kueue.build import cohort, holder, pending, queue, state

F_CPU, F_MEMORY, G_CPU = FlavorResource("f", "cpu"), FlavorResource("f", "memory"), FlavorResource("g", "cpu")
REQUESTS = {"cpu": 2000, "memory": 4}
BEGIN = "couldn't assign flavors to pod set main: "
ASSUMED = "previously considered podsets requests (0) + current podset request"
NO_CPU = f"insufficient quota for cpu in flavor f, {ASSUMED} (2) > maximum capacity (1)"
NO_MEMORY = f"insufficient quota for memory in flavor f, {ASSUMED} (4) > maximum capacity (3)"


def nominated(release: str, *queues: ClusterQueue, requests: dict[str, int] | None = None) -> Nomination:
    known = state(*queues, pending("w", "a", requests or REQUESTS), release=release)
    return nominate(known, known.kueue.pending[0])


def messages(found: Nomination) -> set[str]:
    return {text.removeprefix(BEGIN) for text in (nomination_message(found), *other_messages(found))}


def test_only_the_first_misfit_is_named_and_any_may_be_the_first() -> None:
    one = queue("a", None, {F_CPU: Quota(1000), F_MEMORY: Quota(3)})
    assert messages(nominated("0.18.4", one)) == {NO_CPU, NO_MEMORY}
    assert messages(nominated("0.18.5", one)) == {f"{NO_CPU}, {NO_MEMORY}"}


def test_what_lacks_unused_quota_may_come_before_the_misfit() -> None:
    one = queue("a", None, {F_CPU: Quota(2000), F_MEMORY: Quota(3)}, preemption=Preemption("LowerPriority"))
    running = holder("r", "a", {F_CPU: 500})
    known = state(one, running, pending("w", "a", REQUESTS), release="0.18.4")
    found = nominate(known, known.kueue.pending[0])
    short = "insufficient unused quota for cpu in flavor f, 500m more needed"
    assert messages(found) == {NO_MEMORY, f"{NO_MEMORY}, {short}"}
    (attempt,) = found.assignment.pod_sets[0].attempts if found.assignment is not None else ()
    assert attempt.mode is Mode.NO_FIT


def test_of_several_groups_any_that_fails_may_end_the_search() -> None:
    groups = (ResourceGroup(("cpu",), ("f",)), ResourceGroup(("memory",), ("g",)))
    g_memory = FlavorResource("g", "memory")
    one = replace(queue("a", None, {F_CPU: Quota(1000), g_memory: Quota(3)}), groups=groups)
    in_g = NO_MEMORY.replace("flavor f", "flavor g")
    assert messages(nominated("0.18.4", one)) == {NO_CPU, in_g}
    assert messages(nominated("0.18.5", one)) == {in_g}


@pytest.mark.parametrize(("release", "mode", "flavor"), [("0.18.4", Mode.PREEMPT, "f"), ("0.18.5", Mode.FIT, "g")])
def test_a_flavor_without_candidates_may_beat_one_that_fits(release: str, mode: Mode, flavor: str) -> None:
    fungibility = Fungibility("TryNextFlavor", "TryNextFlavor", "PreemptionOverBorrowing")
    a = queue("a", "co", {F_CPU: Quota(2000), G_CPU: Quota(0)}, fungibility=fungibility)
    b = queue("b", "co", {F_CPU: Quota(0), G_CPU: Quota(4000)})
    known = state(
        cohort("co"), a, b, holder("r", "b", {F_CPU: 2000}), pending("w", "a", {"cpu": 1000}), release=release
    )
    found = nominate(known, known.kueue.pending[0])
    assert found.mode is mode
    assert found.assignment is not None
    assert {f for f, _ in found.assignment.pod_sets[0].flavors.values()} == {flavor}


@pytest.mark.parametrize(("release", "flavor"), [("0.18.1", "g"), ("0.18.2", "f")])
def test_label_keys_of_other_flavors_counted(release: str, flavor: str) -> None:
    a = queue("a", None, {F_CPU: Quota(2000), G_CPU: Quota(2000)})
    flavors = (ResourceFlavor("f", {"pool": "x"}, (), ()), ResourceFlavor("g", {"gpu": "t4"}, (), ()))
    pods = PodSet("main", 1, {"cpu": 1000}, node_selector=(Requirement("gpu", "In", ("t4",)),))
    known = state(a, *flavors, pending("w", "a", pod_sets=(pods,)), release=release)
    found = nominate(known, known.kueue.pending[0])
    assert found.assignment is not None
    assert {f for f, _ in found.assignment.pod_sets[0].flavors.values()} == {flavor}


@pytest.mark.parametrize(
    ("release", "text"),
    [
        ("0.18.4", 'Could not obtain workload namespace: namespaces "x" not found'),
        ("0.18.5", 'workload namespace "x" does not exist: namespaces "x" not found'),
    ],
)
def test_a_missing_namespace_has_the_words_of_its_release(release: str, text: str) -> None:
    known = state(queue("a", None, {F_CPU: Quota(1)}), release=release)
    here = pending("w", "a")
    step = namespace_refusal(known, replace(here, key=here.key._replace(namespace="x")), "a")
    assert step is not None
    assert refusal(step) == text
