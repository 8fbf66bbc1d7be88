"""Builds of one content print the same, so whatever a build reads is in the content."""

import json
import os
from pathlib import Path

import pytest

from kubectl_fairshare.input.units.content import content_of
from kubectl_fairshare.input.units.kustomizations import folders_from
from tests.unit.input.units.folders import QUEUE, write

FILES = {
    "base/kustomization.yaml": "resources: [q.yaml]\ncomponents: [../part]\nnamePrefix: a-\n",
    "base/q.yaml": QUEUE % ("team", "None"),
    "part/kustomization.yaml": "kind: Component\npatches: [{path: p.yaml}]\n",
    "part/p.yaml": QUEUE % ("team", "Hold"),
    "eu/kustomization.yaml": "resources: [../base]\npatchesStrategicMerge: [p.yaml]\nreplacements: [{path: r.yaml}]\n"
    "configMapGenerator: [{name: c, files: [key=c.txt], envs: [e.env]}]\nconfigurations: [names.yaml]\n"
    "openapi: {path: schema.json}\ncrds: [crd.json]\npatchesJson6902: [{path: j.yaml, target: {kind: ClusterQueue}}]\n",
    "eu/p.yaml": QUEUE % ("team", "Hold"),
    **{
        f"eu/{name}": "{}\n" for name in ("r.yaml", "c.txt", "e.env", "names.yaml", "schema.json", "crd.json", "j.yaml")
    },
}


def content() -> bytes:
    return content_of("eu", folders_from(["."]))


def test_a_change_of_each_file_is_another_content() -> None:
    write(FILES)
    first = content()
    assert first == content() != b""
    for name, text in FILES.items():
        write({name: f"# changed\n{text}"})
        assert content() not in (first, b""), name
        write({name: text})
    assert content() == first
    write({"eu/other.yaml": "a: b\n", "us/kustomization.yaml": "resources: [../base]\n"})
    assert content() == first


def test_the_place_of_the_repository_makes_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    write(FILES)
    first = content()
    for name, text in FILES.items():
        write({f"elsewhere/{name}": text})
    monkeypatch.chdir("elsewhere")
    assert content() == first
    Path("base").rename("moved")
    write({"eu/kustomization.yaml": FILES["eu/kustomization.yaml"].replace("../base", "../moved")})
    assert content() not in (first, b"")


def test_a_transformer_that_names_no_file_is_known() -> None:
    label = "apiVersion: builtin\nkind: LabelTransformer\nmetadata: {name: l}\nlabels: {a: b}\n"
    patch = "apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: p}\npath: p.yaml\n"
    inline = f"transformers: [{json.dumps(label)}]\n"
    for text, known in (
        (label, True),
        (patch, False),
        (patch.replace("path", "patch"), True),
        ("", False),
        (label.replace("builtin", "v1"), False),
    ):
        write({**FILES, "eu/t.yaml": text})
        write({"eu/kustomization.yaml": f"{FILES['eu/kustomization.yaml']}transformers: [t.yaml]\n"})
        assert bool(content()) == known, text
        first = content()
        write({"eu/t.yaml": f"{text}# changed\n"})
        assert not known or content() != first
    write({"eu/kustomization.yaml": f"{FILES['eu/kustomization.yaml']}{inline}"})
    assert content()
    write({"eu/kustomization.yaml": f"{FILES['eu/kustomization.yaml']}transformers: [none.yaml]\n"})
    assert content() == b""


@pytest.mark.parametrize("field", ["generators", "transformers", "validators", "Resources"])
def test_files_that_other_files_may_name_are_not_known(field: str) -> None:
    write(FILES)
    write({"eu/kustomization.yaml": f"{FILES['eu/kustomization.yaml']}{field}: [p.yaml]\n"})
    assert content() == b""


@pytest.mark.parametrize("name", ["eu/p.yaml", "base"])
def test_a_link_is_not_known(name: str) -> None:
    write(FILES)
    os.rename(name, "real")
    os.symlink(os.path.relpath("real", os.path.dirname(name)), name)
    assert content() == b""
