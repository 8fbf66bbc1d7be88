"""Options that commands share: what to read, what to change in it, and how to print the answer."""

import functools
import os
from collections.abc import Callable, Collection
from typing import Any, Final

import click
from click.core import ParameterSource

from kubectl_fairshare.cli.options.cluster_options import CLUSTER_OPTIONS, access_of
from kubectl_fairshare.cli.options.label_selector import label_selector
from kubectl_fairshare.cli.options.nodes_option import nodes_option
from kubectl_fairshare.cli.options.watch_options import WATCH_OPTIONS, interval_of
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.cluster.access import Access
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.nodes import NodeGroup
from kubectl_fairshare.model.selectors import LabelSelector
from kubectl_fairshare.model.values import Value, field

EVERYTHING: Final = "snapshot"
"""The command that needs all that any other does."""
_DEFAULT_MAX_INPUT: Final = "512Mi"
_PATH: Final = click.Path(
    readable=False
)  # a path that cannot be read is reported with all other problems, not as a usage error


def size(_: click.Context, param: click.Parameter, value: str) -> int:
    """A number of bytes, with any suffix of a quantity; raises ``BadParameter`` unless it is above 0."""
    try:
        found = quantity.units(value)
    except quantity.QuantityError:
        raise click.BadParameter(f"`{value}` is not a size; write `512Mi` or `2Gi`", param=param) from None
    if found <= 0:
        raise click.BadParameter(f"`{value}` must be above 0", param=param)
    return found


class Inputs(Value, frozen=True):
    """What to read, and what to change in it.

    Without files a cluster is read through ``access``, as far as ``command`` needs it. ``selector`` filters what is
    shown by labels. ``complete``: nothing is outside of the input; None if no option says so.
    ``each`` are globs of the units that are meant. ``nodes`` are hypothetical Nodes to add. With ``root`` a file named
    what to read: nothing out of that folder. With ``helm`` charts are rendered.
    """

    filename: tuple[str, ...] = ()
    kustomize: tuple[str, ...] = ()
    overlay: tuple[str, ...] = ()
    overlay_delete: tuple[str, ...] = ()
    max_input: int = 512 << 20
    access: Access = field(default_factory=Access)
    command: str = EVERYTHING
    selector: LabelSelector | None = None
    complete: bool | None = None
    each: tuple[str, ...] = ()
    nodes: tuple[NodeGroup, ...] = ()
    root: str = ""
    helm: bool = False

    @property
    def live(self) -> bool:
        """Whether a cluster is read."""
        return not self.filename and not self.kustomize

    @property
    def everywhere(self) -> bool:
        """Whether all namespaces are meant."""
        return self.access.everywhere

    @property
    def namespace(self) -> str:
        """The namespace for names without one: as given, otherwise ``default``, or that of the context."""
        if not self.live:
            return self.access.namespace or "default"
        from kubectl_fairshare.input.cluster.kubeconfig import namespace_of_context

        return namespace_of_context(self.access)


_SCREENS: Final = ("text", "wide", "concise")
"""The forms of an answer as a screen."""


class ScreenOptions(Value, frozen=True):
    """How to print the answer; ``quiet`` omits notes, ``brief`` all but the verdict, what binds and the best remedy.

    ``interval`` is the time in seconds from one answer to the next; None for one answer. ``has_brief``: whether the
    command has ``--brief``. ``require`` is the grade that an answer must have, if any. ``no_pager``: a text that is
    longer than the screen is written as it is. ``explained``: with what changed since the release whose rules decide.
    ``api`` is the older version that a document has, empty for the present one.
    """

    output: str = "text"
    color: str = "auto"
    quiet: bool = False
    interval: float | None = None
    brief: bool = False
    has_brief: bool = False
    require: str | None = None
    no_pager: bool = False
    explained: bool = False
    api: str = ""

    @property
    def is_text(self) -> bool:
        """Whether the answer is for people."""
        return self.output in _SCREENS


