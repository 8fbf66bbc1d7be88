"""The options of a call that say what it reads, as typed, so that the next commands can repeat them."""

import shlex
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

import click

from kubectl_fairshare.model.values import fields
from kubectl_fairshare.schedulers import every_scheduler
from kubectl_fairshare.schedulers.question import Wishes

if TYPE_CHECKING:
    from kubectl_fairshare.report.next_steps import GivenOptions

_TYPED: Final = f"{__name__}.typed"
_READING: Final = ("filename", "kustomize", "overlay", "overlay_delete", "nodes", "scheduler", "complete")
_ASKED: Final = ("workload", *(field.name for field in fields(Wishes)))
_SECRETS: Final = ("token", "password")
_CLUSTER: Final = ("kubeconfig", "context", "cluster", "user", "as_user", "as_group", "server")
"""Options that kubectl has, too; without tokens, which belong on no screen."""


def keep_typed(ctx: click.Context, args: Iterable[str]) -> None:
    """Keeps the words of a call for ``origin_of``, before click takes them apart."""
    ctx.meta[_TYPED] = list(args)


def typed_command() -> str:
    """The command as it was typed, for the title of a picture, without the form of the answer.

    Of a call with a token or a password only the command is given: they belong on no screen.
    """
    ctx = click.get_current_context(silent=True)
    words = [] if ctx is None else [*ctx.meta.get(_TYPED, ())]
    if ctx is None or any(secret in word.lower() for word in words for secret in _SECRETS):
        return " ".join(filter(None, ("kubectl fairshare", "" if ctx is None else ctx.info_name or "")))
    form = next((at for at, word in enumerate(words) if word in ("-o", "--output")), len(words))
    return shlex.join(["kubectl", "fairshare", ctx.info_name or "", *words[:form], *words[form + 2 :]])


def origin_of(ctx: click.Context, unit: str = "") -> "GivenOptions":
    """The options of this call that choose its input, its scheduler and that scheduler's mode, its cluster, its work.

    ``unit`` is the part of a repository that the answer is about, if it is divided.
    """
    from kubectl_fairshare.report.next_steps import GivenOptions

    values, _, _ = ctx.command.make_parser(ctx).parse_args(list(ctx.meta.get(_TYPED, ())))
    options = [each for each in ctx.command.params if isinstance(each, click.Option) and each.name in values]
    modes = (o.name for each in every_scheduler() for o in each.options if not o.commands and "TOKEN" not in o.metavar)
    part = ("--each", unit) if unit else ()
    reading = (*_words(options, values, (*_READING, *modes)), *part)
    cluster, asked = (tuple(_words(options, values, names)) for names in (_CLUSTER, _ASKED))
    return GivenOptions(reading, cluster, asked)


def _words(options: Iterable[click.Option], values: dict[str, Any], names: Collection[str]) -> Iterator[str]:
    for option in options:
        if option.name in names:
            value = values[option.name]
            for each in value if isinstance(value, list) else [value]:
                opposite = option.is_flag and each is False and option.secondary_opts
                yield (option.secondary_opts if opposite else option.opts)[0]
                yield from () if option.is_flag else (str(each),)
