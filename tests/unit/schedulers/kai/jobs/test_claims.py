"""The GPUs of ResourceClaims: which requests count, and whose they are."""

from typing import Any

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kai.explain.planning import plan
from kubectl_fairshare.schedulers.kai.jobs.groups import membership
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, PodGroup
from kubectl_fairshare.schedulers.kai.session.session import Session, open_session
from kubectl_fairshare.schedulers.recording import accepted_form, manifests_of
from tests.unit.schedulers.kai.solver.scenes import node, one, queue


def claim(name: str, *requests: Any, pod: str = "", annotations: Any = None) -> dict[str, Any]:
    owners = [{"apiVersion": "v1", "kind": "Pod", "name": pod, "uid": f"u-{pod}", "controller": True}] if pod else []
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": name, "namespace": "team", "ownerReferences": owners, "annotations": annotations or {}},
        "spec": {"devices": {"requests": list(requests)}},
    }


def exactly(device_class: str, **fields: Any) -> dict[str, Any]:
    return {"name": "r", "exactly": {"deviceClassName": device_class, "allocationMode": "ExactCount", **fields}}


def uses(name: str, claims: list[dict[str, Any]], at: str = "n0", **fields: Any) -> list[dict[str, Any]]:
    group, pod = one(name, "a", 0, at, spec={"resourceClaims": claims})
    pod["status"] |= fields
    return [group, pod]


def session(*objects: Any) -> Session:
    found = [node("n0", 8), queue("a", 4), *objects]
    state = assemble(manifests_of(map(accepted_form, found), "claims"), known_schedulers()).snapshot.part(KaiState)
    return open_session(state)


def allocated(*objects: Any) -> float:
    return session(*objects).standings["a"].allocated.gpu


def test_a_claim_that_the_pod_names_counts_its_gpus() -> None:
    pod = uses("r1", [{"name": "g", "resourceClaimName": "c"}])
    assert allocated(*pod, claim("c", exactly("gpu.nvidia.com", count=2))) == 2
    assert allocated(*pod, claim("c", exactly("gpu.nvidia.com", allocationMode="All"))) == 1
    assert allocated(*pod, claim("c", exactly("nic.example.com", count=2))) == 0
    old = {"name": "r", "deviceClassName": "gpu.nvidia.com", "count": 3}
    assert allocated(*pod, claim("c", old)) == 3


def test_a_claim_of_a_template_belongs_to_the_pod_that_owns_it() -> None:
    made = [{"name": "g", "resourceClaimName": "r1-0-g"}]
    pod = uses("r1", [{"name": "g", "resourceClaimTemplateName": "t"}], resourceClaimStatuses=made)
    assert allocated(*pod, claim("r1-0-g", exactly("gpu.nvidia.com", count=2), pod="r1-0")) == 2


def test_a_claim_that_stands_for_extended_resources_is_counted_in_the_pod_already() -> None:
    extended = {"resource.kubernetes.io/extended-resource-claim": "true"}
    pod = uses("r1", [{"name": "g", "resourceClaimName": "c"}])
    assert allocated(*pod, claim("c", exactly("gpu.nvidia.com", count=2), annotations=extended)) == 0


def test_only_a_claim_that_is_not_in_the_input_leaves_answers_open() -> None:
    pod, wait = uses("r1", [{"name": "g", "resourceClaimName": "c"}]), one("wait", "a", 1)
    unknown = plan(session(*pod, *wait), "wait")
    assert unknown.outcome is Outcome.UNKNOWN
    assert [gap.feature for gap in unknown.fidelity.gaps] == ["DynamicResourceClaims"]
    known = plan(session(*pod, *wait, claim("c", exactly("gpu.nvidia.com", count=2))), "wait")
    assert known.outcome is Outcome.ADMITTED
    assert known.fidelity.exact


def test_a_job_with_claims_is_not_placed_here() -> None:
    wait = uses("wait", [{"name": "g", "resourceClaimName": "c"}], at="")
    found = plan(session(*wait, claim("c", exactly("gpu.nvidia.com"))), "wait")
    assert found.outcome is Outcome.UNKNOWN
    assert [gap.subject for gap in found.fidelity.gaps] == ["DRA"]


def test_a_claim_that_two_pods_share_leaves_its_node_open() -> None:
    shared = [{"name": "g", "resourceClaimName": "c"}]
    pods = [*uses("r1", shared), *uses("r2", shared)]
    found = plan(session(*pods, *one("wait", "a", 1), claim("c", exactly("gpu.nvidia.com"))), "wait")
    assert [gap.subject for gap in found.fidelity.gaps] == ["DRA"]


def test_a_pod_that_is_asked_about_has_the_gpus_of_its_claims_too() -> None:
    """The manifest of a stored pod is read again: it requested none of the two GPUs that it names."""
    _, made = uses("r1", [{"name": "g", "resourceClaimName": "c"}], at="")
    state = session(claim("c", exactly("gpu.nvidia.com", count=2))).state
    (manifest,) = manifests_of([accepted_form(made)], "asked")
    for known, gpus in ((state, 2), (replace(state, claims=()), 0)):
        group = PodGroup(ObjectKey("scheduling.run.ai", "PodGroup", "team", "r1"), "a", 0)
        member = membership(manifest, replace(known, pod_groups=(group,)))
        assert member is not None
        assert [pod.request.gpu for pod in member.pods] == [gpus]
