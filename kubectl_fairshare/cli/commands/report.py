"""``report``: one page with everything about a state, or several, to open in a browser."""

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Final, TypeAlias

import click

from kubectl_fairshare.answers.details import SharesDetail, WhyDetail
from kubectl_fairshare.answers.diff import RuleFinding
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.outcome import EXIT_UNREAD
from kubectl_fairshare.answers.overview import Overview
from kubectl_fairshare.answers.review import Entitlement
from kubectl_fairshare.cli.asking.as_of import as_of
from kubectl_fairshare.cli.asking.by_unit import placed, read_each
from kubectl_fairshare.cli.asking.load import Loaded, loaded_from, placing_problems
from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.cli.asking.reading import check_inputs, print_notes, read_one
from kubectl_fairshare.cli.collector import without_collector
from kubectl_fairshare.cli.options.house import HouseOptions, SectionedCommand, also_read, house_options
from kubectl_fairshare.cli.options.label_selector import refuse
from kubectl_fairshare.cli.options.now_option import now_option
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions, input_options
from kubectl_fairshare.cli.progress import progress
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.cli.writing import STDOUT, print_written, write_file
from kubectl_fairshare.input.clock import moment
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.scheduler import Sources

if TYPE_CHECKING:
    from kubectl_fairshare.cli.topics import Topic

_State: TypeAlias = Overview[SharesDetail, WhyDetail]
_Rights: TypeAlias = tuple[_State, Callable[[], Sequence[Entitlement]]]
"""What a page shows of one unit, and what finds the rights of its queues."""
_NAMED: Final = 2
"""Files and folders that the head of a page names."""
_PATH = click.Path(readable=False, dir_okay=False)


