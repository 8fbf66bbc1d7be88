"""``shares``: who holds what."""

from dataclasses import field
from typing import TYPE_CHECKING, Any

import click

from kubectl_fairshare.cli.asking.answering import answered
from kubectl_fairshare.cli.asking.load import Loaded
from kubectl_fairshare.cli.asking.selection import SORTS, Selection, check_pairs, queue_named, selected
from kubectl_fairshare.cli.options.kai_usage import OverTime, check_over_time, in_time, over_time_options
from kubectl_fairshare.cli.options.label_selector import picked, refuse
from kubectl_fairshare.cli.options.scheduler import scheduler_of, scheduler_option
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions, input_options, screen_options
from kubectl_fairshare.cli.options.watch_options import check_watched
from kubectl_fairshare.cli.output import view_of, write_document
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.selectors import LabelSelector
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers import ELASTICQUOTA, KAI, KUEUE, for_snapshot
from kubectl_fairshare.schedulers.kueue.explain.shares import ShareTree
from kubectl_fairshare.schedulers.kueue.model.state import KueueState

if TYPE_CHECKING:
    from kubectl_fairshare.cli.asking.kai_shares import KaiAsked

_ROWS = ("csv", "name")


@dataclass(frozen=True, slots=True)
class _Asked:
    """The options of this command alone."""

    queue: str | None
    resource: tuple[str, ...]
    flavor: tuple[str, ...]
    sort: str
    by: str | None
    explain: str | None
    saturated: bool
    request: tuple[str, ...]
    scheduler: str | None = None
    requests: tuple[str, ...] = ()
    demand: str | None = None
    shard: str | None = None
    over_time: OverTime = field(default_factory=OverTime)

    def of_kai(self) -> list[str]:
        """The options given that only KAI's queues answer."""
        given = {"--requests": self.requests, "--demand": self.demand, "--shard": self.shard}
        return [*(name for name, on in given.items() if on), *self.over_time.given()]

    def of_queues(self) -> list[str]:
        """The options given that ask about queues."""
        given = {
            "--queue": self.queue is not None,
            "--flavor": bool(self.flavor),
            "--sort": self.sort != "name",
            "--by": self.by is not None,
            "--explain": self.explain is not None,
            "--saturated": self.saturated,
        }
        return [name for name, on in given.items() if on]


@click.command(short_help="who holds what")
@input_options
@screen_options("text", "wide", "json", "yaml", "csv", "name", watched=True)
@click.option(
    "--queue", metavar="NAME", help="Only this ClusterQueue, Cohort, or NAMESPACE/LOCALQUEUE, with ancestors."
)
@click.option("--resource", multiple=True, metavar="NAME", help="Only this resource; may be repeated.")
@click.option("--flavor", multiple=True, metavar="NAME", help="Only this flavor; may be repeated.")
@click.option(
    "--sort",
    type=click.Choice(SORTS),
    default="name",
    metavar="COLUMN",
    help=f"Order of siblings, largest first: {', '.join(SORTS)}. [name]",
)
@click.option("--by", type=click.Choice(["localqueue", "namespace"]), help="Usage added up by LocalQueue or namespace.")
@click.option("--explain", metavar="QUEUE", help="Derive every number of a ClusterQueue or Cohort, term by term.")
@click.option(
    "--saturated", is_flag=True, help="What would each queue hold if all had an endless backlog of one unit workload?"
)
@click.option(
    "--request",
    multiple=True,
    metavar="RES=AMOUNT",
    help="The unit workload of --saturated. [1 of the only accelerator, else of the only resource]",
)
@click.option(
    "--requests", multiple=True, metavar="QUEUE=R=Q,…", help="KAI: as if a queue asked for this: team=gpu=20,cpu=64."
)
@click.option("--demand", type=click.Choice(["unlimited"]), help="KAI: as if every queue asked for all there is.")
@click.option("--shard", metavar="NAME", help="KAI: the SchedulingShard asked about. [the one of no node pool]")
@over_time_options
@scheduler_option
@click.pass_obj
def command(streams: Streams, /, inputs: Inputs, screen: ScreenOptions, **chosen: Any) -> int:
    """Shows the cohort forest: quota, usage, borrowing, lending and shares of every queue.

    A first table has each node's weight, fair share and workloads; then there is a tree for each flavor and
    resource, and who could be asked to give back what. -o wide shows every column. It only reads.

    Where the input holds KAI's Queues instead: quota, limit, weight, what is asked for and held, and the fair
    share of every queue. Where it holds ElasticQuotas, their minima, maxima and use, namespace by namespace.

    \b
    kubectl fairshare shares -f org/
    kubectl fairshare shares -f org/ --queue team-a/main --resource nvidia.com/gpu
    kubectl fairshare shares --by namespace --sort usage --watch
    kubectl fairshare shares -f org/ --explain vision
    kubectl fairshare shares -f org/ --saturated --request nvidia.com/gpu=1
    kubectl fairshare shares -f org/ --overlay pull-request/ -o csv
    kubectl fairshare shares -f kai/ --explain vision --requests vision=gpu=20
    kubectl fairshare shares -f kai/ --usage usage.yaml --time-aware proposal
    kubectl fairshare shares -f kai/ --prometheus http://localhost:9090
    """  # noqa: D301 -- click wants the character
    asked = _Asked(**chosen)
    _check(asked, screen)
    check_over_time(asked.over_time, *inputs.filename, *inputs.overlay)
    check_watched(screen.interval, *asked.over_time.files)
    doing = "running cycles to rest" if asked.saturated else "adding up"
    return answered(lambda loaded, on: _answer(loaded, asked, inputs, on, screen), inputs, streams, screen, doing=doing)