_FILE_OPTIONS: Final = (
    click.option(
        "-f",
        "--filename",
        multiple=True,
        type=_PATH,
        help="File, directory (recursive), glob, or - for standard input; YAML or JSON, also gzip. Repeatable.",
    ),
    click.option(
        "-k",
        "--kustomize",
        multiple=True,
        type=click.Path(file_okay=False, readable=False),
        help="Kustomize directory, built with your kubectl. Repeatable.",
    ),
)
_NAMESPACE: Final = click.option(
    "-n",
    "--namespace",
    metavar="NAME",
    help="Namespace for objects that set none. On a cluster: the only namespace to read if you may not list them "
    "all. [default; context's]",
)
_SELECTOR: Final = click.option(
    "-l",
    "--selector",
    callback=label_selector,
    metavar="LABELS",
    help="Show only objects with these labels: team=vision,tier!=test.",
)
_CHANGING_OPTIONS: Final = (
    click.option(
        "--overlay",
        multiple=True,
        type=_PATH,
        help="Add or replace objects before answering: the what-if of a pull request. Repeatable.",
    ),
    click.option(
        "--overlay-delete",
        multiple=True,
        metavar="KIND/NAME",
        help="Remove an object, and what goes with it, before answering. Repeatable.",
    ),
    click.option(
        "--max-input",
        callback=size,
        metavar="SIZE",
        default=_DEFAULT_MAX_INPUT,
        help=f"Largest input, decompressed. [{_DEFAULT_MAX_INPUT}]",
    ),
    click.option("--helm", is_flag=True, help="Render Helm charts among the files: only charts that you trust."),
)
_EACH: Final = click.option(
    "--each",
    multiple=True,
    metavar="GLOB",
    help="Answer for each matching folder alone: kustomizations, folders that Argo CD or Flux apply, alternatives.",
)
_ONE: Final = click.option(
    "--each",
    multiple=True,
    metavar="GLOB",
    help="Answer about the folder that matches: a kustomization, or what Argo CD or Flux applies.",
)
_COMPLETE: Final = click.option(
    "--complete",
    is_flag=True,
    default=None,
    help="Objects that the input lacks do not exist: references to them are errors.",
)
_COMPARED: Final = click.option(
    "-k",
    "--kustomize",
    multiple=True,
    type=click.Path(file_okay=False, readable=False),
    help="Kustomize directory below both versions, built with your kubectl. Repeatable.",
)
_READING_OPTIONS: Final = (*_FILE_OPTIONS, _NAMESPACE, _SELECTOR, *_CHANGING_OPTIONS)
_READ: Final = frozenset({"filename", "kustomize", "overlay", "overlay_delete", "max_input", "helm"})


def input_options(command: Callable[..., int]) -> Callable[..., int]:
    """Gives a command that answers a question the input options; it receives them as ``inputs``."""
    options = (*_READING_OPTIONS, nodes_option, _EACH, _COMPLETE, *CLUSTER_OPTIONS)
    return _with_inputs(command, options, _READ | {"nodes", "complete", "each"})


def examined_options(command: Callable[..., int]) -> Callable[..., int]:
    """Adds the input options to a command that lints its input as written; it receives them as ``inputs``."""
    return _with_inputs(command, (*_READING_OPTIONS, _EACH, _COMPLETE, *CLUSTER_OPTIONS), _READ | {"complete", "each"})


def copied_options(command: Callable[..., int]) -> Callable[..., int]:
    """Gives a command that copies one unit of its input its options; it receives them as ``inputs``."""
    return _with_inputs(command, (*_READING_OPTIONS, _ONE, *CLUSTER_OPTIONS), _READ | {"each"})


def compared_options(command: Callable[..., int]) -> Callable[..., int]:
    """Gives a command the input options without `-f`; it receives them as ``inputs``."""
    names = (_READ | {"nodes", "complete", "each"}) - {"filename"}
    options = (_COMPARED, _NAMESPACE, *_CHANGING_OPTIONS, nodes_option, _EACH, _COMPLETE, *CLUSTER_OPTIONS)
    return _with_inputs(command, options, names)


def _with_inputs(
    command: Callable[..., int], options: tuple[Callable[..., Any], ...], names: Collection[str]
) -> Callable[..., int]:
    """``command`` with ``options``, whose values reach it as ``inputs``; ``names`` are those of files and changes."""

    @functools.wraps(command)
    def gathering(*args: Any, **chosen: Any) -> int:
        access = access_of(chosen, chosen.pop("namespace"))
        asker = click.get_current_context().info_name or EVERYTHING
        chosen_names = {name: chosen.pop(name) for name in names}
        inputs = Inputs(**chosen_names, access=access, command=asker, selector=chosen.pop("selector", None))
        return command(*args, inputs=inputs, **chosen)

    found: Callable[..., int] = gathering
    for option in reversed(options):
        found = option(found)
    return found


_BRIEF: Final = click.option(
    "--brief", is_flag=True, help="At most 8 lines: verdict, what binds, remedy, next command."
)
_REQUIRE: Final = click.option(
    "--require",
    type=click.Choice(["exact"]),
    help="Exit with 5 unless all of the answer is exact: measured on the release that runs.",
)
_EXPLAIN: Final = click.option(
    "--explain",
    "explained",
    is_flag=True,
    help="If the installed release was not measured: list what changed since the one by whose rules is answered.",
)
_PRESENT: Final = "v1alpha2"
_API: Final = click.option(
    "--api",
    type=click.Choice([_PRESENT, "v1alpha1"]),
    help=f"Print documents in this version: v1alpha1 is that of the release before. [{_PRESENT}]",
)
_DOCUMENTS: Final = frozenset({"json", "jsonl", "yaml"})
_FOR_PEOPLE: Final = (*_SCREENS, "markdown")
_COLOUR_WORDS: Final = ("NO_COLOR", "FORCE_COLOR")
_AS_TEXT: Final = (*_FOR_PEOPLE, "name", "csv")


