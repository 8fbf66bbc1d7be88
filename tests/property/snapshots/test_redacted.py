"""The redacted file answers as the raw one does: every command that decides, for states of every scheduler."""

import gzip
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from kubectl_fairshare.cli.main import main
from tests.fuzz import seeds
from tests.sampling import sampled

WORKS: Final = ("Workload", "Job", "JobSet", "Pod", "PodGroup", "RayJob", "RayCluster", "PyTorchJob", "Deployment")
COMMANDS: Final = (("shares",), ("cycle",), ("why", "-A"), ("capacity",))
LEVELS: Final = ("names", "all")
_TOLD: Final = frozenset(
    {
        "place",
        "places",
        "source",
        "file",
        "line",
        "column",
        "message",
        "messages",
        "recorded",
        "cluster",
        "notes",
        "skipped",
    }
)
"""What is about the file itself, or quotes what the cluster wrote for people."""
_FILE: Final = "state"
"""The file in commands that an answer proposes."""
_DERIVED: Final = re.compile(r"(?<=[a-z0-9])-[0-9a-f]{5}(?![0-9A-Za-z.-])")
"""The end of the name of a new job's Workload: a hash of the job's name."""


_UNKNOWN: Final = '"UnknownField"'


def answered(*words: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    return main([*words], None, out, err), out.getvalue(), err.getvalue()


def content(text: str, names: dict[str, str]) -> Any:
    """An answer with real names, without what it says of the file."""
    aliases = "|".join(map(re.escape, sorted(names, reverse=True)))  # the longer of two that begin alike comes first
    pattern = rf"(?<![A-Za-z0-9])(?:{aliases})(?!\d)"
    named = re.sub(pattern, lambda m: json.dumps(names[m[0]])[1:-1], text) if names else text
    return _plain(json.loads(_DERIVED.sub("", named)))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(held) for name, held in sorted(value.items()) if name not in _TOLD}
    if not isinstance(value, list):
        return value
    texts = all(isinstance(item, str) for item in value)  # derived names, such as a PodGroup's, sort elsewhere
    return sorted(value) if texts else [_plain(item) for item in value]


class Files:
    """A state and its redacted snapshot: ``raw`` and ``redacted`` are the files, ``names`` those of pseudonyms."""

    def __init__(self, objects: list[Any], level: str, folder: Path) -> None:
        self.raw, self.redacted, key = folder / "raw.json", folder / "redacted.json.gz", folder / "key.json"
        for each in (self.raw, self.redacted, key):
            each.unlink(missing_ok=True)
        self.objects = objects
        self.raw.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}), encoding="utf-8")
        words = ("-f", str(self.raw), "-o", str(self.redacted), "--redact", level, "--key", str(key))
        code, _, self.refused = answered("snapshot", *words)
        self.names: dict[str, str] = {} if code else json.loads(key.read_text(encoding="utf-8"))
        self._aliases = {name: alias for alias, name in self.names.items()}

    def calls(self) -> Iterator[tuple[list[str], list[str]]]:
        """Each call for the raw file, and for the redacted one."""
        for command in COMMANDS:
            yield [*command], [*command]
        queue: Any = next(
            (each for each in self.objects if each.get("kind") in ("LocalQueue", "Queue", "ElasticQuota")), {}
        )
        name, namespace = (_metadata(queue).get(field) for field in ("name", "namespace"))
        if isinstance(name, str) and name and not any(map(_goes_by_name, self.objects)):
            places = [name] if queue["kind"] == "Queue" else [str(namespace or "default"), name]
            hidden = [self._aliases.get(place, place) for place in places]
            request = ["--request", "cpu=1", "--count", "2"]
            yield ["plan", "--queue", "/".join(places), *request], ["plan", "--queue", "/".join(hidden), *request]
        yield from self._plans()

    def _plans(self) -> Iterator[tuple[list[str], list[str]]]:
        """The plan of the first workload of each kind that the snapshot keeps."""
        works = {_identity(each): each for each in self.objects if each.get("kind") in WORKS}
        asked = set()
        for each in json.loads(gzip.decompress(self.redacted.read_bytes()))["items"]:
            kind, *place = _identity(each)
            found = works.get((kind, *(self.names.get(name, name) for name in place)))
            if found is not None and kind not in asked:
                asked.add(kind)
                yield (
                    ["plan", "-w", _file(self.raw.with_name("work.json"), found)],
                    ["plan", "-w", _file(self.raw.with_name("hidden-work.json"), each)],
                )


