"""Who is sent a snapshot finds no value of an environment and no credential in it, however deep it was written."""

import gzip
import json
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kubectl_fairshare.input.snapshot.redaction import Redaction
from kubectl_fairshare.schedulers import known_schedulers
from tests.screens import shown

CANARY = "canary-9f2c"
Object = dict[str, Any]
QUEUE = {
    "apiVersion": "kueue.x-k8s.io/v1beta2",
    "kind": "ClusterQueue",
    "metadata": {"name": "q"},
    "spec": {"namespaceSelector": {}},
}
HEAD = "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"
PROVIDER = f"{{name: x, execConfig: {{env: [{{name: A, value: {CANARY}}}]}}}}"
CONFIGURATION = f"{HEAD}multiKueue: {{clusterProfile: {{credentialsProviders: [{PROVIDER}]}}}}\n"
SCHEDULER = (
    "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
    f"profiles: [{{schedulerName: x, pluginConfig: [{{name: CapacityScheduling, args: {{env: {CANARY}}}}}]}}]\n"
)
NESTED = json.dumps({"a": json.dumps({"env": [{"name": "A", "value": CANARY}]})})


def of_config_map(text: str, **beside: str) -> Object:
    metadata = {"name": "kueue-manager-config", "namespace": "kueue-system"}
    data = {"controller_manager_config.yaml": text, **beside}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


