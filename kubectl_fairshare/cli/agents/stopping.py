"""A call of an agent in a thread of its own, which ends when its time is up or its client takes it back.

Tested in ``tests/hostile/test_agents.py``.
"""

import ctypes
import threading
import time
from collections.abc import Callable
from typing import Any, Final

_STEP: Final = 0.02
"""Seconds between two looks at a call."""
_GRACE: Final = 10.0
"""Seconds for a stopped call to end; a program that it started has an end of its own."""


class StoppedError(KeyboardInterrupt):
    """Raised inside of a call that is to end: commands treat it as the key that interrupts them."""


class Call:
    """Work in a thread. ``stop`` may be called from any other one."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self._work = work
        self._found: list[Any] = []
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        try:
            self._found.append(self._work())
        except StoppedError:
            return

    def stop(self) -> None:
        """Ends the work soon; what it has found by then is not used."""
        self._stopped.set()

    def result(self, seconds: float) -> Any:
        """What the work returns; None if it took longer, or was stopped, or failed."""
        until = time.monotonic() + seconds
        self._thread.start()
        while self._thread.is_alive() and not self._stopped.is_set() and time.monotonic() < until:
            self._thread.join(_STEP)
        if not self._thread.is_alive():
            return self._found[0] if self._found else None
        self._end()
        return None

    def _end(self) -> None:
        until = time.monotonic() + _GRACE
        while self._thread.is_alive() and time.monotonic() < until:
            identity = ctypes.c_ulong(self._thread.ident or 0)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(identity, ctypes.py_object(StoppedError))
            self._thread.join(0.2)