def _answer(loaded: Loaded, asked: _Asked, inputs: Inputs, streams: Streams, screen: ScreenOptions) -> int:
    """Shows what the scheduler makes of it that is asked; raises ``UsageError`` for options of another one."""
    scheduler = scheduler_of(loaded, asked.scheduler)
    if scheduler != KUEUE or asked.explain is not None or asked.saturated:
        refuse(inputs.selector, "this, but from the tree of Kueue's queues")
    if scheduler == KAI:
        from kubectl_fairshare.cli.asking import kai_shares

        question, loaded = _of_kai(asked), kai_shares.in_shard(loaded, asked.shard)
        return kai_shares.answer(in_time(loaded, asked.over_time, inputs, streams, screen), question, streams, screen)
    if asked.of_kai():
        raise UsageError(Problem(f"`{asked.of_kai()[0]}` asks about KAI's queues, and the input holds none"))
    if scheduler == ELASTICQUOTA:
        from kubectl_fairshare.cli.asking.elasticquota_shares import answer

        return answer(loaded, asked.resource, asked.of_queues(), streams, screen)
    if asked.explain is not None:
        return _explain(loaded, asked.explain, streams, screen)
    if asked.saturated:
        return _saturate(loaded, asked, streams, screen)
    return _show(loaded, asked, inputs.selector, streams, screen)


def _of_kai(asked: _Asked) -> "KaiAsked":
    """The question to KAI. Raises ``UsageError`` for options that only Kueue's queues answer."""
    from kubectl_fairshare.cli.asking.kai_shares import KaiAsked

    kueue = [name for name in asked.of_queues() if name not in ("--queue", "--explain")]
    kueue += [name for name, on in (("--resource", asked.resource), ("--request", asked.request)) if on]
    if kueue:
        raise UsageError(Problem(f"`{kueue[0]}` asks about Kueue's queues", help="these are KAI's: leave it out"))
    return KaiAsked(asked.queue, asked.explain, asked.requests, asked.demand)


def _check(asked: _Asked, screen: ScreenOptions) -> None:
    """Raises ``UsageError`` for options that exclude each other."""
    views = [
        name for name, on in (("--by", asked.by), ("--explain", asked.explain), ("--saturated", asked.saturated)) if on
    ]
    if len(views) > 1:
        raise UsageError(Problem(f"`{views[0]}` and `{views[1]}` are different questions", help="ask one at a time"))
    if views and views[0] != "--by" and screen.output in _ROWS:
        raise UsageError(Problem(f"`{views[0]}` has no `-o {screen.output}`", help="take `-o json`, `yaml` or `text`"))
    if asked.by and screen.output == "name":
        raise UsageError(Problem("`--by` has no `-o name`", help="take `-o csv`, `json`, `yaml` or `text`"))
    if asked.request and not asked.saturated:
        raise UsageError(Problem("`--request` belongs to `--saturated`", help="add `--saturated`, or ask `plan`"))


