"""An address of Kueue's own repository, in a kustomization or a GitOps program's source, names the release."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_fairshare.schedulers.kueue.reading.published import release_at
from tests.screens import ROOT, Screen

Run = Callable[[str], Screen]
ORG = ROOT / "testdata" / "demo" / "org"
HOME = "https://github.com/kubernetes-sigs/kueue"


@pytest.mark.parametrize(
    ("address", "release"),
    [
        (f"{HOME}/releases/download/v0.17.3/manifests.yaml", "v0.17.3"),
        (f"{HOME}/config/default?ref=v0.18.6", "v0.18.6"),
        (f"{HOME}.git//config/default?timeout=90s&ref=v0.18.6", "v0.18.6"),
        ("github.com/kubernetes-sigs/kueue/config/default?ref=v0.16.9", "v0.16.9"),
        ("git@github.com:kubernetes-sigs/kueue.git//config/default?ref=v0.16.9", "v0.16.9"),
        ("https://raw.githubusercontent.com/kubernetes-sigs/kueue/v0.16.2/config/x.yaml", "v0.16.2"),
        (f"{HOME}/releases/download/v0.18.0-rc.1/manifests.yaml", "v0.18.0-rc.1"),
        (f"{HOME}/config/default?ref=main", ""),
        (f"{HOME}/config/default", ""),
        ("https://github.com/kubernetes-sigs/kueue-extras/config?ref=v0.17.3", ""),
        ("https://github.com/example/kueue/config?ref=v0.17.3", ""),
        ("v0.17.3", ""),
    ],
)
def test_only_a_tag_of_its_own_repository_is_a_release(address: str, release: str) -> None:
    assert release_at(address) == release


def argo(*sources: dict[str, str]) -> dict[str, Any]:
    spec = {"project": "default", "destination": {"namespace": "kueue-system"}, "sources": list(sources)}
    return {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": {"name": "kueue"}, "spec": spec}


def flux(**ref: str) -> dict[str, Any]:
    head = {"apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository", "metadata": {"name": "kueue"}}
    return {**head, "spec": {"url": HOME, "ref": ref}}


def fidelity(run: Run, *paths: Path) -> dict[str, Any]:
    named = " ".join(f"-f {path}" for path in paths)
    found: dict[str, Any] = json.loads(run(f"kubectl-fairshare shares {named} -o json").stdout)["fidelity"]
    return found


@pytest.mark.parametrize(
    ("objects", "version"),
    [
        ([argo({"repoURL": HOME, "path": "config/default", "targetRevision": "v0.17.3"})], "v0.17.3"),
        ([flux(tag="v0.18.3")], "v0.18.3"),
        ([argo({"repoURL": HOME, "path": "x", "targetRevision": "v0.17.3"}), flux(tag="v0.18.3")], "v0.17.3, v0.18.3"),
    ],
)
def test_the_source_of_an_installation_names_the_release(
    run: Run, tmp_path: Path, objects: list[dict[str, Any]], version: str
) -> None:
    path = tmp_path / "source.yaml"
    path.write_text(yaml.safe_dump_all(objects), "utf-8")
    assert fidelity(run, ORG, path)["version"] == version


def test_a_branch_names_none(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "source.yaml"
    path.write_text(yaml.safe_dump_all([flux(branch="main")]), "utf-8")
    assert fidelity(run, ORG, path)["releaseAssumed"]


def installed(folder: Path, resources: list[str], **fields: Any) -> Path:
    folder.mkdir()
    (folder / "kustomization.yaml").write_text(yaml.safe_dump({"resources": resources, **fields}), "utf-8")
    return folder


MANIFESTS = f"{HOME}/releases/download/v0.17.8/manifests.yaml"


def test_the_manifests_of_a_release_leave_an_answer_exact(run: Run, tmp_path: Path) -> None:
    found = fidelity(run, ORG, installed(tmp_path / "infra", [MANIFESTS]))
    assert (found["version"], found["grade"]) == ("v0.17", "exact")


QUEUE: dict[str, Any] = {
    "apiVersion": "kueue.x-k8s.io/v1beta2",
    "kind": "ClusterQueue",
    "metadata": {"name": "q"},
    "spec": {"cohortName": "all", "namespaceSelector": {}},
}


@pytest.mark.parametrize(
    ("others", "fields", "grade"),
    [
        ([], {}, "exact"),
        (["https://example.org/more.yaml"], {}, "not exact"),
        ([], {"patches": [{"patch": "- {op: remove, path: /data}", "target": {"kind": "ConfigMap"}}]}, "not exact"),
    ],
)
def test_what_stands_beside_them_or_changes_them_may_decide(
    run: Run, tmp_path: Path, others: list[str], fields: dict[str, Any], grade: str
) -> None:
    folder = installed(tmp_path / "infra", [MANIFESTS, "own.yaml", *others], **fields)
    (folder / "own.yaml").write_text(yaml.safe_dump(QUEUE), "utf-8")
    found = fidelity(run, folder)
    assert (found["version"], found["grade"]) == ("v0.17", grade)


def test_each_unit_has_the_release_that_it_installs(run: Run, tmp_path: Path) -> None:
    for cluster, release, weight in (("eu", "v0.17.8", 1), ("us", "v0.18.6", 2)):
        folder = installed(tmp_path / cluster, ["queue.yaml", f"{HOME}/config/default?ref={release}"])
        spec = {"cohortName": "all", "namespaceSelector": {}, "fairSharing": {"weight": weight}}
        (folder / "queue.yaml").write_text(yaml.safe_dump({**QUEUE, "spec": spec}), "utf-8")
    screen = run(f"kubectl-fairshare shares -f {tmp_path}").stdout
    assert [line for line in screen.splitlines() if line.startswith("⇒")] == [
        "⇒ 0 of 1 queue borrows · 0 running, 0 pending · exact (Kueue v0.17)",
        "⇒ 0 of 1 queue borrows · 0 running, 0 pending · exact (Kueue v0.18)",
    ]


def manager(release: str) -> dict[str, Any]:
    container = {"name": "manager", "image": f"registry.k8s.io/kueue/kueue:{release}"}
    metadata = {"name": "kueue-controller-manager", "namespace": "kueue-system"}
    spec = {"template": {"spec": {"containers": [container]}}}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}


@pytest.mark.parametrize(
    ("release", "version", "grade"),
    [("v0.17.8", "v0.17", "exact"), ("0.17.8", "v0.17", "exact"), ("v0.18.6", "v0.17.8, v0.18.6", "not exact")],
)
def test_a_manager_of_another_release_makes_no_answer_exact(
    run: Run, tmp_path: Path, release: str, version: str, grade: str
) -> None:
    path = tmp_path / "manager.yaml"
    path.write_text(yaml.safe_dump(manager(release)), "utf-8")
    found = fidelity(run, ORG, path, installed(tmp_path / "infra", [MANIFESTS]))
    assert (found["version"], found["grade"]) == (version, grade)


def test_installations_that_differ_leave_queues_of_neither_not_exact(run: Run, tmp_path: Path) -> None:
    folders = [installed(tmp_path / r, [f"{HOME}/config/default?ref={r}"]) for r in ("v0.17.8", "v0.18.6")]
    found = fidelity(run, ORG, *folders)
    assert (found["version"], found["grade"]) == ("v0.17.8, v0.18.6", "not exact")
    option = json.loads(run(f"kubectl-fairshare shares -f {ORG} -f {tmp_path} --release 0.18 -o json").stdout)
    assert (option["fidelity"]["version"], option["fidelity"]["grade"]) == ("v0.18", "exact")
