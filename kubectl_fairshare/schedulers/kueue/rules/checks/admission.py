"""The steps between quota and start: admission checks of a ClusterQueue, and concurrent admission."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.finding import Finding, Remedy, Remove
from kubectl_fairshare.lint.protocol import info_rule, warning_rule
from kubectl_fairshare.lint.words.figures import few
from kubectl_fairshare.model.json import rows
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue
from kubectl_fairshare.schedulers.kueue.rules.configuration.settings import ELSEWHERE, absent, gate
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven

_CHECKS: Final = ("spec", "admissionChecksStrategy", "admissionChecks")
_MOST_CHECKS: Final = 8


@warning_rule("K162")
def check_on_no_flavors(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each check, at its list."""
    for examined in given.of("ClusterQueue"):
        if examined.stored is None:
            continue
        for index, check in enumerate(rows(examined.manifest.passing_data, *_CHECKS)):
            if check.get("onFlavors") == []:
                place = examined.at(*_CHECKS, index, "onFlavors")
                queue = examined.key.name
                message = f"the list of check `{check.get('name')}` is empty, so it applies to all flavors of `{queue}`"
                remedy = Remedy("remove the check, or the empty list", (Remove(place),), safe=True)
                yield Finding(place, message, remedy)


@info_rule("K163", advice=True)
def check_skips_flavors(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each check."""
    for queue in given.kueue.cluster_queues.values():
        for index, use in enumerate(queue.checks):
            skipped = [f for group in queue.groups for f in group.flavors if f not in use.on_flavors]
            if use.on_flavors and skipped:
                message = f"workloads of `{queue.name}` in {few(skipped)} start without check `{use.name}`"
                remedy = Remedy("add these flavors to the list, or leave the list out")
                yield Finding(Place(queue.key, (*_CHECKS, index, "onFlavors")), message, remedy)


@warning_rule("K164")
def too_many_admission_checks(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue if some choice of flavors needs too many checks."""
    for queue in given.kueue.cluster_queues.values():
        count = _most_checks(queue) if len(queue.checks) > _MOST_CHECKS else 0
        if count > _MOST_CHECKS:
            yield Finding(
                Place(queue.key, _CHECKS),
                f"{count} checks apply to one workload of `{queue.name}`, {count - _MOST_CHECKS} more than its status "
                "can have: it is never admitted",
                Remedy(f"use at most {_MOST_CHECKS}"),
                evidence=(("checks", str(count)), ("a status holds", str(_MOST_CHECKS))),
            )


def _most_checks(queue: ClusterQueue) -> int:
    """The largest number of checks for any choice of one flavor in each group."""
    always = sum(1 for use in queue.checks if not use.on_flavors)
    left = [frozenset(use.on_flavors) for use in queue.checks if use.on_flavors]
    for group in queue.groups:
        best = max((sum(flavor in use for use in left) for flavor in group.flavors), default=0)
        always += best
        left = [use for use in left if not use & set(group.flavors)]
    return always


@warning_rule("K165")
def concurrent_admission_gate_off(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue."""
    on = gate(given, "ConcurrentAdmission")
    if on or (on is None and not absent(given)):
        return
    for queue in given.kueue.cluster_queues.values():
        if queue.concurrent_admission:
            yield Finding(
                Place(queue.key, ("spec", "concurrentAdmissionPolicy")),
                f"`{queue.name}` has a policy that nothing follows, as the gate ConcurrentAdmission is off, and that "
                "can't be changed once it is stored",
                Remedy("write `featureGates: {ConcurrentAdmission: true}`, or remove the policy"),
                elsewhere=ELSEWHERE if on is None else "",
            )
