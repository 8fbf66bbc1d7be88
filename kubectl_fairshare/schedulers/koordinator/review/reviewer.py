"""What questions about a policy ask of Koordinator's quotas."""

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
from kubectl_fairshare.schedulers.koordinator.explain.asking import asked_pods, state_in
from kubectl_fairshare.schedulers.koordinator.explain.figures import is_known, resources_of
from kubectl_fairshare.schedulers.koordinator.explain.planning import plan
from kubectl_fairshare.schedulers.koordinator.explain.preemptors import RULES, left_below, takers
from kubectl_fairshare.schedulers.koordinator.explain.saturation import endless_entitlements
from kubectl_fairshare.schedulers.koordinator.gaps import state_gaps
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.amounts import whole
from kubectl_fairshare.schedulers.koordinator.model.names import ROOT
from kubectl_fairshare.schedulers.koordinator.model.objects import KoordinatorState, Pod, QuotaGroup
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.koordinator.words.amounts import amounts_of
from kubectl_fairshare.schedulers.koordinator.words.plan_answer import plan_answer
from kubectl_fairshare.schedulers.question import PlanQuestion, PodOrigin, Wishes
from kubectl_fairshare.schedulers.sandbox import Sandbox


class RuntimeReviewer:
    """Koordinator's quotas, as questions about a policy know them."""

    def understood(self, snapshot: Snapshot) -> Mapping[ObjectKey, object]:
        """Quotas, nodes, disruption budgets, priority classes, and the plugin's arguments and gates."""
        state = snapshot.part(KoordinatorState)
        quotas = (*state.quotas.values(), *(each for several in state.doubles.values() for each in several))
        found: dict[ObjectKey, object] = {quota.key: _meaning(quota) for quota in quotas}
        found |= {node.key: node for node in state.nodes.values()}
        found |= {budget.key: budget for budget in state.budgets}
        if state.arguments.place is not None:
            found[state.arguments.place.object] = replace(state.arguments, place=None)
        classes = state.priorities.items()
        return found | {ObjectKey("scheduling.k8s.io", "PriorityClass", "", name): value for name, value in classes}

    def fidelity(self, snapshot: Snapshot) -> Fidelity:
        """The features of the snapshot that are not modelled."""
        return state_gaps(state_in(snapshot))

    def entitlements(
        self,
        snapshot: Snapshot,
        *,
        saturated: bool = True,
        unlike: Snapshot | None = None,  # noqa: ARG002 -- all of it is found at once
    ) -> Sequence[Entitlement]:
        """What each quota has a right to: its min, its runtime when all request without end, and its max."""
        state = state_in(snapshot)
        busy = endless_entitlements(state) if saturated else {}
        return [each for name in state.source.quotas for each in _rights(state, name, busy.get(name))]

    def saturation_steps(self, snapshot: Snapshot, unlike: Snapshot) -> int:  # noqa: ARG002
        """None that count."""
        return 0

    def exposures(self, snapshot: Snapshot, numbers: PreemptorNumbers) -> Exposures:
        """Each pod on a node of a quota, with who may preempt it."""
        state = state_in(snapshot)
        pods = _placed(state)
        known = takers(state, numbers, pods)
        found = [_exposure(state, pod, known.of[pod.key]) for pod in sorted(pods, key=lambda pod: pod.key)]
        return Exposures(found, known.doubt)

    def waiting(self, snapshot: Snapshot) -> Sequence[Answer[PlanDetail]]:
        """The outcome of each pod that waits, without those that are spared."""
        state = state_in(snapshot)
        origins = ((pod, PodOrigin(Place(pod.key), exists=True)) for pod in _waiting(state))
        plans = (plan(state, pod, None, origin, remedied=False, briefly=True) for pod, origin in origins)
        return [plan_answer(each, state, ()) for each in plans]

    def counted(self, snapshot: Snapshot) -> tuple[int, int]:
        """The pods on nodes of a quota, and those that wait."""
        state = state_in(snapshot)
        return len(_placed(state)), len(_waiting(state))

    def replayed(self, snapshot: Snapshot, given: Reading, namespace: str) -> Sequence[Answer[PlanDetail]]:
        """The outcome of each given pod, or of one pod of each given template."""
        answers = []
        for asked in asked_pods(snapshot, PlanQuestion(given, Wishes(), namespace))[0]:
            planned = plan(asked.state, asked.pod, asked.demand, asked.origin, remedied=False)
            answers.append(plan_answer(planned, asked.state, ()))
        return answers

    def idle(self, snapshot: Snapshot) -> Snapshot:
        """The snapshot without pods."""
        return snapshot.with_part(replace(snapshot.part(KoordinatorState), pods=()))

    def work(self, snapshot: Snapshot) -> Sequence[ObjectKey]:
        """Pods."""
        return sorted(pod.key for pod in snapshot.part(KoordinatorState).pods)

    def named(self, snapshot: Snapshot) -> Mapping[str, Sequence[str]]:
        """The quotas."""
        return {"ElasticQuota": sorted(snapshot.part(KoordinatorState).quotas), "flavor": []}

    def preemption_rules(self, snapshot: Snapshot) -> Sequence[str]:  # noqa: ARG002 -- no setting turns it off
        """Lower priorities of the own quota."""
        return [RULES[Law.OWN_LOWER]]

    def sandbox(self, snapshot: Snapshot) -> Sandbox:
        """The snapshot as a state to which made-up work is submitted."""
        from kubectl_fairshare.schedulers.koordinator.review.sandbox import opened

        return opened(snapshot)


