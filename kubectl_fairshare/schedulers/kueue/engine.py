"""Kueue v0.19 as an engine: shares, plans, cycles.

Tested in ``tests/unit/schedulers/kueue/explain/test_binding.py``.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING
from weakref import ref

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kept import Kept
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.release import DEFAULT, SCHEDULER
from kubectl_fairshare.schedulers.kueue.tree.presuming import with_presumed_namespaces, with_presumed_references
from kubectl_fairshare.schedulers.kueue.tree.state import State, state_of

if TYPE_CHECKING:
    from kubectl_fairshare.schedulers.kueue.cycle.saturated import Saturation
    from kubectl_fairshare.schedulers.kueue.explain.cycle import CycleOutcome
    from kubectl_fairshare.schedulers.kueue.explain.decision import Plan
    from kubectl_fairshare.schedulers.kueue.explain.shares import ShareTree
    from kubectl_fairshare.schedulers.kueue.tree.derivation import Derivation
    from kubectl_fairshare.schedulers.kueue.why.explainer import Explainer
    from kubectl_fairshare.schedulers.kueue.why.verdict import Inquiry, Why


class KueueEngine:
    """Answers questions about a snapshot as Kueue would decide them.

    The state of the last snapshot is kept as long as the snapshot is, because there are usually several questions about
    one, and with it what the next cycles do with the work that waits: each answer of ``why`` needs that, and to play
    them takes longest.
    """

    name = "kueue"
    scheduler = SCHEDULER
    version = DEFAULT.text

    def __init__(self) -> None:
        self._last: tuple[ref[Snapshot], State] | None = None
        self._explainers: Kept[Explainer] = Kept()

    def state(self, snapshot: Snapshot) -> State:
        """The snapshot as the engine sees it, with the objects that it names and lacks."""
        if self._last is None or self._last[0]() is not snapshot:
            presumed = with_presumed_references(snapshot)
            # Its own object: otherwise the state would keep what it is kept by.
            own = replace(snapshot) if presumed is snapshot else presumed
            self._last = ref(snapshot, self._forget), state_of(own)
        return self._last[1]

    def _forget(self, gone: "ref[Snapshot]") -> None:
        if self._last is not None and self._last[0] is gone:
            self._last = None

    def _asked(self, snapshot: Snapshot) -> State:
        """The state for questions about workloads, with their namespaces."""
        state = self.state(snapshot)
        return state.of_snapshot(with_presumed_namespaces(state.snapshot))

    def fidelity(self, snapshot: Snapshot) -> Fidelity:
        """What in the snapshot is not modelled."""
        from kubectl_fairshare.schedulers.kueue.gaps import fidelity_of, snapshot_gaps

        state = snapshot.part(KueueState)
        return fidelity_of(state.configuration, snapshot_gaps(state))

    def shares(self, snapshot: Snapshot) -> "ShareTree":
        """The shares of all nodes."""
        from kubectl_fairshare.schedulers.kueue.explain.shares import share_tree

        return share_tree(self.state(snapshot))

    def explain(self, snapshot: Snapshot, name: str) -> "Derivation":
        """The figures of one ClusterQueue or Cohort, term by term; raises ``KeyError`` for an unknown name.

        Where both kinds have the name, the ClusterQueue is meant.
        """
        from kubectl_fairshare.schedulers.kueue.tree.derivation import derive

        state = self.state(snapshot)
        queue = state.forest.queue_ids.get(name)
        return derive(state, state.forest.cohort_ids[name] if queue is None else queue)

    def plan(self, snapshot: Snapshot, workload: Pending) -> "Plan":
        """The plan for a workload that is pending in the snapshot, if Kueue considers it now."""
        from kubectl_fairshare.schedulers.kueue.explain.planning import plan

        return plan(self._asked(snapshot), workload)

    def cited_objects(self, snapshot: Snapshot, found: "Plan") -> tuple[ObjectKey, ...]:
        """The objects of the snapshot that a plan rests on: these alone give the same plan."""
        from kubectl_fairshare.schedulers.kueue.explain.citation import cited_objects

        return cited_objects(self._asked(snapshot), found)

    def why(
        self,
        snapshot: Snapshot,
        asked: "Iterable[Inquiry]",
        now: int | None = None,
        *,
        briefly: bool = False,
        grounded: bool = True,
    ) -> "Iterator[Why]":
        """Why each workload of the snapshot waits, runs or never starts; ``now`` in nanoseconds since the epoch.

        One after the other, as they are asked for: of ten thousand, most run, and few of them are kept. ``briefly`` and
        ``grounded`` as in ``Explainer.why``.
        """
        explainer = self._explainer(snapshot, now)
        return (explainer.why(each, briefly=briefly, grounded=grounded) for each in asked)

    def _explainer(self, snapshot: Snapshot, now: int | None) -> "Explainer":
        """The explainer of a snapshot at a moment: one, as long as questions are about these."""
        from kubectl_fairshare.schedulers.kueue.why.explainer import Explainer

        return self._explainers.of(snapshot, now, lambda _: Explainer(self._asked(snapshot), now=now))

    def cycle(self, snapshot: Snapshot) -> "CycleOutcome":
        """What one scheduling cycle over all pending workloads does."""
        from kubectl_fairshare.schedulers.kueue.explain.cycle import cycle_report

        return cycle_report(self._asked(snapshot))

    def saturation(
        self, snapshot: Snapshot, shape: Mapping[str, int], backlog: Mapping[str, int | None]
    ) -> "Saturation":
        """What each queue would hold with a backlog of so many workloads that request ``shape``, None for no end."""
        from kubectl_fairshare.schedulers.kueue.cycle.saturation import saturate

        return saturate(self.state(snapshot), shape, backlog)
