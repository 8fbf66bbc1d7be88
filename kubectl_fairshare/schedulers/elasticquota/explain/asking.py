"""The pods that ``plan`` is asked about, as the scheduler would take them."""

from dataclasses import replace

from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Origin
from kubectl_fairshare.schedulers.elasticquota.jobs.described import described_pod
from kubectl_fairshare.schedulers.elasticquota.jobs.pods import surroundings
from kubectl_fairshare.schedulers.elasticquota.jobs.templates import Asking, pod_of
from kubectl_fairshare.schedulers.elasticquota.model.objects import Demand, ElasticQuotaState, Pod
from kubectl_fairshare.schedulers.question import PlanQuestion


@dataclass(frozen=True, slots=True)
class PodQuestion:
    """A pod to place in a snapshot in which it is not yet there."""

    pod: Pod
    demand: Demand
    origin: Origin
    snapshot: Snapshot


def pod_questions(snapshot: Snapshot, question: PlanQuestion) -> list[PodQuestion]:
    """The pods to plan, in the order given.

    Raises ``UsageError`` for options that describe no pod, ``FairshareError`` with every manifest that makes none.
    """
    context = snapshot.part(PodContext)
    around = surroundings(snapshot.manifests.values(), context)
    if question.given is None:
        described = described_pod(question.wishes, question.namespace, snapshot, context)
        return [pod_question(snapshot, pod_of(described, around))]
    questions: list[PodQuestion] = []
    problems: list[Problem] = []
    for manifest in question.given.as_given(question.given.manifests):
        try:
            questions.append(pod_question(snapshot, pod_of(manifest, around)))
        except FairshareError as error:
            problems += error.problems
    if problems:
        raise FairshareError(*problems)
    return questions


def pod_question(snapshot: Snapshot, asking: Asking) -> PodQuestion:
    """The pod as one that waits: a pod of the state keeps its place there, and is taken out of it."""
    state, pod = snapshot.part(ElasticQuotaState), asking.pod
    known = next((p for p in state.pods if p.key == pod.key), None)
    if known is None:
        return PodQuestion(pod, asking.demand, Origin(asking.written), snapshot)
    origin = Origin(asking.written, exists=True, node=known.node)
    without = replace(state, pods=tuple(p for p in state.pods if p is not known))
    asked = pod if pod.nominated else replace(pod, nominated=known.nominated)
    return PodQuestion(asked, asking.demand, origin, snapshot.with_part(without))
