"""Past usage of queues from a Prometheus server, with KAI's own queries: instant queries over HTTP only.

For a window and a resource: the sum over time of what a queue held, and of the capacity; each sample is halved for
each half-life of its age. Source: KAI-Scheduler v0.17; "kai usage" in ``docs/laws.md``.

Tested in ``tests/unit/schedulers/kai/reading/test_past_usage.py``.
"""

import math
from collections.abc import Callable, Mapping
from typing import Final

from kubectl_fairshare.input.http.prometheus_client import Client, Sample, Server
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, Resources
from kubectl_fairshare.schedulers.kai.model.usage import QUEUE_LABEL, SECOND, Counted, UsageParams, query_of, since

_ORDER: Final = ("gpu", "cpu", "memory")
"""The resources in the order of KAI's queries."""
Ask = Callable[[str], list[Sample]]


class UsageAnswer(Value, frozen=True):
    """The answer of a server, None if KAI would use none of it, and notes about it."""

    counted: Counted | None
    notes: tuple[Problem, ...] = ()


def usage_from(server: Server, params: UsageParams, now: int) -> UsageAnswer:
    """The past usage of each queue, and the capacity, over the window that ends ``now``.

    As in KAI, a missing capacity of one resource means no usage of any resource. Raises ``FairshareError`` if the
    server cannot be reached or answers something else, and ``ValueError`` for an invalid window.
    """
    start = since(params, now)
    if now - start < 10**6:
        return UsageAnswer(None, (Problem("past usage has no effect: the window is empty", server.name),))
    client = Client(server, params.timeout / SECOND)
    asking = _UsageQueries(server.name, lambda query: client.vector(query, now))
    offered = {r: asking.capacity(r, query_of(params.capacity[r], params, now)) for r in _ORDER}
    missing = next((r for r in _ORDER if offered[r] is None), None)
    if missing is not None:
        text = f"past usage has no effect: the window has no capacity of {missing}, so KAI uses none of it"
        remedy = f"set extraParams.{missing}CapacityMetric of the shard to a metric that the server has"
        return UsageAnswer(None, (Problem(text, server.name, remedy), *asking.notes, *client.notes))
    used = {r: asking.allocation(query_of(params.allocation[r], params, now)) for r in _ORDER}
    queues = sorted({queue for found in used.values() for queue in found})
    if not queues:
        remedy = "check that Prometheus scrapes KAI's queue controller"
        asking.notes.append(Problem("no queue held anything in the window", server.name, remedy))
    by_queue = {queue: Resources(*(used[r].get(queue, 0.0) for r in RESOURCES)) for queue in queues}
    total = Resources(*(offered[r] or 0.0 for r in RESOURCES))
    return UsageAnswer(Counted(params, start, now, by_queue, total), (*asking.notes, *client.notes))


class _UsageQueries:
    """Queries for capacity and allocation; ``notes`` say where the answer varies between runs of KAI."""

    def __init__(self, name: str, ask: Ask) -> None:
        self.notes: list[Problem] = []
        self._name, self._ask = name, ask

    def capacity(self, resource: str, query: str) -> float | None:
        """The sum over the window, None without one; KAI uses the first of several series."""
        samples = self._ask(query)
        if len(samples) > 1:
            text = f"the capacity of {resource} has {len(samples)} series; KAI uses one of them at random"
            self.notes.append(Problem(text, self._name, "add them up in the metric: `sum(…)`"))
        if samples and samples[0].value <= 0:
            self.notes.append(Problem(f"the capacity of {resource} is 0 over the whole window", self._name))
        return _finite(samples[0], self._name) if samples else None

    def allocation(self, query: str) -> Mapping[str, float]:
        """The sums over the window by queue; KAI uses the last of several series of a queue."""
        found: dict[str, float] = {}
        seen: dict[str, int] = {}
        for sample in self._ask(query):
            queue = sample.labels.get(QUEUE_LABEL, "")
            found[queue] = _finite(sample, self._name)
            seen[queue] = seen.get(queue, 0) + 1
        several = sorted(queue for queue, number in seen.items() if number > 1)
        if several:
            queues = ", ".join(f"`{queue}`" for queue in several[:3]) + (" …" if len(several) > 3 else "")
            text = f"usage of {queues} has several series; KAI uses one of them at random"
            remedy = f"merge them in the metric: `max by ({QUEUE_LABEL}) (…)`"
            self.notes.append(Problem(text, self._name, remedy))
        return found


def _finite(sample: Sample, name: str) -> float:
    if not math.isfinite(sample.value):
        labels = sample.labels.get(QUEUE_LABEL, "the cluster")
        remedy = "check the metric: KAI would use the value as it is"
        raise FairshareError(Problem(f"a sum of {labels[:64]} is not a number: `{sample.value}`", name, remedy))
    return sample.value
