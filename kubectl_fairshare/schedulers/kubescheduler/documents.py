"""What documents say of pods under any plugin of kube-scheduler, and how values of laws become parts of them.

Decides nothing: it has parts of documents only.
"""

from collections.abc import Iterable
from typing import Any, Final, TypeVar

from kubectl_fairshare.answers.documents import DocumentPart, Hooks, Moment
from kubectl_fairshare.answers.figures import Quantity
from kubectl_fairshare.answers.holds import CreationRefusal
from kubectl_fairshare.jobs.pod_record import PodRecord
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd, Remedy, RemedyChange
from kubectl_fairshare.schedulers.kubescheduler.objects import PluginPod
from kubectl_fairshare.schedulers.kubescheduler.refusals import refused_amounts
from kubectl_fairshare.schedulers.kubescheduler.why import PodWhy


class ResourceAmountPart(DocumentPart, frozen=True):
    """An amount of one resource."""

    resource: str
    amount: Quantity


class ExcessPart(DocumentPart, frozen=True):
    """A resource in which the request exceeds a bound."""

    resource: str
    wanted: Quantity
    used: Quantity
    bound: Quantity
    more: Quantity


class RefusalPart(DocumentPart, frozen=True):
    """A bound of a ResourceQuota that keeps the pod from being created; ``name`` is the resource's name there.

    ``excess`` is null where the quota wants every container to set the amount, and one does not.
    """

    resource_quota: str
    name: str
    excess: ExcessPart | None
    place: Place


class PodConditionPart(DocumentPart, frozen=True):
    """A condition of the pod."""

    type: str
    status: str
    reason: str
    message: str
    since: Moment


class PodEventPart(DocumentPart, frozen=True):
    """An Event about the pod."""

    reason: str
    message: str
    count: int
    last: Moment


class PodRecordPart(DocumentPart, frozen=True):
    """What the cluster recorded about the pod."""

    phase: str
    nominated_node: str
    created: Moment
    conditions: tuple[PodConditionPart, ...]
    events: tuple[PodEventPart, ...]


class PodPart(DocumentPart, frozen=True):
    """A pod that has a node, or waits for one."""

    namespace: str
    name: str
    priority: int
    node: str | None


class PodRemedyPart(DocumentPart, frozen=True):
    """Changes that were simulated together and get the pod in."""

    changes: tuple[RemedyChange, ...]
    course: CycleEnd
    nodes: tuple[str, ...]
    priority_class: str | None
    alternatives: int
    fewest_victims: int


class WaitingInQuotaPart(DocumentPart, frozen=True):
    """A waiting pod with the ones ``alike``; ``position`` is its best possible position among ``of``."""

    subject: str
    pod: PodPart | None
    job: str | None
    alike: tuple[str, ...]
    quota: str
    sentence: str
    position: int | None
    of: int | None
    get_in_first: int
    exact: bool
    since: Moment
    not_created: int


AnyWaiting = TypeVar("AnyWaiting", bound=WaitingInQuotaPart)


def pod_part(of: PluginPod[Any]) -> PodPart:
    """A pod, and its node."""
    return PodPart(of.namespace, of.key.name, of.priority, of.node or None)


def pod_names(of: Iterable[Any]) -> tuple[str, ...]:
    """Pods by their names."""
    return tuple(pod.name for pod in of)


def waiting_part(made: type[AnyWaiting], why: PodWhy, quota: str, sentence: str, **own: Any) -> AnyWaiting:
    """A waiting pod as an entry of a list; ``own`` are fields of one plugin alone."""
    return made(
        subject=str(why.job or why.key),
        pod=None if why.pod is None else pod_part(why.pod),
        job=None if why.job is None else str(why.job),
        alike=tuple(map(str, why.alike)),
        quota=quota,
        sentence=sentence,
        position=len(why.ahead) + 1 if why.queued else None,
        of=why.rivals if why.queued else None,
        get_in_first=why.before,
        exact=why.fidelity.exact,
        since=why.since,
        not_created=why.missing,
        **own,
    )


def remedy_part(of: Remedy) -> PodRemedyPart:
    """A remedy, without what all schedulers say of one."""
    return PodRemedyPart(of.changes, of.course, of.nodes, of.named, of.alternatives, of.fewest)


def refused_excess(of: CreationRefusal) -> ExcessPart:
    """The amounts of a bound that is exceeded."""
    wanted, used, bound = refused_amounts(of)
    return ExcessPart(of.resource, wanted, used, bound, wanted + used - bound)


def _refusal(of: CreationRefusal) -> RefusalPart:
    return RefusalPart(of.place.object.name, of.name, None if of.wanted is None else refused_excess(of), of.place)


def _record(of: PodRecord) -> PodRecordPart:
    conditions = (PodConditionPart(c.type, c.status, c.reason, c.message, c.moment) for c in of.conditions)
    events = (PodEventPart(e.reason, e.message, e.count, e.moment) for e in of.events)
    return PodRecordPart(of.phase, of.nominated, of.created, tuple(conditions), tuple(events))


HOOKS: Final[Hooks] = {CreationRefusal: _refusal, PodRecord: _record}
"""What makes parts of the values that both plugins have."""
