"""The options for answering repeatedly."""

from typing import Any, Final

import click

from kubectl_fairshare.input.cluster.access import seconds
from kubectl_fairshare.input.files.paths import STDIN
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError

_INTERVAL: Final = "5s"
_SHORTEST: Final = 1.0
_LONGEST: Final = 3600.0
_ROWS: Final = ("csv", "name")
"""Formats in which a reader cannot see where one answer ends."""


def _interval(_: click.Context, param: click.Parameter, value: str | None) -> float | None:
    """A duration in seconds; raises ``BadParameter`` for any other text, and beyond the bounds."""
    if value is None:
        return None
    try:
        found = seconds(value)
    except FairshareError:
        raise click.BadParameter(f"`{value}` is not a duration; write `10s` or `2m`", param=param) from None
    if not _SHORTEST <= found <= _LONGEST:
        raise click.BadParameter(f"`{value}` is not between `1s` and `1h`", param=param)
    return found


WATCH_OPTIONS: Final = (
    click.option("--watch", is_flag=True, help="Repeat until Ctrl-C, and mark what changed."),
    click.option(
        "--interval",
        metavar="TIME",
        callback=_interval,
        help=f"With --watch: time between answers, 1s to 1h. [{_INTERVAL}]",
    ),
)


def interval_of(chosen: dict[str, Any], output: str) -> float | None:
    """The interval, removed from ``chosen``; None for a single answer.

    Raises ``UsageError`` for an interval without ``--watch``, and for a format in which answers have no end.
    """
    watch, interval = chosen.pop("watch", False), chosen.pop("interval", None)
    if not watch and interval is not None:
        raise UsageError(Problem("needs `--watch`", "--interval", "add `--watch`, or remove it"))
    if watch and output in _ROWS:
        message, remedy = (
            f"`--watch` does not support `-o {output}`",
            "use `-o json` (one document per line), `yaml` or `text`",
        )
        raise UsageError(Problem(message, help=remedy))
    return (interval or seconds(_INTERVAL)) if watch else None


def check_watched(interval: float | None, *names: str) -> None:
    """Raises ``UsageError`` where standard input, among the ``names`` of what is read, would be read twice."""
    if interval is not None and STDIN in names:
        raise UsageError(Problem("standard input can be read only once", "--watch", "pass a file, or remove `--watch`"))
