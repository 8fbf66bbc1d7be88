"""The orders in which new pods of one job may come: KAI places pods of one rank by creation time, then by UID.

Controllers create the pods of a job in any order, most of them within one second, and UIDs are random. So the order is
not known of pods that do not exist yet. Pods that are equal may change places, others may not.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.map_orders import Walk
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, Phase, Pod
from kubectl_fairshare.schedulers.kai.session.jobs import Job

_DRAWS: Final = 3
"""How many orders are drawn for each that is wanted: many of them are equal."""


def pod_kind(pod: Pod) -> str:
    """A text that is the same for pods that KAI places in the same way."""
    return json.dumps(_parts(pod), sort_keys=True, default=str)


def _parts(pod: Pod) -> tuple[Json, Json, Json]:
    """What KAI reads of a pod, but for its name."""
    metadata = pod.raw.get("metadata") or {}
    return pod.raw.get("spec"), metadata.get("labels"), metadata.get("annotations")


def in_other_orders(state: KaiState, job: Job, most: int) -> Iterator[KaiState]:
    """The state with the new pods of the job in up to ``most`` other orders; none where those of a rank are equal."""
    ties = [tie for tie in _ties(job) if any(_parts(pod) != _parts(tie[0]) for pod in tie)]
    if not ties:
        return
    kinds = {pod.key: pod_kind(pod) for tie in ties for pod in tie}
    seen = {_sequence(ties, kinds)}
    for number in range(1, 1 + most * _DRAWS):
        orders = [Walk(number).order(tie) for tie in ties]
        sequence = _sequence(orders, kinds)
        if sequence in seen:
            continue
        seen.add(sequence)
        yield _with_orders(state, orders)
        if len(seen) > most:
            return


def _new_pods(job: Job) -> list[Pod]:
    """The pods that wait for a node and have no UID yet."""
    waiting = (task.pod for task in job.tasks if task.phase is Phase.PENDING)
    return [pod for pod in waiting if not (pod.raw.get("metadata") or {}).get("uid")]


def _ties(job: Job) -> Iterator[list[Pod]]:
    """The new pods of one sub-group that KAI will order by their UIDs alone."""
    ordered = sorted(_new_pods(job), key=lambda pod: (pod.sub_group, pod.rank))
    yield from (list(pods) for _, pods in groupby(ordered, key=lambda pod: (pod.sub_group, pod.rank[:-1])))


def _sequence(orders: Sequence[Sequence[Pod]], kinds: Mapping[ObjectKey, str]) -> tuple[str, ...]:
    return tuple(kinds[pod.key] for order in orders for pod in order)


def _with_orders(state: KaiState, orders: Sequence[Sequence[Pod]]) -> KaiState:
    uids = {pod.key: f"{place:06d} {pod.uid}" for order in orders for place, pod in enumerate(order)}
    pods = (
        replace(pod, uid=uids[pod.key], rank=pod.rank._replace(uid=uids[pod.key])) if pod.key in uids else pod
        for pod in state.pods
    )
    return replace(state, pods=tuple(pods))
