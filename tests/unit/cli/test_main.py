"""The program as a whole: its name, its exit codes, and that no traceback reaches anybody."""

import io
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from kubectl_fairshare import __version__
from kubectl_fairshare.cli.failures import Failures
from kubectl_fairshare.cli.main import main, program_name
from kubectl_fairshare.cli.program import COMMANDS, program
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError
from tests.screens import ROOT, Screen, stream, written

Run = Callable[[str], Screen]
DEMO = "-f testdata/demo/org"


def test_version(run: Run) -> None:
    assert str(run("kubectl-fairshare --version")).endswith(f"\nkubectl-fairshare {__version__}\n--- exit 0\n")


@pytest.mark.parametrize(
    ("invoked", "name"),
    [
        ("/usr/local/bin/kubectl-fairshare", "kubectl fairshare"),
        ("kubectl-fairshare", "kubectl fairshare"),
        ("/opt/kubectl_fairshare/__main__.py", "kubectl-fairshare"),
    ],
)
def test_a_plugin_shows_the_name_that_kubectl_calls_it_by(invoked: str, name: str) -> None:
    assert program_name(invoked) == name


def test_the_name_stands_in_helps() -> None:
    out = stream(b"")
    assert main(["shares", "--help"], stream(b""), out, stream(b""), "kubectl fairshare") == 0
    assert written(out).startswith("Usage: kubectl fairshare shares [OPTIONS]\n")


def test_without_a_command_the_help_is_shown(run: Run) -> None:
    screen = run("kubectl-fairshare")
    assert screen.code == 0
    assert screen == Screen("kubectl-fairshare", run("kubectl-fairshare --help").stdout, "", 0)


def test_every_command_has_a_help_with_an_example(run: Run) -> None:
    for name in COMMANDS:
        screen = run(f"kubectl-fairshare {name} --help")
        assert screen.code == 0, name
        if name != "demo":
            assert re.search(rf"kubectl[ -]fairshare {name} ", screen.stdout.partition("\n")[2]), name


def test_helps_stay_within_80_columns(run: Run) -> None:
    for name in ("", *COMMANDS):
        lines = run(f"kubectl-fairshare {name} --help").stdout.splitlines()
        assert max(map(len, lines)) <= 80, name


def test_a_file_that_may_not_be_read_is_no_wrong_call() -> None:
    for name in COMMANDS:
        command = program.get_command(click.Context(program), name)
        assert command is not None
        for param in command.params:
            if isinstance(param.type, click.Path) and param.name != "emit":
                assert not param.type.readable, f"{name}: {param.name}"


@pytest.mark.parametrize(
    ("command", "message", "help"),
    [
        ("shars", "unknown command `shars`", "did you mean `shares`?"),
        ("shares --nope", "no such option `--nope`", "see `kubectl-fairshare shares --help`"),
        ("shares -o xml -f x", "invalid value for `-o`", "see `kubectl-fairshare shares --help`"),
        ("shares extra -f x", "got unexpected extra argument (extra)", "`kubectl-fairshare shares -f x --queue extra`"),
        ("shares", "nothing to read", "kubectl fairshare demo"),
        (f"shares {DEMO} --by namespace --saturated", "cannot be used with", "use one of the two"),
        (f"shares {DEMO} --explain chat -o csv", "`--explain` does not support `-o csv`", "-o json"),
        (f"shares {DEMO} --request cpu=1", "`--request` needs `--demand`", "add `--demand unlimited`"),
        (f"shares {DEMO} --max-input 1x", "`1x` is not a size", "see "),
        (f"shares {DEMO} --max-input 0", "`0` must be above 0", "see "),
        ("shares -f - --overlay -", "standard input can be read only once", "as a file"),
        ("completion", "missing argument `{bash|zsh|fish|kubectl}`", "completion --help"),
    ],
)
def test_a_wrong_call_is_told_with_a_remedy(run: Run, command: str, message: str, help: str) -> None:
    screen = run(f"kubectl-fairshare {command}")
    assert (screen.code, screen.stdout) == (2, "")
    first, second, *_ = screen.stderr.splitlines()
    assert first.startswith("error: ")
    assert message in first
    assert second.startswith("  help: ")
    assert help in second


def test_what_cannot_be_read_is_told_at_its_place(run: Run) -> None:
    screen = run("kubectl-fairshare shares -f no/such.yaml")
    assert screen.code == 3
    assert screen.stderr.startswith("error: no/such.yaml: ")


