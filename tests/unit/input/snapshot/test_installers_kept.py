"""A snapshot holds what objects of other programs say of a scheduler's settings and release, and no more of them."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from kubectl_fairshare.input.snapshot.redaction import Redaction
from tests.sampling import sampled
from tests.screens import ROOT, shown
from tests.unit.schedulers.kueue.reading.test_release_signs import flavors, operator, workloads

Object = dict[str, Any]
STATES: Final = {
    "kueue": ROOT / "testdata" / "reports" / "kueue-backlog",
    "kai-scheduler": ROOT / "testdata" / "reports" / "kai-cordoned-headline",
    "koordinator": ROOT / "testdata" / "reports" / "koordinator-remedy-refused",
    "scheduler-plugins": ROOT / "testdata" / "elasticquota" / "cluster.yaml",
}
COMMANDS: Final = ("shares", "why -A", "cycle")
SECRET: Final = "canary"
FAIR: Final = f"""\
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
fairSharing: {{preemptionStrategies: [LessThanInitialShare]}}
multiKueue:
  clusterProfile: {{credentialsProviders: [{{name: x, execConfig: {{env: [{{name: A, value: {SECRET}}}]}}}}]}}
"""
VALUES: Final[dict[str, list[tuple[str, Object]]]] = {
    "kueue": [
        ("0.17.8", {"managerConfig": {"controllerManagerConfigYaml": FAIR}}),
        ("0.19.x", {"controllerManager": {"featureGates": [{"name": "LendingLimit", "enabled": False}]}}),
    ],
    "kai-scheduler": [
        ("v0.17.2", {"scheduler": {"placementStrategy": "spread", "args": {"full-hierarchy-fairness": "false"}}}),
        ("v0.17.2", {"scheduler": {"plugins": {"proportion": {"arguments": {"kValue": "2"}}}}}),
        ("v0.18.0", {}),
    ],
    "koordinator": [
        ("1.8.0", {"scheduler": {"enableJobPreemption": False, "featureGates": "MultiQuotaTree=true"}}),
        ("1.4.0", {}),
    ],
    "scheduler-plugins": [("0.32.7", {"plugins": {"enabled": ["Coscheduling"]}}), ("0.20.0", {})],
}


def flux(chart: str, version: str, values: Object) -> Object:
    named = {"chart": f"./{SECRET}/{chart}", "version": version, "sourceRef": {"name": SECRET}}
    spec = {"chart": {"spec": named}, "values": {**values, "adminPassword": SECRET}, "interval": "1h"}
    metadata = {"name": chart, "namespace": "flux"}
    return {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": metadata, "spec": spec}


def argo(chart: str, version: str, values: Object) -> Object:
    own = {"chart": chart, "repoURL": f"https://me:{SECRET}@example.com", "targetRevision": version}
    text = yaml.safe_dump({**values, "adminPassword": SECRET})
    parameters = [{"name": "redis.password", "value": SECRET}]
    other = {"chart": "other", "helm": {"values": f"key: {SECRET}", "parameters": parameters}}
    spec = {"sources": [other, {**own, "helm": {"values": text}}], "destination": {"server": f"https://{SECRET}"}}
    metadata = {"name": chart, "namespace": "argocd"}
    return {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": metadata, "spec": spec}


INSTALLED: Final = [
    (chart, made(chart, version, values))
    for chart, several in VALUES.items()
    for version, values in several
    for made in (flux, argo)
]
VENDOR: Final[Object] = {
    "apiVersion": "kueue.openshift.io/v1",
    "kind": "Kueue",
    "metadata": {"name": "cluster"},
    "spec": {
        "config": {"integrations": {"frameworks": ["BatchJob"]}, "preemption": {"preemptionPolicy": "FairSharing"}}
    },
}
SAID: Final[list[list[Object]]] = [
    [VENDOR],
    [{**VENDOR, "spec": {"config": {**VENDOR["spec"]["config"], "newField": {"a": SECRET}}}}],
    [workloads(8), flavors("self == oldSelf")],
    [workloads(8), flavors("self.x == oldSelf.x")],
    [workloads(18, served=False)],
    [operator("ClusterServiceVersion", "kueue-operator.v1.3.1", spec={"description": SECRET})],
    [operator("Subscription", "mine", spec={"name": "kueue-operator", "channel": "stable-v1.3", "source": SECRET})],
    [operator("Subscription", "mine", spec={"name": "kueue-operator", "channel": "stable-v9.9"})],
]
CASES: Final = [*INSTALLED, *((("kueue"), each) for each in SAID)]


def answered(command: str, folder: Path) -> Any:
    """What is settled, what is not known, and every figure: names may be hidden."""
    screen = shown(f"kubectl-fairshare {command} -f {folder} -o json")
    if not screen.stdout:
        return screen.code
    document = json.loads(screen.stdout)
    fidelity = document["fidelity"]
    gaps = sorted((gap["feature"], gap["touches"]) for gap in fidelity["notModelled"])
    settled = [fidelity.get(name) for name in ("grade", "version", "rulesOf", "releaseAssumed")]
    return settled, gaps, [*figures(document)]


def figures(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        for name, held in value.items():
            if name not in ("line", "column", "skipped"):
                yield from figures(held)
    elif isinstance(value, list):
        for item in value:
            yield from figures(item)
    elif isinstance(value, int | float):
        yield value


def text_of(objects: Any) -> str:
    return str(yaml.safe_dump_all(objects if isinstance(objects, list) else [objects]))


@pytest.mark.parametrize("level", sampled(Redaction, 3, first=2))
@pytest.mark.parametrize(("chart", "objects"), sampled(CASES, 4))
def test_an_answer_of_the_snapshot_is_that_of_its_source(
    chart: str, objects: Any, level: Redaction, tmp_path: Path
) -> None:
    source, kept = tmp_path / "source", tmp_path / "kept"
    source.mkdir()
    kept.mkdir()
    base = STATES[chart]
    for path in sorted(base.iterdir()) if base.is_dir() else [base]:
        (source / path.name).write_bytes(path.read_bytes())
    (source / "installer.yaml").write_text(text_of(objects))

    made = shown(f"kubectl-fairshare snapshot -f {source} --redact {level} -o {kept}/snapshot.json.gz")

    assert made.code == 0, made.stderr
    assert SECRET not in gzip.decompress((kept / "snapshot.json.gz").read_bytes()).decode()
    for command in COMMANDS:
        assert answered(command, kept) == answered(command, source), command


@pytest.mark.parametrize("chart", STATES)
def test_some_of_these_objects_change_an_answer(chart: str, tmp_path: Path) -> None:
    """Otherwise the test above holds of a snapshot that leaves them out, too."""
    plain = [answered(command, STATES[chart]) for command in COMMANDS]
    changed = 0
    for number, objects in enumerate(objects for name, objects in CASES if name == chart):
        path = tmp_path / f"{number}.yaml"
        path.write_text(text_of(objects))
        changed += [answered(f"{command} -f {path}", STATES[chart]) for command in COMMANDS] != plain
    assert changed >= 2
