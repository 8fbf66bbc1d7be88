"""Errors, printed without a traceback, and their exit codes.

Tested in ``tests/unit/cli/test_main.py``.
"""

import os
from types import TracebackType
from typing import ClassVar, Final, Self, TextIO

from kubectl_fairshare import __version__
from kubectl_fairshare.answers.outcome import EXIT_USAGE
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError

_DEBUG: Final = "FAIRSHARE_DEBUG"


class Failures:
    """A context that ends in an exit code: ``code`` is what the command returned, or what its failure means.

    Errors that are raised inside are printed on standard error. Only with FAIRSHARE_DEBUG=1 an unexpected error
    continues, with its traceback.
    """

    USAGE: ClassVar = EXIT_USAGE
    UNREADABLE: ClassVar = 3
    BUG: ClassVar = 70
    INTERRUPTED: ClassVar = 130
    CLOSED_PIPE: ClassVar = 141
    """128 and the number of SIGPIPE: what a shell makes of a program that the signal ended."""

    def __init__(self, stderr: TextIO) -> None:
        self._stderr = stderr
        self.code = self.BUG

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, where: TracebackType | None) -> bool:
        if error is None:
            return False
        code = self._expected(error)
        if code is None:
            if os.environ.get(_DEBUG) == "1" or not isinstance(error, Exception):
                return False
            self._print(_not_installed(error) or _bug(error, where))
            code = self.BUG
        self.code = code
        return True

    def _expected(self, error: BaseException) -> int | None:
        """Prints an expected error and returns its exit code; None for an unexpected one."""
        if isinstance(error, FairshareError):
            self._print(*error.problems)
            return self.USAGE if isinstance(error, UsageError) else self.UNREADABLE
        if isinstance(error, KeyboardInterrupt) or isinstance(error.__cause__, KeyboardInterrupt):
            return self.INTERRUPTED
        if isinstance(error, BrokenPipeError):
            return self.CLOSED_PIPE
        if isinstance(error, OSError):  # errors of files have their own problems
            self._print(_unwritten(error))
            return self.UNREADABLE
        if isinstance(error, MemoryError):
            self._print(Problem("not enough memory for this input", help="read less; `--max-input` limits the input"))
            return self.UNREADABLE
        if isinstance(error, RecursionError):
            self._print(
                Problem("the input is nested too deeply", help="look for a very long chain of cohorts or nested lists")
            )
            return self.UNREADABLE
        return None

    def _print(self, *problems: Problem) -> None:
        from kubectl_fairshare.cli.streams import error_view
        from kubectl_fairshare.report.text.problems import problem_lines

        self._stderr.write(problem_lines(problems, error_view(self._stderr)))


def _unwritten(error: OSError) -> Problem:
    """Standard output does not accept more."""
    reason = (error.strerror or str(error)).lower()
    return Problem(f"cannot write to standard output: {reason}", help="free some space, or write to another place")


def _not_installed(error: BaseException) -> Problem | None:
    """A package of others that is not there; None for any other error."""
    if not isinstance(error, ModuleNotFoundError) or not error.name or error.name.startswith("kubectl_fairshare"):
        return None
    from kubectl_fairshare.shipped import INSTALL_AGAIN

    return Problem(f"the package `{error.name}` is not installed", help=INSTALL_AGAIN)


def _bug(error: BaseException, where: TracebackType | None) -> Problem:
    """An unexpected error, with what a developer needs to fix it."""
    import traceback

    frames = traceback.extract_tb(where)
    at = f" at {os.path.basename(frames[-1].filename)}:{frames[-1].lineno}" if frames else ""
    said = f": {error}" if str(error) else ""
    return Problem(
        f"this is a bug in kubectl-fairshare {__version__} ({type(error).__name__}{at}{said})",
        help=f"report it with the command, the output with {_DEBUG}=1, and the input if you may share it",
    )
