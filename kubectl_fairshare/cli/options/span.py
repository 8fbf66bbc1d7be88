"""Spans of time as options take them, and the options of each play.

Tested in ``tests/unit/policy/simulation/test_command.py``.
"""

from typing import Final

import click

from kubectl_fairshare.api import durations
from kubectl_fairshare.policy.simulation.parameters import NamedSpan


def span(_: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """A span of time as nanoseconds; raises ``BadParameter`` for anything else."""
    if value is None:
        return None
    found = span_of(value)
    if found is None:
        raise click.BadParameter(f"`{value}` is not a span of time; write `90s`, `5m` or `168h`", param=param)
    return found


def span_of(text: str) -> int | None:
    """A span of time as nanoseconds; None for anything else."""
    try:
        found = durations.nanoseconds(text)
    except ValueError:
        return None
    return found if found >= 0 else None


def named_spans(_: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[NamedSpan, ...]:
    """Spans by names of jobs; raises ``BadParameter`` for anything else."""
    found = []
    for text in values:
        pattern, _equals, value = text.rpartition("=")
        length = span_of(value)
        if not pattern or length is None:
            message = f"`{text}` is not NAME=SPAN; write `job/train=2h` or `nightly-*=90m`"
            raise click.BadParameter(message, param=param)
        found.append(NamedSpan(pattern, length))
    return tuple(found)


checkpoint_option: Final = click.option(
    "--checkpoint",
    callback=span,
    metavar="SPAN",
    help="Interval between checkpoints from which evicted jobs resume. [restart from zero]",
)
stopping_option: Final = click.option(
    "--stopping", callback=span, metavar="SPAN", help="How long evicted pods keep their resources. [0s]"
)
ready_option: Final = click.option(
    "--ready",
    multiple=True,
    callback=named_spans,
    metavar="NAME=SPAN",
    help="How long after admission pods are ready. Repeatable. [0s]",
)
