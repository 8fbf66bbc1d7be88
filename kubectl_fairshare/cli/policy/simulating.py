"""A simulation as options describe it: the state, the jobs of a scenario or a trace, and changes over time.

Tested in ``tests/unit/policy/simulation/test_command.py``.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_fairshare.cli.asking.load import Loaded, loaded_from, placing_problems
from kubectl_fairshare.cli.asking.reading import check_inputs, print_notes, read_one, read_whole
from kubectl_fairshare.cli.collector import without_collector
from kubectl_fairshare.cli.options.house import HouseOptions
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions
from kubectl_fairshare.cli.policy.scenario_file import JobScenario
from kubectl_fairshare.cli.progress import progress
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.overlay import overlay
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.policy.simulation.parameters import NamedSpan, Parameters, PolicyChange
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.scheduler import Sources

if TYPE_CHECKING:
    from kubectl_fairshare.jobs.history import PastWork

READS: Final = "shares"
"""The command that reads of a cluster what a simulation needs."""


class SimulationOptions(Value, frozen=True):
    """What options say of a simulation; spans are nanoseconds, None where the scenario or the default counts."""

    scenario: str | None = None
    trace: str | None = None
    seed: int = 0
    checkpoint: int | None = None
    stopping: int | None = None
    until: int | None = None
    ready: tuple[NamedSpan, ...] = ()


class GivenJobs(NamedTuple):
    """The jobs and changes that options name: a scenario, a trace, or both. They are read once for all units."""

    scenario: JobScenario | None
    traced: "PastWork | None"


class SimulationQuestion(Value, frozen=True):
    """All that a simulation needs."""

    loaded: Loaded
    jobs: tuple[TracedJob, ...]
    parameters: Parameters
    changes: tuple[PolicyChange, ...] = ()


def given_jobs(
    options: SimulationOptions, inputs: Inputs, house: HouseOptions, streams: Streams, screen: ScreenOptions
) -> GivenJobs:
    """Reads the jobs. Raises ``UsageError`` and ``FairshareError``, each mistake at its line."""
    check_inputs(inputs, tuple(filter(None, (options.scenario, options.trace, *house.files))))
    with progress(streams.stderr, "reading", quiet=screen.quiet), without_collector():
        scenario = JobScenario(options.scenario, streams.bytes_in, inputs.max_input) if options.scenario else None
        traced = past_work(options.trace, streams, inputs) if options.trace else None
    return GivenJobs(scenario, traced)


def simulation_question(
    options: SimulationOptions,
    given: GivenJobs,
    loaded: Loaded,
    inputs: Inputs,
    house: HouseOptions,
    streams: Streams,
    screen: ScreenOptions,
) -> SimulationQuestion:
    """The question about a state that has what it was made of. Raises ``FairshareError``, each mistake at its line."""
    scenario, traced = given
    reading = reading_of(loaded)
    with without_collector():
        changes = tuple(_changes(scenario, reading, inputs, house, streams)) if scenario else ()
    if not screen.quiet:
        print_notes([*_strangers(traced, reading)], streams, screen)
    jobs = (*(traced.jobs if traced else ()), *(scenario.jobs(options.seed) if scenario else ()))
    return SimulationQuestion(loaded, jobs, _parameters(options, scenario, jobs), changes)


def loaded_alone(inputs: Inputs, house: HouseOptions, streams: Streams, screen: ScreenOptions) -> Loaded:
    """The state of input that is one unit, or of the unit that ``--each`` picks, with what it was made of."""
    with progress(streams.stderr, "reading", quiet=screen.quiet), without_collector():
        reading = read_one(replace(inputs, command=READS), streams, house.spared_kinds)
        loaded = loaded_from(reading, inputs, house, Sources(streams.bytes_in, inputs.max_input), keeps=True)
    if not screen.quiet:
        print_notes(loaded.notes, streams, screen)
    return loaded


def reading_of(loaded: Loaded) -> Reading:
    """What a state was made of, which was asked for; without the nodes of an option."""
    assert loaded.reading is not None
    return loaded.reading


def past_work(path: str, streams: Streams, inputs: Inputs) -> "PastWork":
    """The jobs of a trace. Raises ``FairshareError`` for one that cannot be read."""
    from kubectl_fairshare.input.traces.reading import read_trace

    return read_trace(path, stdin=streams.bytes_in, max_input=inputs.max_input)


def _strangers(trace: "PastWork | None", reading: Reading) -> Iterator[Problem]:
    """A note on a redacted trace of whose queues the input has none: pseudonyms match no name of open manifests."""
    if trace is None or not trace.redacted or not trace.jobs:
        return
    keys = [each.key for each in reading.manifests]
    anywhere = {key.name for key in keys if not key.namespace}
    names = {*anywhere, *(name for key in keys for name in (key.name, key.namespace))}
    queues = {(job.queue or job.namespace, job.namespace) for job in trace.jobs}
    # a queue may have a name that stays as it is, such as `main`: then its namespace decides
    if not any(queue in anywhere or {queue, namespace} <= names for queue, namespace in queues):
        message = f"names of the trace are redacted, and the input has none of its queues: {len(queues)}"
        remedy = "simulate the redacted snapshot of the same files, or write the trace with `trace --redact none`"
        yield Problem(message, help=remedy)


def _changes(
    scenario: JobScenario, reading: Reading, inputs: Inputs, house: HouseOptions, streams: Streams
) -> Iterator[PolicyChange]:
    """The states after each change; a change builds on those before it."""
    for change in sorted(scenario.changes, key=lambda change: change.at):
        files = replace(
            inputs,
            filename=change.overlay,
            kustomize=(),
            overlay=(),
            overlay_delete=(),
            each=(),
            nodes=(),
            root=scenario.root,
        )
        added = read_whole(files, streams, house.spared_kinds) if change.overlay else Reading((), Texts())
        reading = overlay(reading, added, change.delete, known_schedulers())
        loaded = loaded_from(reading, inputs, house, Sources(streams.bytes_in, inputs.max_input))
        with placing_problems(loaded.places):
            yield PolicyChange(change.at, loaded.snapshot, change.name)


def _parameters(options: SimulationOptions, scenario: JobScenario | None, jobs: tuple[TracedJob, ...]) -> Parameters:
    """Options come before what the scenario says."""
    spans = {} if scenario is None else scenario.spans
    until = spans.get("until") if options.until is None else options.until
    start = scenario.start if scenario is not None else min((job.created for job in jobs), default=0)
    stopping = spans.get("stopping", 0) if options.stopping is None else options.stopping
    return Parameters(
        seed=options.seed,
        checkpoint=spans.get("checkpoint") if options.checkpoint is None else options.checkpoint,
        stopping=stopping,
        end=None if until is None else start + until,
        sample=spans.get("sample") or None,
        ready=options.ready,
    )
