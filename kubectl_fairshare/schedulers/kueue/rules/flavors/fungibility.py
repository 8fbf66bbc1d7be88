"""How a ClusterQueue chooses among flavors: settings without effect, and choices that surprise."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.finding import Finding, Remedy, Remove
from kubectl_fairshare.lint.protocol import info_rule, warning_rule
from kubectl_fairshare.lint.words.figures import figure, several
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue, Fungibility
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.preemption.priorities import may_preempt

_FUNGIBILITY: Final = ("spec", "flavorFungibility")
_DEFAULTS: Final = Fungibility()


def _place(queue: ClusterQueue, *path: str) -> Place:
    return Place(queue.key, (*_FUNGIBILITY, *path))


def _choices(queue: ClusterQueue) -> int:
    """The largest number of flavors in a group of the queue."""
    return max((len(group.flavors) for group in queue.groups), default=0)


@warning_rule("K148")
def preemption_over_borrowing(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue with such a choice; releases that wait where no workload can leave have K215."""
    if not given.release.hopeless_last:
        return
    for queue in given.kueue.cluster_queues.values():
        preferring = queue.fungibility.preference == "PreemptionOverBorrowing"
        if preferring and queue.cohort is not None and _choices(queue) > 1 and may_preempt(queue):
            message = f"`{queue.name}` may wait for preemption in one flavor although it could borrow in another"
            yield Finding(
                _place(queue, "preference"),
                message,
                Remedy("remove `preference`", (Remove(_place(queue, "preference")),)),
                evidence=(("flavors", str(_choices(queue))),),
            )


@info_rule("K149")
def fungibility_without_choice(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue, with all its settings that have no effect."""
    for queue in given.kueue.cluster_queues.values():
        idle, because = _idle(queue)
        if idle:
            text = " and ".join(f"`{name}`" for name in idle)
            edits = tuple(Remove(_place(queue, name)) for name in idle)
            yield Finding(
                _place(queue, idle[0]),
                f"`{queue.name}` {because}, so {text} {'has' if len(idle) == 1 else 'have'} no effect",
                Remedy("remove it", edits, safe=True),
            )


def _idle(queue: ClusterQueue) -> tuple[list[str], str]:
    """The settings, other than the defaults, that have no effect, and why."""
    fungibility, flavors = queue.fungibility, _choices(queue)
    if flavors == 1:
        settings = {
            "whenCanBorrow": fungibility.when_can_borrow != _DEFAULTS.when_can_borrow,
            "whenCanPreempt": fungibility.when_can_preempt != _DEFAULTS.when_can_preempt,
            "preference": fungibility.preference is not None,
        }
        # ``preference`` requires TryNextFlavor in both: remove those only together with ``preference``.
        names = ["preference", "whenCanBorrow", "whenCanPreempt"]
        return [name for name in names if settings[name]], "has only one flavor"
    if flavors > 1 and fungibility.when_can_preempt == "MayStopSearch" and not may_preempt(queue):
        return ["whenCanPreempt"], "never preempts"
    return [], ""


@info_rule("K150", advice=True)
def preempts_before_next_flavor(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue with several flavors that may preempt."""
    for queue in given.kueue.cluster_queues.values():
        stops = queue.fungibility.when_can_preempt == "MayStopSearch"
        if stops and _choices(queue) > 1 and may_preempt(queue):
            others = several(_choices(queue) - 1, "other")
            message = f"`{queue.name}` preempts in its first flavor although {others} may be idle"
            remedy = Remedy("write `whenCanPreempt: TryNextFlavor`")
            yield Finding(_place(queue, "whenCanPreempt"), message, remedy)


def _own_quota(queue: ClusterQueue, pair: FlavorResource) -> str:
    return f"{figure(pair.resource, queue.quotas[pair].nominal)} in `{pair.flavor}`"


@info_rule("K151", advice=True)
def borrows_before_own_quota(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue of a cohort with quota in later flavors."""
    for queue in given.kueue.cluster_queues.values():
        if queue.cohort is None or queue.fungibility.when_can_borrow != "MayStopSearch":
            continue
        later = [
            FlavorResource(flavor, resource)
            for group in queue.groups
            for flavor in group.flavors[1:]
            for resource in group.covered
            if queue.quotas[FlavorResource(flavor, resource)].nominal
        ]
        if later:
            first = later[0]
            own = _own_quota(queue, first)
            message = f"`{queue.name}` borrows in an earlier flavor before it uses its own {own}"
            yield Finding(
                _place(queue, "whenCanBorrow"),
                message,
                Remedy("write `whenCanBorrow: TryNextFlavor`"),
                evidence=(("own quota in later flavors", ", ".join(_own_quota(queue, pair) for pair in later)),),
            )
