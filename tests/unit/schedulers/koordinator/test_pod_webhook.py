"""New pods that Koordinator's webhook rejects for their own fields."""

from typing import Any

import pytest

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.jobs.pod_templates import pod_of
from kubectl_fairshare.model.location import Origin
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.koordinator.admission.pod_webhook import ReviewedPod, pod_complaints
from kubectl_fairshare.schedulers.koordinator.explain.asking import webhook_gaps
from kubectl_fairshare.schedulers.koordinator.jobs.pods import pod_reader
from kubectl_fairshare.schedulers.koordinator.model.objects import Gates, KoordinatorState
from kubectl_fairshare.schedulers.recording import manifest_of
from tests.unit.schedulers.koordinator.build import Object, manifests, node, pod, quota

QOS = "koordinator.sh/qosClass"
CLASS = "koordinator.sh/priority-class"
CORE = 10**9


def complaints(qos: str = "", priority: int = 0, cpu: int = 0, **more: Any) -> list[str]:
    labels = ({QOS: qos} if qos else {}) | more.get("labels", {})
    requests = {"cpu": cpu} | more.get("requests", {})
    return list(pod_complaints(ReviewedPod(priority, requests, labels, more.get("annotations", {}))))


@pytest.mark.parametrize(
    ("qos", "priority", "expected"),
    [
        ("", 0, []),
        ("BE", 0, ["QoS class BE excludes a priority outside of all classes"]),
        ("BE", 9999, ["QoS class BE excludes priority class koord-prod"]),
        ("BE", 10_000, ["QoS class BE excludes a priority outside of all classes"]),
        ("BE", 7000, []),
        ("BE", 5999, []),
        ("BE", 3000, []),
        ("LSR", 9000, []),
        ("LSR", 0, ["QoS class LSR excludes a priority outside of all classes"]),
        ("LSR", 7999, ["QoS class LSR excludes priority class koord-mid"]),
        ("LSR", 5000, ["QoS class LSR excludes priority class koord-batch"]),
        ("LSR", 3999, ["QoS class LSR excludes priority class koord-free"]),
        ("LSE", 0, []),
        ("LS", 0, []),
        ("SYSTEM", 0, []),
        ("other", 0, []),
    ],
)
def test_a_qos_class_excludes_priority_classes(qos: str, priority: int, expected: list[str]) -> None:
    assert complaints(qos, priority, CORE) == expected


def test_a_label_comes_before_the_priority() -> None:
    assert complaints("BE", 9999, labels={CLASS: "koord-batch"}) == []
    assert complaints("BE", 5000, labels={CLASS: "koord-prod"}) == ["QoS class BE excludes priority class koord-prod"]
    assert complaints("BE", 5000, labels={CLASS: "x"}) == ["QoS class BE excludes a priority outside of all classes"]


@pytest.mark.parametrize("qos", ["LSR", "LSE"])
def test_cpus_of_their_own_are_whole(qos: str) -> None:
    assert complaints(qos, 9000, 2 * CORE) == []
    assert complaints(qos, 9000, CORE // 2) == [f"QoS class {qos} needs whole CPUs"]
    assert complaints(qos, 9000) == [f"QoS class {qos} needs a request of cpu"]


def test_batch_resources_need_the_label() -> None:
    batch = {"kubernetes.io/batch-cpu": 1000 * CORE}
    missing = [f"it requests batch resources and has no label {QOS}: BE"]
    assert complaints("", 5000, requests=batch) == missing
    assert complaints("LS", 5000, requests={"kubernetes.io/batch-memory": CORE}) == missing
    assert complaints("BE", 5000, requests=batch) == []
    assert complaints("", 5000, requests={"kubernetes.io/batch-cpu": 0}) == []


def test_a_pod_that_stands_for_a_reservation_is_forbidden() -> None:
    name = "scheduling.koordinator.sh/reserve-pod"
    assert complaints(annotations={name: "false"}) == [f"the annotation {name} is forbidden"]


def gaps(asked: Object, *others: Object, gates: Gates | None = None) -> list[tuple[str, str]]:
    found = manifests(node(), quota("a", {}, {"cpu": 9}), *others)
    snapshot = assemble(found, known_schedulers()).snapshot
    reader = pod_reader(found, snapshot.part(PodContext))
    maker = manifest_of(asked, Origin("asked", 0))
    state = replace(snapshot.part(KoordinatorState), gates=gates or Gates())
    waiting = pod_of(maker, reader.read)
    return [(gap.feature, gap.subject) for gap in webhook_gaps(state, reader.around, waiting, maker)]


def best_effort(**metadata: Any) -> Object:
    found = pod("asked", "a", {"cpu": 1}, labels={QOS: "BE"})
    found["metadata"] |= metadata
    return found


REJECTED = "QoS class BE excludes a priority outside of all classes"


def test_a_new_pod_that_the_webhook_rejects_has_a_gap() -> None:
    key = "Pod lab/asked"
    assert gaps(best_effort()) == [("InvalidObject", f"{key}: Koordinator's webhook rejects it: {REJECTED}")]
    assert gaps(best_effort(resourceVersion="7")) == []
    assert gaps(pod("asked", "a", {"cpu": 1})) == []


def test_the_pods_of_a_template_are_rejected_too() -> None:
    made = best_effort()
    template = {"metadata": {"labels": made["metadata"]["labels"]}, "spec": made["spec"]}
    job = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j", "namespace": "lab"}}
    found = gaps({**job, "spec": {"template": template}})
    assert found == [("InvalidObject", f"Job lab/j: Koordinator's webhook rejects its pods: {REJECTED}")]


def test_the_webhook_may_not_run() -> None:
    assert gaps(best_effort(), gates=Gates(validates_pods=False)) == []
    exempt = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "lab", "labels": {"control-plane": "x"}}}
    assert gaps(best_effort(), exempt) == []


def test_a_profile_of_colocation_may_change_the_fields_first() -> None:
    profile = {"apiVersion": "config.koordinator.sh/v1alpha1", "kind": "ClusterColocationProfile"}
    assert gaps(best_effort(), {**profile, "metadata": {"name": "batch"}, "spec": {}}) == []


def test_rules_that_are_off_by_default_are_gaps_where_they_are_on() -> None:
    found = gaps(pod("asked", "a"), gates=Gates(validates_devices=True, validates_labels=True))
    assert found == [("PodWebhook", "devices"), ("PodWebhook", "required labels")]
