"""The pods that ``plan`` is asked about, as the scheduler reads them.

Tested in ``tests/unit/schedulers/elasticquota/test_house.py``.
"""

from collections.abc import Callable
from functools import partial

from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.jobs.pod_surroundings import surroundings
from kubectl_fairshare.jobs.pod_templates import SKIPPING, TemplatePod, pod_of
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.asked_objects import read_each
from kubectl_fairshare.schedulers.elasticquota.jobs.amounts import CHARGE
from kubectl_fairshare.schedulers.elasticquota.jobs.described import described_pod
from kubectl_fairshare.schedulers.elasticquota.jobs.pods import read_pod
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState, Pod
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State, state_of
from kubectl_fairshare.schedulers.elasticquota.reading.unknown import KNOWN
from kubectl_fairshare.schedulers.kubescheduler.plan import AskedPod
from kubectl_fairshare.schedulers.pod_making import PodMaking
from kubectl_fairshare.schedulers.question import PlanQuestion, PodOrigin

PodQuestion = AskedPod[Pod]
"""A pod to place, and the state without it."""


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
    making = _making(snapshot)
    state = state_of(snapshot.part(ElasticQuotaState))
    return lambda maker: _question(state, pod_of(maker, partial(read_pod, around=making.around)), maker, making)


def new_origins(snapshot: Snapshot) -> Callable[[ObjectKey], PodOrigin]:
    """The origin of a waiting pod of the snapshot: what keeps it from being created if no API server has it yet."""
    making = _making(snapshot)
    read = partial(read_pod, around=making.around)
    nodes = snapshot.part(ElasticQuotaState).nodes.values()

    def origin(key: ObjectKey) -> PodOrigin:
        if not making.is_new(key):
            return PodOrigin(Place(key), exists=True)
        maker = snapshot.manifests[key]
        return replace(making.new_pod(pod_of(maker, read), maker, nodes)[1], exists=True)

    return origin


def _making(snapshot: Snapshot) -> PodMaking:
    around = surroundings(snapshot.manifests.values(), snapshot.part(PodContext))
    return PodMaking(snapshot, around, snapshot.part(ElasticQuotaState).unread, KNOWN, described=False)


def _question(state: State, template: TemplatePod[Pod], maker: Manifest, making: PodMaking) -> PodQuestion:
    """The pod as a waiting pod; a pod that the state already has is taken out of the state."""
    source, pod = state.source, template.pod
    known = next((p for p in source.pods if p.key == pod.key), None)
    demand, origin = template.demand, PodOrigin(template.written, node="" if known is None else known.node)
    if known is None or making.is_new(pod.key):
        demand, origin = making.new_pod(template, maker, state.nodes.values())
    else:
        origin = replace(origin, holds=making.holds(template, maker), gaps=tuple(making.unknown_gaps(maker)))
    origin = replace(origin, exists=known is not None, parts=making.parts(template, maker, CHARGE))
    if known is None:
        return PodQuestion(pod, demand, origin, state)
    without = state_of(replace(source, pods=tuple(p for p in source.pods if p is not known)))
    asked = pod if pod.nominated else replace(pod, nominated=known.nominated)
    return PodQuestion(asked, demand, origin, without)