def _metadata(data: Any) -> dict[str, Any]:
    metadata = data.get("metadata")
    return metadata if isinstance(metadata, dict) else {}


def _goes_by_name(data: Any) -> bool:
    """Whether the order of a workload and a new one rests on their names: it has neither a moment nor a UID."""
    return data.get("kind") in WORKS and not {"creationTimestamp", "uid"} & _metadata(data).keys()


def _identity(data: Any) -> tuple[str, ...]:
    metadata = _metadata(data)
    return str(data.get("kind")), str(metadata.get("namespace") or "default"), str(metadata.get("name"))


def _file(path: Path, data: Any) -> str:
    path.write_text(json.dumps(data), encoding="utf-8")
    return str(path)


def differences(objects: list[Any], level: str, folder: Path) -> list[str]:
    """The commands whose answers differ; a file that is refused is refused redacted, too."""
    files = Files(objects, level, folder)
    if files.refused:
        return [f"snapshot: {files.refused}"]
    found = []
    for raw, hidden in files.calls():
        first = answered(*raw, "-f", str(files.raw), "-o", "json", "-q")
        second = answered(*hidden, "-f", str(files.redacted), "-o", "json", "-q")
        if first[0] != second[0]:
            found.append(f"{raw}: exit {first[0]} and {second[0]}: {second[2][:300]} {first[2][:200]}")
        elif _UNKNOWN in first[1]:  # its name is hidden, as it may be anything, and stands in sentences
            found += [] if _UNKNOWN in second[1] else [f"{raw}: a field that is unknown is not said to be"]
        elif first[1].strip() and content(first[1].replace(str(files.raw), _FILE), {}) != content(
            second[1].replace(str(files.redacted), _FILE), files.names
        ):
            found.append(f"{raw}: other contents")
    return found


@pytest.mark.parametrize("number", sampled(range(12), 6))
def test_the_redacted_file_answers_as_the_raw_one(number: int, tmp_path: Path) -> None:
    objects = json.loads(seeds.states()[number])
    assert differences(objects, LEVELS[number % 2], tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_every_state_answers_alike(level: str, tmp_path: Path) -> None:
    dice = Random(level)
    for text in dice.sample(seeds.states(), 150):
        assert differences(json.loads(text), level, tmp_path) == [], text[:500]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "settings",
    [
        {"metrics": {"customLabels": [{"name": "cost_center", "sourceLabelKey": "example.com/cost-center"}]}},
        {"metrics": {"customLabels": [{"name": "cost-center", "sourceLabelKey": "example.com/cost-center"}]}},
        {"integrations": {"frameworks": ["batch/job"], "externalFrameworks": ["Foo.v1.example.com"]}},
        {"integrations": {"frameworks": ["batch/job"], "externalFrameworks": ["Foo.example"]}},
        {"visibilityServer": {"bindAddress": "::"}},
        {"visibilityServer": {"bindAddress": "10.1.2.3"}},
        {"visibilityServer": {"bindAddress": "everywhere"}},
    ],
    ids=[
        *("labels of metrics", "no labels of metrics", "kinds of others", "no kinds of others"),
        *("every interface", "an interface", "no interface"),
    ],
)
def test_a_configuration_is_accepted_or_refused_as_the_raw_one(settings: Any, level: str, tmp_path: Path) -> None:
    objects = [{"apiVersion": "config.kueue.x-k8s.io/v1beta2", "kind": "Configuration", **settings}]
    assert differences(objects, level, tmp_path) == []


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", ["vision.a", "Vision", "vision_a", "vision/a", "-vision", "vision a", "v" * 64])
def test_a_name_is_accepted_or_rejected_as_the_raw_one(name: str, level: str, tmp_path: Path) -> None:
    api = {"apiVersion": "kueue.x-k8s.io/v1beta2"}
    queue = {**api, "kind": "ClusterQueue", "metadata": {"name": name}, "spec": {"namespaceSelector": {}}}
    local = {**api, "kind": "LocalQueue", "metadata": {"name": "main", "namespace": "team", "labels": {"team": name}}}
    assert differences([queue, {**local, "spec": {"clusterQueue": name}}], level, tmp_path) == []
