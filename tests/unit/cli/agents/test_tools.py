"""What an agent may ask, and what it gets: in this process, and over standard input with the SDK's own client."""

import asyncio
import io
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import types

from kubectl_fairshare.cli.agents.cutting import size
from kubectl_fairshare.cli.agents.folders import Folders
from kubectl_fairshare.cli.agents.results import returned_schema, spoken
from kubectl_fairshare.cli.agents.server import BRIEF, AgentServer, offered_tool
from kubectl_fairshare.cli.agents.tools import DETAILS, agent_tools
from kubectl_fairshare.cli.main import main
from kubectl_fairshare.input.install_command import install_command
from kubectl_fairshare.model.errors import UsageError
from tests.meta.repository import ROOT
from tests.sampling import sampled
from tests.schemas import problems

DEMO = ROOT / "testdata" / "demo"
CALLS: dict[str, dict[str, Any]] = {
    "shares": {"filename": ["org"]},
    "plan": {"filename": ["org"], "workload": ["jobs/reindex.yaml"]},
    "why": {"filename": ["org"], "all_namespaces": True},
    "cycle": {"filename": ["org"]},
    "lint": {"paths": ["org"]},
    "rule": {"rule": "K041"},
    "diff": {"versions": ["capacity"], "overlay": ["capacity-change.yaml"]},
    "capacity": {"filename": ["org"], "queue": ["vision"]},
    "forecast": {"filename": ["org"], "default_duration": "2h", "seeds": 2},
    "test": {"paths": ["capacity"]},
    "search": {"filename": ["org"], "never": ["cascade > 3"], "workloads": 1, "random": 5},
    "simulate": {"filename": ["../simulate/org.yaml"], "scenario": "../simulate/week.yaml"},
}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> AgentServer:
    monkeypatch.chdir(DEMO)
    return AgentServer(Folders([".", "../simulate"]), (), 60_000)


@pytest.fixture
def without_cluster(monkeypatch: pytest.MonkeyPatch) -> AgentServer:
    monkeypatch.chdir(DEMO)
    return AgentServer(Folders(["."]), None, 60_000)


@pytest.mark.parametrize("name", ["plan", "rule", "test", "search", "simulate", "forecast"])
def test_a_result_is_what_its_schema_says_and_begins_with_the_verdict(server: AgentServer, name: str) -> None:
    found = server.call(name, CALLS[name])
    assert list(found)[:3] == ["verdict", "next", "fidelity"]
    assert found["verdict"]
    Draft202012Validator(returned_schema(name)).validate(found)


@pytest.mark.parametrize(
    ("name", "verdict", "exact"),
    [
        ("test", "5 of 5 tests passed", True),
        ("search", "nothing breaks cascade > 3 in ", True),
        ("simulate", "from 2026-01-05T08:00:00Z to ", True),
        ("rule", "K041 cohort-cycle: ", None),
    ],
)
def test_the_verdict_is_a_sentence_and_fidelity_is_never_missing(
    server: AgentServer, name: str, verdict: str, exact: bool | None
) -> None:
    found = server.call(name, CALLS[name])
    assert found["verdict"].startswith(verdict)
    assert found["fidelity"]["exact"] is exact


def test_policies_over_time_are_compared_and_an_overlay_outside_is_not_read(server: AgentServer) -> None:
    asked = CALLS["simulate"]
    found = server.call("simulate", {**asked, "overlay_set": ["more=../simulate/speech-grows.yaml"]})
    assert (found["fidelity"]["exact"], found["exitCode"]) == (True, 0)
    assert found["verdict"].startswith("43 jobs under each policy: ")
    outside = server.call("simulate", {**asked, "overlay_set": [f"more={ROOT / 'pyproject.toml'}"]})
    assert outside["document"] is None
    assert outside["exitCode"] == 3


def test_a_plan_says_that_it_is_exact_and_what_would_help(server: AgentServer) -> None:
    found = server.call("plan", CALLS["plan"])
    assert found["verdict"] == "waits: not enough nvidia.com/gpu in a100"
    assert found["next"].startswith("count of pod set main 10 → 2")
    assert (found["fidelity"]["exact"], found["exitCode"]) == (True, 4)


def test_no_tool_writes_chooses_who_asks_or_reaches_the_network() -> None:
    taken = {name for tool in agent_tools(cluster=True).values() for name in tool.taken}
    assert not taken & {"fix", "write_baseline", "output", "kubeconfig", "token", "server", "context", "kustomize"}
    assert not [name for name in taken if name.startswith("prometheus")]


