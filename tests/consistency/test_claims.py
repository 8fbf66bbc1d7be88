"""Each check can fail: a fault that is planted into one answer is a contradiction of its kind."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from tests.consistency.asking import Program, Reply
from tests.consistency.claims import alone, of_itself, sequences
from tests.consistency.contradictions import contradictions
from tests.consistency.states import HOUSES, states, work_of

Document = dict[str, Any]
Fault = Callable[[Document, Sequence[str]], None]
_EXACT: Final[Document] = {"exact": True, "outcomes": 1, "allOutcomes": True, "notModelled": []}

_GAP: Final[Document] = {"feature": "x", "touches": True}


def _is_about_the_state(words: Sequence[str]) -> bool:
    return any(word.endswith("/state.json") for word in words)


def _never_now(document: Document, words: Sequence[str]) -> None:
    if _is_about_the_state(words):
        document |= {"outcome": "Never", "inTurn": None, "fidelity": {**document["fidelity"], **_EXACT}}


def _never_then(document: Document, words: Sequence[str]) -> None:
    if not _is_about_the_state(words):
        document |= {"outcome": "Never", "victims": []}


def _other_verdict(document: Document, _: Sequence[str]) -> None:
    if document["kind"] == "Why":
        document["verdict"] = "Running"


def _less_listed(document: Document, _: Sequence[str]) -> None:
    for group in document.get("groups", [])[:1]:
        group["workloads"].pop()


def _one_more_waits(document: Document, _: Sequence[str]) -> None:
    for each in document["quotas"]:
        each["waiting"] += 1


def _more_room(document: Document, _: Sequence[str]) -> None:
    for row in document["queues"]:
        row["now"] = {"size": {"value": 10**9, "quantity": "1000000"}}


def _a_difference(document: Document, _: Sequence[str]) -> None:
    document["running"] = [{"object": "somebody"}]


def _last_is_first(document: Document, _: Sequence[str]) -> None:
    for each in document.get("entries", []):
        each["outcome"] = "Never" if each["outcome"] != "Never" else "Admitted"


def _two_of_each(document: Document, _: Sequence[str]) -> None:
    for each in document.get("remedies", []):
        each["victims"] += 1


def _inexact(document: Document, _: Sequence[str]) -> None:
    document["fidelity"] = {**_EXACT, "exact": False}


FAULTS: Final[list[Any]] = [
    ("elasticquota", "plan", "plan-why-never", _never_now),
    ("elasticquota", "plan", "never-refuted", _never_now),
    ("elasticquota", "plan", "waits-forever", _never_then),
    ("elasticquota", "plan", "remedy-fails", _never_then),
    ("elasticquota", "plan", "remedy-fails", _two_of_each),
    ("elasticquota", "plan", "of-itself", _never_then),
    ("elasticquota", "why", "why-list-verdict", _other_verdict),
    ("elasticquota", "why", "not-listed", _less_listed),
    ("elasticquota", "why", "of-itself", _inexact),
    ("elasticquota", "shares", "shares-pending", _one_more_waits),
    ("elasticquota", "capacity", "capacity-now", _more_room),
    ("elasticquota", "diff", "diff-itself", _a_difference),
    pytest.param("kueue", "cycle", "cycle-plan-never", _last_is_first, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("house", "command", "kind", "fault"), FAULTS)
def test_a_planted_fault_is_seen(
    house: str, command: str, kind: str, fault: Fault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Program._reply

    def reply(self: Program, words: Sequence[str], *, as_json: bool) -> Reply:
        found = whole(self, words, as_json=as_json)
        if words[0] == command and found.document:
            fault(found.document, words)
        return found

    monkeypatch.setattr(Program, "_reply", reply)
    for state in states(house, "planted", 24):
        if any(found.kind == kind for found in contradictions(state, tmp_path)):
            return
    raise AssertionError(f"{kind} was not found")


def test_a_page_that_counts_one_more_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Program._reply

    def reply(self: Program, words: Sequence[str], *, as_json: bool) -> Reply:
        found = whole(self, words, as_json=as_json)
        text = re.sub(r"(\d+)( \w+ waiting</title>)", lambda m: f"{int(m[1]) + 1}{m[2]}", found.text)
        return found._replace(text=text)

    monkeypatch.setattr(Program, "_reply", reply)
    state = next(states("elasticquota", "planted", 1))
    assert "report-count" in {found.kind for found in contradictions(state, tmp_path)}


@pytest.mark.parametrize(
    ("code", "document", "text"),
    [
        (70, {}, "exit 70"),
        (0, {"kind": "Plan", "outcome": "Waits", "fidelity": _EXACT}, "exit 0 for Waits"),
        (5, {"kind": "Plan", "outcome": "Unknown", "fidelity": _EXACT}, "Unknown, exact"),
        (0, {"kind": "Cycle", "fidelity": {**_EXACT, "exact": False}}, "no reason"),
        (
            0,
            {"kind": "Cycle", "fidelity": {**_EXACT, "notModelled": [{"feature": "x", "touches": True}]}},
            "can change",
        ),
    ],
)
def test_an_answer_that_contradicts_itself_is_seen(code: int, document: Document, text: str) -> None:
    (found,) = of_itself(("plan", "-f"), Reply(code, document, "", ""))
    assert text in found
    assert list(of_itself(("cycle", "-f"), Reply(0, {"kind": "Cycle", "fidelity": _EXACT}, "", ""))) == []


def test_a_sequence_of_ends_leaves_nothing() -> None:
    for house in HOUSES:
        for state in states(house, "sequences", 4):
            *_, (last, _) = sequences(state, Random(state.name))
            left = [each for each in last.objects if each["kind"] in ("Workload", "PodGroup", "Pod")]
            assert left == []
            assert {work_of(each) for each in alone(state).running} == set()
