"""The schedulers of the program: outside their houses, only this list names them.

A house is loaded on first use, because it is large and most inputs concern one.
"""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.model.errors import Problem, UsageError

if TYPE_CHECKING:
    from kubectl_fairshare.input.known import KnownSchedulers
    from kubectl_fairshare.lint.house import Houses
    from kubectl_fairshare.model.snapshot import Snapshot
    from kubectl_fairshare.schedulers.scheduler import Scheduler

ALL: Final = ("kueue", "kai", "elasticquota", "koordinator")
"""In the order of preference, for an input with the quotas of several."""


def scheduler_named(name: str) -> "Scheduler":
    """The scheduler of that name. Raises ``ModuleNotFoundError`` for an unknown one."""
    scheduler: Scheduler = import_module(f"{__name__}.{name}.house").HOUSE
    return scheduler


def every_scheduler() -> tuple["Scheduler", ...]:
    """All schedulers, in order."""
    return tuple(map(scheduler_named, ALL))


def holding(snapshot: "Snapshot") -> Sequence["Scheduler"]:
    """The schedulers whose quotas the snapshot has; if it has none, those whose work it has, else the first of all."""
    schedulers = [scheduler for scheduler in every_scheduler() if scheduler.holds(snapshot)]
    working = schedulers or [scheduler for scheduler in every_scheduler() if scheduler.works_on(snapshot)]
    return working or [scheduler_named(ALL[0])]


def chosen_scheduler(snapshot: "Snapshot", wished: str | None) -> "Scheduler":
    """The scheduler that answers: the ``wished`` one, otherwise the first whose quotas the snapshot has.

    Raises ``UsageError`` if the input has no quotas of the wished one.
    """
    schedulers = holding(snapshot)
    for scheduler in schedulers:
        if wished in (None, scheduler.name):
            return scheduler
    has_quotas = schedulers[0].holds(snapshot)
    remedy = f"it has quotas of `{schedulers[0].name}`" if has_quotas else "it has quotas of no scheduler"
    raise UsageError(Problem(f"the input has no quotas of `{wished}`", "--scheduler", remedy))


@cache
def known_schedulers() -> "KnownSchedulers":
    """What every scheduler reads from an input."""
    from kubectl_fairshare.input.known import KnownSchedulers

    return KnownSchedulers(import_module(f"{__name__}.{name}.reads").READS for name in ALL)


def lint_houses() -> "Houses":
    """What every scheduler adds to lint."""
    return tuple(import_module(f"{__name__}.{name}.linting").LINTED for name in ALL)
