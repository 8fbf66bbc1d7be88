"""Secrets planted in every text of a dump of all kinds: none is left in a redacted snapshot, nor in any answer."""

import gzip
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from kubectl_fairshare.cli.main import main
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


@pytest.mark.parametrize("level", ["names", "all"])
def test_no_canary_is_left_beside_the_fields(level: str, tmp_path: Path) -> None:
    planting = Planting()
    objects = [planting.beside(each) for each in one_of_each_kind()]
    assert planting.planted > 300
    assert left(redacted(objects, level, tmp_path)) == []


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
