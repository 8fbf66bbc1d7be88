"""What a kustomization reads, and what it changes."""

from pathlib import Path

import pytest

from kubectl_fairshare.input.units import kustomizations
from kubectl_fairshare.input.units.kustomizations import folders_from, found_below, patch_files, units_of
from kubectl_fairshare.input.units.unit import Patch
from tests.unit.input.units.folders import QUEUE, write

CHANGE = QUEUE % ("a", "Hold")


def test_files_of_bases_and_components_come_in_order() -> None:
    write(
        {
            "base/kustomization.yaml": "resources: [q.yaml]\nnamespace: inner\n",
            "part/kustomization.yaml": "kind: Component\nresources: [c.yaml]\n",
            "top/kustomization.yaml": "resources: [../base, own.yaml]\ncomponents: [../part]\nnamespace: team\n",
        }
    )
    (unit,) = units_of(found_below(["."]))
    assert (unit.name, unit.sources, unit.namespace) == ("top", ("base/q.yaml", "top/own.yaml", "part/c.yaml"), "team")
    assert not unit.generated


def test_patches_are_read_in_every_form() -> None:
    write(
        {
            "change.yaml": CHANGE,
            "kustomization.yaml": (
                "resources: [q.yaml]\n"
                "patches:\n- {path: change.yaml}\n"
                "- target: {kind: ClusterQueue}\n  patch: '[{op: remove, path: /spec/stopPolicy}]'\n"
                "patchesStrategicMerge: [change.yaml]\n"
                "patchesJson6902:\n- {target: {kind: Job, name: j}, path: ops.json}\n"
            ),
            "ops.json": '[{"op": "add", "path": "/metadata/labels", "value": {}}]',
        }
    )
    found = found_below(["."])
    (unit,) = units_of(found)
    assert [patch.target for patch in unit.patches] == [{}, {"kind": "ClusterQueue"}, {}, {"kind": "Job", "name": "j"}]
    assert unit.patches[1] == Patch([{"op": "remove", "path": "/spec/stopPolicy"}], {"kind": "ClusterQueue"})
    assert patch_files(found) == {"change.yaml", "ops.json"}


def test_what_is_not_local_or_is_generated_is_known_to_be_missing() -> None:
    write({"a/kustomization.yaml": "resources: ['https://example.com/x?ref=1']\n"})
    write({"b/kustomization.yaml": "helmCharts: [{name: x}]\n"})
    assert all(unit.generated and not unit.sources for unit in units_of(found_below(["."])))


def test_a_file_that_is_not_a_kustomization_is_skipped() -> None:
    write({"a/kustomization.yaml": "resources: [\n", "b/kustomization.yaml": "words\n", ".c/kustomization.yaml": "{}"})
    assert found_below(["."]) == {}


def test_folders_that_read_each_other_end() -> None:
    write({"a/kustomization.yaml": "resources: [../b]\n", "b/kustomization.yaml": "resources: [../a, q.yaml]\n"})
    assert set(units_of(found_below(["."]), ["a"])[0].sources) >= {"b/q.yaml"}


def test_bases_elsewhere_are_found_however_many_kustomizations_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kustomizations, "_MOST", 1)
    for name in "abc":
        write({f"overlays/{name}/kustomization.yaml": "resources: [../../base]\n"})
    write({".git/HEAD": "", "base/kustomization.yaml": "resources: [q.yaml]\n", "base/q.yaml": CHANGE})
    folders = folders_from(["overlays"])
    assert (set(folders.found), folders.refused) == ({"base", "overlays/a", "overlays/b", "overlays/c"}, {})
    write({"base/kustomization.yaml": "resources: [../deeper]\n", "deeper/kustomization.yaml": "resources: [q.yaml]\n"})
    assert set(folders_from(["overlays"]).refused) == {"deeper"}


def test_folders_behind_links_are_found_once() -> None:
    write({".git/HEAD": "", "parts/kustomization.yaml": "resources: [q.yaml]\n", "all/own/kustomization.yaml": "a: b"})
    for name, target in (("one", "../parts"), ("two", "../parts"), ("loop", ".."), ("self", "own"), ("out", "/")):
        Path("all", name).symlink_to(target)
    assert set(found_below(["all"])) == {"all/one", "all/own"}
