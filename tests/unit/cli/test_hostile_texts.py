"""Names that carry escape codes, markup, or characters without width reach no terminal as what they are."""

import json
import re
import shlex
from pathlib import Path

import pytest
import yaml

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
