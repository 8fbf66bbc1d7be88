"""What questions about a policy ask of Kueue."""

from collections.abc import Mapping, Sequence
from typing import TypedDict

from kubectl_fairshare.answers.answer import Answer
from kubectl_fairshare.answers.details import PlanDetail
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.preemptors import PreemptorNumbers, Preemptors
from kubectl_fairshare.answers.review import Entitlement, Exposure, Exposures
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.model.json import Json, rows
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.cycle.placing import with_pending
from kubectl_fairshare.schedulers.kueue.explain.asking import candidacies
from kubectl_fairshare.schedulers.kueue.explain.planning import plan
from kubectl_fairshare.schedulers.kueue.explain.preemptors.takers import left_below, takers
from kubectl_fairshare.schedulers.kueue.gaps import deciding_gaps, fidelity_of, no_queues, reference_gaps
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.objects import FINAL_SHARE, GROUP, INITIAL_SHARE, cluster_key
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending
from kubectl_fairshare.schedulers.kueue.review.rights import entitlements, is_same_tree, saturation_steps
from kubectl_fairshare.schedulers.kueue.tree.presuming import with_presumed_namespaces, with_presumed_references
from kubectl_fairshare.schedulers.kueue.tree.state import State, state_of
from kubectl_fairshare.schedulers.kueue.words.figures import amount_of
from kubectl_fairshare.schedulers.kueue.words.plan_answer import plan_answer
from kubectl_fairshare.schedulers.kueue.words.sentences import RULES
from kubectl_fairshare.schedulers.question import PlanQuestion, Wishes
from kubectl_fairshare.schedulers.sandbox import Sandbox


class KueueReviewer:
    """Kueue, as questions about a policy know it."""

    def understood(self, snapshot: Snapshot) -> Mapping[ObjectKey, object]:
        """Flavors, topologies, nodes, Cohorts, queues, checks, priorities and the Configuration, without the places."""
        state = snapshot.part(KueueState)
        found: dict[ObjectKey, object] = {each.key: each for each in state.flavors.values()}
        found |= {each.key: replace(each, paths={}) for each in state.cohorts.values()}
        found |= {each.key: replace(each, paths={}) for each in state.cluster_queues.values()}
        found |= {each.key: each for each in state.local_queues.values()}
        found |= {each.key: each for each in state.checks.values()}
        found |= {cluster_key("Topology", name): each for name, each in state.topologies.items()}
        found |= {each.key: each for each in state.nodes}
        found |= {cluster_key("WorkloadPriorityClass", name): each for name, each in state.workload_priorities.items()}
        configured = (key for key in snapshot.manifests if key.kind == "Configuration" and key.group.endswith(GROUP))
        return found | dict.fromkeys(configured, state.configuration)

    def fidelity(self, snapshot: Snapshot) -> Fidelity:
        """The features of the snapshot that are not modelled; a gate among them can change every decision."""
        state = considered(snapshot)
        gaps = (*deciding_gaps(state.kueue), *reference_gaps(state), *no_queues(state.kueue))
        return fidelity_of(state.configuration, gaps)

    def entitlements(
        self, snapshot: Snapshot, *, saturated: bool = True, unlike: Snapshot | None = None
    ) -> Sequence[Entitlement]:
        """The entitlement of each ClusterQueue, by flavor and resource."""
        state = considered(snapshot)
        return entitlements(state, _busy_trees(state, unlike) if saturated else ())

    def saturation_steps(self, snapshot: Snapshot, unlike: Snapshot) -> int:
        """The nominations in the trees that differ: each queue with each unit of quota."""
        state = considered(snapshot)
        return sum(saturation_steps(state, root) for root in _busy_trees(state, unlike))

    def exposures(self, snapshot: Snapshot, numbers: PreemptorNumbers) -> Exposures:
        """Each workload that holds quota, with the ClusterQueues that may preempt it."""
        return exposures(considered(snapshot), numbers)

    def waiting(self, snapshot: Snapshot) -> Sequence[Answer[PlanDetail]]:
        """The outcome of each pending workload as the head of its queue."""
        state = considered(snapshot)
        return [_answer(state, each) for each in _waiting(state)]

    def counted(self, snapshot: Snapshot) -> tuple[int, int]:
        """The workloads that hold quota, and those that are pending."""
        state = considered(snapshot)
        return len(state.kueue.holders), len(_waiting(state))

    def replayed(self, snapshot: Snapshot, given: Reading, namespace: str) -> Sequence[Answer[PlanDetail]]:
        """The outcome of each given workload or job."""
        candidates, _ = candidacies(snapshot, PlanQuestion(given, Wishes(), namespace))
        workloads = [candidate.workload for candidate in candidates]
        state = considered(with_pending(snapshot, workloads))
        return [_answer(state, each) for each in workloads]

    def idle(self, snapshot: Snapshot) -> Snapshot:
        """The snapshot without Workloads."""
        return snapshot.with_part(replace(snapshot.part(KueueState), holders=(), pending=()))

    def work(self, snapshot: Snapshot) -> Sequence[ObjectKey]:
        """Workloads, and jobs that have no Workload yet."""
        state = snapshot.part(KueueState)
        return sorted([*(each.key for each in state.holders), *(each.source or each.key for each in state.pending)])

    def named(self, snapshot: Snapshot) -> Mapping[str, Sequence[str]]:
        """ClusterQueues, LocalQueues and flavors."""
        state = snapshot.part(KueueState)
        local_queues = [f"{namespace}/{name}" for namespace, name in sorted(state.local_queues)]
        flavors = sorted({f for q in state.cluster_queues.values() for group in q.groups for f in group.flavors})
        return {"ClusterQueue": sorted(state.cluster_queues), "LocalQueue": local_queues, "flavor": flavors}

    def preemption_rules(self, snapshot: Snapshot) -> Sequence[str]:
        """The rules that the strategies and the policies of the queues allow."""
        state = snapshot.part(KueueState)
        policies = [queue.preemption for queue in state.cluster_queues.values()]
        across = any(policy.reclaim_within_cohort != "Never" for policy in policies)
        laws = [Law.IN_QUEUE_PRIORITY] if any(p.within_cluster_queue != "Never" for p in policies) else []
        strategies = state.configuration.strategies
        if across and strategies is not None:
            laws += [Law.ENTITLED]
            laws += [Law.S2A] if FINAL_SHARE in strategies else []
            laws += [Law.S2B] if INITIAL_SHARE in strategies else []
        elif across:
            laws += [Law.RECLAIM_HIERARCHY]
            laws += [Law.RECLAIM_WHILE_BORROWING] if any(p.borrow_within_cohort != "Never" for p in policies) else []
        return [RULES[law] for law in laws]

    def sandbox(self, snapshot: Snapshot) -> Sandbox:
        """The snapshot as a state to which made-up work is submitted."""
        from kubectl_fairshare.schedulers.kueue.review.sandbox import opened

        return opened(snapshot)


