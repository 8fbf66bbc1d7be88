"""``cycle``: what the next scheduling cycle does."""

import click

from kubectl_fairshare.cli.asking.answering import answered
from kubectl_fairshare.cli.asking.load import Loaded
from kubectl_fairshare.cli.options.label_selector import refuse
from kubectl_fairshare.cli.options.scheduler import scheduler_of
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions, input_options, screen_options
from kubectl_fairshare.cli.output import view_of, write_document
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.schedulers import KAI, KUEUE, for_snapshot


@click.command(short_help="what the next scheduling cycle does")
@input_options
@screen_options("text", "wide", "json", "yaml", watched=True)
@click.pass_obj
def command(streams: Streams, /, inputs: Inputs, screen: ScreenOptions) -> int:
    """Shows one scheduling cycle over all pending workloads: heads, order, and what becomes of each.

    Of every queue the first workload is looked at, all on the same state; then they are taken one after
    another. Reasons and messages are Kueue's own. Where Kueue leaves the order to chance, that is said.
    It only reads.

    \b
    kubectl fairshare cycle -f org/
    kubectl fairshare cycle -f org/ --classical -o json
    kubectl fairshare cycle --watch
    """  # noqa: D301 -- click wants the character
    refuse(inputs.selector, "a cycle, which is one whole")
    return answered(lambda loaded, on: _show(loaded, on, screen), inputs, streams, screen)


def _show(loaded: Loaded, streams: Streams, screen: ScreenOptions) -> int:
    scheduler = scheduler_of(loaded, None)
    if scheduler == KAI:
        message = "KAI places pods on nodes as it goes, so a whole cycle of it is not told"
        raise UsageError(Problem(message, help="ask about a job: `kubectl fairshare plan -f … -w job.yaml`"))
    if scheduler != KUEUE:
        message = "ElasticQuotas have no queues, so there is no cycle over them"
        raise UsageError(Problem(message, help="ask about a pod: `kubectl fairshare plan -f … -w pod.yaml`"))
    report = for_snapshot(loaded.snapshot).cycle(loaded.snapshot)
    if screen.is_text:
        from kubectl_fairshare.schedulers.kueue.words.screens.cycle import cycle_screen

        streams.stdout.write(cycle_screen(report, view_of(streams, screen, loaded.places)))
        return 0
    from kubectl_fairshare.schedulers.kueue.documents.cycle import cycle_document

    write_document(streams, screen, cycle_document(report, loaded.places))
    return 0
