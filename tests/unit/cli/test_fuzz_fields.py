"""A value of the wrong type in any field is told with its place and a remedy, or does no harm: no other end.

``testdata/input/every-field.jsonl`` holds an object of each kind that is read, with every field that can be
there. Each field in turn gets a value that is drawn anew for it (the seed is fixed), or is taken out; once
as a manifest, once as what a server has stored and a hand has changed. The default run takes a quarter of the fields.
"""

import copy
import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from kubectl_fairshare.cli.main import main
from tests.screens import ROOT, stream, written

SEED: Final = 20260302
GONE: Final = object()
VALUES: Final[tuple[Any, ...]] = (None, {}, [], "x", 1.5, True, -1, GONE)
COMMANDS: Final = ("shares", "cycle", "plan --queue ns/lq --request cpu=4")
OBJECTS: Final = [json.loads(line) for line in (ROOT / "testdata/input/every-field.jsonl").read_text().splitlines()]
JOB: Final = OBJECTS[-1]
STATE: Final = OBJECTS[:-1]
CODES: Final = {0, 2, 3, 4, 5}

Path_ = tuple[str | int, ...]


def fields(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """The path of every field below ``value``."""
    items: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, below in items:
        yield (*path, name)
        yield from fields(below, (*path, name))


def changed(data: Any, path: Path_, value: Any) -> Any:
    data = copy.deepcopy(data)
    holder = data
    for name in path[:-1]:
        holder = holder[name]
    if value is GONE:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return data


def text_of(objects: list[Any], *, stored: bool) -> bytes:
    objects = copy.deepcopy(objects)
    for each in objects:
        if stored and isinstance(each.get("metadata"), dict):
            each["metadata"]["resourceVersion"] = "7"
    return "\n".join(map(json.dumps, objects)).encode()


def call(command: str, given: bytes) -> tuple[int, str]:
    """Exit code, and what is told on standard error."""
    told = stream(b"")
    return main(command.split(), stream(given), stream(b""), told), written(told)


def check(code: int, told: str, what: str) -> None:
    assert code in CODES, f"{what}: {told}"
    errors = [part for part in re.split(r"^(?=error: |note: )", told, flags=re.MULTILINE) if part.startswith("error")]
    assert bool(errors) == (code in {2, 3}), f"{what}: {told}"
    for error in errors:
        assert re.match(r"error: (<stdin>:\d+:\d+|<stdin> \w+ \S+ \S+|--\w+): ", error), f"{what}: {error}"
        assert "\n  help: " in error, f"{what}: {error}"


@pytest.mark.parametrize(
    ("stored", "every"),
    [
        pytest.param(False, 4, id="manifest"),
        pytest.param(False, 1, id="manifest, all", marks=pytest.mark.slow),
        pytest.param(True, 1, id="stored, all", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("number", range(len(STATE)), ids=[each["kind"] for each in STATE])
def test_a_field_of_the_state(number: int, stored: bool, every: int) -> None:
    random = Random(f"{SEED} {number} {stored}")
    for path in islice(fields(STATE[number]), None, None, every):
        value, command = random.choice(VALUES), random.choice(COMMANDS)
        objects = [*STATE]
        objects[number] = changed(STATE[number], path, value)
        check(*call(f"{command} -f -", text_of(objects, stored=stored)), f"{command}: {path} = {value}")


@pytest.mark.slow
def test_a_field_of_the_job(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    state.write_bytes(text_of(STATE, stored=False))
    random = Random(SEED)
    for path in fields(JOB):
        value = random.choice(VALUES)
        given = json.dumps(changed(JOB, path, value)).encode()
        check(*call(f"plan -f {state} -w -", given), f"{path} = {value}")


def test_without_a_change_everything_is_answered(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    state.write_bytes(text_of(STATE, stored=False))
    for command, code in zip(COMMANDS, (0, 0, 4), strict=True):
        assert call(f"{command} -f {state}", b"") == (code, "")
    assert call(f"plan -f {state} -w -", json.dumps(JOB).encode()) == (0, "")
