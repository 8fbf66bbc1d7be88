"""``shares`` where the queues are KAI's."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from kubectl_fairshare.cli.asking.load import Loaded
from kubectl_fairshare.cli.options.shared import ScreenOptions
from kubectl_fairshare.cli.output import view_of, write_document
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.kai.engine import KaiEngine
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, KaiState
from kubectl_fairshare.schedulers.kai.session.report import KaiShares, QueueReport
from kubectl_fairshare.schedulers.kai.session.session import Session

_AMOUNTS: Final = {"gpu": "a number of devices", "cpu": "cores, as `4` or `500m`", "memory": "bytes, as `64Gi`"}
_ROWS: Final = ("csv", "name")


@dataclass(frozen=True, slots=True)
class KaiAsked:
    """What is asked of KAI's shares: one queue, its derivation, other requests, endless ones."""

    queue: str | None = None
    explain: str | None = None
    requests: tuple[str, ...] = ()
    demand: str | None = None


def in_shard(loaded: Loaded, name: str | None) -> Loaded:
    """What was loaded, to be asked about the shard of this name. Raises ``UsageError`` where there is none."""
    if name is None:
        return loaded
    state = loaded.snapshot.part(KaiState)
    names = sorted(shard.name for shard in state.shards)
    if name not in names:
        remedy = f"there are {', '.join(names)}" if names else "the input has no SchedulingShard: leave it out"
        raise UsageError(Problem(f"no shard is called `{name[:64]}`", "--shard", remedy))
    return replace(loaded, snapshot=loaded.snapshot.with_part(replace(state, asked=name)))


def answer(loaded: Loaded, asked: KaiAsked, streams: Streams, screen: ScreenOptions) -> int:
    """Shows the queue tree, or one queue's derivation."""
    engine = KaiEngine()
    snapshot = loaded.snapshot
    wishes = _requests(asked.requests)
    session = engine.session(snapshot)
    for name in (*wishes, *(n for n in (asked.queue, asked.explain) if n)):
        _known(session, name)
    session = engine.asked(snapshot, wishes, unlimited=asked.demand == "unlimited")
    if asked.explain is not None:
        return _explain(engine, session, loaded, asked.explain, streams, screen)
    shares = engine.report(session, _told(asked))
    if asked.queue:
        chain = {standing.queue.name for standing in session.chain(asked.queue)}
        shares = replace(shares, trees=_pruned(shares.trees, asked.queue, chain))
    _show(shares, loaded, streams, screen)
    return 0


def _show(shares: KaiShares, loaded: Loaded, streams: Streams, screen: ScreenOptions) -> None:
    if screen.output in _ROWS:
        from kubectl_fairshare.schedulers.kai.words.rows import kai_names, kai_shares_csv

        streams.stdout.write(kai_names(shares) if screen.output == "name" else kai_shares_csv(shares))
    elif screen.is_text:
        from kubectl_fairshare.schedulers.kai.words.screens.shares import kai_shares_screen

        streams.stdout.write(kai_shares_screen(shares, view_of(streams, screen, loaded.places)))
    else:
        from kubectl_fairshare.schedulers.kai.documents.shares import kai_shares_document

        write_document(streams, screen, kai_shares_document(shares, loaded.places))


def _explain(
    engine: KaiEngine, session: Session, loaded: Loaded, name: str, streams: Streams, screen: ScreenOptions
) -> int:
    if screen.output in _ROWS:
        message, remedy = f"`--explain` has no `-o {screen.output}`", "take `-o json`, `yaml` or `text`"
        raise UsageError(Problem(message, help=remedy))
    derivation, fidelity = engine.explain(session, name), engine.report(session).fidelity
    if screen.is_text:
        from kubectl_fairshare.schedulers.kai.words.screens.explain import kai_derivation_screen

        view = view_of(streams, screen, loaded.places)
        streams.stdout.write(kai_derivation_screen(derivation, session.shard, session.state.past, fidelity, view))
        return 0
    from kubectl_fairshare.schedulers.kai.documents.shares import kai_derivation_document

    write_document(streams, screen, kai_derivation_document(derivation, fidelity, loaded.places))
    return 0


def _known(session: Session, name: str) -> None:
    """Raises ``UsageError`` for a queue that KAI does not keep."""
    if name in session.standings:
        return
    from difflib import get_close_matches

    lost = next((one for one in session.lost if one.queue.name == name), None)
    if lost is not None:
        message, remedy = f"queue `{name}` has no figures: KAI leaves it out", f"give `{lost.parent}` a way to the root"
        raise UsageError(Problem(message, help=remedy))
    near = get_close_matches(name, session.standings, n=1)
    remedy = f"did you mean `{near[0]}`?" if near else "name a Queue of the input"
    raise UsageError(Problem(f"no queue is called `{name}`", help=remedy))


def _requests(texts: tuple[str, ...]) -> dict[str, Mapping[str, float]]:
    """What ``--requests QUEUE=gpu=20,cpu=4`` asks for. Raises ``UsageError`` for another form."""
    found: dict[str, Mapping[str, float]] = {}
    for text in texts:
        queue, _, amounts = text.partition("=")
        if not queue or not amounts:
            raise UsageError(Problem(f"`{text}` asks for nothing", "--requests", "write `QUEUE=gpu=20,cpu=64`"))
        found[queue] = {**found.get(queue, {}), **dict(_amount(part) for part in amounts.split(","))}
    return found


def _amount(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    name = "gpu" if name == "nvidia.com/gpu" else name
    if name not in RESOURCES:
        raise UsageError(Problem(f"KAI counts no `{name}`", "--requests", f"there are {', '.join(_AMOUNTS)}"))
    try:
        if name == "gpu":
            amount = float(value)
        else:
            amount = float(quantity.milli(value) if name == "cpu" else quantity.units(value))
    except ValueError:
        amount = math.nan
    if not 0 <= amount < math.inf:
        raise UsageError(Problem(f"`{value}` is no amount of {name}", "--requests", f"write {_AMOUNTS[name]}"))
    return name, amount


def _told(asked: KaiAsked) -> str:
    if asked.demand == "unlimited":
        return "as if all asked for more than there is"
    return f"as if {' '.join(asked.requests)}" if asked.requests else ""


def _pruned(trees: tuple[QueueReport, ...], name: str, chain: set[str]) -> tuple[QueueReport, ...]:
    """The queue with all below it, and its ancestors."""
    kept = []
    for tree in trees:
        if tree.name == name:
            kept.append(tree)
        elif tree.name in chain:
            kept.append(replace(tree, children=_pruned(tree.children, name, chain)))
    return tuple(kept)
