"""Secrets planted in every text of a dump of all kinds: none is left in a redacted snapshot, nor in any answer."""

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
from kubectl_fairshare.input.snapshot.kept import read_words
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kueue.reading.written_settings import DATA_KEY
from tests.fuzz import seeds
from tests.screens import stream, written

SIGN: Final = "canary"
_STAYS: Final = frozenset(
    {
        "apiVersion",
        "kind",
        "coveredResources",
        "excludeResourcePrefixes",
        "key",
        "nodeLabel",
        "topologyKey",
        "matchLabelKeys",
        "levelKeys",
        "levels",
    }
)
"""What no level hides: kinds, names of resources, keys of labels."""
_LABELS: Final = frozenset({"labels", "matchLabels", "nodeLabels", "nodeSelector", "value", "values"})
"""Where the level ``names`` leaves what is written: values of labels."""
_OF_RESOURCES: Final = frozenset(
    {"requests", "limits", "capacity", "allocatable", "min", "max", "hard", "used", "overhead", "podFixed", "default"}
)
FREE: Final = {
    "env": [{"name": "PASSWORD", "value": SIGN}],
    "redisPassword": SIGN,
    "runtimeEnvYAML": f"env_vars: {{KEY: {SIGN}}}",
    "serveConfigV2": f"import_path: {SIGN}",
    "annotations": {"service.example.com/key": SIGN},
    "parameters": {"token": SIGN, SIGN: "x"},
    "kubeConfig": {"location": f"/etc/{SIGN}", "locationType": "Path"},
    "clientConnection": {"kubeconfig": f"/etc/{SIGN}"},
    "datasetUri": f"s3://{SIGN}?signature={SIGN}",
    "args": [f"--key={SIGN}"],
    "nameservers": [SIGN],
    "workingDir": f"/home/{SIGN}",
    "finalizers": [f"example.com/{SIGN}"],
    "message": f"cannot pull {SIGN}:1 as {SIGN.upper()}",
    SIGN: SIGN,
}


class Planting:
    """Puts a canary in place of every text, and the free fields beside every mapping; counts them."""

    def __init__(self) -> None:
        self.planted = 0

    def in_place(self, value: Any, field: str, *, labels: bool) -> Any:
        if isinstance(value, dict):
            inner = {name: field if field in _LABELS else name for name in value}
            return {name: self.in_place(held, inner[name], labels=labels) for name, held in value.items()}
        if isinstance(value, list):
            return [self.in_place(item, field, labels=labels) for item in value]
        if not isinstance(value, str) or field in _STAYS or (field in _LABELS and not labels):
            return value
        self.planted += 1
        return f"{SIGN}-{self.planted}"

    def beside(self, value: Any, field: str = "") -> Any:
        if isinstance(value, list):
            return [self.beside(item, field) for item in value]
        if not isinstance(value, dict) or field in _LABELS | _OF_RESOURCES:
            return value
        if field in ("flavors", "resourceUsage") and all(isinstance(held, str) for held in value.values()):
            return value
        more = {name: held for name, held in FREE.items() if name not in value}
        self.planted += len(more)
        return {**{name: self.beside(held, name) for name, held in value.items()}, **more}


def everything() -> Iterator[Any]:
    """An object of every kind that is read: states, jobs, and objects with every field."""
    for text in seeds.states():
        yield from json.loads(text)
    yield from (json.loads(text) for text in seeds.jobs())


def one_of_each_kind() -> list[Any]:
    found: dict[tuple[str, str], Any] = {}
    for each in everything():
        key = (str(each.get("apiVersion")), str(each.get("kind")))
        if len(json.dumps(each)) > len(json.dumps(found.get(key, ""))):
            found[key] = each
    return [each for each in found.values() if isinstance(each.get("metadata"), dict)]


def redacted(objects: list[Any], level: str, folder: Path) -> str:
    raw, file = folder / "raw.json", folder / "redacted.json.gz"
    raw.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}), encoding="utf-8")
    said = io.StringIO()
    code = main(["snapshot", "-f", str(raw), "-o", str(file), "--redact", level], None, io.StringIO(), said)
    assert code == 0, said.getvalue()
    return gzip.decompress(file.read_bytes()).decode()


def left(text: str) -> list[str]:
    """Where canaries are left."""
    items = json.loads(text)["items"]
    return sorted({where for each in items for where in _where(each, str(each.get("kind")))})


