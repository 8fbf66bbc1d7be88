"""A field that a kustomization sets is located in the patch that sets it, not in the base."""

from pathlib import Path

import pytest

from kubectl_fairshare.input.units.kustomizations import found_below, unit_of
from kubectl_fairshare.input.units.patching import patched, written_at
from kubectl_fairshare.input.units.reader import documents_of
from kubectl_fairshare.input.units.written import BuiltObjects
from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest

QUEUE = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: team}
spec: {stopPolicy: None, cohortName: all}
"""
INLINE = """
resources: [../base]
patches:
- patch: |-
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: team}
    spec: {stopPolicy: Hold}
- target: {kind: ClusterQueue}
  patch: |-
    - {op: replace, path: /spec/cohortName, value: research}
"""
STOP: FieldPath = ("spec", "stopPolicy")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        "base/kustomization.yaml": "resources: [queue.yaml]\n",
        "base/queue.yaml": QUEUE,
        "file/kustomization.yaml": "resources: [../base]\npatches: [{path: stop.yaml}]\n",
        "file/stop.yaml": QUEUE.replace("None, cohortName: all", "Hold"),
        "inline/kustomization.yaml": INLINE,
        "made/kustomization.yaml": "resources: [../base]\nconfigMapGenerator: [{name: c, literals: [a=b]}]\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def built(directory: str) -> Manifest:
    (data,) = documents_of("base/queue.yaml")
    assert isinstance(data, dict)
    key = ObjectKey("kueue.x-k8s.io", "ClusterQueue", "", "team")
    return Manifest(key, "v1beta2", data, Origin(f"kustomize {directory}", 0))


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("directory", "path", "file", "within"),
    [
        ("file", STOP, "file/stop.yaml", STOP),
        ("file", ("spec", "cohortName"), "kustomize file", ("spec", "cohortName")),
        ("inline", STOP, "inline/kustomization.yaml", STOP),
        ("inline", ("spec", "cohortName"), "inline/kustomization.yaml", (0, "value")),
    ],
)
def test_a_field_is_in_the_last_patch_that_sets_it(
    directory: str, path: FieldPath, file: str, within: FieldPath
) -> None:
    (unit,) = (u for u in [unit_of(directory)] if u is not None)
    changed = patched(built(directory), unit.patches)
    assert changed is not None
    origin, found = written_at(changed, path)
    assert (origin.source, found) == (file, within)


@pytest.mark.usefixtures("folder")
def test_a_built_object_names_the_file_behind_it() -> None:
    files = BuiltObjects()
    assert files.file_of(built("file"), STOP) == "file/stop.yaml"
    assert files.file_of(built("file"), ("spec", "cohortName")) == "base/queue.yaml"
    other = built("made")
    other.key = other.key._replace(name="c")
    assert files.file_of(other, STOP) == "a generator or a remote base"
    assert files.file_of(built("nowhere"), STOP) == ""
    plain = built("file")
    plain.held_origin = Origin("queue.yaml", 0)
    assert files.file_of(plain, STOP) == ""


@pytest.mark.usefixtures("folder")
def test_kustomizations_have_their_texts() -> None:
    found = found_below(["."])
    assert {each.text.name for each in found.values() if each.text is not None} == {
        f"{name}/kustomization.yaml" for name in ("base", "file", "inline", "made")
    }
