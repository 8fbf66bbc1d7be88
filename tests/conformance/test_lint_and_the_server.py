"""Lint, as it is run on a file, and a real API server agree on every new object of Kueue's.

The writes are those of ``kueue-admission.jsonl.gz``, each as a file of its own; an update is linted as the text that
would be applied.
"""

import io
import json
from typing import Any

import pytest

from kubectl_fairshare.cli.linting.rule_choice import rules_to_run
from kubectl_fairshare.finding import Severity
from kubectl_fairshare.input.files.files import read_what_can_be
from kubectl_fairshare.lint.examine import examine
from kubectl_fairshare.lint.findings.findings import findings
from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.schedulers import known_schedulers, lint_houses
from tests.conformance.writes import recorded

TAKEN_AND_WRONG = {
    *("K003", "M008"),  # a field is dropped
    *("K004", "K006", "K008"),  # taken once, refused at the next apply
    *("K007", "K038", "K039"),  # taken to mean something else
    "K009",  # stored against the schema
    "K179",  # stored, and in the way of every list of its kind
    *("K041", "K050", "K056", "K089"),  # never in service
}
"""The errors that objects may have although the server takes them."""
WRITES = recorded("kueue")


def linted(data: Any) -> tuple[list[Placed], tuple[Problem, ...]]:
    """The errors that lint finds in one object, and what it cannot read."""
    text = json.dumps(data).encode()
    reading, problems = read_what_can_be(
        ["-"], stdin=io.BytesIO(text), allow_generate_name=True, among_others=True, schedulers=known_schedulers()
    )
    found = findings(rules_to_run((), ()), reading, examine(reading, lint_houses())).placed
    return [each for each in found if each.reported.severity is Severity.ERROR], problems


def case(write: dict[str, Any]) -> Any:
    return pytest.param(write, id=write["name"])


def text_of(path: FieldPath) -> str:
    """A path without the punctuation in which servers and we differ."""
    joined = ".".join(str(part) for part in path)
    return joined.replace("[", ".").replace("]", "").replace("..", ".")


def is_told(field: str, error: Placed) -> bool:
    """Whether an error stands at a field, above or below it, or names it as the one that is missing."""
    finding = error.reported.finding
    paths = (finding.place.path, *(related.place.path for related in finding.related))
    here, there = text_of((field,)), [text_of(path) for path in paths]
    return f"`{field}`" in finding.message or any(t and (here.startswith(t) or t.startswith(here)) for t in there)


@pytest.mark.parametrize("write", [case(w) for w in WRITES if w["expected"]["accepted"]])
def test_what_the_server_takes_is_no_error_without_reason(write: dict[str, Any]) -> None:
    errors, problems = linted(write["object"])
    assert {each.reported.rule.id for each in errors} <= TAKEN_AND_WRONG
    assert problems == ()


@pytest.mark.parametrize("write", [case(w) for w in WRITES if w["expected"]["unknownFields"]])
def test_what_the_server_drops_is_an_error(write: dict[str, Any]) -> None:
    errors, problems = linted(write["object"])
    assert errors or problems


@pytest.mark.parametrize("write", [case(w) for w in WRITES if not w["expected"]["accepted"] and "old" not in w])
def test_what_the_server_refuses_is_an_error_at_the_field_that_it_names(write: dict[str, Any]) -> None:
    errors, problems = linted(write["object"])
    assert problems == ()
    assert errors != []
    fields = [cause["field"] for cause in write["expected"]["causes"]]
    assert [field for field in fields if not any(is_told(field, error) for error in errors)] == []
