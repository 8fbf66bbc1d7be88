"""Faults of releases that later ones fixed: a crash, and quotas and preferences that do not act as they are written."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.finding import Finding, Remedy
from kubectl_fairshare.lint.protocol import error_rule, warning_rule
from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue
from kubectl_fairshare.schedulers.kueue.rules.cohorts.trees import trees
from kubectl_fairshare.schedulers.kueue.rules.configuration.settings import fair_sharing
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.quotas.written import FIELDS, QuotaEntry, entries, nano_of

_WITHIN: Final[FieldPath] = ("spec", "preemption", "withinClusterQueue")
_PREFERENCE: Final[FieldPath] = ("spec", "flavorFungibility", "preference")
_OTHER: Final = {
    "PreemptionOverBorrowing": "BorrowingOverPreemption",
    "BorrowingOverPreemption": "PreemptionOverBorrowing",
}
_LARGEST: Final = 2**63 - 1
_MILLI: Final = 10**6
_UNIT: Final = 10**9


def _sound(given: KueueGiven) -> Iterator[ClusterQueue]:
    """The queues without a cohort cycle, by name."""
    out = given.forest.cyclic_queues
    return (queue for queue in given.kueue.cluster_queues.values() if queue.name not in out)


@error_rule("K212")
def manager_crashes_without_cohort(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue without a cohort that may preempt, in releases that crash there."""
    if not given.release.crashes_without_cohort or not fair_sharing(given):
        return
    for queue in _sound(given):
        if queue.cohort is None and queue.preemption.within_cluster_queue != "Never":
            message = (
                f"Kueue {given.release} crashes once the candidates in `{queue.name}` do not suffice for a workload, "
                "and again after each restart"
            )
            remedy = "upgrade to v0.18 or later, put the queue into a cohort, or write `withinClusterQueue: Never`"
            yield Finding(Place(queue.key, _WITHIN), message, Remedy(remedy))


@error_rule("K213")
def amount_beyond_64_bits(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each amount that is too large, and for each sum of a tree that is, at its largest quota."""
    if not given.release.wrapping_amounts:
        return
    stored = [each for kind in ("ClusterQueue", "Cohort") for each in given.of(kind) if each.stored]
    written = {(each.key.kind == "ClusterQueue", each.key.name): [*entries(each.manifest)] for each in stored}
    for quotas in written.values():
        for entry in quotas:
            for field in FIELDS:
                amount = _amount(entry, field)
                if amount >= _LARGEST:  # Go reads a larger one of binary units as this
                    text = entry.quota.get(field)
                    message = f"{field} {text} of {entry.resource} counts as another amount in Kueue {given.release}"
                    yield Finding(entry.at(field), message, _smaller())
    for tree in trees(given):
        found: dict[tuple[str, str], list[QuotaEntry]] = {}
        for node in tree.nodes:
            for entry in written.get((node.is_queue, node.name), ()):
                if 0 < _amount(entry, FIELDS[0]) < _LARGEST:
                    found.setdefault((entry.flavor, entry.resource), []).append(entry)
        for (flavor, resource), quotas in sorted(found.items()):
            if sum(_amount(entry, FIELDS[0]) for entry in quotas) > _LARGEST:
                largest = max(quotas, key=lambda entry: _amount(entry, FIELDS[0]))
                message = (
                    f"the quotas of {resource} in `{flavor}` below cohort `{tree.root.name}` add up to a negative "
                    f"amount in Kueue {given.release}"
                )
                yield Finding(largest.at(FIELDS[0]), message, _smaller())


def _smaller() -> Remedy:
    return Remedy("upgrade to v0.18 or later, or write an amount that fits into 64 bits (cpu: in milli-units)")


def _amount(entry: QuotaEntry, field: str) -> int:
    """The amount in Kueue's units, rounded up; 0 for one that is not a number."""
    return -(-(nano_of(entry.quota.get(field)) or 0) // _unit(entry.resource))


def _unit(resource: str) -> int:
    return _MILLI if resource == "cpu" else _UNIT


@error_rule("K214")
def preferences_swapped(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue with a preference, in releases that take each for the other."""
    if not given.release.preferences_swapped:
        return
    for queue in given.kueue.cluster_queues.values():
        other = _OTHER.get(queue.fungibility.preference or "")
        if other is not None:
            message = f"`{queue.fungibility.preference}` of `{queue.name}` acts as `{other}` in Kueue {given.release}"
            yield Finding(Place(queue.key, _PREFERENCE), message, Remedy("upgrade to v0.16.2 or later"))


@warning_rule("K215")
def waits_without_candidates(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue of a cohort that prefers preemption and has a choice of flavors."""
    if given.release.hopeless_last:
        return
    for queue in _sound(given):
        choice = any(len(group.flavors) > 1 for group in queue.groups)
        if choice and queue.cohort is not None and queue.fungibility.preference == "PreemptionOverBorrowing":
            message = (
                f"in Kueue {given.release} a workload of `{queue.name}` may wait for a flavor in which it can preempt "
                "no workload, although another flavor has room to borrow"
            )
            remedy = "upgrade to v0.18.5, v0.19.1 or later, or remove `preference`"
            yield Finding(Place(queue.key, _PREFERENCE), message, Remedy(remedy))
