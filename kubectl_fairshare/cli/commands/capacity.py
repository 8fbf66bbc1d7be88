"""``capacity``: what each queue has room for.

Tested in ``tests/unit/policy/test_capacity.py``.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import click

from kubectl_fairshare.cli.asking.answering import give_answer
from kubectl_fairshare.cli.asking.load import Loaded
from kubectl_fairshare.cli.asking.showing import show
from kubectl_fairshare.cli.options.house import HouseOptions, SectionedCommand, house_options
from kubectl_fairshare.cli.options.label_selector import refuse
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions, input_options, screen_options
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import AbsentSubjectError, Problem, UsageError
from kubectl_fairshare.model.phrases import did_you_mean, likely, quoted
from kubectl_fairshare.model.selectors import Toleration
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.report.capacity import CapacityReport
from kubectl_fairshare.schedulers.described import POD_COUNT, RESOURCE_NAME, WishReader, toleration_of
from kubectl_fairshare.schedulers.sandbox import (
    EVERY_TAINT,
    MOST_COPIES,
    MOST_SESSION_STEPS,
    MOST_STEPS,
    Sandbox,
    queue_named,
)

_MOST_BACKLOG: Final = 256
_NODE: Final = ("", "Node")
_NO_TOLERATION: Final = "none"
_MOST_PREEMPTING: Final = 150
"""The most queues for which preemption is tried by default: each queue takes as long as many plans."""

_HELP: Final = f"""
Shows the largest workload that each queue has room for: now, after preemption, and with nothing else there.

The engine decides every figure: a workload of that size is admitted, and one unit more is not. The answer names
the victims and the limit that binds. `--backlog` adds the smallest raise of a queue's own quota with which all
workloads of a backlog run at once.
Large clusters: name queues with `--queue`, or resources with `--resource`. With some schedulers, more than
{MOST_STEPS:,} figures × objects are refused, or {MOST_SESSION_STEPS:,} where a figure takes whole sessions.

