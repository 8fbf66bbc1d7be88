"""What every scheduler of single pods answers: it has no queues of workloads, and a cycle takes one pod."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NoReturn, Protocol

from kubectl_fairshare.jobs.kinds import CARRIERS
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.question import Settings, WhyQuestion, unanswered

if TYPE_CHECKING:
    from kubectl_fairshare.answers.churn import NotedEviction

_MAKERS: Final = frozenset({"Event", *(kind for _, kind in CARRIERS)})
_NO_QUEUES: Final = "it has no queues of workloads, and the scheduler tries pods one by one"
_ASK_PLAN: Final = "ask about a pod: `kubectl fairshare plan -f … -w pod.yaml`"


class PlaceablePod(Protocol):
    """A pod, as far as it is counted: its object, and its node or nothing."""

    @property
    def key(self) -> ObjectKey:
        """The object."""

    @property
    def node(self) -> str:
        """The node; empty while it waits."""


class SinglePodHouse:
    """The answers that do not depend on the scheduler. No house overrides one of them."""

    title: str

    def files(self, settings: Settings) -> Sequence[str]:  # noqa: ARG002 -- none of its options names a file
        """No files."""
        return ()

    def spares(self, settings: Settings) -> frozenset[str]:  # noqa: ARG002 -- no setting replaces a kind
        """No kinds: every kind that decides is needed."""
        return frozenset()

    def also_read(self, command: str) -> Collection[str]:
        """For commands about jobs: the objects that create pods, and Events."""
        return _MAKERS if command in ("why", "trace", "forecast") else ()

    def works_on(self, _: Snapshot) -> bool:
        """Always false: a pod alone is not work of this scheduler."""
        return False

    def evictions(self, snapshot: Snapshot) -> "Mapping[str, Sequence[NotedEviction]]":  # noqa: ARG002 -- no record
        """Nothing: a preempted pod is deleted, and no object says for whom."""
        return {}

    def topologies(self, snapshot: Snapshot, resources: Sequence[str]) -> NoReturn:  # noqa: ARG002 -- no answer
        """Raises ``UnansweredError``: it knows nodes, and no domains of them."""
        reason = "it places pods on single nodes, not in domains"
        raise unanswered(self.title, "shares --topology", reason, "`plan` shows what each node has free")

    def cycle(self, snapshot: Snapshot) -> NoReturn:  # noqa: ARG002 -- no answer
        """Raises ``UnansweredError``: a cycle takes one pod."""
        raise unanswered(self.title, "cycle", _NO_QUEUES, _ASK_PLAN)


def unlisted_pods(
    pods: Iterable[PlaceablePod], question: WhyQuestion, listed: Collection[ObjectKey]
) -> tuple[str, ...]:
    """The number of pods on a node, and the number of waiting pods in other namespaces."""
    namespace = question.namespace
    others = [pod for pod in pods if pod.key not in listed]
    placed = sum(bool(pod.node) for pod in others if namespace in (None, pod.key.namespace))
    elsewhere = 0 if namespace is None else sum(not p.node for p in others if p.key.namespace != namespace)
    running = f"{placed} on a node"
    return (running, f"{elsewhere} waiting in other namespaces (-A)") if elsewhere else (running,)
