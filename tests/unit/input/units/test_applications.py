"""The folders that Argo CD's and Flux's objects name."""

from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.input.units.applications import APPLICATION, FLUX, applied_folders
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest

ARGO = "argoproj.io"
GIT = {"directories": [{"path": "clusters/*"}, {"path": "clusters/old", "exclude": True}]}
NESTED = {"matrix": {"generators": [{"git": {"directories": [{"path": "clusters/a"}]}}]}}


def manifest(group: str, kind: str, spec: dict[str, Any]) -> Manifest:
    return Manifest(ObjectKey(group, kind, "argocd", "x"), "v1", {"spec": spec}, Origin("x", 0))


@pytest.mark.parametrize(
    ("group", "kind", "spec", "names", "by"),
    [
        (ARGO, "Application", {"source": {"path": "clusters/a"}}, "a", APPLICATION),
        (ARGO, "Application", {"sources": [{"chart": "x"}, {"path": "clusters/b"}]}, "b", APPLICATION),
        (ARGO, "Application", {"source": {"path": "elsewhere"}}, "", APPLICATION),
        (ARGO, "ApplicationSet", {"generators": [{"git": GIT}]}, "ab", APPLICATION),
        (ARGO, "ApplicationSet", {"generators": [NESTED]}, "a", APPLICATION),
        (ARGO, "ApplicationSet", {"generators": [{"git": {"directories": 7}}]}, "", APPLICATION),
        ("kustomize.toolkit.fluxcd.io", "Kustomization", {"path": "./clusters/a"}, "a", FLUX),
        ("kustomize.config.k8s.io", "Kustomization", {"path": "./clusters/a"}, "", FLUX),
    ],
)
def test_folders_that_exist_are_applied(group: str, kind: str, spec: dict[str, Any], names: str, by: str) -> None:
    for name in ("a", "b", "old"):
        Path("clusters", name).mkdir(parents=True)
    assert list(applied_folders([manifest(group, kind, spec)], ".")) == [(f"clusters/{name}", by) for name in names]
