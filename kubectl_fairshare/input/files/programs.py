"""What a program of the user's own prints: read up to the limit of the input.

Tested in ``tests/unit/input/files/test_kustomize.py`` and ``tests/unit/input/files/test_charts.py``.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Final

from kubectl_fairshare.input.files.raw_bytes import Budget, of_stream
from kubectl_fairshare.model.errors import FairshareError, Problem

_MOST_SAID: Final = 2000


def output_of(
    command: Sequence[str], name: str, budget: Budget, remedy: str, failed: Callable[[str], Problem], seconds: float = 0
) -> bytes:
    """What ``command`` prints; ``name`` is that of the source that it becomes.

    Raises ``FairshareError`` with ``remedy`` if the program cannot be run, with ``failed`` of what it says if it fails,
    and if it prints too much. It is killed after ``seconds``, if not 0.
    """
    import subprocess
    import tempfile

    with ExitStack() as held:
        try:
            complaints = held.enter_context(tempfile.TemporaryFile())
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=complaints)
        except OSError:
            raise FairshareError(Problem(f"cannot run {command[0]}", name, remedy)) from None
        with process, _limited(process.kill, seconds):
            try:
                data = of_stream(name, process.stdout, budget) if process.stdout else b""
            except FairshareError:
                process.kill()
                raise
        if process.returncode:
            complaints.seek(0)
            said = complaints.read(_MOST_SAID).decode("utf-8", "replace")
            raise FairshareError(failed(said if process.returncode > 0 else f"it took more than {seconds:g} s"))
    return budget.spend(data)


class _limited:  # noqa: N801 -- read as a word of the with statement
    """Calls ``kill`` if the block takes more than ``seconds``; never if that is 0."""

    def __init__(self, kill: Callable[[], None], seconds: float) -> None:
        import threading

        self._timer = threading.Timer(seconds, kill) if seconds else None

    def __enter__(self) -> None:
        if self._timer is not None:
            self._timer.start()

    def __exit__(self, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
