"""The options about KAI's fairness over time: where past usage is known from, and how it counts."""

import functools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Final

import click

from kubectl_fairshare.cli.asking.load import Loaded, placed, tell
from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.kai.model.objects import NOTHING, RESOURCES, KaiState, Resources, Shard, TimeAware

if TYPE_CHECKING:
    from kubectl_fairshare.input.http.prometheus_client import Server
    from kubectl_fairshare.schedulers.kai.reading.prometheus import Told
    from kubectl_fairshare.schedulers.kai.reading.usage_file import UsageFile

STDIN: Final = "-"
_FORM: Final = "write `QUEUE=gpu=0.3,cpu=0.1`, fractions of the cluster's capacity, or name a file"
_FILE: Final = click.Path(readable=False)


@dataclass(frozen=True, slots=True)
class OverTime:
    """The options as they were given."""

    usage: tuple[str, ...] = ()
    prometheus: str | None = None
    prometheus_token: str | None = None
    prometheus_ca: str | None = None
    prometheus_insecure: bool = False
    now: str | None = None
    k_value: float | None = None
    time_aware: str | None = None

    def given(self) -> list[str]:
        """The options given, as the user writes them."""
        found = ((f"--{field.name.replace('_', '-')}", getattr(self, field.name)) for field in fields(self))
        return [name for name, value in found if value not in (None, (), False)]

    @property
    def files(self) -> list[str]:
        """The files among ``--usage``: what is no ``QUEUE=…``."""
        return [text for text in self.usage if not _tells_queue(text)]


TIME_AWARE_OPTION: Final = click.option(
    "--time-aware",
    type=click.Choice([kind.value for kind in TimeAware]),
    help="KAI: how past usage counts: n + k(n − usage), as it does, or the proposal's max(n − usage, 0). [kai]",
)
_OPTIONS: Final = (
    click.option(
        "--usage",
        multiple=True,
        metavar="FILE|QUEUE=R=F,…",
        help="KAI: past usage, as parts of the capacity: team=gpu=0.3, or a file of `team: {gpu: 0.3}`. Repeatable.",
    ),
    click.option("--prometheus", metavar="URL", help="KAI: past usage from this server, as the shard counts it."),
    click.option("--prometheus-token", metavar="TOKEN", help="Prometheus: bearer token, or @FILE that holds it."),
    click.option(
        "--prometheus-ca", type=_FILE, metavar="FILE", help="Prometheus: who signed its certificate. [the system's]"
    ),
    click.option("--prometheus-insecure", is_flag=True, help="Prometheus: trust any certificate."),
    click.option("--now", metavar="TIME", help="KAI: the moment of the question, RFC 3339. [--prometheus: now]"),
    click.option("--k-value", type=float, metavar="K", help="KAI: how much past usage counts. [as the shard says]"),
    TIME_AWARE_OPTION,
)


def over_time_options(command: Callable[..., int]) -> Callable[..., int]:
    """Gives a command the options about fairness over time; it gets them as ``over_time``."""
    names = [field.name for field in fields(OverTime)]

    @functools.wraps(command)
    def gathering(*args: Any, **chosen: Any) -> int:
        chosen["over_time"] = OverTime(**{name: chosen.pop(name) for name in names})
        return command(*args, **chosen)

    found: Callable[..., int] = gathering
    for option in reversed(_OPTIONS):
        found = option(found)
    return found


def check_over_time(over: OverTime, *inputs: str) -> None:
    """Raises ``UsageError`` for options that contradict each other; ``inputs`` are what else is read."""
    needing = [name for name in over.given() if name.startswith("--prometheus-")]
    if over.prometheus is None and needing:
        raise UsageError(Problem("belongs to `--prometheus`", needing[0], "leave it out, or name the server"))
    if (*over.files, *inputs).count(STDIN) > 1:
        raise UsageError(Problem("standard input can be read once only", help="give one of the two as a file"))
    check_k(over.k_value, over.time_aware)


def check_k(k: float | None, time_aware: str | None) -> None:
    """Raises ``UsageError`` for a k that is none, or beside a formula without one."""
    if k is None:
        return
    if time_aware == TimeAware.PROPOSAL.value:
        raise UsageError(Problem("has no part in the proposal's formula", "--k-value", "leave one of the two out"))
    if not 0 <= k < math.inf:
        remedy = "0 leaves plain weights; `--time-aware proposal` is the limit for large k"
        raise UsageError(Problem("must be 0 or more, and finite", "--k-value", remedy))


def in_time(loaded: Loaded, over: OverTime, inputs: Inputs, streams: Streams, screen: ScreenOptions) -> Loaded:
    """What was loaded, with past usage, its formula and the moment as the options say.

    Raises ``UsageError`` for options that say nothing, and ``FairshareError`` for what cannot be read or asked.
    """
    state = loaded.snapshot.part(KaiState)
    moment = _moment(over.now)
    if over.k_value is not None or over.time_aware is not None:
        state = replace(state, shards=tuple(_counting(shard, over) for shard in state.shards or (Shard(),)))
    if moment is not None:
        state = replace(state, now=moment)
    state, places = _with_usage(state, over, loaded, inputs.max_input, streams, screen)
    return replace(loaded, snapshot=loaded.snapshot.with_part(state), places=places)


def _counting(shard: Shard, over: OverTime) -> Shard:
    """The shard with past usage counted as the options say."""
    k = shard.k if over.k_value is None else over.k_value
    kind = shard.time_aware if over.time_aware is None else TimeAware(over.time_aware)
    return replace(shard, k=k, time_aware=kind)


