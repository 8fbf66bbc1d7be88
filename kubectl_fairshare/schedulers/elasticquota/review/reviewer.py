"""What questions about a policy ask of ElasticQuotas."""

from collections.abc import Iterator, Mapping, Sequence

from kubectl_fairshare.answers.answer import Amount, Answer, amount_of
from kubectl_fairshare.answers.details import PlanDetail
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.preemptors import PreemptorNumbers, Preemptors
from kubectl_fairshare.answers.review import Entitlement, Exposure, Exposures, at_most
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.explain.asking import pod_questions
from kubectl_fairshare.schedulers.elasticquota.explain.planning import plan
from kubectl_fairshare.schedulers.elasticquota.explain.preemptors import left_below, takers
from kubectl_fairshare.schedulers.elasticquota.gaps import state_gaps
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuota, ElasticQuotaState, Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import FIXED, is_held
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State, state_of
from kubectl_fairshare.schedulers.elasticquota.words.plan_answer import plan_answer
from kubectl_fairshare.schedulers.elasticquota.words.sentences import RULES
from kubectl_fairshare.schedulers.question import PlanQuestion, PodOrigin, Wishes
from kubectl_fairshare.schedulers.sandbox import Sandbox


class QuotaReviewer:
    """CapacityScheduling, as questions about a policy know it."""

    def understood(self, snapshot: Snapshot) -> Mapping[ObjectKey, object]:
        """Quotas without their status, nodes, disruption budgets and priority classes."""
        state = snapshot.part(ElasticQuotaState)
        quotas = (*state.quotas.values(), *(each for several in state.others.values() for each in several))
        found: dict[ObjectKey, object] = {quota.key: (quota.min, quota.max) for quota in quotas}
        found |= {node.key: node for node in state.nodes.values()}
        found |= {budget.key: budget for budget in state.budgets}
        classes = state.priorities.items()
        return found | {ObjectKey("scheduling.k8s.io", "PriorityClass", "", name): value for name, value in classes}

    def fidelity(self, snapshot: Snapshot) -> Fidelity:
        """The features of the snapshot that are not modelled."""
        return state_gaps(_state(snapshot))

    def entitlements(
        self,
        snapshot: Snapshot,
        *,
        saturated: bool = True,  # noqa: ARG002
        unlike: Snapshot | None = None,  # noqa: ARG002 -- all of it is found at once
    ) -> Sequence[Entitlement]:
        """What each namespace with a quota has a right to: its min, and what max and the sum of all min allow."""
        state = _state(snapshot)
        named = _resources(state)
        return [each for _, quota in sorted(state.source.quotas.items()) for each in _rights(state, quota, named)]

    def saturation_steps(self, snapshot: Snapshot, unlike: Snapshot) -> int:  # noqa: ARG002
        """None that count."""
        return 0

    def exposures(self, snapshot: Snapshot, numbers: PreemptorNumbers) -> Exposures:
        """Each pod on a node, with the namespaces that may preempt it."""
        return exposures(_state(snapshot), numbers)

    def waiting(self, snapshot: Snapshot) -> Sequence[Answer[PlanDetail]]:
        """The outcome of each pod that waits in a namespace with a quota."""
        state = _state(snapshot)
        origins = ((pod, PodOrigin(Place(pod.key), exists=True)) for pod in _pods(state, placed=False))
        return [plan_answer(plan(state, pod, None, origin, remedied=False), state, ()) for pod, origin in origins]

    def counted(self, snapshot: Snapshot) -> tuple[int, int]:
        """The pods on nodes, and those that wait, in namespaces with a quota."""
        state = _state(snapshot)
        return len(_pods(state, placed=True)), len(_pods(state, placed=False))

    def replayed(self, snapshot: Snapshot, given: Reading, namespace: str) -> Sequence[Answer[PlanDetail]]:
        """The outcome of each given pod, or of one pod of each given template."""
        found = []
        for asked in pod_questions(snapshot, PlanQuestion(given, Wishes(), namespace))[0]:
            planned = plan(asked.state, asked.pod, asked.demand, asked.origin, remedied=False)
            found.append(plan_answer(planned, asked.state, ()))
        return found

    def idle(self, snapshot: Snapshot) -> Snapshot:
        """The snapshot without pods."""
        return snapshot.with_part(replace(snapshot.part(ElasticQuotaState), pods=()))

    def work(self, snapshot: Snapshot) -> Sequence[ObjectKey]:
        """Pods."""
        return sorted(pod.key for pod in snapshot.part(ElasticQuotaState).pods)

    def named(self, snapshot: Snapshot) -> Mapping[str, Sequence[str]]:
        """Namespaces with a quota."""
        return {"ElasticQuota": sorted(snapshot.part(ElasticQuotaState).quotas), "flavor": []}

    def preemption_rules(self, snapshot: Snapshot) -> Sequence[str]:  # noqa: ARG002 -- no setting turns one off
        """Lower priorities of the own namespace, and pods of those that borrow."""
        return [RULES[law] for law in (Law.OWN_LOWER, Law.BORROWER)]

    def sandbox(self, snapshot: Snapshot) -> Sandbox:
        """The snapshot as a state to which made-up work is submitted."""
        from kubectl_fairshare.schedulers.elasticquota.review.sandbox import opened

        return opened(snapshot)


def _state(snapshot: Snapshot) -> State:
    return state_of(snapshot.part(ElasticQuotaState))


def _resources(state: State) -> tuple[str, ...]:
    """The resources that quotas name and the scheduler holds."""
    written = {r for quota in state.source.quotas.values() for r in (*quota.written_min, *quota.written_max)}
    named = {resource for resource in written if is_held(resource)}
    return (*(r for r in FIXED if r in named), *sorted(named.difference(FIXED)))


def _rights(state: State, quota: ElasticQuota, resources: Sequence[str]) -> Iterator[Entitlement]:
    """The rights of one namespace, by resource; nothing is shared out by weight, so its part is its min, up to max."""
    for resource in resources:
        least, most = amount_of(resource, quota.least.of(resource)), _most(state, quota, resource)
        yield Entitlement(quota.key, resource, "", least, at_most(least, most), most)


def _most(state: State, quota: ElasticQuota, resource: str) -> Amount:
    pool, bound = state.ledger.pool.of(resource), quota.bound(resource)
    return amount_of(resource, pool if bound is None else min(pool, bound))


def _pods(state: State, *, placed: bool) -> list[Pod]:
    """The pods on nodes, or those that wait, in namespaces with a quota."""
    return [pod for pod in state.source.pods if bool(pod.node) is placed and state.ledger.has(pod.namespace)]


def exposures(state: State, numbers: PreemptorNumbers) -> Exposures:
    """Every pod on a node in a namespace with a quota, sorted by key."""
    pods = _pods(state, placed=True)
    known = takers(state, numbers, pods)
    found = [_exposure(state, pod, known.of[pod.key]) for pod in sorted(pods, key=lambda pod: pod.key)]
    return Exposures(found, known.doubt)


def _exposure(state: State, pod: Pod, takers: Preemptors) -> Exposure:
    borrows = state.ledger.borrows(pod.namespace)
    holds = tuple(
        amount_of(resource, value) for resource in pod.charge.listed() if (value := pod.charge.of(resource)) > 0
    )
    below = tuple(amount_of(resource, value) for resource, value in left_below(state, pod))
    return Exposure(pod.key, pod.namespace, pod.priority, holds, borrows, takers, left_below=below)
