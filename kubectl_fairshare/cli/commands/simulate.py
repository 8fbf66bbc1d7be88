"""``simulate``: queues and jobs played forward in time."""

from dataclasses import replace

import click

from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.cli.asking.showing import show
from kubectl_fairshare.cli.options.house import HouseOptions, SectionedCommand, house_options
from kubectl_fairshare.cli.options.shared import ScreenOptions, screen_options
from kubectl_fairshare.cli.progress import progress
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.files.files import MAX_INPUT
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.report.printable import Pictured
from kubectl_fairshare.schedulers import ALL, every_scheduler
from kubectl_fairshare.schedulers.question import UnansweredError
from kubectl_fairshare.schedulers.scheduler import Sources


@click.command("simulate", cls=SectionedCommand, short_help="play queues and jobs forward in time")
@house_options("simulate")
@click.option("--engine", type=click.Choice(ALL), hidden=True)
@click.option(
    "-f", "--filename", required=True, metavar="FILE", help="Scenario file, YAML or JSON; - is standard input."
)
@click.option("--cycles", type=click.IntRange(0, 1_000_000), help="Number of cycles. [from the scenario]")
@screen_options("text", "csv", "json", "yaml", "svg", "html")
@click.pass_obj
def command(
    streams: Streams,
    /,
    house: HouseOptions,
    engine: str | None,
    filename: str,
    cycles: int | None,
    screen: ScreenOptions,
) -> int:
    """Plays queues and jobs forward in time, for schedulers that count past usage.

    Each cycle allocates, reclaims, and adds a sample of usage, which decays. FILE has Cycles, WindowSize,
    HalfLifePeriod, KValue, Nodes, Queues and Jobs. Further fields: MinRuntime (cycles); Limit of a queue; MinMember,
    Start, Duration (cycles) and Preemptible of Jobs, which may be a list. Each entry of Nodes is one node. -o csv
    prints one line for each cycle and queue.

    \b
    kubectl fairshare simulate -f two-queues.yaml
    kubectl fairshare simulate -f two-queues.yaml --k-value 4 -o html > t.html
    kubectl fairshare simulate -f two-queues.yaml --time-aware proposal
    """  # noqa: D301 -- click wants the character
    wished = replace(house, scheduler=house.scheduler or engine)
    with progress(streams.stderr, "simulating", quiet=screen.quiet):
        simulation = _simulation(wished, filename, cycles, Sources(streams.bytes_in, MAX_INPUT))
    if screen.output in ("svg", "html"):
        streams.stdout.write(simulation.svg() if screen.output == "svg" else simulation.html())
        return simulation.exit_code
    return show(simulation, Places({}, Texts()), streams, screen)


def _simulation(house: HouseOptions, filename: str, cycles: int | None, sources: Sources) -> Pictured:
    """The simulation of the scheduler that is wished for, else of the first that has one."""
    wished = [scheduler for scheduler in every_scheduler() if house.scheduler in (None, scheduler.name)]
    for scheduler in wished[:-1]:
        try:
            return scheduler.simulate(filename, cycles, dict(house.settings).get(scheduler.name, {}), sources)
        except UnansweredError:
            continue  # the next may have an answer
    last = wished[-1]
    return last.simulate(filename, cycles, house.of(last), sources)