@click.command("report", cls=SectionedCommand, short_help="one page with everything, to open in a browser")
@click.option(
    "-o", "--output", type=_PATH, default=STDOUT, metavar="FILE", help="Page to write; - is standard output. [-]"
)
@click.option("--lint/--no-lint", default=True, help="Include lint findings. [--lint]")
@click.option("--forecast", is_flag=True, help="Say when waiting workloads start, by playing the state on.")
@click.option("--metrics", is_flag=True, help="Write the figures of all queues as OpenMetrics, instead of a page.")
@now_option
@house_options("report")
@input_options
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
    forecast: bool,
    metrics: bool,
    now: int | None,
    quiet: bool,
) -> int:
    """Writes one HTML page: the tree of queues, what waits and why, what may be preempted, lint findings.

    The page is one file and loads nothing from elsewhere. A repository of several clusters is one page with a switch.
    It works without JavaScript; with it, the page switches, sorts, searches (press /) and copies tables as CSV. It can
    be printed, and follows the light or dark setting of the browser. On a cluster it needs the permissions of
    `snapshot`. --metrics is for Prometheus, about one cluster, see docs/metrics.md.

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
    is_page = not metrics
    asked = _PageOptions(
        inputs, house, now, lint=lint and is_page, helps=is_page, starts=forecast and is_page, quiet=quiet
    )
    states, unread = _states(asked, streams, one=metrics)
    with progress(streams.stderr, "writing", quiet=quiet):  # the input is not in memory any more
        page = _metrics(*states[0]) if metrics else _page([state for state, _ in states], unread)
    write_file(streams, output, page)
    print_notes(unread, streams, ScreenOptions(), "error")
    print_written(streams, output, _contents([state for state, _ in states]), quiet=quiet)
    return EXIT_UNREAD if unread else 0


class _PageOptions(Value, frozen=True):
    """What the options say: the input, and what of it the page is to have."""

    inputs: Inputs
    house: HouseOptions
    now: int | None
    lint: bool
    helps: bool
    starts: bool
    quiet: bool


def _contents(states: Sequence[_State]) -> str:
    exact = all(map(_is_exact, states))
    waiting = count(sum(len(each.waiting) for each in states), "waiting workload")
    findings = count(sum(len(each.findings) for each in states), "finding")
    of = f"{count(len(states), 'cluster')}, " if len(states) > 1 else ""
    return f"{of}{waiting} and {findings}, {'exact' if exact else 'not exact'}"


def _is_exact(state: _State) -> bool:
    """Whether every answer of a page is: shares, what waits, and who may preempt what runs."""
    running = state.running.found and state.running.doubt
    return state.shares.fidelity.exact and all(each.fidelity.exact for each in state.waiting) and not running


def _page(states: Sequence[_State], unread: Sequence[Problem]) -> bytes:
    from kubectl_fairshare.cli.topics import normal, shipped_topics
    from kubectl_fairshare.report.page.overview import overview_page

    topics = shipped_topics()
    page = BytesIO()
    lines = overview_page(states, lambda word: _meaning(topics.get(normal(word))), [*map(placed, unread)])
    page.writelines(f"{line}\n".encode() for line in lines)
    return page.getvalue()


def _meaning(topic: "Topic | None") -> str:
    return "" if topic is None else topic.paragraphs[0]


def _metrics(state: _State, rights: Callable[[], Sequence[Entitlement]]) -> bytes:
    from kubectl_fairshare.report.metrics import metrics_text

    return metrics_text(state, rights()).encode()


def _states(asked: _PageOptions, streams: Streams, *, one: bool) -> tuple[list[_Rights], list[Problem]]:
    """What the page shows of each unit with quotas, and what keeps others from being read.

    ``one``: the input must be one unit. Raises ``FairshareError`` where nothing can be read.
    """
    inputs, spared = asked.inputs, asked.house.spared_kinds
    with progress(streams.stderr, "reading", quiet=asked.quiet), without_collector():
        units, notes = ([("", read_one(inputs, streams, spared))], []) if one else read_each(inputs, streams, spared)
    found: list[tuple[Loaded, _Rights]] = []
    unread: list[Problem] = []
    while units:
        name, reading = units.pop(0)  # what was read of a unit may go before that of the next one is decided
        try:
            state = _state(asked, streams, name, reading)
            found.append(state)
            notes += state[0].notes
        except FairshareError as error:
            if not (name and (units or found)):
                raise
            unread += error.problems
    if not asked.quiet:
        print_notes(list(dict.fromkeys(notes)), streams, ScreenOptions())
    held = [state for loaded, state in found if loaded.scheduler.holds(loaded.snapshot)]
    return held or [state for _, state in found], unread


def _state(asked: _PageOptions, streams: Streams, name: str, reading: Reading) -> tuple[Loaded, _Rights]:
    """The state that was read, and what the page shows of it, with what finds the rights of queues."""
    with progress(streams.stderr, "reading", quiet=asked.quiet):
        found = _findings(reading) if asked.lint else ()  # before the state is made: both use the same memory in turn
        with without_collector():
            sources = Sources(streams.bytes_in, asked.inputs.max_input)
            judged = {manifest.key.kind for manifest in reading.manifests} if asked.lint else set()
            loaded = loaded_from(reading, asked.inputs, asked.house, sources, {*also_read("why"), *judged})
    with progress(streams.stderr, "deciding", quiet=asked.quiet), placing_problems(loaded.places):
        from kubectl_fairshare.policy.overview import overview

        ages = as_of(asked.now, loaded.snapshot.manifests.values())
        place, read = name or _place(asked.inputs), _read(reading)
        state = overview(loaded.scheduler, loaded.snapshot, place, read, findings=found, ages=ages, helps=asked.helps)
        if asked.starts:
            from kubectl_fairshare.cli.policy.forecasting import starts_of

            state = replace(state, forecast=starts_of(loaded, ages, None, streams, quiet=asked.quiet))
        review, snapshot = loaded.scheduler.review, loaded.snapshot
        return loaded, (state, lambda: review.entitlements(review.idle(snapshot)))


def _place(inputs: Inputs) -> str:
    """The cluster, by its context, or what was named: files and folders."""
    if inputs.live:
        from kubectl_fairshare.input.cluster.kubeconfig import chosen_cluster

        chosen = chosen_cluster(inputs.access)
        return f"cluster {chosen.context}" if chosen is not None and chosen.context else "the cluster of this pod"
    return some_of([*inputs.filename, *inputs.kustomize], _NAMED)


def _read(reading: Reading) -> tuple[str, ...]:
    """How many files were read, where there are several."""
    return () if reading.extent is not None or len(reading.texts) < _NAMED else (f"{len(reading.texts)} files",)


def _findings(reading: Reading) -> tuple[RuleFinding, ...]:
    from kubectl_fairshare.cli.linting.rule_choice import rules_to_run
    from kubectl_fairshare.policy.diff.findings import rule_findings
    from kubectl_fairshare.schedulers import lint_houses

    passing = replace(reading, manifests=tuple(map(replace, reading.manifests)))  # what rules decode goes with them
    with placing_problems(Places(reading.manifests, reading.texts)):
        found, _ = rule_findings(passing, rules_to_run((), (), {}, reading.mentions), lint_houses())
    return found