def _moment(text: str | None) -> int | None:
    try:
        return None if text is None else nanoseconds(text)
    except ValueError:
        raise UsageError(Problem(f"`{text}` is no moment", "--now", "write `2026-08-01T12:00:00Z`")) from None


def _with_usage(
    state: KaiState, over: OverTime, loaded: Loaded, max_input: int, streams: Streams, screen: ScreenOptions
) -> tuple[KaiState, Places]:
    """The state with all usage that the options tell: a server's first, files over it, then queues by name."""
    if over.prometheus is None and not over.usage:
        return state, loaded.places
    from kubectl_fairshare.schedulers.kai.model.usage import PastUsage

    told = None if over.prometheus is None else _of_server(over.prometheus, state, over, loaded)
    files, named = _read(over, streams, max_input), _named(over, state)
    counted = None if told is None else told.counted
    found = {} if counted is None else counted.fractions
    lines: dict[tuple[str, str], Place] = {}
    for file in files:
        _lay(file.fractions, found)
        lines |= file.places
    _lay(named, found)
    sources = [] if over.prometheus is None else [_server(over.prometheus, over).name]
    sources += [f"--usage {text}" if _tells_queue(text) else text for text in over.usage]
    known = {(queue, resource): at for (queue, resource), at in lines.items() if resource not in named.get(queue, ())}
    past = PastUsage(tuple(sources), counted, known)
    if not screen.quiet:
        tell([*(() if told is None else told.notes), *_notes(files, state)], streams, screen)
    places = loaded.places
    for file in files:
        places = places.under([file.manifest], Texts([file.text]))
    return replace(state, usage=dict(sorted(found.items())), past=past), places


def _lay(fractions: Mapping[str, Mapping[str, float]], found: dict[str, Resources]) -> None:
    """Lays what is known of some resources over what is known already."""
    for queue, amounts in fractions.items():
        found[queue] = found.get(queue, NOTHING)._replace(**amounts)


def _tells_queue(text: str) -> bool:
    """Whether this is ``QUEUE=…`` and no file: names of queues have no slash."""
    queue, sign, _ = text.partition("=")
    return bool(sign) and "/" not in queue


def _named(over: OverTime, state: KaiState) -> dict[str, dict[str, float]]:
    """What ``--usage QUEUE=gpu=0.3`` tells. Raises ``UsageError`` for another form, and for an unknown queue."""
    found: dict[str, dict[str, float]] = {}
    for text in filter(_tells_queue, over.usage):
        queue, _, amounts = text.partition("=")
        if queue not in state.queues:
            from difflib import get_close_matches

            near = get_close_matches(queue, state.queues, n=1)
            remedy = f"did you mean `{near[0]}`?" if near else "name a Queue of the input"
            raise UsageError(Problem(f"no queue is called `{queue[:64]}`", "--usage", remedy))
        found[queue] = {**found.get(queue, {}), **dict(_fraction(part, text) for part in amounts.split(","))}
    return found


def _fraction(part: str, text: str) -> tuple[str, float]:
    name, _, value = part.partition("=")
    try:
        fraction = float(value)
    except ValueError:
        fraction = -1.0
    if name not in RESOURCES or not 0 <= fraction < math.inf:
        raise UsageError(Problem(f"`{text}` tells no usage", "--usage", _FORM))
    return name, fraction


def _read(over: OverTime, streams: Streams, max_input: int) -> "list[UsageFile]":
    if not over.files:
        return []
    from kubectl_fairshare.schedulers.kai.reading.usage_file import read_usage

    return [read_usage(path, streams.bytes_in, max_input) for path in over.files]


def _notes(files: "Sequence[UsageFile]", state: KaiState) -> Iterator[Problem]:
    """What of files counts for nothing, and what can hardly be meant."""
    for file in files:
        for queue, amounts in file.fractions.items():
            if queue not in state.queues:
                yield Problem(f"there is no queue `{queue[:64]}`: its usage counts for nothing", file.location(queue))
            for resource, fraction in amounts.items():
                if fraction > 1:
                    text = f"`{queue[:64]}` used more {resource} than the whole cluster has: `0.3` stands for 30 %"
                    yield Problem(text, file.location(queue, resource))


def _server(url: str, over: OverTime) -> "Server":
    """The server and how to get in. Raises ``FairshareError`` for a file of the token that cannot be read."""
    from kubectl_fairshare.input.http.prometheus_client import Server, token_of

    token = None if over.prometheus_token is None else token_of(over.prometheus_token)
    return Server(url, token, over.prometheus_ca, over.prometheus_insecure)


def _of_server(url: str, state: KaiState, over: OverTime, loaded: Loaded) -> "Told":
    """What the server tells, counted as the shard has it counted."""
    from kubectl_fairshare.input.clock import moment
    from kubectl_fairshare.schedulers.kai.reading.prometheus import usage_from
    from kubectl_fairshare.schedulers.kai.reading.usage_file import params_of

    key = state.shard.key
    with placed(loaded.places):
        params = params_of(None if key is None else loaded.snapshot.manifests.get(key))
    told = usage_from(_server(url, over), params, moment() if state.now is None else state.now)
    if params.configured:
        return told
    text = "no SchedulingShard of the input has usageDBConfig: KAI's defaults are taken, and KAI itself counts no usage"
    return replace(told, notes=(*told.notes, Problem(text)))
