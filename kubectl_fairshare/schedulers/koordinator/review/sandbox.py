"""Koordinator's quotas on one state to which made-up pods are submitted.

Tested in ``tests/unit/schedulers/koordinator/test_review.py``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from typing import Final

from kubectl_fairshare.answers.answer import Answer
from kubectl_fairshare.answers.details import PlanDetail
from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.numbers import LARGEST
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.explain.asking import state_in
from kubectl_fairshare.schedulers.koordinator.explain.doubts import doubts_of
from kubectl_fairshare.schedulers.koordinator.explain.planning import plan
from kubectl_fairshare.schedulers.koordinator.explain.proof import proof
from kubectl_fairshare.schedulers.koordinator.explain.trying import is_in_vain
from kubectl_fairshare.schedulers.koordinator.gaps import EQUAL_VICTIMS, INPUT_WAITS
from kubectl_fairshare.schedulers.koordinator.jobs.described import usual_scheduler
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.amounts import Amounts, exact, plus, whole
from kubectl_fairshare.schedulers.koordinator.model.names import QUOTA_NAME, ROOT
from kubectl_fairshare.schedulers.koordinator.model.objects import Node, Pod
from kubectl_fairshare.schedulers.koordinator.preemption.gate import quota_gate
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import schedule
from kubectl_fairshare.schedulers.koordinator.quotas.state import State, state_of, with_pod, with_pods, with_quota
from kubectl_fairshare.schedulers.koordinator.release import Rounding
from kubectl_fairshare.schedulers.koordinator.words.plan_answer import RuntimePlanDetail, plan_answer
from kubectl_fairshare.schedulers.kubescheduler.importance import by_key
from kubectl_fairshare.schedulers.kubescheduler.sandbox import MadeUpPod, PodSandbox, SandboxRules, opened_pods
from kubectl_fairshare.schedulers.question import PodOrigin
from kubectl_fairshare.schedulers.sandbox import (
    MOST_COPIES,
    MOST_STEPS,
    MadeUpWork,
    PromisedQuotas,
    Ruling,
    Site,
    ruling_of,
)

_PRESUMED: Final = "no Node is in the input: one with the sum of the top quotas' min is presumed (see `--nodes`)"
_PODS: Final = 1 << 20
_KNOWN: Final = 64
_MOST_CLAIMS: Final = 1_000_000
"""Figures, times the copies of each, times the claims of a division."""
_OF_ONE_COPY: Final = 32
"""As many claims take as long as all else that a copy takes."""
_LEAST_COPIES: Final = 10
_FOR_REMAINDERS: Final = 3
_NOWHERE: Final = " "
"""No node has this name: a pod there runs, and takes no room."""


def opened(snapshot: Snapshot) -> "RuntimeSandbox":
    """The sandbox of a snapshot; pods that wait in it request what they do, and are not tried."""
    state = state_in(snapshot)
    found = opened_pods(state.source, lambda: _node(state), lambda pod: pod.request)
    source = replace(state.source, nodes=found.nodes, bounds=found.bounds)
    state = state_of(source, (), state.texts) if found.presumed else replace(state, source=source)
    state = with_pods(state, found.pods)
    return RuntimeSandbox(
        tuple(_sites(state)),
        state,
        found.clock,
        usual_scheduler(state.source),
        notes=(_PRESUMED,) if found.presumed else (),
        waits=INPUT_WAITS if found.waits else (),
    )


def _node(state: State) -> Node:
    """A node with what the quotas at the top are guaranteed; a resource that no min names has the sum of all max."""
    tops = [state.quotas[name] for tree in state.trees.values() for name in tree.tree.children.get(ROOT, ())]
    resources = {r for top in tops for r in (*top.min, *top.max)}
    amounts = {}
    for resource in resources:
        least = sum(top.min.get(resource, 0) for top in tops)
        amounts[resource] = least or sum(top.max.get(resource, 0) for top in tops)
    allocatable = {**amounts, "pods": exact("pods", _PODS)}
    return Node(ObjectKey("", "Node", "", "presumed"), {}, (), False, allocatable)


def _sites(state: State) -> Iterator[Site]:
    for name, group in state.source.quotas.items():
        figures = state.figures(name)
        if name == ROOT or figures.tree.children.get(name):
            continue
        guaranteed = {("", r): whole(r, group.min.get(r, 0)) for r in sorted({*group.min, *group.max})}
        most: dict[tuple[str, str], int | None] = {}
        for _, resource in guaranteed:
            total = whole(resource, figures.total.get(resource, 0))
            bound = whole(resource, group.max[resource]) if resource in group.max else None
            most["", resource] = None if bound is None else min(bound, max(0, total), LARGEST)
        yield Site(name, guaranteed, most)


@lru_cache(maxsize=_KNOWN)
def _amounts(total: tuple[tuple[str, int], ...]) -> Amounts:
    """The amounts of a pod; pods of one size share theirs, so that sums count them instead of adding them up."""
    return {resource: exact(resource, amount) for resource, amount in total}


def _pod(of: MadeUpPod) -> Pod:
    load, state = of.load, of.state
    amounts = _amounts(tuple(load.total.items()))
    return Pod(
        ObjectKey("", "Pod", state.quotas[load.queue].key.namespace or "default", of.name),
        f"{load.queue}/{of.name}",
        {QUOTA_NAME: load.queue},
        load.priority,
        request=amounts,
        charge=amounts,
        bare=amounts,
        started=of.clock,
        scheduler=of.scheduler,
        created=False,
    )


def _answer(state: State, pod: Pod, demand: NodeDemand, origin: PodOrigin) -> Answer[RuntimePlanDetail]:
    return plan_answer(plan(state, pod, demand, origin, remedied=False), state, ())


def _with_waiting(state: State, pods: Iterable[Pod]) -> State:
    return reduce(with_pod, pods, state)


def _with_pods(state: State, pods: Sequence[Pod]) -> State:
    return with_pods(state, by_key(pods))


def _without_pods(state: State) -> State:
    source = replace(state.source, bounds=state.source.bounds.idle())
    return with_pods(replace(state, source=source), ())


class RuntimeSandbox(PodSandbox, frozen=True):
    """One state of Koordinator's quotas."""

    RULES = SandboxRules(
        made=_pod,
        requests=lambda pod: pod.request,
        with_waiting=_with_waiting,
        with_pods=_with_pods,
        with_placed=with_pod,
        without_pods=_without_pods,
        schedule=schedule,
        doubts=doubts_of,
        is_in_vain=is_in_vain,
        queue=lambda state, pod: str(state.quota_of[pod.key].quota),
        law=lambda _: str(Law.OWN_LOWER),
        answer=_answer,
    )
    state: State

    @property
    def most_figures(self) -> int:
        """As many as come to a bounded number of objects: each figure goes through quotas, pods and nodes.

        Where remainders are handed out, all siblings are ranked in each round, which takes several times as long.
        """
        source = self.state.source
        steps = MOST_STEPS if source.rounding is Rounding.EACH else MOST_STEPS // _FOR_REMAINDERS
        return max(1, steps // (len(self.state.quotas) + len(source.pods) + len(source.nodes)))

    def most_copies(self, figures: int) -> int:
        """A thousand, or as many as come to a bounded number of claims: each copy is a division among the quotas."""
        claims = len(self.state.quotas) + _OF_ONE_COPY
        return min(MOST_COPIES, max(_LEAST_COPIES, _MOST_CLAIMS // max(1, figures * claims)))

    @property
    def promised(self) -> PromisedQuotas:
        """The min of the quotas at the top: the min of those below is a part of it."""
        figures = self.state.trees.values()
        tops = [self.state.quotas[name] for each in figures for name in each.tree.children.get(ROOT, ())]
        resources = sorted({resource for top in tops for resource in (*top.min, *top.max)})
        sums = {r: whole(r, sum(top.min.get(r, 0) for top in tops)) for r in resources}
        return PromisedQuotas("min of the top quotas", sums)

    def queue_called(self, name: str) -> str | None:
        """The quota of that name; also ``NAMESPACE/QUOTA``."""
        quota = name.rpartition("/")[2]
        return quota if any(site.queue == quota for site in self.sites) else None

    def ruling(self, load: MadeUpWork, pool: str = "") -> Ruling:  # noqa: ARG002 -- there are no pools
        """What one cycle does with the pod now."""
        pod = self.made("submitted", load)
        state = self.with_these(pod)
        found = plan(state, pod, load.demand, self.origin(pod), remedied=False, briefly=True, proven=False)
        tied = EQUAL_VICTIMS if found.fidelity.modelled and found.outcome is not found.computed else ()

        def chance() -> tuple[Gap, ...]:
            return (*tied, *self.doubts_about(load))

        def proven() -> Answer[PlanDetail]:
            return plan_answer(replace(found, proof=proof(state, found.attempt)), state, ())

        if found.attempt.chosen is None:
            gaps = found.fidelity.gaps
            return Ruling(
                found.computed, what_binds=lambda: ruling_of(proven(), ()).what_binds(), gaps=gaps, chance=chance
            )
        answer = proven()
        return ruling_of(answer, (each.queue for each in answer.victims))._replace(chance=chance)

    def copies(self, load: MadeUpWork, pool: str, most: int) -> int:  # noqa: ARG002 -- there are no pools
        """How many such pods get in now, one after another and without preemption; at most ``most``.

        The next pod arrives as the one before it is placed. Copies are equal: those that are placed count as one pod
        that asks for all of them, and a node that is full stays full.
        """
        state, pod, room = self.with_these(), self.made("submitted", load), self._room(load)
        most = state.source.bounds.copies(pod.key.namespace, pod.request, self.beside(pod), most)
        for number in range(most):
            placed = {resource: number * value for resource, value in pod.charge.items()}
            there = replace(pod, key=pod.key._replace(name="copies"), charge=placed, bare=placed, node=_NOWHERE)
            after = with_pod(state, there) if number else state
            if not quota_gate(with_pod(after, pod), pod).admits or next(room, None) is None:
                return number
        return most

    def _room(self, load: MadeUpWork) -> Iterator[str]:
        """The node of each copy, as long as there is room for one more."""
        pod = self.made("submitted", load)
        for name in self.state.nodes:
            held = self.state.loads[name]
            while self.state.verdict_on(pod, load.demand, name, held).passed:
                yield name
                held = held.including(pod)

    def hints(self, queue: str) -> Mapping[tuple[str, str], tuple[int, ...]]:
        """What the queue's runtime leaves it if it asks for as much as it can hold, and the largest node has left."""
        site = next(each for each in self.sites if each.queue == queue)
        asked = {resource: LARGEST >> 1 if most is None else most for (_, resource), most in site.most.items()}
        limit, used = self.with_these(self.made("submitted", MadeUpWork(queue, asked))).limit(queue), self.used(queue)
        found = {}
        for resource in asked:
            room = self._most_free(resource)
            left = whole(resource, limit.get(resource, 0)) - used.get(("", resource), 0)
            found["", resource] = (min(left, room) if resource in limit else room,)
        return found

    def _most_free(self, resource: str) -> int:
        """What the node has left that has most of it."""
        nodes = self.state.nodes.items()
        return max(
            whole(resource, node.allocatable.get(resource, 0)) - self.state.loads[name].requested.get(resource, 0)
            for name, node in nodes
        )

    def used(self, queue: str) -> Mapping[tuple[str, str], int]:
        """What a quota holds, by resource."""
        held = self.state.sums(queue).used
        return {("", resource): whole(resource, nano) for resource, nano in held.items() if nano}

    def is_entitled(self, load: MadeUpWork) -> bool:
        """Whether the quota stays within its min with the pod."""
        used, least = self.state.sums(load.queue).used, self.state.quotas[load.queue].min
        return all(used.get(r, 0) + exact(r, amount) <= least.get(r, 0) for r, amount in load.total.items())

    def raised(self, queue: str, more: Mapping[tuple[str, str], int]) -> "RuntimeSandbox":
        """The state with more min, and a max at least as large, without pods that wait."""
        group = self.state.quotas[queue]
        added = {resource: exact(resource, amount) for (_, resource), amount in more.items() if amount}
        state = with_pods(self.state, [pod for pod in self.state.source.pods if pod.node])
        if not added:
            return replace(self, state=state, queue=(), waits=())
        least = plus(group.min, added)
        most = {r: max(bound, least[r]) if r in added else bound for r, bound in group.max.items()}
        return replace(self, state=with_quota(state, replace(group, min=least, max=most)), queue=(), waits=())