def of_flux(values: Object) -> Object:
    chart = {"chart": "kueue", "version": "0.17.8", "sourceRef": {"name": CANARY}}
    head = {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": {"name": "kueue"}}
    return {**head, "spec": {"chart": {"spec": chart}, "values": values}}


def of_argo(values: str) -> Object:
    source = {"chart": "kueue", "targetRevision": "0.17.8", "helm": {"values": values}}
    head = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": {"name": "kueue"}}
    return {**head, "spec": {"sources": [source], "destination": {"server": f"https://me:{CANARY}@example.com"}}}


def of_job(**annotations: str) -> Object:
    pod = {"containers": [{"name": "c", "env": [{"name": "A", "value": CANARY}], "resources": {}}]}
    metadata = {"name": "job", "namespace": "team", "annotations": annotations}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": {"template": {"spec": pod}}}


PLANTED = {
    "configuration": of_config_map(CONFIGURATION),
    "broken by a tab": of_config_map(f"{CONFIGURATION}\t\n\tx: :"),
    "broken by a brace": of_config_map(f"{CONFIGURATION}}}"),
    "cut off": of_config_map(f"{CONFIGURATION}a: [b"),
    "key twice": of_config_map(CONFIGURATION + CONFIGURATION.partition("Configuration\n")[2]),
    "second document": of_config_map(f"{HEAD}---\n{CONFIGURATION}"),
    "Secret beside it": of_config_map(f"{HEAD}---\nkind: Secret\nstringData: {{a: {CANARY}}}\n"),
    "comment": of_config_map(f"{HEAD}# env: [{{name: A, value: {CANARY}}}]\n"),
    "JSON in a value": of_config_map(f"{HEAD}extra: '{json.dumps({'env': CANARY})}'\n"),
    "JSON in JSON": of_config_map(f"{HEAD}extra: {json.dumps(NESTED)}\n"),
    "YAML in a value": of_config_map(f"{HEAD}extra: |\n  env:\n  - {{name: A, value: {CANARY}}}\n"),
    "other file": of_config_map(HEAD, **{"password.txt": CANARY}),
    "login": of_config_map(f"{HEAD}clientConnection: {{url: 'https://me:{CANARY}@example.com'}}\n"),
    "scheduler": of_config_map(SCHEDULER),
    "broken scheduler": of_config_map(f"{SCHEDULER}}}"),
    "annotation": of_job(note=json.dumps({"env": [{"name": "A", "value": CANARY}]})),
    "annotation of a list": of_job(note=json.dumps([{"envFrom": CANARY}])),
    "annotation in JSON in JSON": of_job(note=NESTED),
    "annotation of YAML": of_job(note=f"team: a\nenv:\n- value: {CANARY}"),
    "annotation of one line": of_job(note=f"env: {CANARY}"),
    "chart": of_flux({"controllerManager": {"manager": {"env": [{"name": "A", "value": CANARY}]}}}),
    "token of a chart": of_flux({"token": CANARY, "metrics": {"prometheus": {"authToken": CANARY}}}),
    "data of a chart": of_flux({"data": {"password": CANARY}, "annotations": {"note": CANARY}}),
    "configuration of a chart": of_flux({"managerConfig": {"controllerManagerConfigYaml": CONFIGURATION}}),
    "broken in a chart": of_flux({"managerConfig": {"controllerManagerConfigYaml": f"{CONFIGURATION}}}"}}),
    "text of a chart": of_argo(f"data: {{a: {CANARY}}}\ntoken: {CANARY}\n"),
    "broken text of a chart": of_argo(f"adminPassword: {CANARY}\na: [b"),
}
"""Where a value of an environment or a credential may be."""


def kept(folder: Path, redaction: Redaction, *objects: Object) -> str:
    """The text of a snapshot of these objects and a queue."""
    (folder / "in.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [QUEUE, *objects]}))
    screen = shown(f"kubectl-fairshare snapshot -f {folder}/in.json --redact {redaction} -o {folder}/out.gz")
    assert screen.code == 0, screen.stderr
    return gzip.decompress((folder / "out.gz").read_bytes()).decode()


@pytest.mark.parametrize("redaction", list(Redaction))
@pytest.mark.parametrize("where", PLANTED)
def test_no_environment_and_no_credential_is_kept(tmp_path: Path, where: str, redaction: Redaction) -> None:
    text = kept(tmp_path, redaction, PLANTED[where])
    assert CANARY not in text
    assert f'"kind":"{PLANTED[where]["kind"]}"' in text  # otherwise nothing of the object could be found


MARKS = sorted({word for each in known_schedulers() for word in each.marks.words})
UNREAD: dict[str, Callable[[str], Object]] = {
    "key": lambda mark: {"data": {mark: CANARY}},
    "text": lambda mark: {"stringData": {"a": f"{mark}\n{CANARY}"}},
    "bytes": lambda mark: {"data": {"a": b64encode(f"{mark}: {CANARY}".encode()).decode(), CANARY: "YQ=="}},
    "other field": lambda mark: {"spec": {"a": [{mark: {CANARY: CANARY}}]}, CANARY: CANARY},
    "label": lambda mark: {"stringData": {"a": mark}, "type": CANARY, "immutable": True},
}
"""Settings that are not read, given the word by which they are found."""


@pytest.mark.parametrize("redaction", list(Redaction))
@pytest.mark.parametrize("form", UNREAD)
@pytest.mark.parametrize("mark", MARKS)
def test_of_settings_that_are_not_read_stays_that_they_were_there(
    tmp_path: Path, mark: str, form: str, redaction: Redaction
) -> None:
    labels = {"labels": {CANARY: CANARY}, "annotations": {CANARY: CANARY}, "finalizers": [CANARY]}
    metadata = {"name": "settings", "namespace": "team", **labels}
    text = kept(tmp_path, redaction, {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, **UNREAD[form](mark)})
    assert CANARY not in text
    assert b64encode(CANARY.encode()).decode()[:8] not in text
    (line,) = (line for line in text.splitlines() if '"Secret"' in line)
    assert set(json.loads(line.rstrip(","))) == {"apiVersion", "kind", "metadata", "spec"}
    assert json.loads(line.rstrip(","))["spec"] == {"chart": mark}


FIELDS = ("env", "envFrom", "httpHeaders", "redisPassword", "sparkConf", "envVars")


def nested(dice: Random, value: Any) -> Any:
    """A value below fields, lists and texts drawn at random."""
    for _ in range(dice.randint(1, 6)):
        how = dice.randint(0, 3)
        name = dice.choice(["spec", "resources", "args", "x", "data", "value", "template"])
        value = {name: value} if how < 2 else [value] if how == 2 else {name: json.dumps(value)}
    return value


@pytest.mark.parametrize("redaction", list(Redaction))
@pytest.mark.parametrize("seed", range(5))
def test_no_canary_survives_in_a_structure_by_chance(tmp_path: Path, seed: int, redaction: Redaction) -> None:
    dice = Random(f"{seed}")
    items = []
    for number in range(40):
        plants = [nested(dice, {dice.choice(FIELDS): nested(dice, CANARY)}) for _ in range(10)]
        holder = json.dumps({"apiVersion": "config.kueue.x-k8s.io/v1beta2", "kind": "Configuration", "x": plants})
        each = of_config_map(holder) if number % 2 else of_job(note=holder)
        each["metadata"]["name"] = f"o{number}"
        items.append(each)
    assert CANARY not in kept(tmp_path, redaction, *items)
