"""The redacted file answers as the raw one does: every command that decides, for states of every scheduler."""

import io
import json
import re
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from kubectl_fairshare.cli.main import main
from tests.fuzz import seeds

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
_PSEUDONYM: Final = re.compile(r"(?<![\w.-])[an]-\d+(?![\w.-])")


def answered(*words: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    return main([*words], None, out, err), out.getvalue(), err.getvalue()


def content(text: str, names: dict[str, str]) -> Any:
    """An answer with real names, without what it says of the file."""
    return _plain(json.loads(_PSEUDONYM.sub(lambda m: json.dumps(names.get(m[0], m[0]))[1:-1], text)))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(held) for name, held in sorted(value.items()) if name not in _TOLD}
    return [_plain(item) for item in value] if isinstance(value, list) else value


REFUSED = 3


def differences(objects: list[Any], level: str, folder: Path) -> list[str]:
    """The commands whose answers differ."""
    raw, file, key = folder / "raw.json", folder / "redacted.json.gz", folder / "key.json"
    for each in (raw, file, key):
        each.unlink(missing_ok=True)
    raw.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}), encoding="utf-8")
    code, _, err = answered("snapshot", "-f", str(raw), "-o", str(file), "--redact", level, "--key", str(key))
    if code:
        return [f"snapshot: {err}"]
    names = json.loads(key.read_text(encoding="utf-8"))
    found = []
    for command in COMMANDS:
        first = answered(*command, "-f", str(raw), "-o", "json", "-q")
        if first[0] == REFUSED:  # an unknown field, say, which the redacted file no longer has
            continue
        second = answered(*command, "-f", str(file), "-o", "json", "-q")
        if first[0] != second[0]:
            found.append(f"{command}: exit {first[0]} and {second[0]}: {second[2][:300]} {first[2][:200]}")
        elif first[1].strip() and content(first[1], {}) != content(second[1], names):
            found.append(f"{command}: other contents")
    return found


@pytest.mark.parametrize("number", range(12))
def test_the_redacted_file_answers_as_the_raw_one(number: int, tmp_path: Path) -> None:
    objects = json.loads(seeds.states()[number])
    assert differences(objects, LEVELS[number % 2], tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_every_state_answers_alike(level: str, tmp_path: Path) -> None:
    dice = Random(level)
    for text in dice.sample(seeds.states(), 150):
        assert differences(json.loads(text), level, tmp_path) == [], text[:500]
