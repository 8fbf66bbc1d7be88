"""Options that commands share: short answers, and signs in ASCII."""

import json
from collections.abc import Callable

import pytest

from tests.screens import Screen

Run = Callable[[str], Screen]
ORG = "-f testdata/demo/org"
PLAN = f"kubectl-fairshare plan {ORG} -w testdata/demo/jobs/reindex.yaml"


def test_a_brief_plan_has_at_most_eight_lines(run: Run) -> None:
    screen = run(f"{PLAN} --brief")
    lines = screen.stdout.splitlines()
    assert (screen.code, len(lines) <= 8) == (4, True)
    assert lines[0].startswith("– waits: not enough nvidia.com/gpu in a100")
    assert lines[-1].startswith("⇒ waits · exact (Kueue v0.19")
    parts = [line.partition(":")[0] for line in lines]
    assert [part for part in parts if part in ("binds", "helps", "next")] == ["binds", "helps", "next"]
    assert "next: kubectl fairshare shares -f testdata/demo/org" in lines


def test_a_brief_plan_names_victims_and_the_next_command_can_be_typed(run: Run) -> None:
    screen = run(f"kubectl-fairshare plan {ORG} -w testdata/demo/jobs/finetune.yaml --brief")
    lines = screen.stdout.replace(" \\\n ", "").splitlines()
    assert "preempts: vision/sweep-1, vision/finetune" in lines
    (command,) = (line.partition(": ")[2] for line in lines if line.startswith("next: "))
    assert run(command.replace("kubectl fairshare", "kubectl-fairshare")).stdout.startswith("vision/sweep-1 · ")


def test_a_brief_plan_that_is_not_exact_asks_for_the_whole_answer(run: Run) -> None:
    screen = run(f"kubectl-fairshare plan {ORG} -w testdata/demo/jobs/segment.yaml --brief")
    assert (
        "next: kubectl fairshare plan -w testdata/demo/jobs/segment.yaml \\\n  -f testdata/demo/org\n" in screen.stdout
    )


def test_a_brief_answer_is_text(run: Run) -> None:
    screen = run(f"{PLAN} --brief -o json")
    assert screen.code == 2
    assert "`--brief` is a form of text" in screen.stderr


@pytest.mark.parametrize("command", [PLAN, f"kubectl-fairshare shares {ORG}", f"kubectl-fairshare why {ORG} -A"])
def test_ascii_prints_nothing_else(run: Run, command: str) -> None:
    screen = run(f"{command} --ascii")
    assert screen.stdout.isascii()
    assert "=> " in screen.stdout


def test_an_error_is_in_ascii_too(run: Run) -> None:
    assert run(f"kubectl-fairshare shares {ORG} --explain none --ascii").stderr.isascii()


@pytest.mark.parametrize("command", ["plan -w testdata/demo/jobs/finetune.yaml", "shares", "cycle", "why -A"])
def test_markdown_has_tables_and_no_colour(run: Run, command: str) -> None:
    screen = run(f"kubectl-fairshare {command} {ORG} -o markdown --color always")
    assert "| --- |" in screen.stdout
    assert "\x1b" not in screen.stdout
    assert screen.stderr == ""


def test_a_filter_is_for_the_list(run: Run) -> None:
    screen = run(f"kubectl-fairshare why {ORG} sweep-3 -n vision --sort age")
    assert (screen.code, "--sort: orders and filters the list" in screen.stderr) == (2, True)


@pytest.mark.parametrize(
    ("words", "version"), [("--api v1alpha1", "v1alpha1"), ("--api v1alpha2", "v1alpha2"), ("", "v1alpha2")]
)
def test_a_document_has_the_version_that_is_asked_for(run: Run, words: str, version: str) -> None:
    screen = run(f"kubectl-fairshare shares {ORG} -o json {words}")
    assert json.loads(screen.stdout)["apiVersion"] == f"fairshare.dev/{version}"


@pytest.mark.parametrize("form", ["", "-o wide", "-o csv"])
def test_a_version_of_what_is_no_document_is_an_error(run: Run, form: str) -> None:
    screen = run(f"kubectl-fairshare shares {ORG} {form} --api v1alpha1")
    assert (screen.code, screen.stdout) == (2, "")
    assert "add `-o json`" in screen.stderr
