"""An agent has arguments, and is told of no option that it does not have."""

import re
from typing import Any

import pytest

from kubectl_fairshare.cli.agents.arguments import argument_help, argument_text
from kubectl_fairshare.cli.agents.folders import Folders
from kubectl_fairshare.cli.agents.server import AgentServer
from kubectl_fairshare.cli.agents.tools import agent_tools
from tests.meta.repository import ROOT

FLAGS = {"-f": "filename", "--filename": "filename", "--no-fair-sharing": "fair_sharing: false", "--demand": "demand"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("add `-f FILE`", "add `filename FILE`"),
        ("pass `--no-fair-sharing`", "pass `fair_sharing: false`"),
        ("see --demand.", "see demand."),
        ("`kubectl fairshare plan -f org`", "`kubectl fairshare plan -f org`"),
        ("a-f, --filenames and vision/-f", "a-f, --filenames and vision/-f"),
        ("--kubeconfig is not here", "--kubeconfig is not here"),
    ],
)
def test_options_are_arguments(text: str, said: str) -> None:
    assert argument_text(text, FLAGS) == said


def test_help_leaves_out_what_an_agent_does_not_have() -> None:
    text = "Plans. -o name prints victims. With --demand, all. Exit code 0: yes."
    assert argument_help(text, FLAGS) == "Plans. With demand, all."


def test_no_tool_speaks_of_an_option() -> None:
    for tool in agent_tools(cluster=True).values():
        texts = [tool.about, *(each.get("description", "") for each in tool.properties().values())]
        for text in texts:
            assert not [flag for flag in tool.flags if re.search(rf"(?<![\w-]){flag}(?![\w-])", text)], (
                tool.name,
                text,
            )


def test_every_argument_has_a_description_in_its_tool_or_in_the_first() -> None:
    tools = agent_tools(cluster=True)
    first = next(iter(tools.values())).takes["properties"]
    for tool in tools.values():
        for name, each in tool.takes["properties"].items():
            assert "description" in each or "description" in first[name], (tool.name, name)


WRONG: list[tuple[str, dict[str, Any]]] = [
    ("plan", {"filename": "org"}),
    ("plan", {"filename": "org", "queue": "vision"}),
    ("shares", {"filename": "org", "demand": "vision"}),
    ("shares", {"filename": "org", "nodes": "x"}),
    ("shares", {"filename": "org", "release": "7"}),
    ("shares", {"filename": "org", "usage": "vision=x"}),
    ("why", {"filename": "org", "now": "yesterday"}),
    ("why", {"filename": "org", "subject": ["a", "b"]}),
    ("diff", {"versions": ["a", "b", "c"]}),
    ("diff", {"versions": "capacity", "fail_on": "x"}),
    ("capacity", {"filename": "org", "backlog": "x"}),
    ("search", {"filename": "org", "never": "x"}),
    ("search", {"filename": "org"}),
    ("simulate", {"filename": "org"}),
    ("simulate", {"filename": "org", "cycles": 3, "scenario": "x.yaml"}),
    ("forecast", {"filename": "org", "duration": "x"}),
    ("lint", {"paths": "org", "select": "x"}),
]


@pytest.mark.parametrize(("name", "given"), WRONG)
def test_errors_speak_of_arguments(name: str, given: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "testdata" / "demo")
    server = AgentServer(Folders(["."]), None, 60_000)
    found = server.call(name, given)
    assert found["document"] is None
    said = "\n".join((found["verdict"], found["next"], found["notes"]))
    assert not [flag for flag in server.tools[name].flags if re.search(rf"(?<![\w-]){flag}(?![\w-])", said)], said
