"""Which part of the forest is shown, and in which order."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.screens import Screen

Run = Callable[[str], Screen]


def names(run: Run, options: str) -> list[str]:
    screen = run(f"kubectl-fairshare shares -f testdata/demo/org -q -o name {options}")
    assert screen.code == 0, screen.stderr
    return [line.partition("/")[2] for line in screen.stdout.splitlines()]


def rows(run: Run, options: str) -> list[list[str]]:
    screen = run(f"kubectl-fairshare shares -f testdata/demo/org -q -o csv {options}")
    assert screen.code == 0, screen.stderr
    return [line.split(",") for line in screen.stdout.splitlines()[1:]]


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ("", ["platform", "etl", "products", "chat", "search", "research", "speech", "vision"]),
        ("--queue chat", ["products", "chat"]),
        ("--queue vision/gpus", ["research", "vision"]),
        ("--queue products", ["products", "chat", "search"]),
        ("--queue acme", ["platform", "etl", "products", "chat", "search", "research", "speech", "vision"]),
        ("--sort share", ["research", "vision", "speech", "platform", "etl", "products", "chat", "search"]),
        ("--sort weight", ["products", "chat", "search", "platform", "etl", "research", "speech", "vision"]),
        ("--sort borrowed --queue research", ["research", "vision", "speech"]),
        ("--sort available --queue research", ["research", "vision", "speech"]),
        ("--sort pending", ["products", "search", "chat", "research", "vision", "speech", "platform", "etl"]),
    ],
)
def test_what_is_shown(run: Run, options: str, shown: list[str]) -> None:
    assert names(run, options) == shown


@pytest.mark.parametrize(
    ("options", "pairs"),
    [
        ("", {("a100", "nvidia.com/gpu"), ("h100", "nvidia.com/gpu")}),
        ("--flavor h100", {("h100", "nvidia.com/gpu"), ("", "")}),
        ("--resource nvidia.com/gpu --flavor a100", {("a100", "nvidia.com/gpu")}),
    ],
)
def test_pairs_that_are_shown(run: Run, options: str, pairs: set[tuple[str, str]]) -> None:
    assert {(row[13], row[14]) for row in rows(run, options)} == pairs


def test_one_queue_is_counted_alone_in_its_tree(run: Run) -> None:
    opening = run("kubectl-fairshare shares -f testdata/demo/org --queue chat").stdout.splitlines()
    assert opening[0].startswith("0 of 1 queue borrows · 2 running, 0 pending ")
    assert opening[1] == "Kueue v0.19 · fair sharing · 1 tree"


@pytest.mark.parametrize(
    ("by", "options", "shown"),
    [
        ("namespace", "", ["chat", "search", "speech", "vision"]),
        ("namespace", "--queue vision", ["vision"]),
        ("localqueue", "--queue chat/gpus", ["chat/gpus"]),
        ("namespace", "--sort usage --flavor a100", ["vision", "chat", "search", "speech"]),
    ],
)
def test_usage_added_up(run: Run, by: str, options: str, shown: list[str]) -> None:
    assert list(dict.fromkeys(row[0] for row in rows(run, f"--by {by} {options}"))) == shown


@pytest.mark.parametrize(
    ("options", "message", "help"),
    [
        ("--queue visoin", "--queue: no ClusterQueue or Cohort `visoin` in the input", "did you mean `vision`?"),
        (
            "--explain zzzz",
            "--explain: no ClusterQueue or Cohort `zzzz` in the input",
            "there is `acme`, `chat`, `etl`",
        ),
        ("--queue chat/gpu", "--queue: no LocalQueue `chat/gpu` in the input", "did you mean `chat/gpus`"),
        ("--resource gpu", "--resource: no resource `gpu` in the input", "there is `nvidia.com/gpu`"),
        ("--flavor a10", "--flavor: no flavor `a10` in the input", "did you mean `a100`"),
    ],
)
def test_a_name_that_is_not_there(run: Run, options: str, message: str, help: str) -> None:
    screen = run(f"kubectl-fairshare shares -f testdata/demo/org {options}")
    assert screen.code == 2
    assert screen.stderr.startswith(f"error: {message}\n  help: {help}")


def test_a_queue_in_a_cycle_has_nothing_to_explain(run: Run, tmp_path: Path) -> None:
    cohort = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {{name: {}}}\nspec: {{parentName: {}}}\n"
    path = tmp_path / "cycle.yaml"
    path.write_text("---\n".join(cohort.format(*pair) for pair in ("ab", "ba")))
    screen = run(f"kubectl-fairshare shares -f {path} --explain a")
    assert screen.code == 2
    assert screen.stderr.startswith("error: --explain: `a` has no figures: its cohorts form a cycle\n  help: ")
    assert "in a cohort cycle, so without figures: a, b\n" in run(f"kubectl-fairshare shares -f {path}").stdout


def test_a_selector_selects_loans_and_lines_too(run: Run) -> None:
    for by in ("", "--by namespace", "--by localqueue"):
        shown = run(f"kubectl-fairshare shares -f testdata/demo/org -l team=none {by}").stdout
        assert "vision" not in shown, by


def test_a_label_of_a_cohort_selects_no_queue_of_its_name(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "same.yaml"
    path.write_text(
        "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: top, labels: {team: a}}\n---\n"
        "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: top}\n"
        "spec: {namespaceSelector: {}}\n",
        encoding="utf-8",
    )
    assert run(f"kubectl-fairshare shares -f {path} -l team=a -o name").stdout == "cohort.kueue.x-k8s.io/top\n"


@pytest.mark.parametrize(
    ("queue", "counts"), [("vision/gpus", "4 running, 1 pending"), ("research", "5 running, 1 pending")]
)
def test_the_first_line_is_about_the_queues_that_were_asked_for(run: Run, queue: str, counts: str) -> None:
    """Those above them are shown, and their other queues are not counted."""
    assert counts in run(f"kubectl-fairshare shares -f testdata/demo/org --queue {queue}").stdout.splitlines()[0]
