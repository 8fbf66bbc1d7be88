"""Typical slips on the command line, and the line that was meant.

Tested in ``tests/unit/cli/commands/test_slips.py``.
"""

import re
import shlex
from collections.abc import Collection, Sequence
from typing import Final

import click

_EXTRA: Final = re.compile(r"unexpected extra argument \((\S+)\)")


def meant(args: Sequence[str], error: click.ClickException) -> str | None:
    """What to write instead of a call that click refuses; None if that is not a typical slip."""
    ctx = error.ctx if isinstance(error, click.UsageError) else None
    if ctx is None:
        return None
    if isinstance(ctx.command, click.Group):
        return _command_first(args, ctx, ctx.command.list_commands(ctx))
    extra = _EXTRA.search(error.message)
    return _as_option(extra[1], args, ctx) if extra is not None and extra[1] in args else None


def _command_first(args: Sequence[str], ctx: click.Context, commands: Collection[str]) -> str | None:
    """Options before the command go after it."""
    place = next((i for i, word in enumerate(args) if word in commands), None)
    if place is None or not args[:1] or not args[0].startswith("-"):
        return None
    line = shlex.join([args[place], *args[:place], *args[place + 1 :]])
    return f"options follow the command: `{ctx.info_name} {line}`"


def _as_option(word: str, args: Sequence[str], ctx: click.Context) -> str | None:
    """A file, or a queue, as an argument of a command that takes none."""
    if any(isinstance(param, click.Argument) for param in ctx.command.params):
        return None
    names = {name for param in ctx.command.params for name in param.opts}
    place = args.index(word)
    start = f"{ctx.find_root().info_name} {shlex.join([*args[:place], *args[place + 1 :]])}"
    if "--workload" in names and ("-f" in args or "--filename" in args):
        return f"for a workload write `{start} -w {shlex.quote(word)}`"
    if "--filename" in names and "-f" not in args:
        queue = f", for one queue `{start} --queue {shlex.quote(word)}`" if "--queue" in names else ""
        return f"to read files write `{start} -f {shlex.quote(word)}`{queue}"
    if "--queue" in names:
        return f"for one queue write `{start} --queue {shlex.quote(word)}`"
    return None
