"""``simulate sweep``: from options to cells, and from results to a table and a page.

Tested in ``tests/unit/policy/simulation/test_sweeping.py``.
"""

from kubectl_fairshare.cli.asking.load import is_complete
from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.cli.asking.showing import code_of, show
from kubectl_fairshare.cli.options.house import HouseOptions
from kubectl_fairshare.cli.options.several_options import Several
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions
from kubectl_fairshare.cli.policy.comparing import check_files
from kubectl_fairshare.cli.policy.simulating import (
    SimulationOptions,
    SimulationQuestion,
    given_jobs,
    loaded_alone,
    reading_of,
    simulation_question,
)
from kubectl_fairshare.cli.policy.sweep_results import CELL, SweepResults
from kubectl_fairshare.cli.policy.sweeping import PortableStudy, check_cells, run_sweep, study_text
from kubectl_fairshare.cli.policy.workers import Workers, jobs_for
from kubectl_fairshare.cli.progress import progress
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.hypothetical_nodes import with_nodes
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.jobs.history import PastWork
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.policy.simulation.sweep import axis, grid
from kubectl_fairshare.report.simulation.sweep import SweepReport
from kubectl_fairshare.schedulers import known_schedulers


def sweep(
    options: Several,
    of: SimulationOptions,
    inputs: Inputs,
    house: HouseOptions,
    streams: Streams,
    screen: ScreenOptions,
) -> int:
    """Runs the cells that have no result yet, and prints all results; the exit code."""
    axes = [axis(text) for text in options.vary]
    if not axes:
        remedy = "write `--vary arrivals=1,1.2` or `--vary 'ClusterQueue/vision:spec.fairSharing.weight=1,2'`"
        raise UsageError(Problem("a sweep has at least one axis", "--vary", remedy))
    if options.results is None:
        raise UsageError(Problem("a sweep needs a folder for its results", "--results", "write `--results sweep/`"))
    check_files(inputs)
    given = given_jobs(of, inputs, house, streams, screen)
    loaded = loaded_alone(inputs, house, streams, screen)
    study = _study(simulation_question(of, given, loaded, inputs, house, streams, screen), inputs, house)
    cells = list(grid(axes, range(of.seed, of.seed + options.seeds)))
    check_cells(study, cells)
    results = SweepResults(options.results, study_text(study, axes, options.seeds))
    left = sum(not results.has(cell.name) for cell in cells)
    if not screen.quiet:
        streams.stderr.write(f"note: {len(cells):,} simulations, {left:,} to run\n")
    jobs = jobs_for(options.jobs, options.backend, streams.stderr, quiet=screen.quiet)
    with progress(streams.stderr, "simulating", quiet=screen.quiet) as done:
        run_sweep(study, cells, results, Workers(jobs, options.backend, options.address), done)
    report = SweepReport(study.scheduler, tuple(each.key for each in axes), tuple(results.rows), CELL)
    if screen.output == "html":
        streams.stdout.write(report.html())
        return code_of(report, screen, Places((), Texts()))
    return show(report, Places((), Texts()), streams, screen)


def _study(question: SimulationQuestion, inputs: Inputs, house: HouseOptions) -> PortableStudy:
    """What workers need. The jobs travel as the text of a trace. Raises ``UsageError`` for changes over time."""
    from kubectl_fairshare.input.traces.writing import trace_text

    if question.changes:
        remedy = "remove `changes` from the scenario, or compare with `--overlay-set`"
        raise UsageError(Problem("a sweep takes no changes over time", "--scenario", remedy))
    reading = with_nodes(reading_of(question.loaded), inputs.nodes, known_schedulers())
    scheduler, parameters = question.loaded.scheduler, question.parameters
    return PortableStudy(
        reading.manifests,
        frozenset(reading.unread_kinds),
        is_complete(reading, inputs),
        reading.deleted,
        scheduler.name,
        dict(house.of(scheduler)),
        trace_text(PastWork("", "sweep", question.jobs), {}, "none", str),
        (parameters.checkpoint, parameters.stopping, parameters.end),
    )
