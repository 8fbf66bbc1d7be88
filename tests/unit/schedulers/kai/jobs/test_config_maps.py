"""Which ConfigMaps a pod needs, and what a plan makes of one that is not in the input."""

from typing import Any

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kai.explain.planning import plan
from kubectl_fairshare.schedulers.kai.jobs.config_maps import required_config_maps
from kubectl_fairshare.schedulers.kai.model.objects import KaiState
from kubectl_fairshare.schedulers.kai.session.session import open_session
from kubectl_fairshare.schedulers.recording import accepted_form, manifests_of
from tests.unit.schedulers.kai.solver.scenes import node, one, queue

VOLUMES = [
    {"name": "a", "configMap": {"name": "mounted"}},
    {"name": "b", "configMap": {"name": "never-mounted"}},
    {"name": "c", "projected": {"sources": [{"configMap": {"name": "kube-root-ca.crt"}}]}},
    {"name": "d", "configMap": {"name": "optional", "optional": True}},
]


def test_mounted_and_read_ones_are_needed_unless_optional() -> None:
    mounts = [{"name": name, "mountPath": f"/{name}"} for name in "acd"]
    env = [{"name": "X", "valueFrom": {"configMapKeyRef": {"name": "key", "key": "k"}}}]
    source = [{"configMapRef": {"name": "all"}}, {"secretRef": {"name": "secret"}}]
    container = {"name": "m", "volumeMounts": mounts, "env": env, "envFrom": source}
    pod: dict[str, Any] = {"spec": {"containers": [container], "volumes": VOLUMES}}
    assert required_config_maps(pod) == {"mounted", "key", "all"}
    shared = {"metadata": {"annotations": {"runai/shared-gpu-configmap": "mounted"}}, **pod}
    assert required_config_maps(shared) == {"key", "all"}


def planned(*others: Any) -> Any:
    wait = one("wait", "a", 1)
    wait[1]["spec"]["containers"][0]["envFrom"] = [{"configMapRef": {"name": "settings"}}]
    found = [node("n0", 8), queue("a", 4), *wait, *others]
    state = assemble(manifests_of(map(accepted_form, found), "maps"), known_schedulers()).snapshot.part(KaiState)
    return plan(open_session(state), "wait")


def config_map(name: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": "team"}, "data": {}}


def test_one_that_is_missing_among_others_of_its_namespace_leaves_the_answer_open() -> None:
    assert planned(config_map("settings")).fidelity.gaps == ()
    found = planned(config_map("other"))
    assert found.outcome is Outcome.UNKNOWN
    assert found.fidelity.doubts == ("ConfigMap team/settings is not in the input",)


def test_without_any_config_map_of_the_namespace_it_is_only_said() -> None:
    found = planned()
    assert found.outcome is Outcome.ADMITTED
    assert [(gap.subject, gap.touches) for gap in found.fidelity.gaps] == [("ConfigMap team/settings", False)]