\b
kubectl fairshare capacity -f org/
kubectl fairshare capacity -f org/ --queue vision --request nvidia.com/gpu=2
kubectl fairshare capacity --queue vision --backlog 6xnvidia.com/gpu=8
"""


@click.command("capacity", cls=SectionedCommand, short_help="what each queue has room for", help=_HELP)
@click.option("--queue", multiple=True, metavar="NAME", help="Only this queue. Repeatable.")
@click.option("--resource", multiple=True, metavar="NAME", help="Only this resource. Repeatable.")
@click.option(
    "--request",
    metavar="R=Q,…",
    help="Shape of the workload that is scaled: cpu=4,nvidia.com/gpu=1. [1 of each alone]",
)
@click.option(
    "--toleration",
    multiple=True,
    metavar="K=V:EFFECT",
    help="Toleration of its pods; also K:EFFECT, K, or none. Repeatable. [every taint]",
)
@click.option(
    "--copies/--no-copies",
    default=True,
    help=f"Count how many workloads of one unit get in, up to {MOST_COPIES}. [--copies]",
)
@click.option(
    "--preempting/--no-preempting",
    default=None,
    help=f"Find what gets in after preemption, which takes longest. [for up to {_MOST_PREEMPTING} queues]",
)
@click.option(
    "--backlog",
    multiple=True,
    metavar="[Nx]R=Q,…",
    help="Find the smallest raise of the queue's quota with which N such workloads run. Needs --queue. Repeatable.",
)
@house_options("capacity")
@input_options
@screen_options("text", "wide", "json", "yaml", "csv", "name", graded=True)
@click.pass_obj
def command(  # noqa: PLR0913, PLR0917 -- one for each option
    streams: Streams,
    /,
    inputs: Inputs,
    screen: ScreenOptions,
    house: HouseOptions,
    queue: tuple[str, ...],
    resource: tuple[str, ...],
    request: str | None,
    toleration: tuple[str, ...],
    copies: bool,
    preempting: bool | None,
    backlog: tuple[str, ...],
) -> int:
    """The command; its help is above."""
    refuse(inputs.selector, "whole queues")
    if request and resource:
        raise UsageError(Problem("excludes `--resource`", "--request", "give one of the two"))
    unit = _unit(request or "", "--request")
    tolerations = _tolerations(toleration)
    loads = tuple(load for text in backlog for load in _loads(text))
    if loads and not queue:
        raise UsageError(Problem("needs `--queue`", "--backlog", "name the queue that the backlog is for"))
    if len(loads) > _MOST_BACKLOG:
        raise UsageError(Problem(f"has more than {_MOST_BACKLOG} workloads", "--backlog", "ask for fewer, larger ones"))

    def answer(loaded: Loaded, on: Streams) -> int:
        from kubectl_fairshare.policy.capacity.rooms import ScaledShape, capacity

        sandbox = loaded.scheduler.review.sandbox(loaded.snapshot)
        queues = [queue_named(name, sandbox, "--queue") for name in queue]
        _check_resources(resource, sandbox, "--resource")
        _check_request(unit, sandbox, loaded.snapshot)
        _check_resources([each for load in loads for each in load], sandbox, "--backlog")
        few = len(queues or sandbox.sites) <= _MOST_PREEMPTING
        shape = ScaledShape(unit, copies, few if preempting is None else preempting, loads, tolerations)
        found = capacity(loaded.scheduler, loaded.snapshot, shape, queues, resource)
        return show(CapacityReport(found), loaded.places, on, screen)

    return give_answer(answer, inputs, house, streams, screen, also_read_for="capacity")


def _tolerations(texts: Sequence[str]) -> tuple[Toleration, ...]:
    """The tolerations of ``--toleration``; every taint without it. Raises ``UsageError`` for other texts."""
    if not texts:
        return EVERY_TAINT
    reader = WishReader()
    found = [Toleration(**toleration_of(reader, text)) for text in texts if text != _NO_TOLERATION]
    if len(found) < len(texts) > 1:
        reader.wrong("--toleration", "`none` excludes others", "leave it out")
    reader.check()
    return tuple(found)


def _loads(text: str) -> list[dict[str, int]]:
    """The workloads of ``--backlog``: ``6xcpu=4`` are six."""
    number, times, shape = text.partition("x")
    if not (times and number.isdecimal()):
        number, shape = "1", text
    load = _unit(shape, "--backlog")
    if not load:
        raise UsageError(Problem(f"`{text}` is not a backlog", "--backlog", "write `6xcpu=4,nvidia.com/gpu=1`"))
    return [load] * min(int(number), _MOST_BACKLOG + 1)


def _unit(text: str, option: str) -> dict[str, int]:
    """The amounts of an option. Raises ``UsageError`` for what is not an amount above 0."""
    found = {}
    for part in filter(None, (each.strip() for each in text.split(","))):
        resource, _, value = part.partition("=")
        if resource == POD_COUNT:
            raise UsageError(
                Problem(f"a pod cannot request `{resource}`", option, "leave it out: each pod counts as one")
            )
        try:
            found[resource] = quantity.amount(resource, value)
        except quantity.QuantityError:
            found[resource] = 0
        if not resource or found[resource] <= 0:
            raise UsageError(Problem(f"`{part}` is not a request", option, "write `cpu=4,nvidia.com/gpu=1`"))
    return found


def _check_request(names: Iterable[str], sandbox: Sandbox, snapshot: Snapshot) -> None:
    """Refuses a request that has no answer.

    Quotas that admit pods one by one decide about every resource, named or not; but only nodes say how much there is of
    one that no quota names. Raises ``UsageError``.
    """
    if not sandbox.single_pods or all(key[:2] != _NODE for key in snapshot.manifests):
        _check_resources(names, sandbox, "--request")
    for name in names:
        if RESOURCE_NAME.fullmatch(name) is None:
            raise UsageError(Problem(f"`{name}` is not a resource", "--request", "write `cpu=4,nvidia.com/gpu=1`"))


def _check_resources(names: Iterable[str], sandbox: Sandbox, option: str) -> None:
    pairs = ({*site.guaranteed, *site.unbounded} for site in sandbox.sites)
    known = sorted({resource for found in pairs for _, resource in found})
    for name in names:
        if name == POD_COUNT and sandbox.single_pods:
            raise UsageError(Problem("a quota of `pods` binds no pod: none requests any", option, "leave it out"))
        if name not in known:
            remedy = did_you_mean(likely(name, known, 2)) or f"resources are {quoted(known)}"
            raise AbsentSubjectError(Problem(f"no queue has quota for `{name}`", option, remedy))
