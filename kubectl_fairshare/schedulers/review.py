"""What questions about a policy ask of a scheduler, next to those that a person asks about one state.

``diff``, ``test``, ``capacity`` and ``search`` know this protocol and no scheduler.
Tested in ``tests/unit/policy/test_diff.py``.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from kubectl_fairshare.answers.answer import Answer
from kubectl_fairshare.answers.details import PlanDetail
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.answers.review import Entitlement, Exposures
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot

if TYPE_CHECKING:
    from kubectl_fairshare.schedulers.sandbox import Sandbox


class Reviewer(Protocol):
    """One scheduler, as questions about a policy know it."""

    def understood(self, snapshot: Snapshot) -> Mapping[ObjectKey, object]:
        """The policy: what the scheduler makes of each object of it. Equal values decide equally."""

    def fidelity(self, snapshot: Snapshot) -> Fidelity:
        """What of the snapshot is not modelled, whatever is asked about it."""

    def entitlements(
        self, snapshot: Snapshot, *, saturated: bool = True, unlike: Snapshot | None = None
    ) -> Sequence[Entitlement]:
        """What each queue has a right to, by queue, pool and resource.

        Without ``saturated`` a part that takes long to find, what it gets when all are busy, may be left out; so may
        that of queues for which it is the same in ``unlike``.
        """

    def saturation_steps(self, snapshot: Snapshot, unlike: Snapshot) -> int:
        """About how many decisions lead to what ``entitlements`` may leave out; 0 if there are few."""

    def exposures(self, snapshot: Snapshot, numbers: PreemptorNumbers) -> Exposures:
        """Each running workload with all that may preempt it.

        States that are compared share the ``numbers``: sets of preemptors are then compared without a look inside.
        """

    def waiting(self, snapshot: Snapshot) -> Sequence[Answer[PlanDetail]]:
        """The outcome of each workload that waits, considered alone and now; nothing is tried that would help."""

    def counted(self, snapshot: Snapshot) -> tuple[int, int]:
        """How many workloads ``exposures`` and ``waiting`` have, without deciding anything."""

    def replayed(self, snapshot: Snapshot, given: Reading, namespace: str) -> Sequence[Answer[PlanDetail]]:
        """The outcome of each of the ``given`` workloads, as ``waiting`` has it."""

    def idle(self, snapshot: Snapshot) -> Snapshot:
        """The snapshot with no work in it, neither running nor waiting."""

    def work(self, snapshot: Snapshot) -> Sequence[ObjectKey]:
        """The work in the snapshot, running and waiting: what ``idle`` leaves out."""

    def named(self, snapshot: Snapshot) -> Mapping[str, Sequence[str]]:
        """The names that a test can go through, by kind: queues as users call them, and ``flavor``."""

    def preemption_rules(self, snapshot: Snapshot) -> Sequence[str]:
        """The short names of the rules by which the policy lets workloads be preempted."""

    def sandbox(self, snapshot: Snapshot) -> "Sandbox":
        """The snapshot as a state to which made-up work is submitted. Raises ``UsageError`` if something is missing."""