def test_a_bug_is_called_one_and_has_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FAIRSHARE_DEBUG", raising=False)
    err = stream(b"")
    code = main(["shares", "-f", "-"], io.StringIO(), stream(b""), err)  # a stream without bytes is no stream of ours
    assert code == 70
    assert written(err).startswith(f"error: this is a bug in kubectl-fairshare {__version__} (")
    assert "report it" in written(err)
    assert "Traceback" not in written(err)


def test_a_bug_shows_its_traceback_to_who_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRSHARE_DEBUG", "1")
    with pytest.raises(AttributeError):
        main(["shares", "-f", "-"], io.StringIO(), stream(b""), stream(b""))


def test_a_closed_pipe_ends_quietly(root: Path) -> None:
    command = [sys.executable, "-m", "kubectl_fairshare", "shares", "-f", "testdata/demo/org"]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (FairshareError(Problem("it is gone", "a.yaml")), 3, "error: a.yaml: it is gone\n"),
        (UsageError(Problem("no", help="yes")), 2, "error: no\n  help: yes\n"),
        (KeyboardInterrupt(), 130, ""),
        (BrokenPipeError(), 141, ""),
        (MemoryError(), 3, "error: not enough memory for this input\n"),
        (RecursionError(), 3, "error: the input is nested too deeply\n"),
        (ValueError("x"), 70, "error: this is a bug in kubectl-fairshare"),
    ],
    ids=lambda v: type(v).__name__ if isinstance(v, BaseException) else "",
)
def test_each_failure_has_its_code(error: BaseException, code: int, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FAIRSHARE_DEBUG", raising=False)
    err = stream(b"")
    failures = Failures(err)
    with failures:
        raise error
    assert failures.code == code
    assert written(err).startswith(told)
    assert bool(written(err)) == bool(told)


def test_an_interruption_that_python_wraps_is_one() -> None:
    """Up to Python 3.11, one that comes while a class names its attributes is the cause of a ``RuntimeError``."""
    failures = Failures(err := stream(b""))
    with failures:
        raise RuntimeError("Error calling __set_name__ on 'Field' instance 'x' in 'Y'") from KeyboardInterrupt()
    assert (failures.code, written(err)) == (Failures.INTERRUPTED, "")


def test_an_interruption_while_the_first_modules_are_loaded_ends_quietly() -> None:
    script = (
        "import builtins, sys\n"
        "from kubectl_fairshare.cli.main import console\n"
        "real = builtins.__import__\n"
        "def interrupted(name, *more):\n"
        "    if name == 'kubectl_fairshare.cli.failures':\n"
        "        raise KeyboardInterrupt\n"
        "    return real(name, *more)\n"
        "builtins.__import__ = interrupted\n"
        "sys.exit(console())"
    )
    done = subprocess.run([sys.executable, "-c", script, "shares"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (Failures.INTERRUPTED, "", "")


def test_leaving_on_purpose_is_no_failure() -> None:
    with pytest.raises(SystemExit), Failures(stream(b"")):
        raise SystemExit(0)


RUN = "import sys; from kubectl_fairshare.cli.main import process; sys.argv[1:] = {args!r}; {before}; process()"
SHARES = ["shares", "-f", "testdata/demo/org"]


def ended(args: list[str], before: str = "pass", **streams: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", RUN.format(args=args, before=before)]
    return subprocess.run(command, cwd=ROOT, text=True, check=False, **({"capture_output": True} | streams))  # type: ignore[call-overload, no-any-return]


@pytest.mark.parametrize(
    ("args", "code"), [(SHARES, 0), (["shares", "-f", "no-such-file"], 3), (["--version"], 0), (["no-such-command"], 2)]
)
def test_the_code_and_all_of_the_text_are_there(args: list[str], code: int) -> None:
    done = ended(args)
    assert done.returncode == code
    assert (done.stdout or done.stderr).endswith("\n")


def test_what_is_registered_for_the_end_is_called_and_nothing_is_taken_apart() -> None:
    held = "held = type('Held', (), {'__del__': lambda self: print('taken apart')})()"
    done = ended(SHARES, f"import atexit; {held}; atexit.register(print, 'called')")
    assert done.stdout.endswith("\ncalled\n")


def test_a_thread_that_works_on_is_waited_for() -> None:
    work = "threading.Thread(target=lambda: (time.sleep(0.3), print('worked on'))).start()"
    before = f"import threading, time, kubectl_fairshare.cli.main as program; program.console = lambda: 4; {work}"
    done = ended([], before)
    assert (done.stdout, done.returncode) == ("worked on\n", 4)


def test_a_full_disk_is_reported_with_its_code() -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = ended(SHARES, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 3
    assert done.stderr.startswith("error: cannot write to standard output")
