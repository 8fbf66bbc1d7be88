"""A repository that has to be divided is read once: standard input is there once only, and building takes long."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_fairshare.answers.outcome import EXIT_UNREAD, EXIT_USAGE
from kubectl_fairshare.input.text import known_texts
from kubectl_fairshare.input.text.decoding import decode
from tests.meta.repository import ROOT
from tests.sampling import sampled
from tests.screens import Screen
from tests.strangers.gitops import STATE, repository

Run = Callable[[str], Screen]
QUESTIONS = (
    "shares",
    "plan -w apps/train.yaml",
    "why vision/workload/sweep-3",
    "why -A",
    "cycle",
    "capacity --queue vision --request nvidia.com/gpu=1",
    "forecast",
    "search --never 'vision preempted by chat' --workloads 1 --random 0 -q",
    "simulate --scenario ../week.yaml --until 1h",
    "simulate --scenario ../week.yaml --until 1h --seeds 2",
)
"""Each command that answers for all units."""


def said(screen: Screen) -> list[str]:
    """The words of an answer but for the name of the state."""
    return [word for word in screen.stdout.split() if not (word in "-\\" or word.startswith(("/repo/", "<stdin>")))]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Run:
    """Runs a command in the repository, with the change that cuts a quota."""
    monkeypatch.chdir(repository(tmp_path / "repository", "09-quota-cut-under-running-work"))
    monkeypatch.setenv("COLUMNS", "400")
    week = yaml.safe_load((ROOT / "testdata" / "simulate" / "week.yaml").read_text("utf-8"))
    week.pop("changes")  # a sweep takes none
    (tmp_path / "week.yaml").write_text(yaml.safe_dump(week), "utf-8")
    return run


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each source was decoded, by the end of its name."""
    times: Counter[str] = Counter()

    def counting(name: str, *others: Any, **options: Any) -> Any:
        folder, _, path = name.rpartition("/fairshare-git-")
        times[f"git:{path.partition('/')[2]}" if folder else name] += 1
        return decode(name, *others, **options)

    monkeypatch.setattr(known_texts, "decode", counting)
    return times


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("each", ["", " --each overlays/gpu-eu"])
def test_a_state_counts_the_same_whether_it_is_named_or_piped(ask: Run, question: str, each: str) -> None:
    named = ask(f"kubectl-fairshare {question} -f . -f {STATE}{each}")
    piped = ask(f"kubectl-fairshare {question} -f . -f -{each} < {STATE}")
    assert (piped.code, said(piped)) == (named.code, said(named)), piped


ABOUT_ONE = (
    "report --metrics",
    "simulate sweep --scenario ../week.yaml --vary arrivals=1 --results . --until 1h -o json",
    "trace -o /dev/null",
    "snapshot -o /dev/null --redact none",
)
"""Each command that answers about one unit."""


@pytest.mark.parametrize("question", ABOUT_ONE)
def test_a_command_about_one_unit_names_the_units(ask: Run, question: str) -> None:
    screen = ask(f"kubectl-fairshare {question} -f . -f {STATE}")
    assert (screen.code, screen.stdout) == (2, ""), screen
    assert "error: --each: this command answers about one unit" in screen.stderr
    assert "name one of `overlays/gpu-eu`, `overlays/gpu-us`" in screen.stderr
    assert ask(f"kubectl-fairshare {question} -f . -f {STATE} --each 'overlays/*'").code == 2
    named = ask(f"kubectl-fairshare {question} -f . -f {STATE} --each overlays/gpu-eu")
    assert named.code not in (EXIT_USAGE, EXIT_UNREAD), named
    piped = ask(f"kubectl-fairshare {question} -f . -f - --each overlays/gpu-eu < {STATE}")
    assert (piped.code, len(said(piped))) == (named.code, len(said(named)))


@pytest.mark.parametrize("redact", ["none", "names", "all"])
def test_a_snapshot_of_files_knows_what_they_may_lack(ask: Run, redact: str) -> None:
    """A chart that is not rendered may have queues of the same cohort."""
    assert ask(f"kubectl-fairshare snapshot --redact {redact} -f base -f charts -o one.json.gz").code == 0
    for name in ("base -f charts", "one.json.gz"):
        screen = ask(f"kubectl-fairshare shares -f {name}")
        assert screen.code == 0, screen
        assert "not exact" in screen.stdout
        assert "not known: not all objects of kind ClusterQueue are in the input" in screen.stdout


@pytest.mark.parametrize("words", sampled([f"--state - < {STATE}", f"--state - --release 0.18,0.19 < {STATE}"], 2))
def test_versions_are_compared_over_a_piped_state(ask: Run, words: str) -> None:
    piped = ask(f"kubectl-fairshare diff git:main . {words}")
    named = ask(f"kubectl-fairshare diff git:main . {words.replace('--state -', f'--state {STATE}')}")
    assert "2 running workloads may be preempted" in " ".join(piped.stdout.split())
    assert piped.stdout == named.stdout


def test_each_version_is_read_once(ask: Run, decoded: Counter[str]) -> None:
    screen = ask(f"kubectl-fairshare diff git:main . --state {STATE} --release 0.18,0.19")
    assert screen.code == 0, screen
    assert decoded["git:base/vision.yaml"] == decoded["base/vision.yaml"] == 1
    assert set(decoded.values()) == {1}, decoded


def test_a_question_reads_each_file_once(ask: Run, decoded: Counter[str]) -> None:
    screen = ask(f"kubectl-fairshare shares -f . -f {STATE}")
    assert screen.code == 0, screen
    assert set(decoded.values()) == {1}, decoded
