"""``shares``: who holds what."""

from collections.abc import Mapping
from typing import Final

import click

from kubectl_fairshare.cli.asking.answering import give_answer
from kubectl_fairshare.cli.asking.load import Loaded, placing_problems
from kubectl_fairshare.cli.asking.showing import show
from kubectl_fairshare.cli.options.house import HouseOptions, SectionedCommand, house_options
from kubectl_fairshare.cli.options.label_selector import picked, refuse
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions, input_options, screen_options
from kubectl_fairshare.cli.options.watch_options import check_watched
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.printable import Printable
from kubectl_fairshare.report.shown import SharesReport
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
@click.option("--saturated", is_flag=True, help="What each queue would hold if every queue had endless work.")
@click.option("--topology", is_flag=True, help="What is free and used of each domain of each topology.")
@click.option(
    "--request",
    multiple=True,
    metavar="RES=AMOUNT",
    help="Size of one workload for --saturated. [1 of the only accelerator, else of the only resource]",
)
@house_options("shares")
@input_options
@screen_options("text", "wide", "json", "yaml", "csv", "name", "svg", "markdown", watched=True)
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
    _check({"--by": by, "--explain": explain, "--saturated": saturated, "--topology": topology}, request, screen)
    if topology:
        inputs = replace(inputs, command="cycle")  # which reads the nodes, too
    if explain is not None or saturated or topology:
        refuse(inputs.selector, "queues for this question: it needs the whole tree")
    check_watched(screen.interval, *house.files)

    def answer(loaded: Loaded, on: Streams) -> int:
        scheduler, snapshot = loaded.scheduler, loaded.snapshot
        report: Printable
        with placing_problems(loaded.places):
            if explain is not None:
                report = scheduler.derivation(snapshot, explain)
            elif saturated:
                report = scheduler.saturation(snapshot, request)
            elif topology:
                report = scheduler.topologies(snapshot, resource)
            else:
                labelled = None if inputs.selector is None else picked(snapshot.manifests, inputs.selector)
                question = SharesQuestion(queue or "", resource, flavor, sort, by or "", labelled)
                report = SharesReport(scheduler.shares(snapshot, question))
        return show(report, loaded.places, on, screen)

    doing = "running cycles to rest" if saturated else "adding up"
    return give_answer(answer, inputs, house, streams, screen, doing=doing)


def _check(given: Mapping[str, object], request: tuple[str, ...], screen: ScreenOptions) -> None:
    """Raises ``UsageError`` for options that exclude each other; ``given`` are those that ask for another view."""
    views = [name for name, on in given.items() if on]
    if len(views) > 1:
        raise UsageError(Problem(f"`{views[0]}` cannot be used with `{views[1]}`", help="use one of the two"))
    if views and views[0] != "--by" and screen.output in _ROWS:
        raise UsageError(
            Problem(f"`{views[0]}` does not support `-o {screen.output}`", help="use `-o json`, `yaml` or `text`")
        )
    if given["--by"] and screen.output == "name":
        raise UsageError(Problem("`--by` does not support `-o name`", help="use `-o csv`, `json`, `yaml` or `text`"))
    if request and not given["--saturated"]:
        raise UsageError(Problem("`--request` needs `--saturated`", help="add `--saturated`, or use `plan`"))
