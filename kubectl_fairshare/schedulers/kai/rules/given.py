"""The input of KAI's rules."""

from functools import cached_property

from kubectl_fairshare.lint.given import Given
from kubectl_fairshare.schedulers.kai.model.kinds import QUEUE_GROUP
from kubectl_fairshare.schedulers.kai.model.objects import KaiState
from kubectl_fairshare.schedulers.kai.rules.queues import Queues, queues_of


class KaiGiven(Given, frozen=True, eq=False, dict=True):
    """Everything that was read, with KAI's queues."""

    @property
    def kai(self) -> KaiState:
        """KAI's part of the snapshot: accepted objects only."""
        return self.snapshot.part(KaiState)

    @cached_property
    def queues(self) -> Queues:
        """The queues that the API server accepts."""
        judged = (*self.of("Queue", QUEUE_GROUP), *self.of("PodGroup", QUEUE_GROUP))
        refused = frozenset(each.key for each in judged if each.stored is None)
        return queues_of(self.kai, self.snapshot.manifests, refused)
