"""One attempt for a waiting pod, and what turns need of a scheduler that makes it.

Tested in ``tests/unit/schedulers/turns/test_turns.py``.
"""

from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.schedulers.turns.line import AnyPod

NOWHERE: Final = " "
"""No node has this name: without nodes, a pod that the quotas admit is there."""

AnyState = TypeVar("AnyState")
AnyAttempt = TypeVar("AnyAttempt")
AnyPlan = TypeVar("AnyPlan")


class PodTry(NamedTuple, Generic[AnyPod, AnyAttempt]):
    """One attempt: the node that the pod gets, if any, of which nodes, and who leaves for it.

    Attempts of equal ``kind`` have one answer. Victims without a node leave in vain. ``by_quota``: the quotas rejected
    the pod before its victims left.
    """

    attempt: AnyAttempt
    kind: Hashable
    node: str = ""
    victims: Sequence[AnyPod] = ()
    choices: Sequence[str] = ()
    by_quota: bool = False

    @property
    def end(self) -> Hashable:
        """Whether the pod gets in, and who leaves."""
        return bool(self.node), frozenset(victim.key for victim in self.victims)

    @property
    def is_refusal(self) -> bool:
        """Whether the state stays as it is."""
        return not self.node and not self.victims


class TurnRules(Protocol[AnyState, AnyPod, AnyAttempt]):
    """What turns need of a scheduler of single pods."""

    def tried(self, state: AnyState, pod: AnyPod) -> PodTry[AnyPod, AnyAttempt]:
        """The scheduler's own cycle for a waiting pod of the state."""

    def eviction_work(self, found: PodTry[AnyPod, AnyAttempt]) -> int:
        """How many attempts one is worth for which others leave: it is decided again for orders of equal pods."""

    def gets(self, state: AnyState, pod: AnyPod, node: str) -> bool:
        """Whether the pod, which is nominated to the node, gets it."""

    def bound(self, state: AnyState, pod: AnyPod, node: str, /) -> AnyState:
        """The state with one of its waiting pods on the node."""

    def nominated(self, state: AnyState, pod: AnyPod, node: str, victims: Collection[AnyPod], /) -> AnyState:
        """The state with the pod nominated to the node, which may be none, and victims that are being deleted."""

    def without(self, state: AnyState, gone: Collection[AnyPod], /) -> AnyState:
        """The state without these pods, as far as it has them."""

    def doubts(self, state: AnyState, found: PodTry[AnyPod, AnyAttempt]) -> Iterable[Gap]:
        """What the end of an attempt rests on, and who leaves; only what may let a pod in that is refused."""

    def rests_on_nodes(self, state: AnyState, found: PodTry[AnyPod, AnyAttempt], moving: Sequence[AnyPod]) -> bool:
        """Whether the attempt may end in another way if those pods are on other nodes."""

    def nodes(self, state: AnyState) -> Collection[str]:
        """The names of the nodes."""

    def shape(self, state: AnyState, pod: AnyPod) -> Hashable:
        """All that decides about the pod, without its name."""

    def size(self, state: AnyState, pod: AnyPod) -> Hashable:
        """What it takes of a node, and which nodes it may use."""

    def helps_preemption(self, state: AnyState, pod: AnyPod, /) -> bool:
        """Whether the place of the pod makes pods of the same priority able to preempt that were not."""
