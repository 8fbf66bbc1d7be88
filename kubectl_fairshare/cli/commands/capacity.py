"""``capacity``: what each queue has room for.

Tested in ``tests/unit/policy/test_capacity.py``.
"""

import click

from kubectl_fairshare.cli.asking.answering import answered
from kubectl_fairshare.cli.asking.load import Loaded
from kubectl_fairshare.cli.asking.showing import show
from kubectl_fairshare.cli.options.house import HouseOptions, SectionedCommand, house_options
from kubectl_fairshare.cli.options.label_selector import refuse
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions, input_options, screen_options
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.phrases import did_you_mean, likely, quoted
from kubectl_fairshare.report.capacity import CapacityReport
from kubectl_fairshare.schedulers.sandbox import Sandbox


@click.command("capacity", cls=SectionedCommand, short_help="what each queue has room for")
@click.option("--queue", multiple=True, metavar="NAME", help="Only this queue. Repeatable.")
@click.option("--resource", multiple=True, metavar="NAME", help="Only this resource. Repeatable.")
@click.option(
    "--request",
    metavar="R=Q,…",
    help="Shape of the workload that is scaled: cpu=4,nvidia.com/gpu=1. [1 of each alone]",
)
@click.option("--copies/--no-copies", default=True, help="Count how many workloads of one unit get in. [--copies]")
@house_options("capacity")
@input_options
@screen_options("text", "wide", "json", "yaml", "csv", "name")
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
    copies: bool,
) -> int:
    """Shows the largest workload that each queue has room for: now, after preemption, and with nothing else there.

    Every figure is decided by the engine: a workload of that size gets in, and one unit more does not. The answer
    names whose work is preempted, and the limit that binds.

    \b
    kubectl fairshare capacity -f org/
    kubectl fairshare capacity --queue vision --request cpu=8,nvidia.com/gpu=1
    """  # noqa: D301 -- click wants the character
    refuse(inputs.selector, "whole queues")
    if request and resource:
        raise UsageError(Problem("excludes `--resource`", "--request", "give one of the two"))
    unit = _unit(request or "")

    def answer(loaded: Loaded, on: Streams) -> int:
        from kubectl_fairshare.policy.capacity.rooms import ScaledShape, capacity

        sandbox = loaded.scheduler.review.sandbox(loaded.snapshot)
        queues = [_queue(name, sandbox) for name in queue]
        _check_resources([*resource, *unit], sandbox)
        found = capacity(loaded.scheduler, loaded.snapshot, ScaledShape(unit, copies), queues, resource)
        return show(CapacityReport(found), loaded.places, on, screen)

    return answered(answer, inputs, house, streams, screen)


def _unit(text: str) -> dict[str, int]:
    """The amounts of ``--request``. Raises ``UsageError`` for what is not an amount above 0."""
    found = {}
    for part in filter(None, (each.strip() for each in text.split(","))):
        resource, _, value = part.partition("=")
        try:
            found[resource] = quantity.amount(resource, value)
        except quantity.QuantityError:
            found[resource] = 0
        if not resource or found[resource] <= 0:
            raise UsageError(Problem(f"`{part}` is not a request", "--request", "write `cpu=4,nvidia.com/gpu=1`"))
    return found


def _queue(name: str, sandbox: Sandbox) -> str:
    found = sandbox.queue_called(name)
    if found is None:
        known = [site.queue for site in sandbox.sites]
        remedy = did_you_mean(likely(name, known, 2)) or f"queues are {quoted(known[:8])}"
        raise UsageError(Problem(f"there is no queue `{name}`", "--queue", remedy))
    return found


def _check_resources(names: list[str], sandbox: Sandbox) -> None:
    known = sorted({resource for site in sandbox.sites for resource in site.resources})
    for name in names:
        if name not in known:
            remedy = did_you_mean(likely(name, known, 2)) or f"resources are {quoted(known)}"
            raise UsageError(Problem(f"no queue has quota for `{name}`", "--resource", remedy))
