"""The schedulers that the program knows: this list is the one place outside their houses that names them.

A house is loaded when it is asked for: it is large, and most inputs concern one.
"""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError

if TYPE_CHECKING:
    from kubectl_fairshare.input.known import KnownSchedulers
    from kubectl_fairshare.lint.house import Houses
    from kubectl_fairshare.model.snapshot import Snapshot
    from kubectl_fairshare.schedulers.scheduler import Scheduler

ALL: Final = ("kueue", "kai", "elasticquota")
"""In the order in which they are asked, where an input has the quotas of several."""


def scheduler_named(name: str) -> "Scheduler":
    """The scheduler of that name. Raises ``ModuleNotFoundError`` for an unknown one."""
    scheduler: Scheduler = import_module(f"{__name__}.{name}.house").HOUSE
    return scheduler


def every_scheduler() -> tuple["Scheduler", ...]:
    """All schedulers, in their order."""
    return tuple(map(scheduler_named, ALL))


def holding(snapshot: "Snapshot") -> Sequence["Scheduler"]:
    """The schedulers whose quotas the snapshot has; the first of all where it has none.

    Raises ``FairshareError`` where the only quotas are of a scheduler that is not known here.
    """
    schedulers = [scheduler for scheduler in every_scheduler() if scheduler.holds(snapshot)]
    if not schedulers:
        foreign = next(filter(None, (scheduler.foreign_quotas(snapshot) for scheduler in every_scheduler())), ())
        if foreign:
            raise FairshareError(*foreign)
    return schedulers or [scheduler_named(ALL[0])]


def chosen(snapshot: "Snapshot", wished: str | None) -> "Scheduler":
    """The scheduler that is asked: the one wished for, else the first whose quotas are there.

    Raises ``UsageError`` where the input has no quotas of the one wished for.
    """
    schedulers = holding(snapshot)
    for scheduler in schedulers:
        if wished in (None, scheduler.name):
            return scheduler
    remedy = f"it has those of `{schedulers[0].name}`"
    raise UsageError(Problem(f"the input has no quotas of `{wished}`", "--scheduler", remedy))


@cache
def known_schedulers() -> "KnownSchedulers":
    """What every scheduler reads of an input."""
    from kubectl_fairshare.input.known import KnownSchedulers

    return KnownSchedulers(import_module(f"{__name__}.{name}.reads").READS for name in ALL)


def lint_houses() -> "Houses":
    """What every scheduler brings to lint."""
    return tuple(import_module(f"{__name__}.{name}.linting").LINTED for name in ALL)
