"""Admission fair sharing: the LocalQueues of one ClusterQueue, ordered by their recent usage."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.api.durations import nanoseconds
from kubectl_fairshare.finding import Finding, Related, Remedy
from kubectl_fairshare.lint.given import Examined
from kubectl_fairshare.lint.protocol import info_rule, warning_rule
from kubectl_fairshare.lint.words.figures import several
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.quantity import QuantityError, nano
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue
from kubectl_fairshare.schedulers.kueue.rules.configuration.settings import (
    ELSEWHERE,
    absent,
    admission_fair_sharing,
    sound_configuration,
    view,
)
from kubectl_fairshare.schedulers.kueue.rules.given import Configured, KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.preemption.priorities import priorities

_BY_USAGE: Final = "UsageBasedAdmissionFairSharing"
_SCOPE: Final = ("spec", "admissionScope")
_BLOCK: Final = "admissionFairSharing"
_WEIGHT: Final = ("spec", "fairSharing", "weight")
_ONE: Final = 10**9
_MOST_RELATED: Final = 10


def _scoped_queues(given: KueueGiven) -> list[ClusterQueue]:
    return [queue for queue in given.kueue.cluster_queues.values() if queue.admission_scope == _BY_USAGE]


def _settings(given: KueueGiven) -> tuple[Configured, JsonObject] | None:
    """The Configuration with its block for admission fair sharing, if that is on."""
    found, settings = sound_configuration(given), view(given)
    if found is None or settings is None or not admission_fair_sharing(given):
        return None
    return found, settings[_BLOCK]


def _weights(given: KueueGiven) -> Iterator[tuple[Examined, str | None, int]]:
    """The LocalQueues with a weight: their ClusterQueue, and the weight in 10⁻⁹."""
    for local in given.of("LocalQueue"):
        spec = local.spec
        weight = (spec.get("fairSharing") or {}).get("weight")
        try:
            amount = _ONE if weight is None else nano(weight)
        except QuantityError:  # another rule reports it
            continue
        if amount != _ONE:
            yield local, spec.get("clusterQueue"), amount


@warning_rule("K166")
def admission_scope_without_configuration(given: KueueGiven) -> Iterator[Finding]:
    """One finding, at the first queue."""
    queues = _scoped_queues(given)
    if queues and admission_fair_sharing(given) is False:
        found = sound_configuration(given)
        off = () if found is None else (Related(f"no `{_BLOCK}` here", found.place),)
        others = (Related("here, too", Place(q.key, _SCOPE)) for q in queues[1 : 1 + _MOST_RELATED])
        yield Finding(
            Place(queues[0].key, (*_SCOPE, "admissionMode")),
            f"`{queues[0].name}` does not order by usage, because admission fair sharing is off",
            Remedy(f"write `{_BLOCK}` in Kueue's Configuration, or remove `admissionScope`"),
            evidence=(("queues", str(len(queues))),),
            related=(*off, *others),
        )


@warning_rule("K167")
def admission_fair_sharing_without_scope(given: KueueGiven) -> Iterator[Finding]:
    """One finding, at the Configuration."""
    found = _settings(given)
    if found is not None and not _scoped_queues(given) and all(q.stored is not None for q in given.of("ClusterQueue")):
        yield Finding(
            found[0].at(_BLOCK),
            f"the recorded usage has no effect: no ClusterQueue, of {len(given.kueue.cluster_queues)}, orders by it",
            Remedy(f"write `admissionScope: {{admissionMode: {_BY_USAGE}}}` in a ClusterQueue"),
            elsewhere="a ClusterQueue with admissionScope",
        )


@warning_rule("K168")
def local_queue_weight_without_effect(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each ClusterQueue, at its first LocalQueue, unless another rule reports the cause."""
    off = admission_fair_sharing(given) is False
    if admission_fair_sharing(given) and not _scoped_queues(given):
        return
    found: dict[str, list[Examined]] = {}
    for local, name, _ in _weights(given):
        queue = given.kueue.cluster_queues.get(name or "")
        if queue is not None and queue.admission_scope != _BY_USAGE:
            found.setdefault(queue.name, []).append(local)
    for name, locals_ in sorted(found.items()):
        because = "admission fair sharing is off" if off else "the queue does not order by usage"
        does = "is" if len(locals_) == 1 else "are"
        yield Finding(
            locals_[0].at(*_WEIGHT),
            f"{several(len(locals_), 'weight')} of LocalQueues for `{name}` {does} ignored: {because}",
            Remedy("remove it, or write `admissionScope` in the ClusterQueue"),
            related=tuple(Related("here, too", other.at(*_WEIGHT)) for other in locals_[1 : 1 + _MOST_RELATED]),
        )


