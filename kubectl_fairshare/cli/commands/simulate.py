"""``simulate``: jobs over time under a policy, decided by the scheduler's own cycles."""

from typing import TYPE_CHECKING

import click

from kubectl_fairshare.answers.timelines import Timelines
from kubectl_fairshare.cli.asking.answering import give_answer
from kubectl_fairshare.cli.asking.load import Loaded
from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.cli.asking.showing import code_of, show
from kubectl_fairshare.cli.options.house import HouseOptions, SectionedCommand, house_options
from kubectl_fairshare.cli.options.label_selector import refuse
from kubectl_fairshare.cli.options.several_options import Several, is_about_several, several_options
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions, input_options, screen_options
from kubectl_fairshare.cli.options.span import checkpoint_option, ready_option, span, stopping_option
from kubectl_fairshare.cli.progress import progress
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.files.files import MAX_INPUT
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.simulation.parameters import NamedSpan
from kubectl_fairshare.schedulers import ALL, every_scheduler
from kubectl_fairshare.schedulers.question import UnansweredError
from kubectl_fairshare.schedulers.scheduler import Sources

if TYPE_CHECKING:
    from kubectl_fairshare.cli.policy.simulating import SimulationOptions

_PATH = click.Path(readable=False, dir_okay=False)
_PICTURES = ("svg", "html")


@click.command("simulate", cls=SectionedCommand, short_help="play jobs forward in time, under this policy")
@house_options("simulate", asks=False)
@click.option("--engine", type=click.Choice(ALL), hidden=True)
@click.option("--scenario", type=_PATH, metavar="FILE", help="Jobs and changes over time, YAML or JSON.")
@click.option("--trace", type=_PATH, metavar="FILE", help="Jobs as they really came, written by `trace`.")
@click.option("--seed", type=click.IntRange(0, (1 << 63) - 1), default=0, help="Seed of ties and of what is drawn. [0]")
@checkpoint_option
@stopping_option
@ready_option
@several_options
@click.option("--until", callback=span, metavar="SPAN", help="Stop so long after the start. [when all is done]")
@click.option("--cycles", type=click.IntRange(0, 1_000_000), help="Cycles of a file of queues. [from the file]")
@input_options
@screen_options("text", "wide", "csv", "json", "yaml", "svg", "html", "parquet", graded=True)
@click.pass_obj
def command(  # noqa: PLR0913, PLR0917 -- one for each option
    streams: Streams,
    /,
    inputs: Inputs,
    house: HouseOptions,
    several: Several,
    engine: str | None,
    scenario: str | None,
    trace: str | None,
    seed: int,
    checkpoint: int | None,
    stopping: int | None,
    ready: tuple[NamedSpan, ...],
    until: int | None,
    cycles: int | None,
    screen: ScreenOptions,
) -> int:
    """Plays jobs forward in time under the policy of the input, decided by the scheduler's own cycles.

    Jobs come from --scenario or --trace; running and waiting work of the input is left out. --overlay-set and --seeds
    compare policies; `simulate sweep` plays every combination of --vary with every seed, and continues where it
    stopped. Without --scenario and --trace, -f is one file of queues and jobs (see --help-all).

    \b
    kubectl fairshare simulate -f org/ --scenario week.yaml
    kubectl fairshare simulate -f org/ --overlay change/ --trace week.jsonl.gz
    kubectl fairshare simulate -f org/ --trace week.jsonl.gz -o html \\
        --overlay-set larger=larger.yaml --seeds 5 > t.html
    kubectl fairshare simulate sweep -f org/ --trace week.jsonl.gz --results s/ \\
        --vary arrivals=1,1.2 --vary ClusterQueue:spec.fairSharing.weight=1,2
    kubectl fairshare simulate -f two-queues.yaml
    """  # noqa: D301 -- click wants the character
    wished = replace(house, scheduler=house.scheduler or engine)
    if scenario is None and trace is None:
        return _of_queues(wished, inputs, cycles, streams, screen)
    refuse(inputs.selector, "a simulation: all queues decide together")
    _check(cycles)
    from kubectl_fairshare.cli.policy.simulating import SimulationOptions

    options = SimulationOptions(scenario, trace, seed, checkpoint, stopping, until, ready)
    if is_about_several(several, screen):
        from kubectl_fairshare.cli.policy.several import give_answer_of_several

        return give_answer_of_several(several, options, inputs, wished, streams, screen)
    return _of_jobs(options, inputs, wished, streams, screen)


def _of_jobs(
    options: "SimulationOptions", inputs: Inputs, house: HouseOptions, streams: Streams, screen: ScreenOptions
) -> int:
    """Plays jobs under the policy of each unit."""
    from kubectl_fairshare.cli.policy.simulating import READS, given_jobs, simulation_question
    from kubectl_fairshare.policy.simulation.run import simulate
    from kubectl_fairshare.report.simulation.screen import SimulationReport

    given = given_jobs(options, inputs, house, streams, screen)

    def answer(loaded: Loaded, on: Streams) -> int:
        question = simulation_question(options, given, loaded, inputs, house, on, screen)
        of, done = question.parameters, on.report_done
        found = simulate(loaded.scheduler, loaded.snapshot, question.jobs, of, question.changes, report_done=done)
        return show(SimulationReport(found), loaded.places, on, screen)

    read = replace(inputs, command=READS)
    return give_answer(answer, read, house, streams, screen, doing="simulating", keeps=True)


def _check(cycles: int | None) -> None:
    """Raises ``UsageError`` for options that belong to a file of queues alone."""
    if cycles is not None:
        raise UsageError(Problem("counts cycles of a file of queues", "--cycles", "use `--until` instead"))


def _of_queues(house: HouseOptions, inputs: Inputs, cycles: int | None, streams: Streams, screen: ScreenOptions) -> int:
    """Plays one file of queues and jobs."""
    if inputs.each:
        raise UsageError(Problem("a file of queues is one unit", "--each", "leave it out"))
    if len(inputs.filename) != 1:
        remedy = "add `--scenario FILE` or `--trace FILE`, or pass one file of queues with `-f`"
        raise UsageError(Problem("no jobs are given", help=remedy))
    if screen.output == "parquet":
        raise UsageError(
            Problem("`parquet` is a form of a comparison", "-o", "add `--trace FILE` or `--scenario FILE`")
        )
    from kubectl_fairshare.report.timelines import TimelinesReport

    sources = Sources(streams.bytes_in, MAX_INPUT)
    with progress(streams.stderr, "simulating", quiet=screen.quiet):
        simulation = TimelinesReport(_simulation(house, inputs.filename[0], cycles, sources))
    if screen.output in _PICTURES:
        streams.stdout.write(simulation.svg() if screen.output == "svg" else simulation.html())
        return code_of(simulation, screen, Places((), Texts()))
    return show(simulation, Places((), Texts()), streams, screen)


def _simulation(house: HouseOptions, filename: str, cycles: int | None, sources: Sources) -> Timelines:
    """The simulation of the scheduler that is wished for, otherwise of the first that has one."""
    wished = [scheduler for scheduler in every_scheduler() if house.scheduler in (None, scheduler.name)]
    for scheduler in wished[:-1]:
        try:
            return scheduler.simulate(filename, cycles, dict(house.settings).get(scheduler.name, {}), sources)
        except UnansweredError:
            continue  # the next may have an answer
    last = wished[-1]
    return last.simulate(filename, cycles, house.of(last), sources)
