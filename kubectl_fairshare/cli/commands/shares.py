"""``shares``: who holds what."""

from typing import Final

import click

from kubectl_fairshare.cli.asking.answering import answered
from kubectl_fairshare.cli.asking.load import Loaded, placed
from kubectl_fairshare.cli.asking.showing import show
from kubectl_fairshare.cli.options.house import HouseOptions, SectionedCommand, house_options
from kubectl_fairshare.cli.options.label_selector import picked, refuse
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions, input_options, screen_options
from kubectl_fairshare.cli.options.watch_options import check_watched
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.report.printable import Printable
from kubectl_fairshare.report.shown import SharesReport
from kubectl_fairshare.schedulers.question import SharesQuestion

SORTS: Final = ("name", "share", "usage", "borrowed", "lent", "available", "nominal", "weight", "pending", "running")
_ROWS: Final = ("csv", "name")


@click.command(cls=SectionedCommand, short_help="who holds what")
@click.option(
    "--queue", metavar="NAME", help="Only this ClusterQueue, Cohort, or NAMESPACE/LOCALQUEUE, with ancestors."
)
@click.option("--resource", multiple=True, metavar="NAME", help="Only this resource; may be repeated.")
@click.option("--flavor", multiple=True, metavar="NAME", help="Only this flavor; may be repeated.")
@click.option(
    "--sort",
    type=click.Choice(SORTS),
    default="name",
    metavar="COLUMN",
    help=f"Order of siblings, largest first: {', '.join(SORTS)}. [name]",
)
@click.option("--by", type=click.Choice(["localqueue", "namespace"]), help="Usage added up by LocalQueue or namespace.")
@click.option("--explain", metavar="QUEUE", help="Derive every number of a ClusterQueue or Cohort, term by term.")
@click.option(
    "--saturated", is_flag=True, help="What would each queue hold if all had an endless backlog of one unit workload?"
)
@click.option(
    "--request",
    multiple=True,
    metavar="RES=AMOUNT",
    help="The unit workload of --saturated. [1 of the only accelerator, else of the only resource]",
)
@house_options("shares")
@input_options
@screen_options("text", "wide", "json", "yaml", "csv", "name", "svg", watched=True)
@click.pass_obj
def command(  # noqa: PLR0913, PLR0917 -- one for each option
    streams: Streams,
    /,
    inputs: Inputs,
    screen: ScreenOptions,
    house: HouseOptions,
    queue: str | None,
    resource: tuple[str, ...],
    flavor: tuple[str, ...],
    sort: str,
    by: str | None,
    explain: str | None,
    saturated: bool,
    request: tuple[str, ...],
) -> int:
    """Shows quota, usage, borrowing, lending and shares of every queue.

    -o wide shows every column. Below the options: what the schedulers add.

    \b
    kubectl fairshare shares -f org/
    kubectl fairshare shares --by namespace --sort usage --watch
    kubectl fairshare shares -f org/ --explain vision
    kubectl fairshare shares -f org/ --overlay pull-request/ -o csv
    """  # noqa: D301 -- click wants the character
    _check(by, explain, saturated, request, screen)
    if explain is not None or saturated:
        refuse(inputs.selector, "this, but from the tree of all queues")
    check_watched(screen.interval, *house.files)

    def answer(loaded: Loaded, on: Streams) -> int:
        scheduler, snapshot = loaded.scheduler, loaded.snapshot
        report: Printable
        with placed(loaded.places):
            if explain is not None:
                report = scheduler.derivation(snapshot, explain)
            elif saturated:
                report = scheduler.saturation(snapshot, request)
            else:
                labelled = None if inputs.selector is None else picked(snapshot.manifests, inputs.selector)
                question = SharesQuestion(queue or "", resource, flavor, sort, by or "", labelled)
                report = SharesReport(scheduler.shares(snapshot, question))
        return show(report, loaded.places, on, screen)

    doing = "running cycles to rest" if saturated else "adding up"
    return answered(answer, inputs, house, streams, screen, doing=doing)


def _check(
    by: str | None, explain: str | None, saturated: bool, request: tuple[str, ...], screen: ScreenOptions
) -> None:
    """Raises ``UsageError`` for options that exclude each other."""
    views = [name for name, on in (("--by", by), ("--explain", explain), ("--saturated", saturated)) if on]
    if len(views) > 1:
        raise UsageError(Problem(f"`{views[0]}` and `{views[1]}` are different questions", help="ask one at a time"))
    if views and views[0] != "--by" and screen.output in _ROWS:
        raise UsageError(Problem(f"`{views[0]}` has no `-o {screen.output}`", help="take `-o json`, `yaml` or `text`"))
    if by and screen.output == "name":
        raise UsageError(Problem("`--by` has no `-o name`", help="take `-o csv`, `json`, `yaml` or `text`"))
    if request and not saturated:
        raise UsageError(Problem("`--request` belongs to `--saturated`", help="add `--saturated`, or ask `plan`"))
