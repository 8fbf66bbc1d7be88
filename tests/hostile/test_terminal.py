"""A text of a stranger that reaches a terminal moves no cursor, sets no clipboard and hides nothing."""

import json
import os
import pty
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from kubectl_fairshare.cli.main import main
from kubectl_fairshare.cli.program import COMMANDS
from kubectl_fairshare.report.text.clean import on_terminal
from tests.screens import ROOT, stream, written

ATTACKS = {
    "clipboard": "\x1b]52;c;aGk=\x07",
    "title": "\x1b]0;root\x07",
    "link": "\x1b]8;;https://evil.example\x1b\\here\x1b]8;;\x1b\\",
    "device": "\x1bP$qm\x1b\\",
    "answerback": "\x05\x1b[c\x1b[6n",
    "eight bits": "\x9b5n\x9d52;c;aGk=\x9c\x90q\x9c",
    "carriage return": "bad\rgood",
    "backspace": "bad\x08\x08\x08good",
    "direction": "\u202egood\u202c\u2066x\u2069\u061c",
    "no width": "go\u200bod\u2060\ufeff\u00ad",
    "tags": "good\U000e0041\U000e007f",
    "lines of others": "good\u2028bad\u2029",
    "reset": "\x1bc\x1b#8\x1b(0",
    "scrolling": "\x1b[1;2r\x1b[5S\x1b[20L",
    "printing": "\x1b[5i",
    "keys": "\x1b[?1000h\x1b[?2004h\x1b[>4;2m",
    "delete": "\x7f\x7f\x7f",
    "cut off": "\x1b[",
}
OURS = re.compile(r"\r?\x1b\[(?:[0-9;]*m|\?(?:25|1049|2026)[hl]|[0-9]{0,3}[AHJK])|\r\n")
OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]"
)
EVIL = f"x{''.join(ATTACKS.values())}x"
DIRECTORY = "org"


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_one_way_out_passes_no_attack_on(attack: str) -> None:
    shown = on_terminal(f"\x1b[31mred{ATTACKS[attack]}\x1b[0m\n")
    assert OBEYED.search(OURS.sub("", shown)) is None
    assert shown.startswith("\x1b[31mred")
    assert shown.endswith("\x1b[0m\n")


def test_what_draws_a_screen_passes_as_it_is() -> None:
    drawn = "\x1b[?1049h\x1b[H\x1b[?25l\x1b[1;32mü ⇒ 日本\x1b[0m\x1b[K\r\n\r\x1b[2K\x1b[1A\x1b[2K\x1b[?2026l\t\n"
    assert on_terminal(drawn) == drawn


def _state() -> str:
    """Two queues and a pod with an attack in every place that takes a text."""
    group = {"coveredResources": ["cpu"], "flavors": [{"name": EVIL, "resources": [{"name": "cpu", EVIL: 1}]}]}
    spec = {"namespaceSelector": {}, EVIL: {EVIL: [EVIL]}, "resourceGroups": [group], "cohortName": EVIL}
    about = {"name": "q", "labels": {EVIL: EVIL}, "annotations": {EVIL: EVIL}}
    queue = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue"}
    condition = {"type": EVIL, "status": "False", "reason": EVIL, "message": EVIL}
    work = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload", "metadata": {"name": "w", "namespace": "n"}}
    items = [
        {**queue, "metadata": about, "spec": spec},
        {**queue, "metadata": {"name": EVIL, "namespace": EVIL}, "spec": {"stopPolicy": EVIL}},
        {**work, "spec": {"queueName": EVIL, "podSets": []}, "status": {"conditions": [condition]}},
        {"apiVersion": EVIL, "kind": EVIL, "metadata": {"name": EVIL}},
    ]
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items})


CALLS = {
    "shares": "-f state.json",
    "plan": "-f state.json -w state.json",
    "why": "-A -f state.json",
    "cycle": "-f state.json",
    "diff": "state.json other.json",
    "forecast": "-f state.json --now 2026-01-01T00:00:00Z",
    "capacity": "-f state.json",
    "test": "suite.yaml",
    "search": "-f state.json --budget 1s",
    "report": "-f state.json -o -",
    "snapshot": "-f state.json -o -",
    "trace": "-f state.json",
    "rbac": EVIL,
    "simulate": "-f state.json",
    "lint": "state.json",
    "help": EVIL,
    "rule": EVIL,
    "demo": EVIL,
    "conformance": EVIL,
    "mcp": EVIL,
    "completion": EVIL,
}


def sent_to_terminal(arguments: Sequence[str], folder: Path) -> str:
    """All that the program sends to a terminal."""
    master, slave = pty.openpty()
    environment = {"PATH": os.defpath, "HOME": str(folder), "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"}
    program = subprocess.Popen(
        [sys.executable, "-m", "kubectl_fairshare", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=slave,
        stderr=slave,
        env=environment,
        cwd=folder,
    )
    os.close(slave)
    sent = b""
    with suppress(OSError):  # Linux reports the end of a terminal as an error
        while chunk := os.read(master, 65536):
            sent += chunk
    os.close(master)
    assert program.wait() < 70, sent
    return sent.decode("utf-8")


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    (tmp_path / "state.json").write_text(_state())
    (tmp_path / "other.json").write_text(_state().replace('"q"', '"r"'))
    (tmp_path / "suite.yaml").write_text(f"given: {{paths: [{json.dumps(EVIL)}]}}\ntests: [{json.dumps(EVIL)}]\n")
    return tmp_path


def test_every_command_is_called() -> None:
    assert set(CALLS) == {*COMMANDS, "rule"}  # the older name of `help K…` is not listed


@pytest.mark.slow
@pytest.mark.parametrize("command", CALLS)
def test_no_command_sends_an_attack_to_a_terminal(folder: Path, command: str) -> None:
    words = [EVIL.replace("\0", "")] if CALLS[command] == EVIL else shlex.split(CALLS[command])
    sent = sent_to_terminal([command, *words], folder)
    assert sent
    assert OBEYED.search(OURS.sub("", sent)) is None


def test_a_document_on_a_terminal_is_guarded_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written to the byte elsewhere, as a page, is a text for people on a terminal."""
    monkeypatch.chdir(folder)
    out, err = stream(b""), stream(b"")
    for each in (out, err):
        monkeypatch.setattr(each, "isatty", lambda: True, raising=False)
    main(["lint", "state.json", "-o", "json"], None, out, err)
    main(["lint", "state.json", "--diff"], None, out, err)
    assert OBEYED.search(OURS.sub("", written(out) + written(err))) is None
