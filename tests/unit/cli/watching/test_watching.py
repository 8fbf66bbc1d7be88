"""``--watch``: the same question again and again, in a window or line by line, through failures, until Ctrl-C."""

import gc
import json
import re
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kubectl_fairshare.cli.options.shared import ScreenOptions
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.cli.watching.watching import watched
from kubectl_fairshare.model.errors import FairshareError, Problem
from tests.screens import ROOT, Screen, stream, written
from tests.terminal import Terminal

PROGRAM = [sys.executable, "-m", "kubectl_fairshare"]
MOMENT = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
GONE = FairshareError(Problem("nobody answers", "https://here", "wait"))
OTHER = FairshareError(Problem("not now", "https://here"))


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    """The collector is on again after a program that watches, and looks at nothing that other tests left."""
    gc.freeze()
    yield
    gc.unfreeze()
    gc.enable()


def told(
    *pictures: str | FairshareError, notes: str = "", output: str = "text", quiet: bool = False
) -> tuple[str, str]:
    """What is written of pictures of which one is read after the other, until somebody interrupts it."""
    left = iter(pictures)
    out, err = stream(b""), stream(b"")

    def read(on: Streams) -> str:
        found = next(left, None)
        if found is None:
            raise KeyboardInterrupt
        if isinstance(found, FairshareError):
            raise found
        on.stderr.write(notes)
        return found

    def answer(found: str, on: Streams) -> int:
        on.stdout.write(found)
        return 4

    with pytest.raises(KeyboardInterrupt):
        watched(read, answer, Streams(None, out, err), ScreenOptions(output, quiet=quiet, interval=0.001))
    return re.sub(MOMENT, "TIME", written(out)), re.sub(MOMENT, "TIME", written(err))


def test_off_a_terminal_an_answer_is_written_when_it_is_another_one() -> None:
    assert told("a 1\nb 1\n", "a 1\nb 1\n", "a 2\nb 1\n") == ("--- TIME\n  a 1\n  b 1\n--- TIME\n▸ a 2\n  b 1\n", "")


def test_documents_stand_one_after_another_as_they_are() -> None:
    assert told('{"a":1}\n', '{"a":1}\n', '{"a":2}\n', output="json")[0] == '{"a":1}\n{"a":2}\n'


def test_notes_are_told_once() -> None:
    assert told("a\n", "b\n", notes="note: so\n")[1] == "note: so\n"


def test_a_failure_is_told_once_and_the_next_answer_too() -> None:
    out, err = told("a\n", GONE, GONE, "a\n", OTHER, "b\n", output="json")
    assert out == "a\nb\n"
    old = "note: the last answer is out of date since TIME; retrying\n"
    again = "note: answered again at TIME\n"
    first = f"error: https://here: nobody answers\n  help: wait\n{old}{again}"
    assert err == f"{first}error: https://here: not now\n{old}{again}"


def test_quiet_leaves_the_notes_out_and_not_the_errors() -> None:
    assert told("a\n", OTHER, "a\n", quiet=True)[1] == "error: https://here: not now\n"


def test_a_first_answer_that_fails_ends_it() -> None:
    def read(_: Streams) -> str:
        raise OTHER

    with pytest.raises(FairshareError, match="not now"):
        watched(read, lambda *_: 0, Streams(None, stream(b""), stream(b"")), ScreenOptions(interval=0.001))


def test_what_a_picture_was_made_of_is_let_go() -> None:
    class Knot:
        def __init__(self) -> None:
            self.self = self

    alive: list[int] = []
    left = iter(range(5))

    def read(_: Streams) -> Knot:
        alive.append(sum(isinstance(each, Knot) for each in gc.get_objects()))
        if next(left, None) is None:
            raise KeyboardInterrupt
        return Knot()

    with pytest.raises(KeyboardInterrupt):
        watched(read, lambda *_: 0, Streams(None, stream(b""), stream(b"")), ScreenOptions(interval=0.001))
    assert max(alive) <= 2


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("shares -f testdata/demo/org --interval 3s", "--interval: needs `--watch`"),
        ("shares -f testdata/demo/org --watch --interval 500ms", "`500ms` is not between `1s` and `1h`"),
        ("cycle -f testdata/demo/org --watch --interval 2h", "`2h` is not between `1s` and `1h`"),
        ("why -f testdata/demo/org --watch --interval soon", "`soon` is not a duration"),
        ("shares -f testdata/demo/org --watch -o csv", "`--watch` does not support `-o csv`"),
        ("plan -f testdata/demo/org -w - --watch", "--watch: standard input can be read only once"),
        ("shares -f - --watch", "--watch: standard input can be read only once"),
        ("shares -f testdata/kai --usage - --watch", "--watch: standard input can be read only once"),
        ("cycle -f no-such-file --watch", "no-such-file"),
    ],
)
def test_what_cannot_be_watched_is_refused_at_once(run: Callable[[str], Screen], words: str, complaint: str) -> None:
    screen = run(f"kubectl-fairshare {words}")
    assert screen.code in (2, 3)
    assert screen.stdout == ""
    assert complaint in screen.stderr


@pytest.fixture
def org(tmp_path: Path) -> Path:
    """A copy of the demo's organisation, to be changed."""
    shutil.copytree(ROOT / "testdata" / "demo" / "jobs", tmp_path / "jobs")
    return Path(shutil.copytree(ROOT / "testdata" / "demo" / "org", tmp_path / "org"))


