"""``forecast``: when waiting jobs start, from the state as it is.

Tested in ``tests/unit/policy/forecast/test_command.py``.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import click

from kubectl_fairshare.answers.ages import AsOf
from kubectl_fairshare.answers.forecast import CitedCalibration, Forecast
from kubectl_fairshare.cli.asking.answering import give_answer
from kubectl_fairshare.cli.asking.as_of import as_of
from kubectl_fairshare.cli.asking.load import Loaded, placing_problems
from kubectl_fairshare.cli.asking.showing import show
from kubectl_fairshare.cli.options.house import HouseOptions, SectionedCommand, house_options
from kubectl_fairshare.cli.options.label_selector import refuse
from kubectl_fairshare.cli.options.now_option import now_option
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions, input_options, screen_options
from kubectl_fairshare.cli.options.span import checkpoint_option, named_spans, ready_option, span, stopping_option
from kubectl_fairshare.cli.options.worker_options import WorkerOptions, worker_options
from kubectl_fairshare.cli.policy.simulating import past_work
from kubectl_fairshare.cli.policy.workers import Workers, hiring
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.clock import moment
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.forecast.durations import DurationOptions
from kubectl_fairshare.policy.simulation.parameters import NamedSpan, Parameters
from kubectl_fairshare.report.forecast.screen import ForecastReport
from kubectl_fairshare.schedulers.adoption import Adoption

if TYPE_CHECKING:
    from kubectl_fairshare.policy.forecast.plays import ForecastTerms

_PATH: Final = click.Path(readable=False, dir_okay=False)
_MOST_PLAYS: Final = 10_000
_MOMENTS: Final = 50


@click.command("forecast", cls=SectionedCommand, short_help="when waiting jobs start, and what they wait for")
@click.argument("subject", nargs=-1)
@now_option
@click.option(
    "--duration",
    multiple=True,
    callback=named_spans,
    metavar="NAME=SPAN",
    help="How long jobs run in all: job/train=2h, 'nightly-*=90m'. The first that fits counts. Repeatable.",
)
@click.option(
    "--default-duration",
    callback=span,
    metavar="SPAN",
    help="How long jobs run of which nothing is known. [they have no time]",
)
@click.option("--trace", type=_PATH, metavar="FILE", help="Earlier jobs to take durations from.")
@click.option("--calibrate", type=_PATH, metavar="TRACE", help="Compare forecasts made in a trace with what came.")
@click.option(
    "--moments",
    type=click.IntRange(1, _MOST_PLAYS),
    help="Moments of forecasts with --calibrate. [50]",
)
@click.option("--calibration", type=_PATH, metavar="FILE", help="A calibration to cite, from --calibrate -o json.")
@click.option("--seeds", type=click.IntRange(1, _MOST_PLAYS), default=20, help="How often the state is played. [20]")
@click.option("--seed", type=click.IntRange(0, (1 << 62) - 1), default=0, help="The first seed. [0]")
@click.option("--no-changes", is_flag=True, help="Do not try what would bring named jobs forward.")
@checkpoint_option
@stopping_option
@worker_options("play")
@ready_option
@house_options("forecast")
@input_options
@screen_options("text", "wide", "json", "yaml", "csv", "name", "svg", "markdown", graded=True)
@click.pass_obj
def command(  # noqa: PLR0913, PLR0917 -- one for each option
    streams: Streams,
    /,
    inputs: Inputs,
    screen: ScreenOptions,
    house: HouseOptions,
    subject: tuple[str, ...],
    now: int | None,
    duration: tuple[NamedSpan, ...],
    default_duration: int | None,
    trace: str | None,
    calibrate: str | None,
    moments: int | None,
    calibration: str | None,
    seeds: int,
    seed: int,
    no_changes: bool,
    checkpoint: int | None,
    stopping: int | None,
    crew: WorkerOptions,
    ready: tuple[NamedSpan, ...],
) -> int:
    """Forecasts when waiting jobs start, as an interval, and what they wait for. SUBJECT is KIND/NAME, or a name.

    The state is played on from now by the scheduler's own cycles: what runs keeps what it holds until it ends, what
    waits is tried as the scheduler would try it. How long jobs run is the only guess, and its source is shown: an
    option, a stated limit, the past of such jobs in the input or in --trace, a default. Without any, the answer is
    what a job waits for, in order, and no time. For named jobs, changes that may bring them forward are played, too.
    Exit code 0: answered, 5: no exact answer.

    --calibrate makes forecasts at many moments of a recorded trace, under the policy of the input and with what was
    known then, and compares them with what happened.

    \b
    kubectl fairshare forecast -f dump.json
    kubectl fairshare forecast -f dump.json job/train -n team-b
    kubectl fairshare forecast --trace week.jsonl.gz --duration 'nightly-*=2h'
    kubectl fairshare forecast -f org/ --calibrate week.jsonl -o json > past.json
    """  # noqa: D301 -- click wants the character
    _check(calibrate, moments, subject, now, calibration, inputs)

    def terms(at: AsOf) -> "ForecastTerms":
        from kubectl_fairshare.policy.forecast.plays import ForecastTerms

        lengths = DurationOptions(duration, default_duration)
        past = past_work(trace, streams, inputs).jobs if trace is not None else ()
        parameters = Parameters(seed=seed, checkpoint=checkpoint, stopping=stopping or 0, ready=ready)
        return ForecastTerms(at.moment or 0, at.source, seeds, lengths, past, parameters)

    def compare(loaded: Loaded, on: Streams) -> int:
        return _compared(loaded, str(calibrate), terms(AsOf()), moments or _MOMENTS, inputs, on, screen)

    def answer(loaded: Loaded, on: Streams) -> int:
        at, done = terms(_moment(now, inputs, loaded)), on.report_done
        found = _forecast(loaded, at, subject, inputs, hire, done, tries=not no_changes)
        return show(ForecastReport(replace(found, calibration=_cited(calibration, loaded))), loaded.places, on, screen)

    hire = hiring(crew, streams.stderr, quiet=screen.quiet)
    asked = compare if calibrate else answer
    return give_answer(asked, inputs, house, streams, screen, also_read_for="forecast", doing="forecasting")


def _forecast(
    loaded: Loaded,
    terms: "ForecastTerms",
    subject: Sequence[str],
    inputs: Inputs,
    hire: Callable[[], Workers],
    report_done: Callable[[int, int], None],
    *,
    tries: bool,
) -> Forecast:
    """The forecast for the jobs in question; it ``tries`` changes."""
    from kubectl_fairshare.cli.policy.forecasting import plays_everywhere
    from kubectl_fairshare.policy.forecast.changes import with_changes
    from kubectl_fairshare.policy.forecast.plays import forecast

    scheduler, snapshot = loaded.scheduler, loaded.snapshot
    with placing_problems(loaded.places):
        work = scheduler.adoption(snapshot, terms.now)
        asked = _asked(work, subject, inputs)

        def report_made(plays: int) -> None:
            report_done(plays, terms.plays)

        with plays_everywhere(scheduler, snapshot, work, terms.now, hire, report_made) as play_all:
            found = forecast(scheduler, snapshot, work, terms, asked, play_all)
        return with_changes(scheduler, snapshot, work, terms, found) if tries else found


def _check(
    calibrate: str | None,
    moments: int | None,
    subject: Sequence[str],
    now: int | None,
    calibration: str | None,
    inputs: Inputs,
) -> None:
    """Raises ``UsageError`` for options that do not go together."""
    refuse(inputs.selector, "a part of a forecast: all queues decide together")
    if calibrate is None:
        if moments is not None:
            raise UsageError(Problem("counts moments of a trace", "--moments", "add `--calibrate TRACE`"))
        return
    given = (("SUBJECT", bool(subject)), ("--now", now is not None), ("--calibration", calibration is not None))
    for name, is_given in given:
        if is_given:
            message = "is about a forecast from now, and `--calibrate` makes forecasts at moments of a trace"
            raise UsageError(Problem(message, name, "leave it out"))


def _compared(
    loaded: Loaded,
    path: str,
    terms: "ForecastTerms",
    moments: int,
    inputs: Inputs,
    streams: Streams,
    screen: ScreenOptions,
) -> int:
    """Prints how far forecasts at moments of a trace are from it. Raises ``FairshareError`` where nothing waited."""
    from kubectl_fairshare.policy.forecast.calibration import calibrated_forecasts
    from kubectl_fairshare.report.forecast.calibration import ForecastCalibrationReport

    recorded = past_work(path, streams, inputs)
    with placing_problems(loaded.places):
        scheduler, done = loaded.scheduler, streams.report_done
        found = calibrated_forecasts(scheduler, loaded.snapshot, recorded.jobs, terms, moments, recorded.until, done)
    if found is None:
        remedy = "a calibration needs a trace of a cluster in which jobs waited, with moments of their admission"
        raise FairshareError(Problem(f"no job of `{path}` waited and started", help=remedy))
    said = replace(found, notes=(*recorded.notes, *found.notes))
    return show(ForecastCalibrationReport(said), loaded.places, streams, screen)


def _cited(path: str | None, loaded: Loaded) -> CitedCalibration | None:
    """The calibration to cite, if one is given. Raises ``FairshareError`` for another file."""
    if path is None:
        return None
    from kubectl_fairshare.input.traces.calibration import read_calibration

    return read_calibration(path, loaded.scheduler.name)


def _moment(now: int | None, inputs: Inputs, loaded: Loaded) -> AsOf:
    """The moment from which the state is played on. Raises ``UsageError`` where none is known."""
    at = as_of(moment() if now is None and inputs.live else now, loaded.snapshot.manifests.values())
    if at.moment is None:
        raise UsageError(Problem("no object of the input has a moment", help="add `--now 2026-01-31T12:00:00Z`"))
    return at


def _asked(work: Adoption, subjects: Sequence[str], inputs: Inputs) -> tuple[str, ...]:
    """The jobs behind the names. Raises ``UsageError`` for one that neither waits nor runs."""
    found: list[str] = []
    for each in work.subjects.named(subjects, inputs.namespace, anywhere=not inputs.live) if subjects else ():
        meant = {each.key, *each.workloads}
        names = [job.job.key for job in work.jobs if meant.intersection(job.keys)]
        if not names:
            remedy = "`kubectl fairshare why` says what became of it"
            raise UsageError(Problem(f"{each.key} neither waits nor runs", help=remedy))
        found += names
    return tuple(dict.fromkeys(found))
