"""``report``: one page with everything about a state, to open in a browser."""

from collections.abc import Callable, Sequence
from io import BytesIO

import click

from kubectl_fairshare.answers.diff import RuleFinding
from kubectl_fairshare.answers.overview import Overview
from kubectl_fairshare.answers.review import Entitlement
from kubectl_fairshare.cli.asking.load import loaded_from, placing_problems
from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.cli.asking.reading import check_inputs, print_notes, read_one
from kubectl_fairshare.cli.collector import without_collector
from kubectl_fairshare.cli.options.house import HouseOptions, SectionedCommand, also_read, house_options
from kubectl_fairshare.cli.options.label_selector import refuse
from kubectl_fairshare.cli.options.now_option import now_option
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions, one_unit_options
from kubectl_fairshare.cli.progress import progress
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.cli.writing import STDOUT, print_written, write_file
from kubectl_fairshare.input.clock import moment
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.printable import SharesDetail, WhyDetail
from kubectl_fairshare.report.text.figures import count
from kubectl_fairshare.schedulers.scheduler import Sources

_PATH = click.Path(readable=False, dir_okay=False)


@click.command("report", cls=SectionedCommand, short_help="one page with everything, to open in a browser")
@click.option(
    "-o", "--output", type=_PATH, default=STDOUT, metavar="FILE", help="Page to write; - is standard output. [-]"
)
@click.option("--lint/--no-lint", default=True, help="Include lint findings. [--lint]")
@click.option("--metrics", is_flag=True, help="Write the figures of all queues as OpenMetrics, instead of a page.")
@now_option
@house_options("report")
@one_unit_options
@click.option("-q", "--quiet", is_flag=True, help="Print no notes on standard error.")
@click.pass_obj
def command(  # noqa: PLR0913 -- one for each option
    streams: Streams,
    /,
    *,
    inputs: Inputs,
    house: HouseOptions,
    output: str,
    lint: bool,
    metrics: bool,
    now: int | None,
    quiet: bool,
) -> int:
    """Writes one HTML page: the tree of queues, what waits and why, what may be preempted, lint findings.

    The page is one file and loads nothing from elsewhere. It works without JavaScript; with it, the page switches the
    resource, sorts, and searches (press /). It can be printed, and follows the light or dark setting of the
    browser. On a cluster it needs the permissions of `snapshot`. --metrics is for Prometheus, see docs/metrics.md.

    \b
    kubectl fairshare report -o page.html
    kubectl fairshare report -f cluster.json.gz -o page.html
    kubectl fairshare report -f org/ --overlay change/ -o change.html
    kubectl fairshare report --metrics -o fairshare.prom
    """  # noqa: D301 -- click wants the character
    refuse(inputs.selector, "a part of the page: search in it instead")
    check_inputs(inputs, house.files)
    if now is None and inputs.live:
        now = moment()
    state, rights = _state(inputs, house, streams, now, lint=lint and not metrics, quiet=quiet)
    with progress(streams.stderr, "writing", quiet=quiet):  # the input is not in memory any more
        page = _metrics(state, rights()) if metrics else _page(state)
    write_file(streams, output, page)
    is_exact = state.shares.fidelity.exact and all(each.fidelity.exact for each in state.waiting)
    contents = f"{count(len(state.waiting), 'waiting workload')} and {count(len(state.findings), 'finding')}"
    print_written(streams, output, f"{contents}, {'exact' if is_exact else 'not exact'}", quiet=quiet)
    return 0


def _page(state: Overview[SharesDetail, WhyDetail]) -> bytes:
    from kubectl_fairshare.report.page.overview import overview_page

    page = BytesIO()
    page.writelines(f"{line}\n".encode() for line in overview_page(state))
    return page.getvalue()


def _metrics(state: Overview[SharesDetail, WhyDetail], rights: Sequence[Entitlement]) -> bytes:
    from kubectl_fairshare.report.metrics import metrics_text

    return metrics_text(state, rights).encode()


def _state(
    inputs: Inputs, house: HouseOptions, streams: Streams, now: int | None, *, lint: bool, quiet: bool
) -> tuple[Overview[SharesDetail, WhyDetail], Callable[[], Sequence[Entitlement]]]:
    """What the page shows, and what finds the rights of queues. Raises ``FairshareError`` for what cannot be read."""
    with progress(streams.stderr, "reading", quiet=quiet):
        with without_collector():
            reading = read_one(inputs, streams, house.spared_kinds)
        found = _findings(reading) if lint else ()  # before the state is made: both use the same memory in turn
        with without_collector():
            sources = Sources(streams.bytes_in, inputs.max_input)
            judged = {manifest.key.kind for manifest in reading.manifests} if lint else set()
            loaded = loaded_from(reading, inputs, house, sources, {*also_read("why"), *judged})
    if not quiet:
        print_notes(loaded.notes, streams, ScreenOptions())
    with progress(streams.stderr, "deciding", quiet=quiet), placing_problems(loaded.places):
        from kubectl_fairshare.policy.overview import overview

        state = overview(loaded.scheduler, loaded.snapshot, _named(reading), findings=found, now=now)
        review, snapshot = loaded.scheduler.review, loaded.snapshot
        return state, lambda: review.entitlements(review.idle(snapshot))


def _named(reading: Reading) -> tuple[str, ...]:
    """What was read, in a few words: the cluster, one or two sources, or how many there are."""
    if reading.extent is not None:
        return ("a cluster",)
    names = sorted(reading.texts)
    return tuple(names) if len(names) <= 2 else (f"{len(names)} files",)


def _findings(reading: Reading) -> tuple[RuleFinding, ...]:
    from kubectl_fairshare.cli.linting.rule_choice import rules_to_run
    from kubectl_fairshare.policy.diff.findings import rule_findings
    from kubectl_fairshare.schedulers import lint_houses

    passing = replace(reading, manifests=tuple(map(replace, reading.manifests)))  # what rules decode goes with them
    with placing_problems(Places(reading.manifests, reading.texts)):
        found, _ = rule_findings(passing, rules_to_run((), (), {}, reading.mentions), lint_houses())
    return found