def _placed(state: State) -> list[Pod]:
    return [pod for pod in state.source.pods if pod.node and state.quota_of[pod.key].quota]


def _waiting(state: State) -> list[Pod]:
    profiles = state.source.profiles
    return [pod for pod in state.source.pods if not pod.node and (profiles is None or pod.scheduler in profiles)]


def _meaning(quota: QuotaGroup) -> object:
    """What decides of a quota, without how it is written."""
    names = ("parent", "is_parent", "lends", "tree", "is_root", "ignores_default_tree", "min", "max")
    values = tuple(getattr(quota, name) for name in names)
    return (*values, quota.shared_weight, quota.total, quota.namespaces)


def _rights(state: State, name: str, busy: Mapping[str, int] | None) -> Iterator[Entitlement]:
    """The rights of one quota, by resource; what nothing limits has no most."""
    group = state.quotas[name]
    if name == ROOT:
        return
    known = is_known(state, state.tree_of[name])
    for resource in resources_of(state):
        if resource not in group.max and resource not in group.min:
            continue
        least = amount_of(resource, whole(resource, group.min.get(resource, 0)))
        entitled = amount_of(resource, busy[resource]) if known and busy is not None and resource in busy else None
        most = _most(state, name, resource)
        yield Entitlement(group.key, resource, "", least, at_most(entitled, most), most)


def _most(state: State, name: str, resource: str) -> Amount | None:
    """The least max on the way to root, and what the tree has; None if nothing limits it."""
    figures = state.figures(name)
    if name in figures.tree.orphans or resource not in state.quotas[name].max:
        return None
    bounds = [
        state.quotas[each].max[resource] for each in figures.tree.path(name) if resource in state.quotas[each].max
    ]
    if state.source.arguments.uses_runtime and is_known(state, figures.tree.id):
        bounds.append(figures.total.get(resource, 0))
    return amount_of(resource, whole(resource, max(0, min(bounds))))


def _exposure(state: State, pod: Pod, takers: Preemptors) -> Exposure:
    quota = state.quota_of[pod.key].quota
    used, least = state.sums(quota).used, state.quotas[quota].min
    borrows = any(value > least.get(resource, 0) for resource, value in used.items())
    below = amounts_of(dict(left_below(state, pod)))
    return Exposure(pod.key, quota, pod.priority, amounts_of(pod.charge), borrows, takers, left_below=below)
