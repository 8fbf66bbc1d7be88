"""Policies compared over several seeds, and a trace compared with what the cluster recorded.

Tested in ``tests/unit/policy/simulation/test_comparing.py``.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.cli.asking.answering import answer_once, give_answer
from kubectl_fairshare.cli.asking.load import Loaded
from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.cli.asking.showing import code_of, show
from kubectl_fairshare.cli.options.house import HouseOptions
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions
from kubectl_fairshare.cli.policy.simulating import (
    READS,
    SimulationOptions,
    SimulationQuestion,
    given_jobs,
    loaded_alone,
    simulation_question,
)
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.values import replace

if TYPE_CHECKING:
    from kubectl_fairshare.answers.simulation import Simulation
    from kubectl_fairshare.model.job_trace import TracedJob
    from kubectl_fairshare.policy.simulation.parameters import Parameters
    from kubectl_fairshare.report.simulation.comparison import ComparisonReport

AS_IT_IS: Final = "as it is"
"""The name of the input without overlays."""
OVERLAID: Final = "with overlay"
"""The name of the input with ``--overlay`` and ``--overlay-delete``."""


def overlay_sets(texts: tuple[str, ...], inputs: Inputs) -> Mapping[str, tuple[str, ...]]:
    """The overlays of each policy by its name, the input as it is first. Raises ``UsageError``.

    ``NAME=PATH`` adds a file to the policy of that name; ``--overlay`` is a policy of its own.
    """
    sets: dict[str, tuple[str, ...]] = {AS_IT_IS: ()}
    if inputs.overlay or inputs.overlay_delete:
        sets[OVERLAID] = inputs.overlay
    for text in texts:
        name, equals, path = text.partition("=")
        if not equals or not name or not path or name in (AS_IT_IS, OVERLAID):
            remedy = "write `--overlay-set larger=quota.yaml`"
            raise UsageError(Problem(f"`{text}` is not NAME=PATH", "--overlay-set", remedy))
        sets[name] = (*sets.get(name, ()), path)
    return sets


def check_files(inputs: Inputs) -> None:
    """Raises ``UsageError`` for a cluster: its state changes while it is read once for each policy."""
    if inputs.live:
        remedy = "save the state first: `kubectl fairshare snapshot -o cluster.json.gz`"
        raise UsageError(Problem("several policies are compared on files, not on a cluster", help=remedy))


def compare(
    options: SimulationOptions,
    sets: Mapping[str, tuple[str, ...]],
    seeds: int,
    inputs: Inputs,
    house: HouseOptions,
    streams: Streams,
    screen: ScreenOptions,
) -> int:
    """Prints the figures of each policy over ``seeds`` seeds, and their differences; returns the exit code."""
    from kubectl_fairshare.policy.simulation.compare import compared
    from kubectl_fairshare.report.simulation.comparison import ComparisonReport

    check_files(inputs)
    given = given_jobs(options, inputs, house, streams, screen)
    others = {name: paths for name, paths in sets.items() if name != AS_IT_IS}

    def answer(loaded: Loaded, on: Streams) -> int:
        states = {AS_IT_IS: (inputs, loaded)}
        for name, paths in others.items():
            overlaid = replace(inputs, overlay=paths, overlay_delete=inputs.overlay_delete if name == OVERLAID else ())
            states[name] = overlaid, loaded_alone(overlaid, house, on, replace(screen, quiet=True))
        questions = {
            name: simulation_question(options, given, state, read, house, on, _noted(screen, name))
            for name, (read, state) in states.items()
        }
        runs: dict[str, list[Simulation]] = {name: [] for name in questions}
        for name, question in questions.items():
            for number in range(seeds):
                on.report_done(sum(map(len, runs.values())), len(questions) * seeds)
                runs[name].append(_simulation(question, number))
        return _show(ComparisonReport(compared(loaded.scheduler.version, runs)), on, screen)

    plain = replace(inputs, overlay=(), overlay_delete=(), command=READS)
    if others:  # each has its own state, of one unit
        return answer_once(answer, loaded_alone(plain, house, streams, screen), streams, screen, "simulating")
    return give_answer(answer, plain, house, streams, screen, doing="simulating", keeps=True)


def _show(report: "ComparisonReport", streams: Streams, screen: ScreenOptions) -> int:
    """Writes a comparison; the exit code."""
    if screen.output == "html":
        streams.stdout.write(report.html())
        return code_of(report, screen, Places((), Texts()))
    if screen.output == "parquet":
        return _write_parquet(report, streams, screen)
    return show(report, Places((), Texts()), streams, screen)


def _noted(screen: ScreenOptions, name: str) -> ScreenOptions:
    """Notes are printed on the first policy alone."""
    return screen if name == AS_IT_IS else replace(screen, quiet=True)


def _simulation(question: SimulationQuestion, number: int) -> "Simulation":
    """The simulation with the ``number``-th seed."""
    first = question.parameters
    return _played(question, replace(first, seed=first.seed + number), question.jobs)


def _write_parquet(report: "ComparisonReport", streams: Streams, screen: ScreenOptions) -> int:
    from kubectl_fairshare.cli.policy.sweep_results import parquet_bytes
    from kubectl_fairshare.cli.writing import STDOUT, write_file
    from kubectl_fairshare.report.simulation.comparison import TITLES, rows

    if streams.stdout.isatty():
        raise UsageError(Problem("Parquet cannot be printed on a terminal", "--output", "add `> FILE.parquet`"))
    found = [dict(zip(TITLES, row, strict=True)) for row in rows(report.comparison)]
    write_file(streams, STDOUT, parquet_bytes(found))
    return code_of(report, screen, Places((), Texts()))


def _about_stopping(question: SimulationQuestion) -> Iterator[str]:
    """A note where the cluster evicted work and the simulation lets it go at once: pods need a while to stop."""
    if not question.parameters.stopping and any(job.evictions for job in question.jobs):
        yield "evicted work releases its quota at once; `--stopping 1s` says how long its pods still hold it"


def calibrate(
    options: SimulationOptions, inputs: Inputs, house: HouseOptions, streams: Streams, screen: ScreenOptions
) -> int:
    """Prints how far the simulation of a trace is from what the cluster recorded; the exit code."""
    from kubectl_fairshare.policy.simulation.calibration import calibrated
    from kubectl_fairshare.policy.simulation.resuming import Resumption
    from kubectl_fairshare.report.simulation.calibration import CalibrationReport

    if screen.output in ("html", "svg", "parquet"):
        raise UsageError(Problem(f"`--calibrate` has no `-o {screen.output}`", "--output", "write text, json or csv"))
    given = given_jobs(options, inputs, house, streams, screen)

    def answer(loaded: Loaded, on: Streams) -> int:
        question = simulation_question(options, given, loaded, inputs, house, on, screen)
        simulation = _played(question, question.parameters, question.jobs)
        resumption = Resumption(question.jobs, question.parameters, partial(_played, question))
        notes = tuple(_about_stopping(question))
        found = calibrated(simulation, loaded.scheduler.version, notes, resumption=resumption)
        return show(CalibrationReport(found), Places((), Texts()), on, screen)

    read = replace(inputs, command=READS)
    return give_answer(answer, read, house, streams, screen, doing="simulating", keeps=True)


def _played(
    question: SimulationQuestion,
    parameters: "Parameters",
    jobs: "Sequence[TracedJob]",
    enters: Mapping[str, int] | None = None,
) -> "Simulation":
    from kubectl_fairshare.policy.simulation.run import simulate

    loaded = question.loaded
    return simulate(loaded.scheduler, loaded.snapshot, jobs, parameters, question.changes, enters)
