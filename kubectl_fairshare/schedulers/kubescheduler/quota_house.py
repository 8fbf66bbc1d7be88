"""The answers that are made in the same way for both plugins, of what each says about itself in its ``QuotaPlugin``.

It imports heavy modules when they are needed: it is part of every start.
Decides nothing: the plugin does.
Tested in ``tests/unit/schedulers/test_pod_house.py``.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection
from functools import partial
from typing import TYPE_CHECKING, Any

from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.pod_house import SinglePodHouse, unlisted_pods
from kubectl_fairshare.schedulers.question import PlanQuestion, SharesQuestion, WhyQuestion

if TYPE_CHECKING:
    from kubectl_fairshare.answers.answer import Answer
    from kubectl_fairshare.answers.counts import QueueCounts
    from kubectl_fairshare.answers.fidelity import Gap
    from kubectl_fairshare.answers.shares import Shares
    from kubectl_fairshare.jobs.history import PastWork
    from kubectl_fairshare.schedulers.adoption import Adoption
    from kubectl_fairshare.schedulers.joint import JointQuestion, JointWork
    from kubectl_fairshare.schedulers.kubescheduler.plugin import QuotaPlugin
    from kubectl_fairshare.schedulers.replay import ReplayTerms, SchedulerReplay


class QuotaHouse(SinglePodHouse, ABC):
    """A plugin of kube-scheduler that admits pods by quotas.

    ``part`` names its part of a snapshot; ``without_quotas`` is what it says of one without quotas.
    """

    name: str
    part: str
    without_quotas: Problem

    @property
    @abstractmethod
    def plugin(self) -> "QuotaPlugin":
        """What it says about itself."""

    @abstractmethod
    def state_of(self, snapshot: Snapshot) -> Any:
        """Its part of a snapshot: quotas, pods, profiles."""

    @abstractmethod
    def shares(self, snapshot: Snapshot, question: SharesQuestion) -> "Shares[Any]":
        """Its quotas, and what is used of them."""

    def holds(self, snapshot: Snapshot) -> bool:
        """Whether the snapshot has one of its quotas."""
        return snapshot.has_part(self.part) and bool(self.state_of(snapshot).quotas)

    def replay(self, snapshot: Snapshot, terms: "ReplayTerms") -> "SchedulerReplay":
        """The scheduler's own cycles on a state that pods enter and leave. Raises ``UsageError`` without a quota."""
        from kubectl_fairshare.schedulers.pod_replay import PodReplay

        self._check_quotas(snapshot)
        return PodReplay(self.plugin.motion(), snapshot, terms)

    def adoption(self, snapshot: Snapshot, now: int) -> "Adoption":
        """The pods of the snapshot, by their jobs, for replays that begin with them."""
        from kubectl_fairshare.schedulers.kubescheduler.adoption import PluginPods
        from kubectl_fairshare.schedulers.pod_adoption import pod_adoption

        self._check_quotas(snapshot)
        return pod_adoption(snapshot, now, PluginPods(self.plugin, snapshot, self.unjudged(snapshot)))

    def joint(self, snapshot: Snapshot, question: "JointQuestion", now: int) -> "JointWork":
        """Jobs that are asked about together: all their pods. Raises ``UsageError`` without quotas."""
        from kubectl_fairshare.schedulers.kubescheduler.adoption import joint_work

        self._check_quotas(snapshot)
        return joint_work(self.plugin, snapshot, question, now, self.unjudged(snapshot))

    def unjudged(self, snapshot: Snapshot) -> "tuple[Gap, ...]":
        """A gap for each scheduler of waiting pods that does not run the plugin."""
        from kubectl_fairshare.schedulers.other_schedulers import answers_for, unjudged_gaps

        profiles = self.state_of(snapshot).profiles
        known = partial(answers_for, profiles, house=self.name)
        return unjudged_gaps(snapshot.manifests.values(), known, snapshot)

    def plan(self, snapshot: Snapshot, question: PlanQuestion) -> "tuple[Answer[Any], ...]":
        """The decision for each pod, considered alone and now, and its end after the pods that wait before it."""
        from kubectl_fairshare.schedulers.kubescheduler.plugin import in_turn

        plugin = self.plugin
        questions, notes = plugin.questions(snapshot, question)
        answers: list[Answer[Any]] = []
        for asked in questions:
            answer = plugin.answer(asked).with_parts(asked.origin.parts).with_holds(asked.origin.holds)
            answers.append(replace(answer, in_turn=in_turn(plugin, asked, answer.outcome, snapshot.manifests)))
        first = (replace(each, notes=(*each.notes, *notes)) for each in answers[:1])
        return (*first, *answers[1:])

    def most_helped(self, running: int, waiting: int) -> int:
        """One in any state: an attempt takes as long as there are workloads."""
        return max(1, 20_000 // max(1, running + waiting))

    def counts(self, snapshot: Snapshot) -> "QueueCounts":
        """How many workloads run and wait, as the answer about shares has them."""
        return self.shares(snapshot, SharesQuestion()).counts

    def unlisted(self, snapshot: Snapshot, question: WhyQuestion, listed: Collection[ObjectKey]) -> tuple[str, ...]:
        """The number of pods on a node, and the number of waiting pods in other namespaces."""
        return unlisted_pods(self.state_of(snapshot).pods, question, listed)

    def history(self, snapshot: Snapshot, *, evicted: bool = False) -> "PastWork":  # noqa: ARG002 -- all are there
        """What became of the jobs of the snapshot, by creation."""
        return self.plugin.history(snapshot)

    def _check_quotas(self, snapshot: Snapshot) -> None:
        if not self.holds(snapshot):
            raise UsageError(self.without_quotas)
