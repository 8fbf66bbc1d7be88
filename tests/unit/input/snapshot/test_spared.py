"""Names by which a scheduler decides stay in a redacted snapshot, whatever else is called so."""

import gzip
import json
from typing import Any

import pytest

from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.snapshot.redaction import Redaction
from kubectl_fairshare.input.snapshot.snapshot_file import snapshot
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers import known_schedulers


def manifest(kind: str, name: str, namespace: str = "", group: str = "") -> Manifest:
    api_version = f"{group}/v1" if group else "v1"
    data = {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, "namespace": namespace}}
    return Manifest(ObjectKey(group, kind, namespace, name), "v1", data, Origin("x", 0))


def stored(*manifests: Manifest, redaction: Redaction) -> list[Any]:
    data, _ = snapshot(Reading(tuple(manifests), Texts()), redaction, schedulers=known_schedulers())
    return list(json.loads(gzip.decompress(data))["items"])


@pytest.mark.parametrize("redaction", list(Redaction))
@pytest.mark.parametrize(
    ("label", "value"),
    [
        ("app", "kai-resource-reservation"),
        ("app", "scaling-pod"),
        ("training.kubeflow.org/job-role", "master"),
        ("ray.io/node-type", "head"),
    ],
)
def test_labels_of_pods_by_which_kai_decides_stay(label: str, value: str, redaction: Redaction) -> None:
    home = "kai-resource-reservation"
    named = [manifest("Namespace", each) for each in (home, "head", "master", "scaling-pod")]
    pod = manifest("Pod", "p", home)
    pod.data["metadata"]["labels"] = {label: value}
    (found,) = [each for each in stored(*named, pod, redaction=redaction) if each["kind"] == "Pod"]
    assert (found["metadata"]["namespace"], found["metadata"]["labels"]) == (home, {label: value})


@pytest.mark.parametrize("redaction", list(Redaction))
def test_the_sign_for_all_plugins_stays(redaction: Redaction) -> None:
    plugins = {"postFilter": {"disabled": [{"name": "*"}]}}
    configuration = manifest("KubeSchedulerConfiguration", "c", "koordinator-system", "kubescheduler.config.k8s.io")
    configuration.data["profiles"] = [{"schedulerName": "koord-scheduler", "plugins": plugins}]
    (found,) = stored(configuration, redaction=redaction)
    assert found["profiles"][0]["plugins"] == plugins
