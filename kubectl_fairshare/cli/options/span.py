"""A span of time as an option takes it. Tested in ``tests/unit/policy/simulation/test_command.py``."""

import click

from kubectl_fairshare.api import durations


def span(_: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """A span of time as nanoseconds; raises ``BadParameter`` for anything else."""
    if value is None:
        return None
    try:
        found = durations.nanoseconds(value)
    except ValueError:
        found = -1
    if found < 0:
        raise click.BadParameter(f"`{value}` is not a span of time; write `90s`, `5m` or `168h`", param=param)
    return found
