"""The demo: commands that a user can repeat."""

import io
import re
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path

import pytest

from kubectl_fairshare.cli.main import main
from tests.screens import Screen, shown, stream, written

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
    assert [command.split()[1] for command in typed] == ["why", "why", "plan", "plan"]
    with chdir(root / "testdata" / "demo"):
        screens = [shown(command) for command in typed]
    assert [output.rstrip("\n") for _, output in commands] == [s.stdout.rstrip("\n") for s in screens]
    assert [s.code for s in screens] == [0, 0, 0, 4]


@pytest.mark.slow
def test_what_it_proposes_works_there(run: Run, root: Path) -> None:
    *_, more = run("kubectl-fairshare demo").stdout.split("\n# ")
    commands = [line.removeprefix(f"$ {START}") for line in more.splitlines()[1:]]
    assert len(commands) == 6
    with chdir(root / "testdata" / "demo"):
        assert [shown(command).code for command in commands] == [0, 0, 0, 0, 0, 4]


def test_one_job_preempts_two_and_puts_one_back_and_one_is_refused_with_remedies(run: Run) -> None:
    _, _, (_, preempts), (_, refused) = scenes(run)
    assert preempts.startswith("✔ admitted after preempting 2 workloads")
    assert "preempts: vision/sweep-1, vision/finetune" in preempts
    assert "borrowingLimit 2" in refused
    assert "8 short" in refused
    assert "helps: count of pod set main 10 → 2" in refused


def test_the_pending_job_needs_what_is_free_and_the_one_that_is_decided_first_is_named(run: Run) -> None:
    (_, why), (_, waiting), *_ = scenes(run)
    assert re.search(r"^search/embed +search +0s +waiting +quota is free", waiting, re.MULTILINE)
    assert why.startswith("vision/sweep-3 · not now: needs 4 nvidia.com/gpu in a100; search/embed is ahead")
    assert "⇒ not now · exact" in why


def test_screens_keep_to_80_columns_but_for_kueues_own_messages(run: Run) -> None:
    long = [line for line in run("kubectl-fairshare demo").stdout.splitlines() if len(line) > 80]
    assert [line for line in long if "couldn't assign flavors" not in line and not line.startswith("$ ")] == []


def test_each_screen_fits_on_a_terminal_of_24_lines(run: Run) -> None:
    shown_scenes = scenes(run)
    assert len(shown_scenes) == 4
    assert all(output.rstrip().count("\n") + 4 <= 24 for _, output in shown_scenes)


@pytest.mark.slow
def test_the_example_is_left_in_a_new_folder_in_which_each_command_can_be_typed(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "my example"
    screen = run(f"kubectl-fairshare demo --into '{folder}'")
    assert (screen.code, screen.stderr) == (0, "")
    start = f"$ cd '{folder}' && "
    typed = [line.removeprefix(start) for line in screen.stdout.splitlines() if line.startswith("$ ")]
    assert len(typed) == 10
    assert not any(line.startswith("$ ") for line in typed)
    with chdir(folder):
        assert {shown(line).code for line in typed} == {0, 4}
    again = run(f"kubectl-fairshare demo --into '{folder}'")
    assert (again.code, "exists" in again.stderr) == (2, True)


def test_a_relative_folder_is_printed_as_a_path_that_works_in_any_folder(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    screen = run("kubectl-fairshare demo --into ex")
    assert {line.split(" && ")[0] for line in screen.stdout.splitlines() if line.startswith("$ ")} == {
        f"$ cd {tmp_path}/ex"
    }


class Terminal(io.TextIOWrapper):
    """A stream that a person sees, or types into."""

    def __init__(self, typed: str = "") -> None:
        super().__init__(io.BytesIO(typed.encode()), encoding="utf-8", write_through=True)

    def isatty(self) -> bool:
        """It is one."""
        return True


@pytest.mark.parametrize(("typed", "seen"), [("q\n", 1), ("\nq\n", 2), ("\n\n\n", 4)])
def test_on_a_terminal_the_reader_decides_when_to_go_on(monkeypatch: pytest.MonkeyPatch, typed: str, seen: int) -> None:
    monkeypatch.setenv("LINES", "24")
    monkeypatch.setenv("COLUMNS", "80")
    out, err = Terminal(), stream(b"")
    code = main(["demo", "--color", "never"], Terminal(typed), out, err)
    assert (code, written(err)) == (0, "")
    assert written(out).count("⇒ ") == seen
