"""The pods that ``plan`` is asked about, as the scheduler reads them."""

from collections.abc import Callable, Iterable, Iterator

from kubectl_fairshare.answers.fidelity import INVALID_OBJECT, Gap
from kubectl_fairshare.answers.needs import PartKind, RequestTerm
from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.jobs.fields import root_of
from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.jobs.pod_surroundings import Surroundings, completed_spec
from kubectl_fairshare.jobs.pod_templates import SKIPPING, TemplatePod, pod_of
from kubectl_fairshare.jobs.requests import spec_requests
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.asked_objects import read_each
from kubectl_fairshare.schedulers.koordinator.admission.pod_webhook import EXEMPT, ReviewedPod, pod_complaints
from kubectl_fairshare.schedulers.koordinator.jobs.described import described_pod
from kubectl_fairshare.schedulers.koordinator.jobs.pods import PodReader, pod_reader, texts_of
from kubectl_fairshare.schedulers.koordinator.model.names import RENAMED
from kubectl_fairshare.schedulers.koordinator.model.objects import KoordinatorState, Pod
from kubectl_fairshare.schedulers.koordinator.quotas.state import State, state_of, under_gates
from kubectl_fairshare.schedulers.koordinator.reading.unknown import KNOWN
from kubectl_fairshare.schedulers.kubescheduler.plan import AskedPod
from kubectl_fairshare.schedulers.pod_making import PodMaking
from kubectl_fairshare.schedulers.question import PlanQuestion, PodOrigin

QuotaQuestion = AskedPod[Pod]
"""A pod to place, and the state in which it waits."""


def state_in(snapshot: Snapshot) -> State:
    """The snapshot as the scheduler sees it. Raises ``FairshareError`` for a cycle of parents."""
    source = snapshot.part(KoordinatorState)
    return state_of(source, (), texts_of(snapshot.manifests, snapshot.part(PodContext), source.gates))


def asked_pods(snapshot: Snapshot, question: PlanQuestion) -> tuple[list[QuotaQuestion], tuple[Problem, ...]]:
    """The pods to plan, in the order of the input, and notes on objects whose pods are not known.

    Raises ``UsageError`` for options that describe no pod, ``FairshareError`` for the manifests that describe none.
    """
    context, source = snapshot.part(PodContext), snapshot.part(KoordinatorState)
    reader = pod_reader(snapshot.manifests.values(), context)
    if question.given is None:
        manifests = [described_pod(question.wishes, question.namespace, snapshot, context)]
    else:
        manifests = question.given.as_given(question.given.manifests)
    found, notes = read_each(manifests, lambda manifest: pod_of(manifest, reader.read), SKIPPING)
    makers = {manifest.key: manifest for manifest in manifests}
    making = PodMaking(snapshot, reader.around, source.unread, KNOWN, described=question.given is None)
    return [_asked(snapshot, waiting, makers[waiting.written.object], making) for waiting in found], notes


def next_pods(snapshot: Snapshot) -> Callable[[Manifest], QuotaQuestion]:
    """The next pod of an object of the snapshot. It raises ``FairshareError`` for one that describes no pod."""
    reader, making = _reader_and_making(snapshot)
    return lambda maker: _asked(snapshot, pod_of(maker, reader.read), maker, making)


def new_origins(snapshot: Snapshot) -> Callable[[ObjectKey], PodOrigin]:
    """The origin of a waiting pod of the snapshot: what keeps it from being created if no API server has it yet."""
    reader, making = _reader_and_making(snapshot)

    def origin(key: ObjectKey) -> PodOrigin:
        if not making.is_new(key):
            return PodOrigin(Place(key), exists=True)
        maker = snapshot.manifests[key]
        return replace(_new_pod(snapshot, pod_of(maker, reader.read), maker, making)[1], exists=True)

    return origin


def _reader_and_making(snapshot: Snapshot) -> tuple[PodReader, PodMaking]:
    reader = pod_reader(snapshot.manifests.values(), snapshot.part(PodContext))
    return reader, PodMaking(snapshot, reader.around, snapshot.part(KoordinatorState).unread, KNOWN, described=False)


def _asked(snapshot: Snapshot, waiting: TemplatePod[Pod], maker: Manifest, making: PodMaking) -> QuotaQuestion:
    """The pod among the waiting ones; one that the state already has takes its own place."""
    source = snapshot.part(KoordinatorState)
    known = next((p for p in source.pods if p.key == waiting.pod.key), None)
    pod = waiting.pod if known is None or waiting.pod.nominated else replace(waiting.pod, nominated=known.nominated)
    pod = next(iter(under_gates(replace(source, pods=(pod,)))))
    others = [other for other in source.pods if other is not known]
    pods = tuple(sorted((*others, pod), key=lambda each: each.key))
    texts = texts_of(snapshot.manifests, snapshot.part(PodContext), source.gates)
    if known is None or making.is_new(pod.key):
        demand, origin = _new_pod(snapshot, waiting, maker, making)
        origin = replace(origin, exists=known is not None)
    else:
        holds, gaps = making.holds(waiting, maker), tuple(making.unknown_gaps(maker))
        demand = waiting.demand
        origin = PodOrigin(waiting.written, exists=True, node=known.node, holds=holds, gaps=gaps)
    origin = replace(origin, parts=tuple(charged_parts(making.parts(waiting, maker), source)))
    return QuotaQuestion(pod, demand, origin, state_of(replace(source, pods=pods), (), texts))


def _new_pod(
    snapshot: Snapshot, waiting: TemplatePod[Pod], maker: Manifest, making: PodMaking
) -> tuple[NodeDemand, PodOrigin]:
    source = snapshot.part(KoordinatorState)
    demand, origin = making.new_pod(waiting, maker, source.nodes.values())
    rejected = webhook_gaps(source, making.around, waiting, maker)
    return demand, replace(origin, gaps=(*origin.gaps, *rejected))


def charged_parts(of: Iterable[RequestTerm], source: KoordinatorState) -> Iterator[RequestTerm]:
    """The parts of what the pod adds to its quota, under the present names of resources."""
    for part in of:
        if part.kind is not PartKind.OVERHEAD or not source.gates.ignores_overhead:
            yield replace(part, resource=RENAMED.get(part.resource, part.resource))


def webhook_gaps(
    state: KoordinatorState, around: Surroundings, waiting: TemplatePod[Pod], maker: Manifest
) -> Iterator[Gap]:
    """A gap for each reason to reject the next pod of ``maker``. Raises ``FairshareError`` for another type."""
    namespace, gates = waiting.key.namespace, state.gates
    if waiting.pod.created or not gates.validates_pods or EXEMPT in around.context.namespace_labels.get(namespace, ()):
        return
    for rules, runs in (("devices", gates.validates_devices), ("required labels", gates.validates_labels)):
        if runs:
            yield Gap("PodWebhook", (), touches=True, subject=rules)
    if "ColocationProfile" in state.unmodelled:  # it may change the fields before
        return
    metadata = root_of(maker).at(*map(str, waiting.written.path), "metadata")
    requests = spec_requests(completed_spec(waiting.spec, namespace, around))
    labels, annotations = (metadata.at(name).texts() for name in ("labels", "annotations"))
    what = "its pods" if waiting.written.path else "it"
    for why in pod_complaints(ReviewedPod(waiting.pod.priority, requests, labels, annotations)):
        subject = f"{maker.key}: Koordinator's webhook rejects {what}: {why}"
        yield Gap(INVALID_OBJECT, (), touches=True, subject=subject)
