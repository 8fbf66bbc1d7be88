"""``why``: the reason for the state of a workload, or a line for each waiting workload."""

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from kubectl_fairshare.answers.ages import AsOf
from kubectl_fairshare.answers.details import WhyDetail
from kubectl_fairshare.answers.fidelity import NOT_GIVEN, merged_fidelity
from kubectl_fairshare.answers.forecast import Forecast
from kubectl_fairshare.answers.standing import Verdict, WhyAnswer
from kubectl_fairshare.cli.asking.answering import give_answer
from kubectl_fairshare.cli.asking.as_of import as_of
from kubectl_fairshare.cli.asking.load import Loaded, placing_problems
from kubectl_fairshare.cli.asking.showing import show
from kubectl_fairshare.cli.options.house import HouseOptions, SectionedCommand, house_options
from kubectl_fairshare.cli.options.label_selector import picked
from kubectl_fairshare.cli.options.now_option import now_option
from kubectl_fairshare.cli.options.origin import origin_of
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions, input_options, screen_options
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.clock import moment
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.phrases import did_you_mean, likely, some_of
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import fields, replace
from kubectl_fairshare.report.next_steps import GivenOptions
from kubectl_fairshare.report.waiting import SORTS, Listing, WaitingReport
from kubectl_fairshare.report.why import WhyReport
from kubectl_fairshare.schedulers.question import SharesQuestion, WhyQuestion

if TYPE_CHECKING:
    from kubectl_fairshare.report.churn import ChurnReport


@click.command("why", cls=SectionedCommand)
@click.argument("subject", nargs=-1)
@now_option
@click.option("--sort", type=click.Choice(SORTS), default=SORTS[0], help="Order of the list. [worst]")
@click.option("--queue", default="", metavar="NAME", help="List only workloads of this queue.")
@click.option("--resource", default="", metavar="NAME", help="List only workloads that need this resource.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="List at most N workloads. [20 of a long list on a terminal]",
)
@click.option("--forecast", is_flag=True, help="Say when waiting workloads start, by playing the state on.")
@click.option("--churn", is_flag=True, help="List what was evicted again and again.")
@click.option(
    "--trace",
    type=click.Path(readable=False, dir_okay=False),
    metavar="FILE",
    help="With --churn: jobs of this trace.",
)
@house_options("why")
@input_options
@screen_options(
    *("text", "wide", "json", "jsonl", "yaml", "csv", "name", "svg", "markdown"), watched=True, brief=True, graded=True
)
@click.pass_context
def command(  # noqa: PLR0913, PLR0917 -- one for each option
    ctx: click.Context,
    /,
    inputs: Inputs,
    screen: ScreenOptions,
    house: HouseOptions,
    subject: tuple[str, ...],
    now: int | None,
    forecast: bool,
    churn: bool,
    trace: str | None,
    **chosen: Any,
) -> int:
    """Explains why a job is pending, preempted or running. SUBJECT is KIND/NAME, or just a name.

    Shows what binds and by how much, which workloads hold it, which are ahead, what would help, and what the
    cluster recorded. Without SUBJECT it lists the waiting workloads, worst first;
    -o wide groups them by what binds. Files are listed with every namespace, a cluster with one unless -A is given.
    Exit code 0: answered, 5: no exact answer.

    \b
    kubectl fairshare why -f dump.json job/train -n team-b
    kubectl fairshare why -f dump.json team-b/workload/job-train-6dbb4
    kubectl fairshare why -f dump.json -A
    kubectl fairshare why -A --watch
    kubectl fairshare why -A --churn
    kubectl fairshare why -A --forecast
    """  # noqa: D301 -- click wants the character
    streams = ctx.find_object(Streams)
    if streams is None:
        raise LookupError("streams")
    choice = Listing(**chosen)
    _check_subject(subject, choice, inputs)
    _check_churn(subject, choice, churn=churn, forecast=forecast, trace=trace)
    said = ctx.get_parameter_source("namespace") is ParameterSource.COMMANDLINE
    if now is None and inputs.live and screen.interval is None:  # with --watch, ages alone are not a change
        now = moment()

    def answer(loaded: Loaded, on: Streams) -> int:
        all_of_files = not said and not inputs.live
        within = None if not subject and (inputs.everywhere or all_of_files) else inputs.namespace
        if said and not subject and not inputs.live and within is not None:
            _check_namespace(within, loaded.snapshot)
        if churn:
            return show(_churn(loaded, within, trace, inputs, on), loaded.places, on, screen)
        ages = as_of(now, loaded.snapshot.manifests.values())
        meant = None if inputs.selector is None else picked(loaded.snapshot.manifests, inputs.selector)
        shown = None if choice.limit is None else choice.shown
        question = WhyQuestion(subject, within, not said, meant, now, shown)
        with placing_problems(loaded.places):
            answers = loaded.scheduler.why(loaded.snapshot, question)
        starts = _starts(answers if subject else None, loaded, ages, on, quiet=screen.quiet) if forecast else None
        if subject:
            named = WhyReport(answers, origin_of(ctx, loaded.unit), ages, _takers(answers, loaded), starts)
            return show(named, loaded.places, on, screen)
        report = _waiting(answers, question, loaded, choice, origin_of(ctx, loaded.unit), ages)
        return show(replace(report, forecast=starts), loaded.places, on, screen)

    return give_answer(answer, inputs, house, streams, screen, also_read_for="why")


