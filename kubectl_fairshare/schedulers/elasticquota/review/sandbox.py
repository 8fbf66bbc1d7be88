"""CapacityScheduling on one state to which made-up pods are submitted.

Tested in ``tests/unit/policy/test_sandboxes.py``.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.answers.answer import Answer
from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.explain.creation import requested
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.explain.doubts import doubts_of
from kubectl_fairshare.schedulers.elasticquota.explain.planning import plan
from kubectl_fairshare.schedulers.elasticquota.gaps import EQUAL_PODS, INPUT_WAITS
from kubectl_fairshare.schedulers.elasticquota.jobs.described import usual_scheduler
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState, Pod
from kubectl_fairshare.schedulers.elasticquota.model.scaled import LARGEST
from kubectl_fairshare.schedulers.elasticquota.model.vector import is_held, vector_from
from kubectl_fairshare.schedulers.elasticquota.motion import presumed_node
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import schedule
from kubectl_fairshare.schedulers.elasticquota.quotas.state import (
    State,
    state_of,
    with_placed,
    with_pods,
    with_quota,
    without_pods,
)
from kubectl_fairshare.schedulers.elasticquota.words.plan_answer import QuotaPlanDetail, plan_answer
from kubectl_fairshare.schedulers.kubescheduler.sandbox import MadeUpPod, PodSandbox, SandboxRules, opened_pods
from kubectl_fairshare.schedulers.question import PodOrigin
from kubectl_fairshare.schedulers.sandbox import MadeUpWork, PromisedQuotas, Ruling, Site, ruling_of

_PRESUMED: Final = "no Node is in the input: one that is large enough for everything is presumed (see `--nodes`)"


def opened(snapshot: Snapshot) -> "QuotaSandbox":
    """The sandbox of a snapshot; pods that wait in it count as the scheduler counts them, and are not tried."""
    source = snapshot.part(ElasticQuotaState)
    found = opened_pods(source, lambda: presumed_node(source), requested)
    state = state_of(replace(source, nodes=found.nodes, pods=tuple(found.pods), bounds=found.bounds))
    return QuotaSandbox(
        tuple(_sites(state)),
        state,
        found.clock,
        usual_scheduler(source),
        notes=(_PRESUMED,) if found.presumed else (),
        waits=INPUT_WAITS if found.waits else (),
    )


def _sites(state: State) -> Iterator[Site]:
    for namespace, quota in sorted(state.source.quotas.items()):
        named = [r for r in sorted({*quota.written_min, *quota.written_max}) if is_held(r)]
        guaranteed = {("", resource): quota.least.of(resource) for resource in named}
        most: dict[tuple[str, str], int | None] = {}
        for resource in named:
            bound, pool = quota.bound(resource), state.ledger.pool.of(resource)
            most["", resource] = min(pool, LARGEST if bound is None else bound)
        yield Site(namespace, guaranteed, most)


def _pod(of: MadeUpPod) -> Pod:
    load = of.load
    amounts = vector_from(dict(load.total))
    return Pod(
        ObjectKey("", "Pod", load.queue, of.name),
        f"{load.queue}/{of.name}",
        {},
        load.priority,
        charge=amounts,
        request=vector_from({**load.total, "pods": 1}),
        bare=amounts,
        started=of.clock,
        scheduler=of.scheduler,
    )


def _answer(state: State, pod: Pod, demand: NodeDemand, origin: PodOrigin) -> Answer[QuotaPlanDetail]:
    return plan_answer(plan(state, pod, demand, origin, remedied=False), state, ())


class QuotaSandbox(PodSandbox, frozen=True):
    """One state of ElasticQuotas."""

    RULES = SandboxRules(
        made=_pod,
        requests=requested,
        with_waiting=lambda state, _: state,  # a pod that waits is in no sum
        with_pods=with_pods,
        with_placed=with_placed,
        without_pods=without_pods,
        schedule=schedule,
        doubts=doubts_of,
        is_in_vain=lambda _state, _attempt: False,
        queue=lambda _, pod: str(pod.namespace),
        law=lambda fate: str(fate.taken.law),
        answer=_answer,
    )
    state: State

    @property
    def promised(self) -> PromisedQuotas:
        """The sum of all min, which is also what all quotas may use together."""
        sums: dict[str, int] = {}
        for site in self.sites:
            for (_, resource), least in site.guaranteed.items():
                sums[resource] = min(sums.get(resource, 0) + least, UNLIMITED)
        return PromisedQuotas("min of all quotas", sums)

    def queue_called(self, name: str) -> str | None:
        """The namespace of that name, if it has a quota; also ``NAMESPACE/QUOTA``."""
        namespace = name.partition("/")[0]
        return namespace if any(site.queue == namespace for site in self.sites) else None

    def ruling(self, load: MadeUpWork, pool: str = "") -> Ruling:  # noqa: ARG002 -- there are no pools
        """What one cycle does with the pod now."""
        pod = self.made("asked", load)
        found = plan(self.state, pod, load.demand, self.origin(pod), briefly=True)
        answer = plan_answer(found, self.state, ())
        ruling = ruling_of(answer, (each.counts_against for each in answer.victims))
        tied = EQUAL_PODS if _is_left_to_chance(found) else ()
        return ruling._replace(chance=lambda: (*tied, *self.doubts_about(load)))

    def used(self, queue: str) -> Mapping[tuple[str, str], int]:
        """What a namespace holds, by resource."""
        held = self.state.ledger.used(queue)
        return {("", resource): amount for resource in held.listed() if (amount := held.of(resource))}

    def is_entitled(self, load: MadeUpWork) -> bool:
        """Whether the namespace stays within its min with the pod."""
        return not self.state.ledger.exceeds_min(load.queue, vector_from(dict(load.total)))

    def raised(self, queue: str, more: Mapping[tuple[str, str], int]) -> "QuotaSandbox":
        """The state with more min, and a max at least as large, without pods that wait."""
        known = self.state.source.quotas[queue]
        added = {resource: amount for (_, resource), amount in more.items() if amount}
        least = {r: known.least.of(r) + added.get(r, 0) for r in {*known.least.listed(), *added}}
        bounds = {r: known.bound(r) for r in {*known.most.listed(), *added}}
        most = {r: max(bound, least[r]) if r in added else bound for r, bound in bounds.items() if bound is not None}
        wider = replace(known, min=vector_from(least), max=None if known.max is None else vector_from(most))
        state = with_pods(self.state, [pod for pod in self.state.source.pods if pod.node])
        return replace(self, state=with_quota(state, wider if added else known), queue=(), waits=())


def _is_left_to_chance(found: Plan) -> bool:
    """Whether ties decide that the pod gets in, or whose pods leave."""
    if found.fidelity.modelled and found.outcome is not found.computed:
        return True
    trials = [end.trial for end in found.possible if end.trial is not None]
    return len({frozenset(fate.pod.namespace for fate in trial.victims) for trial in trials}) > 1