def test_without_a_cluster_no_call_reads_one(without_cluster: AgentServer) -> None:
    found = without_cluster.call("shares", {})
    assert "reads no cluster" in found["verdict"]
    assert found["document"] is None


@pytest.mark.parametrize(
    "word", ["/etc/passwd", "../../README.md", "../*/*.yaml", "git:HEAD:../lint", "link.yaml", "../*=*"]
)
@pytest.mark.parametrize("option", ["filename", "overlay"])
def test_no_file_outside_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str, option: str) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "own.yaml").write_text("{}")
    (inside / "link.yaml").symlink_to(DEMO / "change.yaml")
    monkeypatch.chdir(inside)
    server = AgentServer(Folders(["."]), None, 60_000)
    found = server.call("shares", {"filename": ["own.yaml"], option: [word]})
    assert "outside of the folders" in found["verdict"]


def test_a_link_in_a_folder_leads_nowhere_else(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link").symlink_to(DEMO / "org")
    with pytest.raises(UsageError, match="outside"):
        Folders([str(inside)]).check([str(inside / "link")])


def test_a_file_that_is_not_named_is_not_opened_either(tmp_path: Path, without_cluster: AgentServer) -> None:
    assert without_cluster
    outside = tmp_path / "settings.yaml"
    outside.write_text("")
    folders = Folders([str(DEMO)])
    with folders.guarded(), pytest.raises(PermissionError):
        outside.read_text()
    with folders.guarded(), pytest.raises(PermissionError):
        (DEMO / "new.yaml").write_text("")
    with folders.guarded(), pytest.raises(PermissionError):
        subprocess.run([sys.executable, "--version"], check=False)
    assert outside.read_text() == ""


def test_a_call_that_was_stopped_ends_no_guard_of_the_next(tmp_path: Path, without_cluster: AgentServer) -> None:
    assert without_cluster
    outside = tmp_path / "settings.yaml"
    outside.write_text("")
    folders = Folders([str(DEMO)])
    begun, over = threading.Event(), threading.Event()

    def stopped() -> None:
        with folders.guarded():
            begun.set()
            over.wait()

    first = threading.Thread(target=stopped)
    first.start()
    begun.wait()
    with folders.guarded():
        over.set()
        first.join()
        with pytest.raises(PermissionError):
            outside.read_text()
    assert outside.read_text() == ""


def test_a_large_result_is_cut_and_says_what_to_ask(server: AgentServer) -> None:
    small = AgentServer(Folders(["."]), None, 4_000)
    full = {**CALLS["shares"], "detail": "full"}
    found = small.call("shares", full)
    assert found["omitted"]
    assert "`queue`" in found["more"]
    assert server.call("shares", full)["omitted"] == []


@pytest.mark.parametrize("name", sampled(CALLS, 3))
def test_a_brief_result_is_small_and_a_full_one_is_what_the_command_prints(server: AgentServer, name: str) -> None:
    found = server.call(name, CALLS[name])
    assert size(found) <= BRIEF
    assert found["omitted"] == [] or "`detail: full`" in found["more"]
    full = server.call(name, {**CALLS[name], "detail": "full"})
    assert full["omitted"] == []
    assert {key: full[key] for key in ("verdict", "next", "fidelity")} == {
        key: found[key] for key in ("verdict", "next", "fidelity")
    }
    assert problems(full["document"]) == []


@pytest.mark.parametrize("name", sampled(CALLS, 3, first=1))
def test_text_and_structure_do_not_say_the_same_twice(server: AgentServer, name: str) -> None:
    found = server.call(name, CALLS[name])
    text = spoken(found)
    assert text.startswith(found["verdict"])
    assert '"kind"' not in text
    assert size(text) < 1_500


def test_the_list_of_tools_fits_into_a_window() -> None:
    """The bound is in bytes of JSON, with a cluster, which has more arguments."""
    offered = [offered_tool(types, tool).model_dump(mode="json") for tool in agent_tools(cluster=True).values()]
    assert size(offered) <= 40_000


@pytest.mark.parametrize("name", ["why", "forecast"])
def test_a_subject_may_be_a_string(server: AgentServer, name: str) -> None:
    more = {"default_duration": "2h", "seeds": 1} if name == "forecast" else {}
    given = {"filename": "org", "namespace": "vision", **more}
    one = server.call(name, {**given, "subject": "sweep-3"})
    assert one["document"] is not None, one
    assert one == server.call(name, {**given, "filename": ["org"], "subject": ["sweep-3"]})


def test_an_agent_gets_no_start_without_its_interval(server: AgentServer) -> None:
    """In the verdict of a forecast, and in the list of `why` with the option of that name."""
    found = server.call("forecast", CALLS["forecast"])
    first = found["document"]["waiting"][0]
    starts, verdict = first["starts"], found["verdict"]
    assert f"{first['title']} {starts['p50']} (10 %–90 %: {starts['p10']} to {starts['p90']})" in verdict
    listed = server.call("why", {**CALLS["why"], "forecast": True, "detail": "full"})["document"]
    started = [each["forecast"]["starts"] for group in listed["groups"] for each in group["workloads"]]
    assert started
    assert all(set(each) == {"p10", "p50", "p90"} for each in started)


def test_a_wrong_argument_is_answered_with_the_right_one(server: AgentServer) -> None:
    assert "no argument `quee`" in server.call("capacity", {"quee": "x"})["verdict"]
    assert "not of type string, or a list of these" in server.call("capacity", {"queue": 3})["verdict"]
    assert "is not one of `brief`, `full`" in server.call("capacity", {"detail": "much"})["verdict"]


def test_a_file_of_past_usage_is_a_file_too(server: AgentServer) -> None:
    found = server.call("shares", {"filename": ["kai"], "usage": ["/etc/hostname"]})
    assert "outside of the folders" in found["verdict"]
    found = server.call("shares", {"filename": ["kai"], "usage": ["vision=gpu=0.3"]})
    assert "outside" not in found["verdict"]


def started(*args: str) -> tuple[int, str]:
    out, err = io.StringIO(), io.StringIO()
    return main(["mcp", *args], None, out, err), err.getvalue()


def test_settings_outside_are_reported_at_the_start(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "org").mkdir()
    (tmp_path / ".fairshare.yaml").write_text("")
    code, said = started(str(tmp_path / "org"))
    assert (code, "name their folder as well" in said) == (2, True)


def test_without_the_sdk_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    code, said = started(str(DEMO / "org"))
    assert (code, install_command("mcp>=2.3") in said) == (2, True)


@pytest.mark.slow
def test_every_tool_answers_the_official_client() -> None:
    """The client checks each result against the schema that the server offers."""
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    arguments = ["-m", "kubectl_fairshare", "mcp", str(DEMO), str(DEMO.parent / "simulate")]
    started = StdioServerParameters(command=sys.executable, args=arguments, env=environment)

    async def talk() -> tuple[Any, dict[str, list[Any]]]:
        async with stdio_client(started) as (reading, writing), ClientSession(reading, writing) as session:
            await session.initialize()
            listed = await session.list_tools()
            found: dict[str, list[Any]] = {}
            for name, given in CALLS.items():
                found[name] = [await session.call_tool(name, {**given, "detail": each}) for each in DETAILS]
            return listed, found

    listed, found = asyncio.run(talk())
    assert {tool.name for tool in listed.tools} == set(CALLS)
    assert len(listed.model_dump_json(by_alias=True, exclude_none=True).encode()) <= 40_000
    for name, answers in found.items():
        for answer, most in zip(answers, (BRIEF, 60_000), strict=True):
            assert not answer.is_error, (name, answer.content)
            assert size(answer.structured_content) <= most
            assert len(answer.content[0].text.encode()) <= 1_500
            assert answer.structured_content["document"]["kind"], name


@pytest.mark.parametrize(
    ("name", "arguments", "verdict", "step"),
    [
        ("cycle", {"filename": ["org"]}, "1 admitted, 1 not now", ""),
        pytest.param("capacity", {"filename": ["kai"]}, "room now in 0 of 3 queues", "", marks=pytest.mark.slow),
        ("lint", {"paths": ["org"], "overlay": ["change.yaml"]}, "2 errors", "write `cohortName`"),
        ("lint", {"paths": ["org"]}, "no findings", ""),
        (
            "why",
            {"filename": ["org"], "subject": ["sweep-3"], "namespace": "vision"},
            "not now: search/embed",
            "kubectl",
        ),
        ("why", {"filename": ["org"], "all_namespaces": True}, "1 not now: ", "kubectl"),
        ("plan", {"filename": ["org"]}, "error: no workload to plan", "pass a file"),
    ],
)
def test_verdict_and_next_step_are_words_of_the_screens(
    server: AgentServer, name: str, arguments: dict[str, object], verdict: str, step: str
) -> None:
    found = server.call(name, arguments)
    assert found["verdict"].startswith(verdict)
    assert found["next"].startswith(step)
    assert bool(found["next"]) is bool(step)
