"""The options for work on several processes. Tested in ``tests/unit/policy/forecast/test_command.py``."""

import functools
from collections.abc import Callable
from typing import Any

import click

from kubectl_fairshare.model.values import Value


class WorkerOptions(Value, frozen=True):
    """Who works: so many processes, one for each core if ``jobs`` is None; ``address`` is that of a cluster."""

    jobs: int | None = None
    backend: str = "loky"
    address: str = ""


def worker_options(doing: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Gives a command ``--jobs``, ``--backend`` and ``--workers-at``; it receives them as ``crew``."""
    options = (
        click.option("--jobs", type=click.IntRange(1, 4096), help=f"Processes that {doing}. [one for each core]"),
        click.option(
            "--backend",
            type=click.Choice(["loky", "dask", "ray"]),
            default="loky",
            help="Where processes run. [loky: here]",
        ),
        click.option(
            "--workers-at",
            metavar="ADDRESS",
            default="",
            help="Address of the Dask or Ray cluster. [one of its own, here]",
        ),
    )

    def given(command: Callable[..., int]) -> Callable[..., int]:
        @functools.wraps(command)
        def gathering(*args: Any, jobs: int | None, backend: str, workers_at: str, **chosen: Any) -> int:
            return command(*args, crew=WorkerOptions(jobs, backend, workers_at), **chosen)

        made: Callable[..., int] = gathering
        for option in reversed(options):
            made = option(made)
        return made

    return given
