"""Past usage of queues as KAI asks a Prometheus server for it: instant queries over HTTP, and nothing else.

For a window and a resource: the sum over time of what a queue held, and of the capacity, each sample halved for each
half-life of its age. Source: KAI-Scheduler v0.17; "kai usage" in ``docs/laws.md``.
"""

import math
from collections.abc import Callable, Mapping
from typing import Final

from kubectl_fairshare.input.http.prometheus_client import Client, Sample, Server
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, Resources
from kubectl_fairshare.schedulers.kai.model.usage import QUEUE_LABEL, SECOND, Counted, UsageParams, query_of, since

_ORDER: Final = ("gpu", "cpu", "memory")
"""The resources in the order in which KAI asks for them."""
Ask = Callable[[str], list[Sample]]


@dataclass(frozen=True, slots=True)
class Told:
    """What a server told, None where KAI would take nothing of it, and what is worth knowing about it."""

    counted: Counted | None
    notes: tuple[Problem, ...] = ()


def usage_from(server: Server, params: UsageParams, now: int) -> Told:
    """What each queue used, and the capacity, over the window that ends ``now``.

    As in KAI, no capacity of one resource means no usage of any. Raises ``FairshareError`` where the server cannot be
    asked, or answers with something else, and ``ValueError`` for a window that is none.
    """
    start = since(params, now)
    if now - start < 10**6:
        return Told(None, (Problem("no past usage counts: the window is empty", server.name),))
    client = Client(server, params.timeout / SECOND)
    asking = _Asking(server.name, lambda query: client.vector(query, now))
    offered = {r: asking.capacity(r, query_of(params.capacity[r], params, now)) for r in _ORDER}
    missing = next((r for r in _ORDER if offered[r] is None), None)
    if missing is not None:
        text = f"no past usage counts: there is no capacity of {missing} in the window, and so KAI takes none at all"
        remedy = f"set extraParams.{missing}CapacityMetric of the shard to a metric that the server has"
        return Told(None, (Problem(text, server.name, remedy), *asking.notes, *client.notes))
    used = {r: asking.allocation(query_of(params.allocation[r], params, now)) for r in _ORDER}
    queues = sorted({queue for found in used.values() for queue in found})
    if not queues:
        remedy = "look whether KAI's queue controller is scraped"
        asking.notes.append(Problem("no queue held anything in the window", server.name, remedy))
    by_queue = {queue: Resources(*(used[r].get(queue, 0.0) for r in RESOURCES)) for queue in queues}
    total = Resources(*(offered[r] or 0.0 for r in RESOURCES))
    return Told(Counted(params, start, now, by_queue, total), (*asking.notes, *client.notes))


class _Asking:
    """Queries about capacity and allocation; ``notes`` tell where the answer leaves something to chance."""

    def __init__(self, name: str, ask: Ask) -> None:
        self.notes: list[Problem] = []
        self._name, self._ask = name, ask

    def capacity(self, resource: str, query: str) -> float | None:
        """The sum over the window, None without any; of several series KAI takes the first."""
        samples = self._ask(query)
        if len(samples) > 1:
            text = f"the capacity of {resource} has {len(samples)} series, of which KAI takes one, and chance which"
            self.notes.append(Problem(text, self._name, "add them up in the metric: `sum(…)`"))
        if samples and samples[0].value <= 0:
            self.notes.append(Problem(f"the capacity of {resource} is 0 over the whole window", self._name))
        return _finite(samples[0], self._name) if samples else None

    def allocation(self, query: str) -> Mapping[str, float]:
        """The sums over the window by queue; of several series of a queue KAI takes the last."""
        found: dict[str, float] = {}
        seen: dict[str, int] = {}
        for sample in self._ask(query):
            queue = sample.labels.get(QUEUE_LABEL, "")
            found[queue] = _finite(sample, self._name)
            seen[queue] = seen.get(queue, 0) + 1
        several = sorted(queue for queue, number in seen.items() if number > 1)
        if several:
            queues = ", ".join(f"`{queue}`" for queue in several[:3]) + (" …" if len(several) > 3 else "")
            text = f"usage of {queues} has several series, of which KAI takes one, and chance which"
            remedy = f"merge them in the metric: `max by ({QUEUE_LABEL}) (…)`"
            self.notes.append(Problem(text, self._name, remedy))
        return found


def _finite(sample: Sample, name: str) -> float:
    if not math.isfinite(sample.value):
        labels = sample.labels.get(QUEUE_LABEL, "the cluster")
        remedy = "look at the metric: KAI would take it as it is"
        raise FairshareError(Problem(f"a sum of {labels[:64]} is no number: `{sample.value}`", name, remedy))
    return sample.value