def screen_options(
    *formats: str, watched: bool = False, brief: bool = False, graded: bool = False, explains: bool = True
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Gives a command ``-o`` with ``formats`` (the first is the default), ``--color``, ``-q``; it gets ``screen``.

    A command that can be ``watched`` or ``brief``, or whose answers are ``graded`` by how exact they are, gets the
    options for that, too; ``explains`` is false for one with an ``--explain`` of its own.
    """
    options = (
        click.option(
            "-o",
            "--output",
            type=click.Choice(formats),
            default=formats[0],
            help=f"Output format. [{formats[0]}]",
        ),
        click.option(
            "--color",
            type=click.Choice(["auto", "always", "never"]),
            default="auto",
            help="When to use colour. auto: on a terminal or with FORCE_COLOR, not with NO_COLOR. [auto]",
        ),
        click.option("--ascii", is_flag=True, help="Print only ASCII signs. [if the encoding has no others]"),
        click.option("-q", "--quiet", is_flag=True, help="Print no notes on standard error."),
        click.option("--no-pager", is_flag=True, help="Write an answer that is longer than the terminal as it is."),
        *((_API,) if _DOCUMENTS.intersection(formats) else ()),
        *((_REQUIRE,) if graded else ()),
        *((_EXPLAIN,) if graded and explains else ()),
        *((_BRIEF,) if brief else ()),
        *(WATCH_OPTIONS if watched else ()),
    )
    return lambda command: _on_screen(command, options, formats)


def _print_for(output: str, *, ascii_only: bool) -> None:
    """Makes the streams of this run fit for what is printed: no runner of CI obeys text in a log.

    They print ASCII on wish, or if their encoding has nothing else. Documents for programs keep their characters.
    """
    ctx = click.get_current_context()
    streams = ctx.find_object(Streams)
    if streams is None or output not in _AS_TEXT:
        return
    if output in _FOR_PEOPLE and (ascii_only or not streams.prints_signs):
        streams = streams.in_ascii()
    ctx.obj = streams.for_logs()


def _wished(output: str, color: str, formats: Collection[str], *, brief: bool) -> tuple[str, str]:
    """The format and the colours: options go first, then the environment, then the user's settings.

    A format that the command does not have, or ``--brief`` excludes, stays that of the command.
    """
    ctx = click.get_current_context()
    left = [name for name in ("output", "color") if ctx.get_parameter_source(name) is ParameterSource.DEFAULT]
    if not left:
        return output, color
    from kubectl_fairshare.cli.user_settings import user_settings

    wished = user_settings()
    if "output" in left and wished.output is not None and wished.output in formats and not brief:
        output = wished.output
    if "color" in left and wished.color is not None and not any(map(os.environ.get, _COLOUR_WORDS)):
        color = wished.color
    return output, color


def _on_screen(
    command: Callable[..., int], options: tuple[Callable[..., Any], ...], formats: Collection[str]
) -> Callable[..., int]:
    """``command`` with ``options``, whose values reach it as ``screen``."""

    @functools.wraps(command)
    def gathering(*args: Any, **chosen: Any) -> int:
        has_brief = "brief" in chosen
        output, color = _wished(chosen.pop("output"), chosen.pop("color"), formats, brief=bool(chosen.get("brief")))
        quiet, no_pager = chosen.pop("quiet"), chosen.pop("no_pager")
        brief, ascii_only = chosen.pop("brief", False), chosen.pop("ascii")
        if brief and output != "text":
            raise UsageError(Problem("`--brief` is a form of text", help="remove `-o`, or remove `--brief`"))
        _print_for(output, ascii_only=ascii_only)
        require = chosen.pop("require", None)
        interval = interval_of(chosen, output)
        explained = chosen.pop("explained", False)
        api = (chosen.pop("api", None) or _PRESENT).replace(_PRESENT, "")
        if api and output not in _DOCUMENTS:
            raise UsageError(Problem("`--api` is a version of documents", help="add `-o json`, or remove `--api`"))
        screen = ScreenOptions(output, color, quiet, interval, brief, has_brief, require, no_pager, explained, api)
        return command(*args, screen=screen, **chosen)

    found: Callable[..., int] = gathering
    for option in reversed(options):
        found = option(found)
    return found