def _show(
    loaded: Loaded, asked: _Asked, selector: LabelSelector | None, streams: Streams, screen: ScreenOptions
) -> int:
    snapshot = loaded.snapshot
    labelled = None if selector is None else _labelled(loaded, selector)
    queue, local_queue = queue_named(snapshot.part(KueueState), asked.queue, "--queue") if asked.queue else ("", "")
    selection = Selection(queue, local_queue, asked.resource, asked.flavor, asked.sort, labelled)
    tree = for_snapshot(snapshot).shares(snapshot)
    check_pairs(tree, selection)
    shown = selected(tree, selection)
    if screen.output in ("json", "yaml"):
        from kubectl_fairshare.schedulers.kueue.documents.shares import shares_document

        write_document(streams, screen, shares_document(shown, loaded.places))
    else:
        streams.stdout.write(_text(loaded, shown, asked, streams, screen))
    return 0


def _labelled(loaded: Loaded, selector: LabelSelector) -> frozenset[str]:
    """The ClusterQueues and Cohorts that a selector picks, by name."""
    kinds = ("ClusterQueue", "Cohort")
    return frozenset(key.name for key in picked(loaded.snapshot.manifests, selector) if key.kind in kinds)


def _text(loaded: Loaded, tree: ShareTree, asked: _Asked, streams: Streams, screen: ScreenOptions) -> str:
    lines = tree.local_queues if asked.by == "localqueue" else tree.namespaces
    if screen.output in _ROWS:
        from kubectl_fairshare.schedulers.kueue.words.shares_rows import shares_csv, shares_names, usage_csv

        if screen.output == "name":
            return shares_names(tree)
        return usage_csv(lines) if asked.by else shares_csv(tree)
    from kubectl_fairshare.schedulers.kueue.words.screens.shares import shares_screen, usage_screen

    view = view_of(streams, screen, loaded.places)
    if asked.by:
        return usage_screen(tree, lines, asked.by.upper(), view)
    return shares_screen(tree, view, tree.local_queues if "/" in (asked.queue or "") else ())


def _explain(loaded: Loaded, name: str, streams: Streams, screen: ScreenOptions) -> int:
    snapshot = loaded.snapshot
    queue, _ = queue_named(snapshot.part(KueueState), name, "--explain")
    engine = for_snapshot(snapshot)
    try:
        derivation = engine.explain(snapshot, queue)
    except KeyError:
        message, remedy = f"`{queue}` has no figures: its cohorts run into a cycle", "mend `parentName` of one of them"
        raise UsageError(Problem(message, "--explain", remedy)) from None
    if screen.is_text:
        from kubectl_fairshare.schedulers.kueue.words.screens.explain import derivation_screen

        fair = snapshot.part(KueueState).configuration.strategies is not None
        view = view_of(streams, screen, loaded.places)
        streams.stdout.write(derivation_screen(derivation, engine.fidelity(snapshot), view, fair=fair))
        return 0
    from kubectl_fairshare.schedulers.kueue.documents.shares import derivation_document

    write_document(streams, screen, derivation_document(derivation, loaded.places))
    return 0


def _saturate(loaded: Loaded, asked: _Asked, streams: Streams, screen: ScreenOptions) -> int:
    from kubectl_fairshare.cli.options.unit_workload import unit_workload

    snapshot = loaded.snapshot
    engine = for_snapshot(snapshot)
    tree = engine.shares(snapshot)
    shape, why = unit_workload(tree, asked.request)
    found = engine.saturated(snapshot, shape)
    if screen.is_text:
        from kubectl_fairshare.schedulers.kueue.words.screens.saturation import saturation_screen

        streams.stdout.write(saturation_screen(tree, found, why, view_of(streams, screen, loaded.places)))
        return 0
    from kubectl_fairshare.schedulers.kueue.documents.shares import saturation_document

    write_document(streams, screen, saturation_document(found, loaded.places))
    return 0
