"""Screens and documents: documents keep to their schemas, and screens show what surprises."""

from collections.abc import Callable
from typing import Any

import orjson
import pytest

from tests.schemas import problems
from tests.screens import Screen

ORG = "testdata/demo/koordinator"
Run = Callable[[str], Screen]


def document(run: Run, command: str) -> Any:
    """The document of a command, which keeps to the schema of its kind."""
    found = orjson.loads(run(f"kubectl-fairshare {command} -o json").stdout)
    assert problems(found) == []
    return found


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        (f"shares -f {ORG}", "KoordinatorShares"),
        (f"shares -f {ORG} --explain vision", "KoordinatorDerivation"),
        (f"shares -f {ORG} --saturated --request cpu=4", "KoordinatorSaturation"),
        (f"plan -f {ORG} -n lab --queue vision --request cpu=30", "Plan"),
        (f"why -f {ORG} pod/train-3 -n lab", "Why"),
        (f"why -f {ORG} pod/train-2 -n lab", "Why"),
        (f"why -f {ORG} -A", "WaitingList"),
    ],
)
def test_a_document_keeps_to_its_schema(run: Run, command: str, kind: str) -> None:
    assert document(run, command)["kind"] == kind


def test_a_derivation_closes_with_how_sure_it_is_as_its_document_does(run: Run) -> None:
    command = f"shares -f {ORG} --explain vision"
    last = run(f"kubectl-fairshare {command}").stdout.split("⇒")[-1]
    assert "vision, term by term · exact (Koordinator" in " ".join(last.split())
    assert document(run, command)["fidelity"]["exact"] is True


def test_shares_have_the_tree_and_the_runtime_of_each_quota(run: Run) -> None:
    found = document(run, f"shares -f {ORG} --resource cpu")
    rows = {q["name"]: q for q in found["queues"]}
    assert (rows["vision"]["parent"], rows["vision"]["resources"][0]["runtime"]["quantity"]) == ("research", "60")
    assert rows["speech"]["resources"][0]["lent"]["quantity"] == "12"


def test_a_quota_is_shown_with_its_ancestors(run: Run) -> None:
    found = document(run, f"shares -f {ORG} --queue vision")
    assert [q["name"] for q in found["queues"]] == ["research", "vision"]
    wrong = run(f"kubectl-fairshare shares -f {ORG} --queue visio")
    assert (wrong.code, "did you mean `vision`" in wrong.stderr) == (2, True)


def test_what_koordinator_lacks_is_refused_in_the_words_of_all_schedulers(run: Run) -> None:
    for command in ("shares --by namespace", "shares --topology", "cycle"):
        screen = run(f"kubectl-fairshare {command} -f {ORG}")
        assert (screen.code, "has no answer for Koordinator" in screen.stderr) == (2, True), command


def test_a_cycle_of_parents_is_an_error_at_its_line(run: Run) -> None:
    screen = run("kubectl-fairshare shares -f testdata/rules/Q005/bad.yaml")
    assert (screen.code, "loops on them without end" in screen.stderr) == (3, True)


def test_the_schedulers_message_can_be_searched_for(run: Run) -> None:
    screen = run(f"kubectl-fairshare plan -f {ORG} -n lab --queue vision --request cpu=30")
    start = "Insufficient quotas, quotaName: vision, runtime: cpu:62189m,memory:160Gi, used: cpu:44,memory:128Gi, "
    assert f"{start}pod's request: cpu:30, exceedDimensions: [cpu]" in screen.stdout


def test_a_pod_that_is_larger_than_each_node_is_told_so(run: Run) -> None:
    screen = run(f"kubectl-fairshare plan -f {ORG} --queue products --request cpu=33 -n x")
    assert screen.stdout.startswith("✘ can never be placed: no single node is large enough for it")


def test_the_last_row_has_what_is_divided_under_runtime_and_its_use_under_used(run: Callable[[str], Screen]) -> None:
    lines = run(f"kubectl-fairshare shares -f {ORG} --resource cpu").stdout.splitlines()
    titles = next(line for line in lines if line.startswith("cpu "))
    total = next(line for line in lines if line.startswith("total "))
    ends = {title: titles.index(title) + len(title) for title in ("RUNTIME", "USED")}
    assert [total[: ends["RUNTIME"]].split()[-1], total[: ends["USED"]].split()[-1]] == ["94", "46"]
    assert total[ends["USED"] :] == ""
