"""``plan`` of pods under ElasticQuotas."""

from collections.abc import Sequence
from dataclasses import replace

from kubectl_fairshare.cli.asking.load import Loaded, placed
from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.cli.options.requested import Wishes, requested_pod
from kubectl_fairshare.cli.options.shared import ScreenOptions
from kubectl_fairshare.cli.output import view_of, write_document
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.elasticquota.engine import ElasticQuotaEngine
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Origin, Plan
from kubectl_fairshare.schedulers.elasticquota.jobs.pods import surroundings
from kubectl_fairshare.schedulers.elasticquota.jobs.templates import Asking, pod_of
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState, Pod
from kubectl_fairshare.schedulers.elasticquota.quotas.semantics import Semantics


@dataclass(frozen=True, slots=True)
class Asked:
    """What the options of ``plan`` ask: pods of ``workloads``, or one that ``wishes`` describe."""

    workloads: Reading | None
    wishes: Wishes
    namespace: str
    together: bool
    semantics: Semantics


def answer(loaded: Loaded, asked: Asked, places: Places, streams: Streams, screen: ScreenOptions) -> int:
    """Plans each pod alone and shows it. Raises ``UsageError`` and ``FairshareError`` for what cannot be asked."""
    if asked.together:
        message = "is one cycle of Kueue; CapacityScheduling takes pods one by one"
        raise UsageError(Problem(message, "--together", "leave it out: each is planned alone"))
    engine = ElasticQuotaEngine(asked.semantics)
    plans: list[Plan] = []
    cited: list[Sequence[ObjectKey]] = []
    with placed(places):
        questions = _questions(loaded, asked)
    for question in questions:
        known = next((p for p in loaded.snapshot.part(ElasticQuotaState).pods if p.key == question.pod.key), None)
        snapshot = loaded.snapshot if known is None else _without(loaded.snapshot, known)
        plans.append(engine.plan(snapshot, _as_known(question.pod, known), question.demand, _origin(question, known)))
        cited.append(() if screen.is_text else engine.cited(snapshot, plans[-1]))
    return _show(plans, cited, places, streams, screen)


def _questions(loaded: Loaded, asked: Asked) -> list[Asking]:
    """The pods to plan, in the order given. Raises ``FairshareError`` with every manifest that makes none."""
    around = surroundings(loaded.snapshot.manifests.values(), loaded.snapshot.part(PodContext))
    if asked.workloads is None:
        return [pod_of(requested_pod(asked.wishes, asked.namespace, loaded.snapshot), around)]
    found: list[Asking] = []
    problems: list[Problem] = []
    for manifest in asked.workloads.as_given(asked.workloads.manifests):
        try:
            found.append(pod_of(manifest, around))
        except FairshareError as error:
            problems += error.problems
    if problems:
        raise FairshareError(*problems)
    return found


def _origin(question: Asking, known: Pod | None) -> Origin:
    return Origin(question.written, exists=known is not None, node="" if known is None else known.node)


def _as_known(pod: Pod, known: Pod | None) -> Pod:
    """The pod with the place that is kept for it in the state, which its own manifest does not tell."""
    if known is None or pod.nominated:
        return pod
    return replace(pod, nominated=known.nominated)


def _without(snapshot: Snapshot, gone: Pod) -> Snapshot:
    """The snapshot in which the pod is not there: it asks anew."""
    state = snapshot.part(ElasticQuotaState)
    return snapshot.with_part(replace(state, pods=tuple(p for p in state.pods if p is not gone)))


def _show(
    plans: Sequence[Plan],
    cited: Sequence[Sequence[ObjectKey]],
    places: Places,
    streams: Streams,
    screen: ScreenOptions,
) -> int:
    from kubectl_fairshare.schedulers.elasticquota.documents.plan import exit_code, plan_document, plan_list_document

    if screen.is_text:
        from kubectl_fairshare.schedulers.elasticquota.words.screens.plan import plan_screens

        streams.stdout.write(plan_screens(plans, view_of(streams, screen, places)))
    elif screen.output == "name":
        leaving = (fate.taken.pod for plan in plans if plan.chosen is not None for fate in plan.chosen.victims)
        for name in dict.fromkeys(pod.name for pod in leaving):
            streams.stdout.write(f"pod/{name}\n")
    elif len(plans) == 1:
        write_document(streams, screen, plan_document(plans[0], places, cited[0]))
    else:
        write_document(streams, screen, plan_list_document(plans, places, cited))
    return exit_code(plans)
