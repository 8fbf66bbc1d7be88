"""``cycle``: what the next scheduling cycle decides."""

import click

from kubectl_fairshare.cli.asking.answering import give_answer
from kubectl_fairshare.cli.asking.load import Loaded
from kubectl_fairshare.cli.asking.showing import show
from kubectl_fairshare.cli.options.house import HouseOptions, SectionedCommand, house_options
from kubectl_fairshare.cli.options.label_selector import refuse
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions, input_options, screen_options
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.report.shown import CycleReport


@click.command(cls=SectionedCommand, short_help="what the next scheduling cycle decides")
@house_options("cycle")
@input_options
@screen_options("text", "wide", "json", "yaml", "name", "svg", "markdown", watched=True, graded=True)
@click.pass_obj
def command(streams: Streams, /, inputs: Inputs, screen: ScreenOptions, house: HouseOptions) -> int:
    """Shows the next scheduling cycle: the head of each queue, their order, and the decision for each.

    \b
    kubectl fairshare cycle -f org/
    kubectl fairshare cycle --watch
    """  # noqa: D301 -- click wants the character
    refuse(inputs.selector, "a part of a cycle")

    def answer(loaded: Loaded, on: Streams) -> int:
        return show(CycleReport(loaded.scheduler.cycle(loaded.snapshot)), loaded.places, on, screen)

    return give_answer(answer, inputs, house, streams, screen)
