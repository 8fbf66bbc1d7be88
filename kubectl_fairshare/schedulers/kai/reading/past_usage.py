"""Past usage of queues from options: a server's first, then files, then single queues; later ones win."""

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.phrases import did_you_mean, likely
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kai.model.objects import NOTHING, RESOURCES, KaiState, Resources
from kubectl_fairshare.schedulers.kai.model.usage import PastUsage
from kubectl_fairshare.schedulers.kai.reading.usage_file import UsageFile, params_of, read_usage
from kubectl_fairshare.schedulers.question import Settings
from kubectl_fairshare.schedulers.scheduler import Sources

if TYPE_CHECKING:  # the client is large, and files need none
    from kubectl_fairshare.input.http.prometheus_client import Server
    from kubectl_fairshare.schedulers.kai.reading.prometheus import UsageAnswer

_FORM: Final = "write `QUEUE=gpu=0.3,cpu=0.1`, fractions of the cluster's capacity, or name a file"


class UsageSources(Value, frozen=True):
    """The sources that the options name: texts of ``--usage``, and a server with its credentials."""

    texts: tuple[str, ...]
    server: str | None
    token: str | None
    authority: str | None
    insecure: bool

    @property
    def files(self) -> tuple[str, ...]:
        """The files among ``--usage``: all texts except ``QUEUE=…``."""
        return tuple(text for text in self.texts if not _names_queue(text))


def usage_sources(settings: Settings) -> UsageSources:
    """The sources that the options name. Raises ``UsageError`` for options of a server without a server."""
    texts, server = settings.get("usage") or (), settings.get("prometheus")
    token, authority = settings.get("prometheus_token"), settings.get("prometheus_ca")
    given = {"--prometheus-token": token, "--prometheus-ca": authority}
    needing = [name for name, value in given.items() if value is not None]
    needing += ["--prometheus-insecure"] if settings.get("prometheus_insecure") else []
    if server is None and needing:
        raise UsageError(Problem("needs `--prometheus`", needing[0], "add `--prometheus URL`, or remove this option"))
    return UsageSources(
        tuple(map(str, texts)) if isinstance(texts, tuple) else (),
        None if server is None else str(server),
        None if token is None else str(token),
        None if authority is None else str(authority),
        bool(settings.get("prometheus_insecure")),
    )


class UsageReading(Value, frozen=True):
    """The state with past usage, notes about it, and the files that it was read from."""

    state: KaiState
    notes: tuple[Problem, ...] = ()
    files: tuple[UsageFile, ...] = ()


def with_usage(state: KaiState, shard: Manifest | None, named: UsageSources, sources: Sources) -> UsageReading:
    """The state with all past usage that the options name; ``shard`` is the object with the settings of usage.

    Raises ``UsageError`` for malformed texts, ``FairshareError`` for sources that cannot be read or queried.
    """
    if named.server is None and not named.texts:
        return UsageReading(state)
    answer = None if named.server is None else _of_server(named, state, shard)
    files = tuple(read_usage(path, sources.stdin, sources.max_input) for path in named.files)
    by_name = _by_name(named.texts, state)
    counted = None if answer is None else answer.counted
    fractions = {} if counted is None else counted.fractions
    lines: dict[tuple[str, str], Place] = {}
    for file in files:
        _lay(file.fractions, fractions)
        lines |= file.places
    _lay(by_name, fractions)
    names = [] if named.server is None else [_server(named.server, named).name]
    names += [f"--usage {text}" if _names_queue(text) else text for text in named.texts]
    places = {
        (queue, resource): at for (queue, resource), at in lines.items() if resource not in by_name.get(queue, ())
    }
    notes = (*(() if answer is None else answer.notes), *_notes(files, state))
    past = PastUsage(tuple(names), counted, places)
    return UsageReading(replace(state, usage=dict(sorted(fractions.items())), past=past), notes, files)


def _lay(over: Mapping[str, Mapping[str, float]], fractions: dict[str, Resources]) -> None:
    """Replaces known fractions by those of ``over``."""
    for queue, amounts in over.items():
        fractions[queue] = fractions.get(queue, NOTHING)._replace(**amounts)


def _names_queue(text: str) -> bool:
    """Whether this is ``QUEUE=…`` and not a file: names of queues have no slash."""
    queue, sign, _ = text.partition("=")
    return bool(sign) and "/" not in queue


def _by_name(texts: tuple[str, ...], state: KaiState) -> dict[str, dict[str, float]]:
    """The fractions of ``--usage QUEUE=gpu=0.3``. Raises ``UsageError`` for another form, and for an unknown queue."""
    fractions: dict[str, dict[str, float]] = {}
    for text in filter(_names_queue, texts):
        queue, _, amounts = text.partition("=")
        if queue not in state.queues:
            remedy = did_you_mean(likely(queue, state.queues, 1)) or "name a Queue of the input"
            raise UsageError(Problem(f"no queue is called `{queue[:64]}`", "--usage", remedy))
        fractions.setdefault(queue, {}).update(_fraction(part, text) for part in amounts.split(","))
    return fractions


def _fraction(part: str, text: str) -> tuple[str, float]:
    name, _, value = part.partition("=")
    try:
        fraction = float(value)
    except ValueError:
        fraction = -1.0
    if name not in RESOURCES or not 0 <= fraction < math.inf:
        raise UsageError(Problem(f"`{text}` does not state a usage", "--usage", _FORM))
    return name, fraction


def _notes(files: tuple[UsageFile, ...], state: KaiState) -> Iterator[Problem]:
    """Notes on lines of files that have no effect, or are probably mistakes."""
    for file in files:
        for queue, amounts in file.fractions.items():
            if queue not in state.queues:
                yield Problem(f"queue `{queue[:64]}` does not exist: its usage has no effect", file.location(queue))
            for resource, fraction in amounts.items():
                if fraction > 1:
                    text = f"`{queue[:64]}` used more {resource} than the whole cluster has: write 30 % as `0.3`"
                    yield Problem(text, file.location(queue, resource))


def _server(url: str, named: UsageSources) -> "Server":
    """The server with its credentials. Raises ``FairshareError`` for a token file that cannot be read."""
    from kubectl_fairshare.input.http.prometheus_client import Server, token_of

    token = None if named.token is None else token_of(named.token)
    return Server(url, token, named.authority, named.insecure)


def _of_server(named: UsageSources, state: KaiState, shard: Manifest | None) -> "UsageAnswer":
    """The server's answer, counted with the shard's settings."""
    from kubectl_fairshare.input.clock import moment
    from kubectl_fairshare.schedulers.kai.reading.prometheus import usage_from

    assert named.server is not None
    params = params_of(shard)
    answer = usage_from(_server(named.server, named), params, moment() if state.now is None else state.now)
    if params.configured:
        return answer
    text = "no SchedulingShard of the input has usageDBConfig: KAI's defaults are used; KAI itself counts no usage"
    return replace(answer, notes=(*answer.notes, Problem(text)))