def _busy_trees(state: State, unlike: Snapshot | None) -> list[int]:
    """The roots of the trees in which queues may get something else when all are busy."""
    other = None if unlike is None else considered(unlike)
    return [root for root in state.forest.roots if other is None or not is_same_tree(state, other, root)]


def considered(snapshot: Snapshot) -> State:
    """The snapshot as the engine sees it, with assumptions about the objects that it lacks."""
    state = state_of(with_presumed_references(snapshot))
    return state.of_snapshot(with_presumed_namespaces(state.snapshot))


def _answer(state: State, workload: Pending) -> Answer[PlanDetail]:
    found = plan(state, workload, briefly=True, queues={})
    return plan_answer(found, state.kueue)


class _CountedAssignment(TypedDict, total=False):
    count: Json


class _CountedAdmission(TypedDict, total=False):
    podSetAssignments: list[_CountedAssignment]


class _CountedStatus(TypedDict, total=False):
    admission: _CountedAdmission


class _CountedWorkload(TypedDict, total=False):
    """The fields that say how many pods there are: the others of ten thousand workloads are not decoded."""

    status: _CountedStatus


def _waiting(state: State) -> list[Pending]:
    return [each for each in state.kueue.pending if each.active]


def exposures(state: State, numbers: PreemptorNumbers) -> Exposures:
    """Every workload that holds quota, sorted by key."""
    holders = sorted(state.kueue.holders, key=lambda holder: holder.key)
    of, doubt, _ = takers(state, numbers, holders)
    return Exposures([_exposure(state, holder, of[holder.key]) for holder in holders], doubt)


def _exposure(state: State, holder: Holder, takers: Preemptors) -> Exposure:
    pairs = frozenset(pair for pair, amount in holder.usage.items() if amount > 0)
    queue = state.forest.queue_ids.get(holder.cluster_queue)
    borrows = queue is not None and state.is_active(queue) and not state.ledger.is_within(queue, pairs)
    holds = tuple(amount_of(pair, holder.usage[pair]) for pair in sorted(pairs))
    below = tuple(amount_of(pair, less) for pair, less in left_below(state, holder)) if borrows else ()
    pods = _pods(state, holder)
    return Exposure(holder.key, holder.cluster_queue, holder.priority, holds, borrows, takers, pods, below)


def _pods(state: State, holder: Holder) -> int:
    """How many pods its admission counts; 1 where that is not known."""
    manifest = state.snapshot.manifests.get(holder.key)
    data = {} if manifest is None else manifest.passing_fields(_CountedWorkload)
    assigned = rows(data, "status", "admission", "podSetAssignments")
    counts = (each.get("count") for each in assigned)
    return sum(count for count in counts if isinstance(count, int)) or 1
