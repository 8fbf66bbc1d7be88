"""What every decision on one session begins with, made once: the state before any action, and what is idle.

Tested in ``tests/unit/schedulers/kai/why/test_explainer.py``.
"""

from functools import cached_property

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.schedulers.kai.explain.backlog import WholeCycle
from kubectl_fairshare.schedulers.kai.gaps import reference_gaps
from kubectl_fairshare.schedulers.kai.session.room import IdleRoom, room_of
from kubectl_fairshare.schedulers.kai.session.session import Session
from kubectl_fairshare.schedulers.kai.solver.ground import first_layer
from kubectl_fairshare.schedulers.kai.solver.layers import Layer


class Groundwork:
    """A session for several questions."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @cached_property
    def first(self) -> Layer:
        """The state before any action."""
        return first_layer(self._session)

    @cached_property
    def room(self) -> IdleRoom:
        """What is idle."""
        return room_of(self._session)

    @cached_property
    def backlog(self) -> WholeCycle:
        """The next cycle with all jobs that wait."""
        return WholeCycle(self.first)

    @cached_property
    def references(self) -> tuple[Gap, ...]:
        """The objects that others name and the input lacks."""
        return tuple(reference_gaps(self._session))
