"""The process ends at once with its answer, but not before what is to be done at the end."""

import subprocess
import sys

import pytest

from tests.screens import ROOT

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
