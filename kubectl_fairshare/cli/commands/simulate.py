"""``simulate``: queues and jobs played forward in time."""

from dataclasses import replace

import click

from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.cli.options.kai_usage import TIME_AWARE_OPTION, check_k
from kubectl_fairshare.cli.options.shared import ScreenOptions, screen_options
from kubectl_fairshare.cli.output import view_of, write_document
from kubectl_fairshare.cli.progress import progress
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.files.files import MAX_INPUT
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.schedulers.kai.model.objects import TimeAware
from kubectl_fairshare.schedulers.kai.reading.scenario import read_scenario
from kubectl_fairshare.schedulers.kai.simulation.simulation import Course, simulate


@click.command(short_help="queues and jobs over time")
@click.option("--engine", type=click.Choice(["kai"]), default="kai", help="Whose fairness over time. [kai]")
@click.option(
    "-f", "--filename", required=True, metavar="FILE", help="The scenario, as YAML or JSON; - is standard input."
)
@click.option("--cycles", type=click.IntRange(0, 1_000_000), help="For how many cycles. [as the scenario says]")
@click.option("--k-value", type=float, metavar="K", help="How much past usage counts. [as the scenario says]")
@TIME_AWARE_OPTION
@screen_options("text", "csv", "json", "yaml", "svg", "html")
@click.pass_obj
def command(
    streams: Streams,
    /,
    engine: str,
    filename: str,
    cycles: int | None,
    k_value: float | None,
    time_aware: str | None,
    screen: ScreenOptions,
) -> int:
    """Plays queues and jobs forward in time: who holds what when past usage counts.

    A cycle allocates, lets jobs reclaim, and adds a sample of usage, which decays. FILE is the input of KAI's own
    time-based simulator (Cycles, WindowSize, HalfLifePeriod, KValue, Nodes, Queues, Jobs), and -o csv gives its
    columns. Further fields: MinRuntime (cycles); Limit of a queue; MinMember, Start, Duration (cycles) and
    Preemptible of Jobs, which may be a list. One node for each entry of Nodes.

    \b
    kubectl fairshare simulate --engine kai -f two-queues.yaml
    kubectl fairshare simulate -f two-queues.yaml --k-value 4 -o html > t.html
    kubectl fairshare simulate -f two-queues.yaml --time-aware proposal
    """  # noqa: D301 -- click wants the character
    del engine
    check_k(k_value, time_aware)
    scenario = read_scenario(filename, streams.bytes_in, MAX_INPUT)
    if cycles is not None:
        scenario = replace(scenario, cycles=cycles)
    if k_value is not None:
        scenario = replace(scenario, k=k_value)
    if time_aware is not None:
        scenario = replace(scenario, time_aware=TimeAware(time_aware))
    with progress(streams.stderr, "simulating", quiet=screen.quiet):
        course = simulate(scenario)
    _show(course, streams, screen)
    return 0


def _show(course: Course, streams: Streams, screen: ScreenOptions) -> None:
    if screen.is_text:
        from kubectl_fairshare.schedulers.kai.words.screens.course import course_screen

        streams.stdout.write(course_screen(course, view_of(streams, screen, Places({}, Texts()))))
    elif screen.output in ("json", "yaml"):
        from kubectl_fairshare.schedulers.kai.documents.course import course_document

        write_document(streams, screen, course_document(course))
    else:
        from kubectl_fairshare.schedulers.kai.words.course_pictures import course_csv, course_html, course_svg

        writers = {"csv": course_csv, "svg": course_svg, "html": course_html}
        streams.stdout.write(writers[screen.output](course))
