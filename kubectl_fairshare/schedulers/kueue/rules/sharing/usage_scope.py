"""Admission fair sharing: what the queues and LocalQueues that it orders make of it."""

import re
from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.finding import Finding, Related, Remedy
from kubectl_fairshare.lint.given import Examined
from kubectl_fairshare.lint.protocol import info_rule, warning_rule
from kubectl_fairshare.lint.words.figures import few
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
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven

_BY_USAGE: Final = "UsageBasedAdmissionFairSharing"
_SCOPE: Final = ("spec", "admissionScope", "admissionMode")
_BLOCK: Final = "admissionFairSharing"
_WEIGHTS: Final = (_BLOCK, "resourceWeights")
_WEIGHT: Final = ("spec", "fairSharing", "weight")
_MOST_DECIMALS: Final = 9


def _scoped(given: KueueGiven) -> list[ClusterQueue]:
    """The queues that order by usage; none where that is off."""
    if admission_fair_sharing(given) is False:
        return []
    return [queue for queue in given.kueue.cluster_queues.values() if queue.admission_scope == _BY_USAGE]


def _locals(given: KueueGiven) -> dict[str, list[Examined]]:
    """The LocalQueues of each ClusterQueue, by namespace and name."""
    found: dict[str, list[Examined]] = {}
    for each in given.of("LocalQueue"):
        found.setdefault(str(each.spec.get("clusterQueue")), []).append(each)
    return found


def _elsewhere(given: KueueGiven) -> str:
    return ELSEWHERE if absent(given) else ""


@warning_rule("K202")
def resource_weights_partial(given: KueueGiven) -> Iterator[Finding]:
    """One finding, at the weights; another rule reports that there are none."""
    found, settings = sound_configuration(given), view(given)
    if found is None or settings is None or not admission_fair_sharing(given):
        return
    weights = settings[_BLOCK].get("resourceWeights") or {}
    covered = {r for queue in _scoped(given) for group in queue.groups for r in group.covered}
    lacking, idle = sorted(covered - weights.keys()), sorted(weights.keys() - covered)
    if weights and covered and lacking:
        yield Finding(
            found.at(*_WEIGHTS),
            f"a unit of {few(lacking)} counts 1, because `resourceWeights` name only {few(sorted(weights))}",
            Remedy("write a weight for each resource that these queues cover, memory as a small fraction"),
            evidence=(("without a weight", ", ".join(lacking)), *((("not covered", ", ".join(idle)),) if idle else ())),
        )


@warning_rule("K203")
def same_named_local_queues(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each name of a queue, at the second LocalQueue; only where workloads may be preempted."""
    for queue in _scoped(given):
        if queue.preemption.within_cluster_queue == "Never" and queue.cohort is None:
            continue
        names: dict[str, list[Examined]] = {}
        for each in _locals(given).get(queue.name, ()):
            names.setdefault(each.key.name, []).append(each)
        for name, several in sorted(names.items()):
            if len(several) > 1:
                yield Finding(
                    several[1].at("metadata", "name"),
                    f"{len(several)} LocalQueues of `{queue.name}` are called `{name}`: usage does not order their "
                    "workloads as victims",
                    Remedy("give them different names"),
                    related=(Related("the first", several[0].at("metadata", "name")),),
                    elsewhere=_elsewhere(given),
                )


@info_rule("K204", advice=True)
def usage_order_of_one(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue with exactly one LocalQueue."""
    for queue in _scoped(given):
        if len(_locals(given).get(queue.name, ())) == 1:
            yield Finding(
                Place(queue.key, _SCOPE),
                f"`{queue.name}` orders by past usage and has one LocalQueue: there is nothing to compare",
                Remedy("add the other LocalQueues, or remove `admissionScope`"),
                elsewhere="a LocalQueue",
            )


@info_rule("K205")
def usage_penalties_wait_for_checks(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue with admission checks."""
    for queue in _scoped(given):
        if queue.checks:
            yield Finding(
                Place(queue.key, _SCOPE),
                f"entry penalties of `{queue.name}` last until {few([c.name for c in queue.checks])} is ready, and "
                "longer after an eviction",
                Remedy("nothing, if checks end soon"),
                elsewhere=_elsewhere(given),
            )


@warning_rule("K206")
def local_queue_weight_too_fine(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each LocalQueue whose weight has more than nine decimals, or is below a millionth."""
    scoped = {queue.name for queue in _scoped(given)}
    for each in given.of("LocalQueue"):
        weight = (each.spec.get("fairSharing") or {}).get("weight")
        if weight is not None and each.spec.get("clusterQueue") in scoped and _is_too_fine(weight):
            yield Finding(
                each.at(*_WEIGHT),
                f"weight `{weight}` is rounded up to a multiple of 1n, and usage is divided by it",
                Remedy("write a weight such as `500m`, `1` or `2`"),
                elsewhere=_elsewhere(given),
            )


def _is_too_fine(weight: object) -> bool:
    try:
        amount = nano(str(weight))
    except QuantityError:  # another rule reports it
        return False
    decimals = re.search(r"\.([0-9]+)", str(weight))
    return 0 < amount < 10**3 or (decimals is not None and len(decimals[1]) > _MOST_DECIMALS)