def write(org: Path, old: str, new: str) -> None:
    """Replaces text in a file at once, as an editor does."""
    made = org / ".platform.yaml~"
    made.write_text((org / "platform.yaml").read_text().replace(old, new))
    made.replace(org / "platform.yaml")


def watching(org: Path, words: str, size: tuple[int, int] = (90, 60)) -> Terminal:
    command = [*PROGRAM, *words.split(), "--watch", "--interval", "1s"]
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(org), "PYTHONPATH": str(ROOT)}
    return Terminal(command, org.parent, environment, size)


@pytest.mark.parametrize(
    ("words", "seen"),
    [
        ("shares -f org", "Kueue v0.19 · fair sharing · 1 tree"),
        ("why -f org -A", "all: 9 running, 2 pending"),
        ("cycle -f org", "exact"),
        ("plan -f org -w jobs/reindex.yaml", "– waits: not enough nvidia.com/gpu in a100"),
    ],
)
def test_every_question_has_its_window_and_leaves_it_behind(org: Path, words: str, seen: str) -> None:
    with watching(org, words) as terminal:
        shown = terminal.until(lambda text: seen in text, seen)
        assert re.match(r"\d\d:\d\d:\d\d · every 1s · no change since \d\d:\d\d:\d\d\n\n", shown)
        assert terminal.screen.drawn is not None
        terminal.press("\x03")
        assert terminal.ended() == 130
        assert terminal.screen.drawn is None
        assert seen in terminal.screen.text()
        assert "Traceback" not in terminal.said
        assert terminal.said.index("\x1b[?1049h") < terminal.said.index("\x1b[?1049l")
        assert terminal.said.rindex("\x1b[?25h") > terminal.said.rindex("\x1b[?25l")


def test_what_changed_is_marked_until_something_else_does(org: Path) -> None:
    with watching(org, "shares -f org --flavor a100 --color never") as terminal:
        terminal.until(lambda text: "etl                    16       16" in text, "the quota of etl")
        write(org, "nominalQuota: 16", "nominalQuota: 20")
        shown = terminal.until(lambda text: "etl                    20       20" in text, "the new quota of etl")
        assert re.search(r"last change \d\d:\d\d:\d\d: 11 lines changed\n", shown)
        assert "▸ │  └─ etl                    20" in shown
        assert "\n  │  └─ search                 12" in shown
        first = shown.partition(" ")[0]
        later = terminal.until(lambda text: not text.startswith(first), "a later picture")
        assert later.partition("\n")[2] == shown.partition("\n")[2]


@pytest.mark.slow
def test_an_answer_that_cannot_be_had_leaves_the_last_one_and_comes_back(org: Path) -> None:
    with watching(org, "shares -f org --color never") as terminal:
        terminal.until(lambda text: "etl" in text, "the first picture")
        write(org, "kind: ClusterQueue", "kind: [")
        shown = terminal.until(lambda text: "out of date since" in text, "the failure")
        moment = r"\d\d:\d\d:\d\d"
        assert re.match(
            rf"answer of {moment}, out of date since {moment}; next attempt at {moment}\nerror: org/platform", shown
        )
        assert "└─ etl" in shown
        write(org, "kind: [", "kind: ClusterQueue")
        shown = terminal.until(lambda text: "out of date since" not in text, "the next picture")
        assert "· no change since" in shown


def test_another_size_is_drawn_at_once_and_nothing_is_drawn_beyond_it(org: Path) -> None:
    with watching(org, "shares -f org", (100, 60)) as terminal:
        terminal.until(lambda text: "POTENTIAL" in text, "the wide table")
        terminal.resize(60, 12)
        shown = terminal.until(lambda text: "more lines: use a taller terminal" in text, "the small picture")
        assert re.match(r"\d\d:\d\d:\d\d · every 1s", shown)
        assert "POTENTIAL" not in shown
        assert len(shown.splitlines()) == 12


def test_a_stopped_program_gives_the_terminal_back(org: Path) -> None:
    with watching(org, "cycle -f org") as terminal:
        terminal.until(lambda text: "exact" in text, "the first picture")
        terminal.send(signal.SIGTSTP)  # without a shell behind it, it is not stopped, but goes on at once
        terminal.until(lambda _: terminal.said.count("\x1b[?1049h") == 2, "the window again")
        assert terminal.said.index("\x1b[?1049l") < terminal.said.rindex("\x1b[?1049h")
        terminal.until(lambda text: "exact" in text, "the picture again")


def test_a_terminated_program_gives_the_terminal_back(org: Path) -> None:
    with watching(org, "cycle -f org") as terminal:
        terminal.until(lambda text: "exact" in text, "the first picture")
        terminal.send(signal.SIGTERM)
        assert terminal.ended() == 128 + signal.SIGTERM
        assert terminal.screen.drawn is None
        assert "exact" in terminal.screen.text()


@pytest.mark.slow
def test_documents_go_to_a_terminal_line_by_line(org: Path) -> None:
    with watching(org, "shares -f org -o json -q", (20_000, 60)) as terminal:
        terminal.until(lambda text: "}" in text, "the first document")
        write(org, "nominalQuota: 16", "nominalQuota: 20")
        shown = terminal.until(lambda text: text.count("\n") >= 1 and text.endswith("}"), "the second document")
        assert [json.loads(line)["kind"] for line in shown.splitlines()] == ["Shares", "Shares"]
        assert "\x1b" not in terminal.said
