"""The state of all queues as OpenMetrics, for Prometheus: what each owns, holds, may lose and waits for.

Every family is a gauge, so the text is also in Prometheus' own format. Units are labels, as kube-state-metrics has
them: one family holds all resources. Source: OpenMetrics 1.0. Tested in ``tests/unit/report/test_metrics.py``.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from math import inf
from typing import Final, TypeAlias

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.details import SharesDetail, WhyDetail
from kubectl_fairshare.answers.overview import Overview
from kubectl_fairshare.answers.review import Entitlement
from kubectl_fairshare.answers.shares import AnyQueue
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.amounts import is_unlimited
from kubectl_fairshare.model.location import ObjectKey

Labels: TypeAlias = tuple[tuple[str, str], ...]
Sample: TypeAlias = tuple[Labels, float]
State: TypeAlias = Overview[SharesDetail, WhyDetail]

_NANO: Final = 10**9
_MILLI: Final = 1000
_AMOUNTS: Final = {
    "guaranteed": "The amount that the queue owns.",
    "limit": "The most that the settings of the queue allow.",
    "used": "The amount that running workloads of the queue hold.",
    "borrowed": "The part of used that is above what the queue owns.",
    "lent": "The part of what the queue owns that other queues hold.",
}
"""The families of figures, by their fields, with their help."""
_ESCAPED: Final = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


def metrics_text(state: State, entitlements: Iterable[Entitlement]) -> str:
    """All families; ``entitlements`` are those of the queues while nothing runs."""
    nodes = [node for tree in state.shares.trees for node in tree]
    families = (*_of_figures(state, nodes), *_of_rights(state, entitlements), *_of_work(state, nodes), *_of_all(state))
    lines = [line for name, about, samples in families for line in _family(name, about, samples)]
    return "\n".join([*lines, "# EOF"]) + "\n"


def _family(name: str, about: str, samples: Sequence[Sample]) -> Iterator[str]:
    if not samples:
        return
    yield f"# HELP fairshare_{name} {about}"
    yield f"# TYPE fairshare_{name} gauge"
    for labels, value in samples:
        texts = ",".join(f'{label}="{text.translate(_ESCAPED)}"' for label, text in labels)
        yield f"fairshare_{name}{{{texts}}} {_written(value)}"


def _written(value: float) -> str:
    """A value as OpenMetrics has it."""
    if value == inf:
        return "+Inf"
    return str(int(value)) if value == int(value) else repr(value)


def _queue(state: State, key: ObjectKey, parent: str = "") -> Labels:
    """The labels of a queue; a group above it has another ``kind``."""
    return (
        ("scheduler", state.shares.scheduler),
        ("kind", key.kind),
        ("namespace", key.namespace),
        ("queue", key.name),
        *((("parent", parent),) if parent else ()),
    )


def _named(state: State) -> Callable[[str], Labels]:
    """The labels of a queue that an answer names: by its name, with its namespace, or by that alone."""
    keys = [node.key for tree in state.shares.trees for node in tree]
    ways = ({key.name: key for key in keys if key.kind == "ClusterQueue"}, {key.name: key for key in keys})
    names = (*ways, {f"{key.namespace}/{key.name}": key for key in keys}, {key.namespace: key for key in keys})
    unknown = ObjectKey("", "", "", "")
    return lambda name: _queue(state, next((by[name] for by in names if name in by), unknown._replace(name=name)))


def _resource(resource: str, pool: str) -> Labels:
    unit = "core" if resource == "cpu" else "byte" if quantity.is_binary(resource) else "integer"
    return (("pool", pool), ("resource", resource), ("unit", unit))


def _number(amount: Amount) -> float:
    """An amount in cores, bytes or pieces, infinite if it is unlimited; of cpu, floating numbers are thousandths."""
    if isinstance(amount.value, int):
        return inf if is_unlimited(amount.value) else quantity.nano(amount.text) / _NANO
    return amount.value / _MILLI if amount.resource == "cpu" else amount.value


def _of_figures(state: State, nodes: Sequence[AnyQueue]) -> Iterator[tuple[str, str, Sequence[Sample]]]:
    for field, about in _AMOUNTS.items():
        yield (
            f"queue_{field}",
            about,
            [
                ((*_queue(state, node.key, node.parent), *_resource(each.resource, each.pool)), _number(amount))
                for node in nodes
                for each in node.figures
                if (amount := getattr(each, field)) is not None
            ],
        )


def _of_rights(state: State, entitlements: Iterable[Entitlement]) -> Iterator[tuple[str, str, Sequence[Sample]]]:
    entitled = [
        ((*_queue(state, each.queue), *_resource(each.resource, each.pool)), _number(each.entitled))
        for each in entitlements
        if each.entitled is not None
    ]
    yield "queue_entitled", "The amount that the queue gets when all queues ask for more than there is.", entitled
    called = _named(state)
    lost: dict[tuple[str, str, str], float] = {}
    for exposure in state.running.found:
        if any(taker.queue != exposure.queue for taker in exposure.takers):
            for held in exposure.holds:
                at = (exposure.queue, held.resource, held.pool)
                lost[at] = lost.get(at, 0) + _number(held)
    about = "The amount that running workloads of the queue hold and other queues may preempt."
    yield (
        "queue_reclaimable",
        about,
        [
            ((*called(queue), *_resource(resource, pool)), value)
            for (queue, resource, pool), value in sorted(lost.items())
        ],
    )


def _of_work(state: State, nodes: Sequence[AnyQueue]) -> Iterator[tuple[str, str, Sequence[Sample]]]:
    labels = [(_queue(state, node.key, node.parent), node.counts) for node in nodes]
    running = [(queue, float(counts.running)) for queue, counts in labels]
    waiting = [(queue, float(counts.pending)) for queue, counts in labels]
    oldest = [(queue, _seconds(counts.oldest_pending)) for queue, counts in labels if counts.oldest_pending]
    yield "queue_running_workloads", "Workloads that run in the queue or below.", running
    yield "queue_waiting_workloads", "Workloads that wait in the queue or below.", waiting
    yield "queue_oldest_waiting_timestamp_seconds", "When the oldest of the waiting workloads was created.", oldest
    called = _named(state)
    verdicts = Counter((each.queue, each.verdict.value) for each in state.waiting)
    by_verdict = [
        ((*called(queue), ("verdict", verdict)), float(number)) for (queue, verdict), number in sorted(verdicts.items())
    ]
    yield "waiting_workloads", "Waiting workloads by the verdict of kubectl fairshare why.", by_verdict
    yield "limit_waiting_workloads", "Waiting workloads that the limit keeps out.", list(_limits(state))


def _limits(state: State) -> Iterator[Sample]:
    """Each limit that binds: by its object and field, since its amounts change."""
    found: Counter[Labels] = Counter()
    called = _named(state)
    for answer in state.waiting:
        found.update(
            {
                (
                    *called(answer.queue),
                    ("object", "" if each.place is None else f"{each.place.object.kind}/{each.place.object.name}"),
                    ("field", each.clause.split(" ", 1)[0]),
                    *_resource(each.needed.resource, each.needed.pool),
                )
                for each in answer.binding
            }
        )
    return ((labels, float(number)) for labels, number in sorted(found.items()))


def _of_all(state: State) -> Iterator[tuple[str, str, Sequence[Sample]]]:
    labels: Labels = (("scheduler", state.shares.scheduler), ("version", state.shares.fidelity.version))
    exact = state.shares.fidelity.exact and all(each.fidelity.exact for each in state.waiting)
    yield "answers_exact", "1 if all answers are exact, measured on this release of the scheduler.", [(labels, exact)]
    asked: Mapping[Labels, float] = (
        {} if state.moment is None or state.moment_source else {labels[:1]: state.moment / _NANO}
    )
    yield "report_timestamp_seconds", "When the state was read.", list(asked.items())


def _seconds(moment: str) -> float:
    return datetime.fromisoformat(moment).timestamp()
