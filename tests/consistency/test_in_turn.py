"""Two jobs of which only one gets in: every surface answers as the scheduler's next cycles take them."""

import re
from collections.abc import Callable

import pytest

from kubectl_fairshare.cli.agents.folders import Folders
from kubectl_fairshare.cli.agents.server import AgentServer
from tests.screens import ROOT, Screen

BACKLOGS = {"kueue-backlog": (1, 1), "kai-backlog": (1, 1), "eq-backlog": (1, 2)}
"""The workloads that are not admitted now, and those that the next cycles take."""
_TAGS = re.compile(r"<[^>]*>")


@pytest.mark.parametrize("state", BACKLOGS)
def test_why_report_and_agents_answer_in_turn(
    run: Callable[[str], Screen], monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    monkeypatch.chdir(ROOT / "testdata" / "reports")
    refused, taken = BACKLOGS[state]
    closing = run(f"kubectl-fairshare why -A -q -f {state}").stdout.splitlines()[-2:]
    assert f"⇒ {refused} not now, {taken} waiting · exact" in " ".join(closing)

    page = _TAGS.sub(" ", run(f"kubectl-fairshare report -q -f {state} -o -").stdout)
    assert f"Waiting: {refused + taken} workloads" in page
    shown = [(word, int(number)) for word, number in re.findall(r"(not now|waiting) · (\d+) workload", page)]
    sums = {word: sum(number for found, number in shown if found == word) for word in ("not now", "waiting")}
    assert sums == {"not now": refused, "waiting": taken}

    found = AgentServer(Folders(["."]), (), 60_000).call("why", {"filename": [state], "all_namespaces": True})
    groups = found["document"]["groups"]
    listed = [group["verdict"] for group in groups for _ in group["workloads"]]
    assert sorted(listed) == ["NotNow"] * refused + ["Waiting"] * taken
    assert found["fidelity"]["exact"] is True


@pytest.mark.parametrize("state", [name for name in BACKLOGS if name != "eq-backlog"])
def test_a_cycle_says_the_same(run: Callable[[str], Screen], monkeypatch: pytest.MonkeyPatch, state: str) -> None:
    monkeypatch.chdir(ROOT / "testdata" / "reports")
    assert run(f"kubectl-fairshare cycle -q -f {state}").stdout.count("1 admitted") > 0
