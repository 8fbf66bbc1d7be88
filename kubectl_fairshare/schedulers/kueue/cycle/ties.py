"""Ties between the heads of a cycle: what a head asks for, and whether the order of several heads can matter.

Example: three heads rank the same and together ask for 6 of 8 free GPUs. Each order admits all of them, so one order is
enough; with 6 free GPUs and a fourth head it is not.
Source: ``less`` in https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/fair_sharing_iterator.go and
``makeClassicalIterator`` in https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/scheduler.go, which end
with the age.
"""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.cycle.order import queue_of, quota_usage
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Mode
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger
from kubectl_fairshare.schedulers.kueue.tree.reach import fits


def proposal(nomination: Nomination) -> Hashable:
    """A head with the quota and the victims that it asks for."""
    usage = tuple(sorted(quota_usage(nomination).items()))
    return nomination.workload.key, usage, tuple(target.holder.key for target in nomination.leaving)


class Rivalry(NamedTuple):
    """Why the order of heads may matter: ``late`` fits now, and not after those ``before`` it, which fit together.

    ``late`` is None where the reason is another. ``before`` are identities of objects.
    """

    late: Nomination | None = None
    before: frozenset[int] = frozenset()

    def is_certain(self, ledger: Ledger, assumed: Nomination) -> bool:
        """Whether it is there for certain after one head got its quota: all that was counted is still counted."""
        return self.late is not None and id(assumed) in self.before and _fits(ledger, self.late)


def rivalry(ledger: Ledger, left: Sequence[Nomination]) -> Rivalry | None:
    """None if the heads get the same in every order: all that fit now fit together, and none has victims.

    What fits together fits in every order: earlier heads only take quota, and each check sees no more than all take.
    What does not fit now does not fit later. A head that keeps room for itself matters to one that fits.
    """
    if any(n.placements or n.leaving or n.second is not None for n in left):
        return Rivalry()
    preempts, taken = any(n.mode is Mode.PREEMPT for n in left), ledger
    before: list[int] = []
    for nomination in left:
        if nomination.mode is not Mode.FIT:
            continue
        if _fits(taken, nomination):  # and so it does now
            if preempts:
                return Rivalry()
            taken = taken.plus(queue_of(nomination), quota_usage(nomination))
            before.append(id(nomination))
        elif _fits(ledger, nomination):
            return Rivalry(nomination, frozenset(before))
    return None


def _fits(ledger: Ledger, nomination: Nomination) -> bool:
    return fits(ledger, queue_of(nomination), quota_usage(nomination), borrowing=True)
