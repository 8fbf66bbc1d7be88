"""``shares``: who holds what."""

from collections.abc import Mapping
from typing import Final

import click

from kubectl_fairshare.answers.shares_view import SharesView
from kubectl_fairshare.cli.asking.answering import give_answer
from kubectl_fairshare.cli.asking.load import Loaded, placing_problems
from kubectl_fairshare.cli.asking.showing import show
from kubectl_fairshare.cli.options.house import HouseOptions, SectionedCommand, house_options
from kubectl_fairshare.cli.options.label_selector import picked, refuse
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions, input_options, screen_options
from kubectl_fairshare.cli.options.watch_options import check_watched
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.model.demand import demand_of
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.printable import Printable
from kubectl_fairshare.report.shares import SharesReport
from kubectl_fairshare.report.shares_view import SharesViewReport
from kubectl_fairshare.schedulers.question import SharesQuestion

SORTS: Final = ("name", "share", "usage", "borrowed", "lent", "available", "nominal", "weight", "pending", "running")
_ROWS: Final = ("csv", "name", "markdown")


@click.command(cls=SectionedCommand, short_help="which queue holds what")
@click.option(
    "--queue", metavar="NAME", help="Only this ClusterQueue, Cohort or NAMESPACE/LOCALQUEUE, with its ancestors."
)
@click.option("--resource", multiple=True, metavar="NAME", help="Only this resource. Repeatable.")
@click.option("--flavor", multiple=True, metavar="NAME", help="Only this flavor. Repeatable.")
@click.option(
    "--sort",
    type=click.Choice(SORTS),
    default="name",
    metavar="COLUMN",
    help=f"Sort siblings by, largest first: {', '.join(SORTS)}. [name]",
)
@click.option("--by", type=click.Choice(["localqueue", "namespace"]), help="Sum usage by LocalQueue or namespace.")
@click.option("--explain", metavar="QUEUE", help="Derive each number of one queue, term by term.")
@click.option(
    "--demand",
    multiple=True,
    metavar="QUEUE=AMOUNT",
    help="What each queue gets if queues request this: unlimited (all that are not named), QUEUE=0, QUEUE=unlimited, "
    "QUEUE=20, QUEUE=cpu=64,nvidia.com/gpu=20. Repeatable.",
)
@click.option("--requests", multiple=True, hidden=True)  # its older name
@click.option("--saturated", is_flag=True, help="Short for --demand unlimited: all queues are busy.")
@click.option("--topology", is_flag=True, help="What is free and used of each domain of each topology.")
@click.option(
    "--request",
    multiple=True,
    metavar="RES=AMOUNT",
    help="Size of one workload for --demand. [1 of the only accelerator, otherwise of the only resource]",
)
@house_options("shares")
@input_options
@screen_options(
    *("text", "wide", "json", "yaml", "csv", "name", "svg", "markdown"), watched=True, graded=True, explains=False
)
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
    demand: tuple[str, ...],
    requests: tuple[str, ...],
    saturated: bool,
    topology: bool,
    request: tuple[str, ...],
) -> int:
    """Shows quota, usage, borrowing, lending and shares of every queue.

    -o wide shows every column.

    \b
    kubectl fairshare shares -f org/
    kubectl fairshare shares --by namespace --sort usage --watch
    kubectl fairshare shares -f org/ --explain vision
    kubectl fairshare shares -f org/ --overlay pull-request/ -o csv
    """  # noqa: D301 -- click wants the character
    wanted = demand_of((*(("unlimited",) if saturated else ()), *requests, *demand))
    _check({"--by": by, "--explain": explain, "--demand": wanted.given, "--topology": topology}, request, screen)
    if topology:
        inputs = replace(inputs, command="cycle")  # which reads the nodes, too
    if explain is not None or wanted.given or topology:
        refuse(inputs.selector, "queues for this question: it needs the whole tree")
    screen = replace(screen, explained=explain is not None)
    check_watched(screen.interval, *house.files)

    def answer(loaded: Loaded, on: Streams) -> int:
        scheduler, snapshot = loaded.scheduler, loaded.snapshot
        labelled = None if inputs.selector is None else picked(snapshot.manifests, inputs.selector)
        question = SharesQuestion(queue or "", resource, flavor, sort, by or "", labelled, wanted, request)
        report: Printable
        with placing_problems(loaded.places):
            if explain is not None:
                report = SharesViewReport(scheduler.derivation(snapshot, explain, wanted))
            elif wanted.given:
                found = scheduler.saturation(snapshot, question)
                if isinstance(found, SharesView):
                    _refuse_rows("--demand", screen)
                report = SharesViewReport(found) if isinstance(found, SharesView) else SharesReport(found)
            elif topology:
                report = SharesViewReport(scheduler.topologies(snapshot, resource))
            else:
                report = SharesReport(scheduler.shares(snapshot, question))
        return show(report, loaded.places, on, screen)

    doing = "running cycles to rest" if wanted.given else "adding up"
    return give_answer(answer, inputs, house, streams, screen, doing=doing)


def _check(given: Mapping[str, object], request: tuple[str, ...], screen: ScreenOptions) -> None:
    """Raises ``UsageError`` for options that exclude each other; ``given`` are those that ask for another view."""
    views = [name for name, on in given.items() if on]
    if len(views) > 1 and views != ["--explain", "--demand"]:
        raise UsageError(Problem(f"`{views[0]}` cannot be used with `{views[1]}`", help="use one of the two"))
    if views and views[0] not in ("--by", "--demand"):
        _refuse_rows(views[0], screen)
    if given["--by"] and screen.output == "name":
        raise UsageError(Problem("`--by` does not support `-o name`", help="use `-o csv`, `json`, `yaml` or `text`"))
    if request and not given["--demand"]:
        raise UsageError(Problem("`--request` needs `--demand`", help="add `--demand unlimited`, or use `plan`"))


def _refuse_rows(view: str, screen: ScreenOptions) -> None:
    """Raises ``UsageError`` for a view that has no rows, and an output of rows."""
    if screen.output in _ROWS:
        help_ = "use `-o json`, `yaml` or `text`"
        raise UsageError(Problem(f"`{view}` does not support `-o {screen.output}`", help=help_))