def _check_subject(subject: tuple[str, ...], choice: Listing, inputs: Inputs) -> None:
    """Raises ``UsageError`` for options of the list with a name, and of names without one."""
    if subject and choice != Listing():
        raise UsageError(Problem("orders and filters the list", _given(choice), "remove it, or the name"))
    if subject and inputs.everywhere:
        raise UsageError(Problem("cannot be used with a name", "--all-namespaces", "remove the name or `-A`"))


def _check_churn(subject: tuple[str, ...], choice: Listing, *, churn: bool, forecast: bool, trace: str | None) -> None:
    """Raises ``UsageError`` for options that do not go together with a list of evictions."""
    if not churn:
        if trace is not None:
            raise UsageError(Problem("names the jobs of a list of evictions", "--trace", "add `--churn`"))
        return
    if subject or forecast or choice != Listing():
        problem = "lists what was evicted again and again, without names, other orders or forecasts"
        raise UsageError(Problem(problem, "--churn", "leave the others out"))


def _churn(loaded: Loaded, within: str | None, trace: str | None, inputs: Inputs, streams: Streams) -> "ChurnReport":
    """What was evicted again and again, in the input or in a trace; ``within`` a namespace, or all."""
    from kubectl_fairshare.cli.policy.simulating import past_work
    from kubectl_fairshare.policy.churn import churn
    from kubectl_fairshare.report.churn import ChurnReport

    with placing_problems(loaded.places):
        given = None if trace is None else past_work(trace, streams, inputs)
        past = loaded.scheduler.history(loaded.snapshot, evicted=True) if given is None else given
        noted = loaded.scheduler.evictions(loaded.snapshot) if trace is None else {}
    if within is not None:
        past = replace(past, jobs=tuple(job for job in past.jobs if job.namespace == within))
        noted = {name: each for name, each in noted.items() if name.startswith(f"{within}/")}
    return ChurnReport(churn(past, noted, loaded.scheduler.name))


def _starts(
    answers: tuple[WhyAnswer[WhyDetail], ...] | None, loaded: Loaded, ages: AsOf, on: Streams, *, quiet: bool
) -> Forecast:
    """When those that wait start; ``answers`` are about those in question, None: all."""
    from kubectl_fairshare.cli.policy.forecasting import starts_of

    keys = None if answers is None else {key for each in answers for key in (each.key, each.job) if key is not None}
    return starts_of(loaded, ages, keys, on, quiet=quiet)


def _waiting(
    answers: tuple[WhyAnswer[WhyDetail], ...],
    question: WhyQuestion,
    loaded: Loaded,
    choice: Listing,
    origin: GivenOptions,
    ages: AsOf,
) -> WaitingReport:
    """The list of what waits, with what is known of all of it."""
    listed = frozenset(each.key for each in answers if each.key is not None)
    unlisted = loaded.scheduler.unlisted(loaded.snapshot, question, listed)
    known, general = [each.fidelity for each in answers], loaded.scheduler.unjudged(loaded.snapshot)
    if not known:
        known = [loaded.scheduler.review.fidelity(loaded.snapshot)]
        general = (*(gap for gap in known[0].gaps if gap.feature != NOT_GIVEN), *general)
    name, fidelity = loaded.scheduler.name, merged_fidelity(known, general)
    counts = None
    if question.namespace is None and question.picked is None:
        counts = loaded.scheduler.counts(loaded.snapshot)
        unlisted = unlisted[1:]  # without the running ones, which are counted
    return WaitingReport(name, fidelity, answers, unlisted, question.namespace, choice, origin, general, ages, counts)


def _takers(answers: tuple[WhyAnswer[WhyDetail], ...], loaded: Loaded) -> dict[str, str]:
    """Which queues hold what the workloads lack, by the titles of the answers."""
    if not any(answer.verdict is Verdict.NOT_NOW and answer.held for answer in answers):
        return {}
    from kubectl_fairshare.report.taken import taken_clause

    trees = loaded.scheduler.shares(loaded.snapshot, SharesQuestion()).trees
    return {answer.title: taken_clause(answer, trees) for answer in answers}


def _check_namespace(name: str, snapshot: Snapshot) -> None:
    """Raises ``UsageError`` for a namespace that no object of the input has."""
    known = {*snapshot.namespaces, *(key.namespace for key in snapshot.manifests if key.namespace)}
    if name not in known:
        remedy = did_you_mean(likely(name, sorted(known))) or f"the input has {some_of(sorted(known), 5) or 'none'}"
        raise UsageError(Problem(f"namespace `{name}` is not in the input", "--namespace", remedy))


def _given(choice: Listing) -> str:
    """The first of the options that order and filter the list."""
    name = next(f.name for f in fields(Listing) if getattr(choice, f.name) != getattr(Listing(), f.name))
    return f"--{name}"
