"""Names found without a parser are those that a parser finds, wherever the text is as people and programs write it."""

import gzip
import json
from pathlib import Path

import pytest
import yaml

from kubectl_fairshare.input import names
from kubectl_fairshare.input.name_scan import RESOURCE, in_object, names_in_json, names_in_yaml
from kubectl_fairshare.input.names import names_in
from kubectl_fairshare.input.remembered import Name
from tests.bench.manifests import Extent, documents
from tests.screens import ROOT

JOB = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"labels": {"name": "no"}, "name": "a", "namespace": "b"}}
QUEUE = {"kind": "ClusterQueue", "metadata": {"name": "q"}, "spec": {"resourceGroups": [{"coveredResources": ["cpu"]}]}}
LIST = {"apiVersion": "v1", "kind": "List", "items": [JOB, QUEUE]}
EXPECTED = {("Job", "b", "a"), ("ClusterQueue", "", "q"), (RESOURCE, "", "cpu")}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "kubectl-fairshare"


def parsed(text: str) -> set[Name]:
    """What a parser finds."""
    return {name for document in yaml.load_all(text, yaml.CSafeLoader) for name in in_object(document)}


@pytest.mark.parametrize(
    "path", sorted(p for p in (ROOT / "testdata").rglob("*.yaml") if "rules" not in p.parts), ids=lambda p: p.stem
)
def test_every_manifest_here_gives_what_a_parser_finds(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    try:
        expected = parsed(text)
    except yaml.YAMLError:
        pytest.skip("no parser reads it")
    assert set(names_in_yaml(text, last=True)[0]) >= {each for each in expected if each[2].isascii()}


def test_an_organisation_gives_all_its_names() -> None:
    text = "---\n".join(documents(Extent(queues=60, departments=3, teams=6)))
    found, used = names_in_yaml(text, last=True)
    assert (set(found), used) == (parsed(text), len(text))


@pytest.mark.parametrize(
    "text",
    [
        yaml.safe_dump_all([JOB, QUEUE]),
        yaml.safe_dump_all([JOB, QUEUE], sort_keys=False),
        yaml.safe_dump_all([JOB, QUEUE], indent=4),
        yaml.safe_dump_all([JOB, QUEUE], default_flow_style=None),
        yaml.safe_dump_all([JOB, QUEUE]).replace("\n", "\r\n"),
        yaml.safe_dump_all([JOB, QUEUE], default_style='"'),
        yaml.safe_dump(LIST),
        yaml.safe_dump(LIST, sort_keys=False),
        "kind: Job # one\nmetadata: # of them\n  namespace: b\n  name: a\n---\n" + yaml.safe_dump(QUEUE),
        'kind: "Job"\nmetadata:\n  name: \'a\'\n  namespace: "b" # here\n---\n' + yaml.safe_dump(QUEUE),
        "metadata:\n  name: a\n  namespace: b\nkind: Job\n---\n" + yaml.safe_dump(QUEUE),
    ],
)
def test_the_ways_to_write_yaml(text: str) -> None:
    assert set(names_in_yaml(text, last=True)[0]) == EXPECTED


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(LIST),
        json.dumps(LIST, indent=2),
        json.dumps(LIST, separators=(",", ":")),
        json.dumps(JOB) + "\n" + json.dumps(QUEUE),
        json.dumps({"items": [dict(reversed(each.items())) for each in (JOB, QUEUE)]}),
    ],
)
def test_the_ways_to_write_json(text: str) -> None:
    assert set(names_in_json(text, last=True)[0]) == EXPECTED


def test_a_name_below_another_field_is_not_that_of_the_object() -> None:
    text = "kind: Job\nmetadata:\n  generateName: a-\nspec:\n  name: other\n"
    assert names_in_yaml(text, last=True)[0] == []


def listed(number: int, form: str) -> str:
    items = [{"kind": "Workload", "metadata": {"name": f"w{n:05}", "namespace": "a"}} for n in range(number)]
    if form == "json":
        return json.dumps({"kind": "List", "items": items})
    return str(yaml.safe_dump_all(items) if form == "yaml" else yaml.safe_dump({"kind": "List", "items": items}))


@pytest.mark.parametrize("form", ["json", "yaml", "list"])
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.slow
def test_a_large_file_is_looked_through_call_by_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, packed: bool
) -> None:
    text = listed(3000, form).encode()
    path = tmp_path / ("dump" + (".json" if form == "json" else ".yaml") + (".gz" if packed else ""))
    path.write_bytes(gzip.compress(text) if packed else text)
    monkeypatch.setattr(names, "_LARGE", 1000)
    monkeypatch.setattr(names, "_PATIENCE", len(text) // 3)
    counts = []
    for _ in range(5):
        found = set(names_in([str(path)]))
        counts.append(len(found))
    assert 400 < counts[0] < 1500
    assert counts == sorted(counts)
    assert found == {("Workload", "a", f"w{n:05}") for n in range(3000)}


def test_a_file_that_changes_is_looked_through_anew(tmp_path: Path) -> None:
    path = tmp_path / "dump.json"
    path.write_text(listed(2000, "json"))
    assert len(set(names_in([str(path)]))) == 2000
    path.write_text(listed(1900, "json"))
    assert len(set(names_in([str(path)]))) == 1900


def test_more_files_than_can_be_opened_in_time_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        (tmp_path / f"{number:02}.yaml").write_text(listed(1, "yaml").replace("w00000", f"w{number:05}"))
    monkeypatch.setattr(names, "_PATIENCE", 5 * 4096 + 500)
    assert len(set(names_in([str(tmp_path)]))) == 6


@pytest.mark.parametrize("data", [b"", b"\x1f\x8b", b"\x1f\x8bnonsense", b"\xff\xfe", b"{", b"kind: Job\nmetadata:"])
def test_what_is_no_manifest_gives_no_names(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(data)
    assert list(names_in([str(path)])) == []