@warning_rule("K169")
def usage_half_life_zero(given: KueueGiven) -> Iterator[Finding]:
    """One finding, at the Configuration."""
    found = _settings(given)
    if found is not None and nanoseconds(found[1].get("usageHalfLifeTime") or "0") == 0:
        yield Finding(
            found[0].at(_BLOCK, "usageHalfLifeTime"),
            f"Kueue forgets past usage every {found[1]['usageSamplingInterval']}, because the half-life is 0",
            Remedy("write `usageHalfLifeTime`, such as `168h`"),
        )


@warning_rule("K170")
def resource_weights_missing(given: KueueGiven) -> Iterator[Finding]:
    """One finding, at the Configuration."""
    found = _settings(given)
    if found is not None and not found[1].get("resourceWeights"):
        message = "usage adds cores and bytes one to one, so memory outweighs every other resource"
        place = found[0].at(_BLOCK, "resourceWeights")
        yield Finding(place, message, Remedy("write `resourceWeights`, such as `{cpu: 1, memory: 1e-10}`"))


@info_rule("K171", advice=True)
def usage_before_priority(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue."""
    known = priorities(given)
    if admission_fair_sharing(given) is False or len(known) < 2:
        return
    for queue in _scoped_queues(given):
        yield Finding(
            Place(queue.key, (*_SCOPE, "admissionMode")),
            f"`{queue.name}` compares usage before its {len(known)} priorities",
            Remedy("give urgent workloads a ClusterQueue of their own"),
            evidence=(("priorities", ", ".join(map(str, known))),),
            elsewhere=ELSEWHERE if absent(given) else "",
        )


@warning_rule("K172")
def local_queue_weight_not_positive(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each LocalQueue; another rule reports weights without effect."""
    known = admission_fair_sharing(given)
    for local, name, weight in _weights(given):
        queue = given.kueue.cluster_queues.get(name or "")
        idle = " once it has used anything, and first until then" if given.release.weight_divides else ""
        if weight <= 0 and known is not False and (queue is None or queue.admission_scope == _BY_USAGE):
            yield Finding(
                local.at(*_WEIGHT),
                f"LocalQueue `{local.key.namespace}/{local.key.name}` always comes last{idle}, because its "
                f"weight is `{_weight_text(local)}`",
                Remedy("write a weight above 0, such as `100m`"),
                elsewhere=ELSEWHERE if absent(given) else "",
            )


def _weight_text(local: Examined) -> str:
    return str((local.stored or {})["spec"]["fairSharing"]["weight"])


@warning_rule("K181")
def usage_sampled_too_rarely(given: KueueGiven) -> Iterator[Finding]:
    """One finding, at the Configuration; another rule reports a half-life of 0."""
    found = _settings(given)
    if found is None:
        return
    half_life, sampling = (found[1].get(name) or "0" for name in ("usageHalfLifeTime", "usageSamplingInterval"))
    if 0 < nanoseconds(half_life) <= nanoseconds(sampling):
        yield Finding(
            found[0].at(_BLOCK, "usageHalfLifeTime"),
            f"past usage halves every {half_life}, but Kueue samples it only every {sampling}",
            Remedy("write a longer `usageHalfLifeTime`, such as `168h`, or a shorter `usageSamplingInterval`"),
        )


@warning_rule("K182")
def usage_order_blocks(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue."""
    if admission_fair_sharing(given) is False:
        return
    for queue in _scoped_queues(given):
        if queue.queueing_strategy == "StrictFIFO":
            yield Finding(
                Place(queue.key, ("spec", "queueingStrategy")),
                f"the LocalQueue with the least usage blocks all others of `{queue.name}` while it waits",
                Remedy("write `queueingStrategy: BestEffortFIFO`, or remove `admissionScope`"),
                elsewhere=ELSEWHERE if absent(given) else "",
            )
