"""The program: a command line in, text on the streams, an exit code out.

Light on purpose: start-up is part of the product, and ``--version`` needs nothing of what commands import.
"""

import codecs
import gc
import os
import sys

from kubectl_fairshare import __version__

TYPE_CHECKING = False  # typing's own would cost more than --version takes
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn, TextIO

PROGRAM = "kubectl-fairshare"
_PLUGIN_PREFIX = "kubectl-"
_REPLACED = "fairshare-ascii"
_GROWTH = 100_000
"""How many objects more there are before the collector looks for cycles: an answer makes few, and many objects."""
_INTERRUPTED = 130
_COMPLETE = "__complete"
"""The word with which shells ask for completions; users do not type it."""


def main(
    args: "Sequence[str]",
    stdin: "TextIO | None",
    stdout: "TextIO",
    stderr: "TextIO",
    program: str = PROGRAM,
    *,
    alone: bool = False,
) -> int:
    """Runs one command line and returns its exit code; nothing but a programming error in debug mode is raised.

    ``alone``: the process runs for this one alone, and ends with it.
    """
    if list(args) == ["--version"]:
        stdout.write(f"{PROGRAM} {__version__}\n")
        return 0
    from kubectl_fairshare.cli.failures import Failures

    stdout, stderr = _in_ascii(args, _guarded(stdout), _guarded(stderr))
    failures = Failures(stderr)
    with failures:
        from kubectl_fairshare.cli.collector import ONE_ANSWER
        from kubectl_fairshare.cli.program import run
        from kubectl_fairshare.cli.streams import Streams

        ONE_ANSWER.set(alone)
        failures.code = run(args, Streams(stdin, stdout, stderr), program)
    return failures.code


def _guarded(stream: "TextIO") -> "TextIO":
    """The stream; a terminal obeys nothing of what others wrote."""
    if not stream.isatty():
        return stream
    from typing import cast

    from kubectl_fairshare.cli.streams import TerminalStream

    return cast("TextIO", TerminalStream(stream))


def _in_ascii(args: "Sequence[str]", stdout: "TextIO", stderr: "TextIO") -> "tuple[TextIO, TextIO]":
    """The streams for ``--ascii``: errors and helps are ASCII before a command has read its options."""
    if "--ascii" not in args:
        return stdout, stderr
    from typing import cast

    from kubectl_fairshare.cli.streams import AsciiStream

    helps = not {"--help", "--help-all", "-h"}.isdisjoint(args)
    return cast("TextIO", AsciiStream(stdout)) if helps else stdout, cast("TextIO", AsciiStream(stderr))


def process() -> "NoReturn":
    """The installed program as a process of its own, which ends here.

    It ends at once: to take apart what an answer was made of would take as long as some decisions.
    """
    code = console()
    threading = sys.modules.get("threading")
    works_on = threading is None or any(not thread.daemon for thread in threading.enumerate()[1:])
    if works_on or sys.getprofile() is not None:
        sys.exit(code)
    import atexit

    atexit._run_exitfuncs()
    try:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    except (OSError, ValueError):  # Python reports it
        sys.exit(code)
    os._exit(code)


def console() -> int:
    """The program with the arguments and streams of the process."""
    if sys.argv[1:2] == [_COMPLETE]:
        from kubectl_fairshare.cli.completing.program import complete

        return complete(sys.argv[2:])
    gc.set_threshold(_GROWTH)
    program = program_name(sys.argv[0])
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        _make_printable(stream)
    code = 0
    try:
        code = main(sys.argv[1:], sys.stdin, sys.stdout, sys.stderr, program, alone=True)
        sys.stdout.flush()
    except OSError as error:
        return _unwritten(error, code)
    except KeyboardInterrupt:  # while the first modules are loaded
        return _INTERRUPTED
    return code


def program_name(invoked_as: str) -> str:
    """The name to show. kubectl runs plugins as ``kubectl-NAME``, by their full path."""
    name = os.path.basename(invoked_as)
    if name.startswith(_PLUGIN_PREFIX):
        return f"kubectl {name.removeprefix(_PLUGIN_PREFIX).removesuffix('.exe')}"
    return PROGRAM


def _make_printable(stream: "TextIO") -> None:
    """Makes a stream whose encoding lacks a character print its ASCII form, otherwise an escape."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        codecs.register_error(_REPLACED, _ascii_forms)
        reconfigure(errors=_REPLACED)


def _ascii_forms(error: UnicodeError) -> "tuple[str | bytes, int]":
    """What to print instead of characters that the encoding lacks."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    from kubectl_fairshare.report.text.ascii import FORMS

    lacking = error.object[error.start : error.end]
    forms = (FORMS.get(each, each.encode("ascii", "backslashreplace").decode()) for each in lacking)
    return "".join(forms), error.end


def _open_closed_streams() -> None:
    """Discards what is written to a closed stream (``>&-``): the caller closed it on purpose."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 -- open to the end


def _unwritten(error: OSError, code: int) -> int:
    """The exit code if standard output accepts no more: its reader is gone, or it is full, which is reported once."""
    # At exit Python would write the rest again, and print a second error.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    from kubectl_fairshare.cli.failures import Failures

    if code == Failures.UNREADABLE:
        return code
    failures = Failures(sys.stderr)
    with failures:
        raise error
    return failures.code
