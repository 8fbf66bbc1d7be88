"""Names that carry escape codes, markup, or characters without width reach no terminal as what they are."""

import json
import os
import pty
import re
import shlex
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
import yaml

from tests.sampling import sampled
from tests.screens import ROOT, Screen, shown

FORBIDDEN = set("\x1b\x07\r\u202e\u200b")
ORG = ROOT / "testdata" / "demo" / "org"
OURS = re.compile(r"\x1b\[(0|1|2|31|32|33)m")
MESSAGE = "waits \x1b[35mfor [red]\u202e\u200b\r\x07quota"


@pytest.fixture(scope="module")
def org(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo with hostile messages in conditions, in a file with a hostile name."""
    items = [
        each
        for path in sorted(ORG.rglob("*.yaml"))
        for each in yaml.safe_load_all(path.read_text())
        if each and "kind" in each
    ]
    for each in items:
        for condition in each.get("status", {}).get("conditions", ()):
            condition["message"] = MESSAGE
    path = tmp_path_factory.mktemp("hostile") / "a\x1b[2Jb\u202e.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    return path


def asked(org: Path, command: str) -> Screen:
    question, *words = command.split()
    words = [str(ROOT / word) if word.startswith("testdata") else word for word in words]
    return shown(shlex.join(["kubectl-fairshare", question, "-f", str(org), *words]))


@pytest.mark.parametrize("color", ["never", "always"])
@pytest.mark.parametrize(
    "command",
    [
        "shares -o wide",
        "shares --explain products",
        "cycle",
        "why -A",
        "why search/workload/index",
        "plan -w testdata/demo/jobs",
        "lint --select advice",
    ],
)
def test_no_screen_obeys_what_a_manifest_says(org: Path, command: str, color: str) -> None:
    screen = asked(org, f"{command} --color {color}")
    text = screen.stdout + screen.stderr
    assert FORBIDDEN.isdisjoint(OURS.sub("", text) if color == "always" else text)
    assert screen.code in (0, 1, 4, 5), screen


EVIL = "x\x1b[35;7mR\x1b]52;c;aGk=\x07\u202e\x9b5n"
QUEUE = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue"}


def on_terminal(command: str, folder: Path) -> str:
    """All that the program sends to a terminal, with its own colours taken out."""
    master, slave = pty.openpty()
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"}
    environment["CI"] = "1"  # no word on what takes long
    arguments = [sys.executable, "-m", "kubectl_fairshare", *shlex.split(command)]
    program = subprocess.Popen(
        arguments, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave, env=environment, cwd=folder
    )
    os.close(slave)
    sent = b""
    with suppress(OSError):  # Linux reports the end of a terminal as an error
        while chunk := os.read(master, 65536):
            sent += chunk
    os.close(master)
    program.wait()
    text = sent.decode("utf-8")
    assert "\x1b[35;7m" not in text
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


@pytest.mark.parametrize(
    "command",
    sampled(["lint", "lint --select all -o text", "shares", "why -A", "cycle", "capacity", "diff"], 7, first=3),
)
@pytest.mark.parametrize("lines", [True, False], ids=["lines", "one line"])
def test_no_terminal_obeys_names_and_fields(tmp_path: Path, command: str, lines: bool) -> None:
    """One long line of JSON, as snapshots are, is cited by its fields."""
    group = {"coveredResources": ["cpu"], "flavors": [{"name": EVIL, "resources": [{"name": "cpu", EVIL: 1}]}]}
    spec = {"namespaceSelector": {}, EVIL: {EVIL: [EVIL]}, "resourceGroups": [group], "cohortName": EVIL}
    items = [
        {**QUEUE, "metadata": {"name": "q", "labels": {EVIL: EVIL}, "annotations": {EVIL: EVIL}}, "spec": spec},
        {**QUEUE, "metadata": {"name": EVIL, "namespace": EVIL}, "spec": {"stopPolicy": EVIL}},
        {"apiVersion": EVIL, "kind": EVIL, "metadata": {"name": EVIL}},
    ]
    path = tmp_path / "state.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}, indent=1 if lines else None))
    given = f"{path} {path}" if command == "diff" else str(path) if command.startswith("lint") else f"-f {path}"
    sent = on_terminal(f"{command} {given}", tmp_path)
    assert sent
    assert (FORBIDDEN | {"\x9b"} - {"\r"}).isdisjoint(sent.replace("\r\n", "\n"))


def test_a_name_that_no_server_takes_is_refused_in_safe_words(org: Path) -> None:
    path = org.with_name("named.json")
    path.write_text(org.read_text().replace("vision", "vi\\u001b[31msion"))
    screen = asked(path, "shares")
    assert (screen.code, screen.stdout) == (3, "")
    assert "vi\ufffd[31msion" in screen.stderr
    assert "\x1b" not in screen.stderr


def test_documents_keep_it(org: Path) -> None:
    document = asked(org, "why search/workload/index -o json").stdout
    assert MESSAGE in [each["message"] for each in json.loads(document)["recorded"]["conditions"]]
