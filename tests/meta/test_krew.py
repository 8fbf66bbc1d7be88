"""krew's manifest, rendered from its template, is one that krew's own validator accepts."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import kubectl_fairshare
from tests.meta.repository import ROOT

KREW = "v0.5.0"
VALIDATOR = "sigs.k8s.io/krew/cmd/validate-krew-manifest"
REPOSITORY = "https://git.example/acme/kubectl-fairshare"
ARCHIVES = [
    *(f"kubectl-fairshare-{system}-{arch}.tar.gz" for system in ("linux", "darwin") for arch in ("amd64", "arm64")),
    "kubectl-fairshare-windows-amd64.tar.gz",
]


def render(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ".ci/krew.py", str(folder), f"{REPOSITORY}/"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The manifest of a release whose archives hold their names."""
    folder = tmp_path_factory.mktemp("release")
    for name in ARCHIVES:
        (folder / name).write_text(name)
    done = render(folder)
    assert done.returncode == 0, done.stderr
    return folder / "fairshare.yaml"


def document(manifest: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(manifest.read_text(encoding="utf-8"))
    return found


def validated(manifest: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """What krew's validator says of a manifest; it is built first, from the Go proxy."""
    if shutil.which("go") is None:
        pytest.skip("Go is not installed, so krew's validator cannot be built")
    module = folder / "krew"
    module.mkdir()
    (module / "go.mod").write_text(f"module fairshare.dev/krew\n\ngo 1.25\n\nrequire sigs.k8s.io/krew {KREW}\n")
    # Go keeps its builds where it always does, not in the cache of these tests.
    environment = {name: value for name, value in os.environ.items() if name != "XDG_CACHE_HOME"}
    command = ["go", "build", "-mod=mod", "-o", str(folder / "validate"), VALIDATOR]
    built = subprocess.run(command, cwd=module, env=environment, capture_output=True, text=True, check=False)
    if built.returncode:
        pytest.skip(f"krew's validator cannot be built here: {built.stderr.strip()[-300:]}")
    call = [str(folder / "validate"), "-skip-install", "-manifest", str(manifest)]
    return subprocess.run(call, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_krews_validator_accepts_the_manifest_and_nothing_that_is_wrong(manifest: Path, tmp_path: Path) -> None:
    done = validated(manifest, tmp_path)
    assert done.returncode == 0, done.stderr
    wrong = tmp_path / "fairshare.yaml"
    wrong.write_text(manifest.read_text().replace('version: "v', 'version: "'))
    assert wrong.read_text() != manifest.read_text()
    call = [str(tmp_path / "validate"), "-skip-install", "-manifest", str(wrong)]
    assert subprocess.run(call, capture_output=True, check=False).returncode != 0


def test_every_blank_is_filled(manifest: Path) -> None:
    text = manifest.read_text(encoding="utf-8")
    assert re.search(r"\{\{ | \}\}|^#", text, re.MULTILINE) is None
    assert document(manifest)["spec"]["version"] == f"v{kubectl_fairshare.__version__}"
    assert document(manifest)["spec"]["homepage"] == REPOSITORY


def test_each_platform_has_its_archive_below_the_release(manifest: Path) -> None:
    release = f"{REPOSITORY}/releases/download/v{kubectl_fairshare.__version__}"
    platforms = document(manifest)["spec"]["platforms"]
    assert [platform["uri"] for platform in platforms] == [f"{release}/{name}" for name in ARCHIVES]
    digests = [hashlib.sha256(name.encode()).hexdigest() for name in ARCHIVES]
    assert [platform["sha256"] for platform in platforms] == digests
    assert [
        "kubectl-fairshare-{os}-{arch}.tar.gz".format(**platform["selector"]["matchLabels"]) for platform in platforms
    ] == ARCHIVES


def test_the_template_is_yaml_as_it_is() -> None:
    assert document(ROOT / ".krew.yaml")["metadata"]["name"] == "fairshare"


def test_a_release_without_the_archive_of_a_platform_is_refused(tmp_path: Path) -> None:
    (tmp_path / ARCHIVES[0]).write_text("")
    done = render(tmp_path)
    assert done.returncode == 1
    assert ARCHIVES[1] in done.stderr
    assert not (tmp_path / "fairshare.yaml").exists()
