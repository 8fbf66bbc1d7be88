"""The pods that ``plan`` is asked about, as the scheduler reads them.

Tested in ``tests/unit/schedulers/elasticquota/test_house.py``.
"""

from collections.abc import Callable
from functools import partial

from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.jobs.pod_surroundings import surroundings
from kubectl_fairshare.jobs.pod_templates import SKIPPING, TemplatePod, pod_of
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.asked_objects import read_each
from kubectl_fairshare.schedulers.elasticquota.jobs.amounts import CHARGE
from kubectl_fairshare.schedulers.elasticquota.jobs.described import described_pod
from kubectl_fairshare.schedulers.elasticquota.jobs.pods import read_pod
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState, Pod
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State, state_of
from kubectl_fairshare.schedulers.elasticquota.reading.unknown import KNOWN
from kubectl_fairshare.schedulers.pod_making import PodMaking
from kubectl_fairshare.schedulers.question import PlanQuestion, PodOrigin


class PodQuestion(Value, frozen=True):
    """A pod to place, and the state without it."""

    pod: Pod
    demand: NodeDemand
    origin: PodOrigin
    state: State


def pod_questions(snapshot: Snapshot, question: PlanQuestion) -> tuple[list[PodQuestion], tuple[Problem, ...]]:
    """The pods to plan, in the order of the input, and notes on objects whose pods are not known.

    Raises ``UsageError`` for options that describe no pod, ``FairshareError`` for the manifests that describe none.
    """
    context = snapshot.part(PodContext)
    around = surroundings(snapshot.manifests.values(), context)
    if question.given is None:
        manifests = [described_pod(question.wishes, question.namespace, snapshot, context)]
    else:
        manifests = question.given.as_given(question.given.manifests)
    found, notes = read_each(manifests, lambda manifest: pod_of(manifest, partial(read_pod, around=around)), SKIPPING)
    state = state_of(snapshot.part(ElasticQuotaState))
    makers = {manifest.key: manifest for manifest in manifests}
    making = PodMaking(snapshot, around, state.source.unread, KNOWN, described=question.given is None)
    return [_question(state, template, makers[template.written.object], making) for template in found], notes


def next_pods(snapshot: Snapshot) -> Callable[[Manifest], PodQuestion]:
    """The next pod of an object of the snapshot. It raises ``FairshareError`` for one that describes no pod."""
    around = surroundings(snapshot.manifests.values(), snapshot.part(PodContext))
    state = state_of(snapshot.part(ElasticQuotaState))
    making = PodMaking(snapshot, around, state.source.unread, KNOWN, described=False)
    return lambda maker: _question(state, pod_of(maker, partial(read_pod, around=around)), maker, making)


def _question(state: State, template: TemplatePod[Pod], maker: Manifest, making: PodMaking) -> PodQuestion:
    """The pod as a waiting pod; a pod that the state already has is taken out of the state."""
    source, pod = state.source, template.pod
    known = next((p for p in source.pods if p.key == pod.key), None)
    parts = making.parts(template, maker, CHARGE)
    if known is None:
        demand, origin = making.new_pod(template, maker, state.nodes.values())
        return PodQuestion(pod, demand, replace(origin, parts=parts), state)
    holds, gaps = making.holds(template, maker), tuple(making.unknown_gaps(maker))
    origin = PodOrigin(template.written, exists=True, node=known.node, parts=parts, holds=holds, gaps=gaps)
    without = state_of(replace(source, pods=tuple(p for p in source.pods if p is not known)))
    asked = pod if pod.nominated else replace(pod, nominated=known.nominated)
    return PodQuestion(asked, template.demand, origin, without)
