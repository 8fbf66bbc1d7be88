"""The demo: commands that a user can repeat."""

import re
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path

from tests.screens import Screen, shown

Run = Callable[[str], Screen]


START = "cd /repo/testdata/demo && "


def scenes(run: Run) -> list[tuple[str, str]]:
    """The commands of the demo, each with what it printed."""
    _, *parts, _ = run("kubectl-fairshare demo").stdout.split("\n# ")
    found = []
    for part in parts:
        _, command, output = part.split("\n", 2)
        found.append((command.removeprefix("$ "), output.removeprefix("\n")))
    return found


def test_the_demo_is_answered(run: Run) -> None:
    screen = run("kubectl-fairshare demo")
    assert (screen.code, screen.stderr) == (0, "")


def test_each_command_can_be_pasted_in_any_folder_and_prints_its_screen(run: Run, root: Path) -> None:
    commands = scenes(run)
    assert all(command.startswith(START) for command, _ in commands)
    typed = [command.removeprefix(START) for command, _ in commands]
    assert [command.split()[1] for command in typed] == ["shares", "why", "plan", "plan"]
    with chdir(root / "testdata" / "demo"):
        screens = [shown(command) for command in typed]
    assert [output.rstrip("\n") for _, output in commands] == [s.stdout.rstrip("\n") for s in screens]
    assert [s.code for s in screens] == [0, 0, 0, 4]


def test_what_it_proposes_works_there(run: Run, root: Path) -> None:
    *_, more = run("kubectl-fairshare demo").stdout.split("\n# ")
    commands = [line.removeprefix(f"$ {START}") for line in more.splitlines()[1:]]
    assert len(commands) == 5
    with chdir(root / "testdata" / "demo"):
        assert [shown(command).code for command in commands] == [0, 0, 0, 0, 4]


def test_one_job_preempts_two_and_puts_one_back_and_one_is_refused_with_remedies(run: Run) -> None:
    _, _, (_, preempts), (_, refused) = scenes(run)
    assert preempts.startswith("✔ admitted after preempting 2 workloads")
    assert re.search(r"not needed as victims: vision/sweep-2$", preempts, re.MULTILINE)
    assert "borrowingLimit 2" in refused
    assert "org/products.yaml:41" in refused
    assert "would help" in refused


def test_the_pending_job_needs_what_is_free_and_the_one_that_is_decided_first_is_named(run: Run) -> None:
    (_, shares), (_, why), *_ = scenes(run)
    assert re.search(r"^acme \(implicit\) +– +60 +56 +– +– +4 +60$", shares, re.MULTILINE)
    assert why.startswith("vision/sweep-3 · not now: needs 4 nvidia.com/gpu; search/embed is ahead")
    assert "⇒ not now · exact" in why


def test_screens_keep_to_80_columns_but_for_kueues_own_messages(run: Run) -> None:
    long = [line for line in run("kubectl-fairshare demo").stdout.splitlines() if len(line) > 80]
    assert [line for line in long if "couldn't assign flavors" not in line and not line.startswith("$ ")] == []