def _where(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for name, held in value.items():
            if SIGN in name.lower():
                yield f"{path}.{name}?"
            yield from _where(held, f"{path}.{name}")
    elif isinstance(value, list):
        for item in value:
            yield from _where(item, f"{path}[]")
    elif isinstance(value, str) and SIGN in value.lower():
        yield path


@pytest.mark.parametrize("level", ["names", "all"])
def test_no_canary_is_left_in_place_of_a_text(level: str, tmp_path: Path) -> None:
    planting = Planting()
    objects = [planting.in_place(each, "", labels=level == "all") for each in one_of_each_kind()]
    assert planting.planted > 300
    assert left(redacted(objects, level, tmp_path)) == []


@pytest.mark.slow
@pytest.mark.parametrize("level", ["names", "all"])
def test_no_canary_is_left_beside_the_fields(level: str, tmp_path: Path) -> None:
    planting = Planting()
    objects = [planting.beside(each) for each in one_of_each_kind()]
    assert planting.planted > 300
    assert left(redacted(objects, level, tmp_path)) == []


EMBEDDED: Final[list[dict[str, Any]]] = [
    {"apiVersion": "config.kueue.x-k8s.io/v1beta2", "kind": "Configuration", "integrations": {"frameworks": ["pod"]}},
    {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", "profiles": [{}]},
    {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", "parallelism": 16},
]
_OTHERS: Final = {
    *("allocated", "annotations", "data", "defaultRequest", "externalFrameworks", "featureGates", "flavors"),
    *("frameworks", "ignoredResourceGroups", "maxLimitRequestRatio", "outputs", "requested", "resourceUsage", "uid"),
    "weights",
}
"""Where else words of the API, names of resources, of gates and of files, and what is made by chance stay."""
WORDS: Final = sorted(
    read_words(known_schedulers().read_words, known_schedulers().spared).words
    - (_STAYS | _LABELS | _OF_RESOURCES | _OTHERS)
)
"""Names of fields that some scheduler's code mentions: what is in others goes by itself."""


class Growing:
    """A structure of random fields with canaries in its texts, and perhaps in its keys."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.planted = 0

    def grown(self, depth: int = 3) -> Any:
        kind = self._random.random()
        if depth and kind < 0.5:
            return {self._name(): self.grown(depth - 1) for _ in range(self._random.randrange(1, 5))}
        if depth and kind < 0.7:
            return [self.grown(depth - 1) for _ in range(self._random.randrange(1, 4))]
        return self._text()

    def _name(self) -> str:
        return self._random.choice(WORDS) if self._random.random() < 0.9 else self._text()

    def _text(self) -> str:
        self.planted += 1
        forms = (f"{SIGN}-{self.planted}", f"{SIGN}/{self.planted}", f"https://me:{SIGN}@example.com", f"a {SIGN}")
        return self._random.choice(forms)

    def within(self, document: dict[str, Any]) -> dict[str, Any]:
        more = {self._name(): self.grown() for _ in range(12)}
        return {**document, **{name: held for name, held in more.items() if name not in document}}

    def objects(self) -> Iterator[dict[str, Any]]:
        """Objects with documents in their texts: configurations, values of charts, annotations."""
        texts = [json.dumps(self.within(each)) for each in EMBEDDED]
        for number, text in enumerate(texts):
            name = {"metadata": {"name": f"m{number}", "namespace": "x"}}
            yield {"apiVersion": "v1", "kind": "ConfigMap", **name, "data": {DATA_KEY: text, SIGN: text}}
            values = self.within({"managerConfig": {"controllerManagerConfigYaml": text}})
            head = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", **name}
            for chart in ("kueue", "kai-scheduler", "koordinator", "scheduler-plugins"):
                source = {"chart": chart, "targetRevision": "1.0.0", "helm": {"values": json.dumps(values)}}
                yield {**head, "metadata": {"name": f"{chart}-{number}", "namespace": "x"}, "spec": {"source": source}}
        for number, prefix in enumerate(known_schedulers().spared.annotations):
            annotations = {f"{prefix.rstrip('/')}/a": json.dumps(self.within({}))}
            metadata = {"name": f"p{number}", "namespace": "x", "annotations": annotations}
            yield {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {}}


@pytest.mark.parametrize("level", ["names", "all"])
@pytest.mark.parametrize("seed", range(8))
def test_no_canary_is_left_in_a_document_within_a_text(seed: int, level: str, tmp_path: Path) -> None:
    growing = Growing(Random(seed))
    objects = list(growing.objects())
    text = redacted(objects, level, tmp_path)
    assert growing.planted > 1000
    found = re.findall(rf"[^\\\"]*{SIGN}[^\\\"]*", text, re.IGNORECASE)
    assert found == []


@pytest.mark.parametrize("level", ["none", "names", "all"])
def test_no_environment_is_left_in_a_document_within_a_text(level: str, tmp_path: Path) -> None:
    environment: dict[str, Any] = {"env": [{"name": "KEY", "value": SIGN}]}
    provider = {"name": "p", "execConfig": {"command": "x", **environment}}
    inner = {**EMBEDDED[0], "multiKueue": {"clusterProfile": {"credentialsProviders": [provider]}}}
    name = {"metadata": {"name": "m", "namespace": "kueue-system"}}
    config = {"apiVersion": "v1", "kind": "ConfigMap", **name, "data": {DATA_KEY: json.dumps(inner)}}
    annotations = {"scheduling.koordinator.sh/x": json.dumps(environment), "other": json.dumps([environment])}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "annotations": annotations}, "spec": {}}
    text = redacted([config, pod], level, tmp_path)
    assert "frameworks" in text
    assert SIGN not in text


@pytest.mark.parametrize("command", [("shares",), ("cycle",), ("why", "-A"), ("capacity",), ("report",), ("lint",)])
def test_no_answer_says_what_a_container_is_given(command: tuple[str, ...], tmp_path: Path) -> None:
    secret = {name: FREE[name] for name in ("env", "args", "workingDir")}
    objects = json.loads(seeds.states()[0])
    for each in objects:
        template = each.get("spec", {}).get("podSets", [{}])[0].get("template") if each["kind"] == "Workload" else None
        for container in template["spec"]["containers"] if template else ():
            container.update(secret)
    assert SIGN in json.dumps(objects)
    path = tmp_path / "raw.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}), encoding="utf-8")
    out, err = stream(b""), stream(b"")
    main([*command, "-f", str(path), *(["-o", "json"] if command[0] != "report" else [])], None, out, err)
    assert written(out)
    assert SIGN not in written(out) + written(err)
