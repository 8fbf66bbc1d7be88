"""How the next pod of an object comes to be, for schedulers that place pods one by one.

Not every object makes a pod, and not every pod comes to the scheduler as its template describes it.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from typing import Any, Final, TypeVar

from kubectl_fairshare.answers.answer import Answer
from kubectl_fairshare.answers.fidelity import (
    CROWDED,
    DAEMON_NODES,
    HELD_BACK,
    NAMED_NODE,
    NO_MORE_PODS,
    OTHER_CONTROLLER,
    SCHEDULING_GATES,
    Fidelity,
    Gap,
)
from kubectl_fairshare.answers.holds import CreationRefusal, Hold, HoldKind
from kubectl_fairshare.answers.needs import RequestTerm
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.api.unknown import KnownParts
from kubectl_fairshare.input.kinds import KOORD_QUEUE
from kubectl_fairshare.input.unknown_fields import unknown_for_new_pod, unknown_gaps
from kubectl_fairshare.jobs.context import RESOURCE_QUOTA
from kubectl_fairshare.jobs.creation import NewPods, creation_gaps, has_been_created, is_created
from kubectl_fairshare.jobs.daemon_nodes import DAEMON_SET, daemon_nodes, tied_to
from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.jobs.node_demand import LabelledNode, NodeDemand
from kubectl_fairshare.jobs.pod_surroundings import Surroundings
from kubectl_fairshare.jobs.pod_templates import REPLICATED, TemplatePod, pods_at_once, template_field
from kubectl_fairshare.jobs.request_parts import pod_parts
from kubectl_fairshare.jobs.requests import POD_LAW, RequestLaw
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.manifests.holds import gate_holds, template_holds
from kubectl_fairshare.schedulers.new_objects import new_object_gaps
from kubectl_fairshare.schedulers.question import PodOrigin, assumption, conditional

_POD: Final = ("", "Pod")
RESUMED: Final = "resumed"
SCALED: Final = "scaled up"
_OWN_CONTROLLER: Final = "kubernetes.io/job-controller"
Read = TypeVar("Read")
Detail = TypeVar("Detail")


class PodMaking:
    """Whether and how new pods come to the scheduler of one question.

    ``around`` completes pods, ``unread`` are the kinds of which not all objects could be read; ``described``: options
    describe the pod. ``known`` is what the scheduler knows of objects.
    """

    def __init__(
        self, snapshot: Snapshot, around: Surroundings, unread: Collection[str], known: KnownParts, *, described: bool
    ) -> None:
        self._snapshot = snapshot
        self.around = around
        self._unread = unread
        self._known = known
        self._described = described

    def new_pod(
        self, template: TemplatePod[Read], maker: Manifest, nodes: Collection[LabelledNode]
    ) -> tuple[NodeDemand, PodOrigin]:
        """The nodes that the next pod of ``maker`` may use, and its origin. ``nodes`` are those of the input.

        Raises ``FairshareError`` for a field of another type.
        """
        gaps = [*self._creation_gaps(template, maker), *_making_gaps(template, maker)]
        gaps += [*self._held_back(maker), *self.unknown_gaps(maker)]
        demand, targets = template.demand, tuple[str, ...]()
        if maker.key[:2] == DAEMON_SET and nodes:
            daemon = daemon_nodes(maker.key, demand, nodes, self._snapshot.manifests)
            targets = daemon.lacking
            if targets:
                demand = tied_to(demand, targets)
            elif daemon.having:
                gaps.append(Gap(NO_MORE_PODS, (Place(maker.key),), touches=True, subject=str(maker.key)))
        refusals, waits_for, pods = self._refusals(template, maker), supposed(maker), pods_at_once(maker)
        gaps += () if refusals or _is_created_pod(maker) else self._crowding_gaps(template)
        return demand, PodOrigin(
            template.written,
            gaps=tuple(gaps),
            supposed=waits_for,
            targets=targets,
            pods=pods,
            holds=self.holds(template, maker),
            refusals=refusals,
        )

    def parts(self, template: TemplatePod[Read], maker: Manifest, law: RequestLaw = POD_LAW) -> tuple[RequestTerm, ...]:
        """The parts of what the pod requests; what an API server adds to a stored Pod is written there."""
        if self._described:
            return ()
        pod = template_field(template, maker)
        return pod_parts(pod, self.around.context, law, taken=maker.key[:2] == _POD and maker.stored)

    def holds(self, template: TemplatePod[Read], maker: Manifest) -> tuple[Hold, ...]:
        """The gates of a new pod, and ResourceQuotas that reject some of the pods of its object, but not the first."""
        if self._described:
            return ()
        gates = gate_holds(template_field(template, maker).at("spec"), HoldKind.FIRST_GATE)
        if maker.stored or RESOURCE_QUOTA[1] in self._unread:
            return tuple(gates)
        return (*gates, *template_holds(maker, self._bounds))

    def is_new(self, pod: ObjectKey) -> bool:
        """Whether the input has a pod that no API server has yet."""
        manifest = self._snapshot.manifests.get(pod)
        return manifest is not None and not has_been_created(manifest)

    def _refusals(self, template: TemplatePod[Read], maker: Manifest) -> tuple[CreationRefusal, ...]:
        """The bounds of ResourceQuotas that reject the next pod of ``maker``."""
        if _is_created_pod(maker) or RESOURCE_QUOTA[1] in self._unread:
            return ()
        return self._bounds.refusals([(template.key, template.spec)], described=self._described)[0]

    def _crowding_gaps(self, template: TemplatePod[Read]) -> Iterator[Gap]:
        """A gap if ResourceQuotas admit the pod only before other new ones of the input."""
        if RESOURCE_QUOTA[1] not in self._unread:
            places = self._bounds.crowding([(template.key, template.spec)], described=self._described)
            yield from [Gap(CROWDED, places, touches=True)] if places else ()

    @cached_property
    def _bounds(self) -> NewPods:
        return NewPods(self._snapshot.manifests, self.around)

    def _held_back(self, maker: Manifest) -> Iterator[Gap]:
        """A gap for a new job where koord-queue has queues."""
        if maker.key[:2] == _POD or self._described or maker.stored:
            return
        queues = [Place(key) for key in self._snapshot.manifests if key[:2] in KOORD_QUEUE]
        if queues:
            yield Gap(HELD_BACK, (queues[0],), touches=True)

    def _creation_gaps(self, template: TemplatePod[Read], maker: Manifest) -> Iterator[Gap]:
        """What an API server rejects: the object that makes the pod, or the pod."""
        known, excludes = self._snapshot.manifests, self._snapshot.excludes
        new, described = [(template.key, template.spec)], self._described
        yield from () if described else new_object_gaps([maker], known)
        if not _is_created_pod(maker):
            yield from creation_gaps(
                known, new, self.around, self._unread, described=described, excludes=excludes, quotas=False
            )
            yield from unknown_gaps(unknown_for_new_pod(known, template.key.namespace, template.spec, self._known))

    def unknown_gaps(self, maker: Manifest) -> Iterator[Gap]:
        """What is unknown in the object that makes the pod, as it is asked about."""
        return unknown_gaps(self._known.places(maker))


def without_gates(fidelity: Fidelity) -> Fidelity:
    """The fidelity of a plan, which waits for the scheduling gates of its pod: they are no gap of it."""
    return replace(fidelity, gaps=tuple(gap for gap in fidelity.gaps if gap.feature != SCHEDULING_GATES))


def gated_outcome(computed: Outcome, fidelity: Fidelity, *, alike: bool, gated: bool) -> Outcome:
    """The outcome of a plan: a pod with gates waits, unless it is never placed. ``alike``: all ties end so."""
    if not fidelity.modelled:
        return Outcome.UNKNOWN
    if gated and computed is not Outcome.NEVER:
        return Outcome.WAITS
    return computed if alike else Outcome.UNKNOWN


def gated_clause(clause: str, gates: Sequence[str]) -> str:
    """The outcome of a pod, in a clause, with the gates that must be removed first."""
    if not gates:
        return clause
    named = ", ".join(f"`{gate}`" for gate in gates)
    first, it = ("scheduling gate", "it") if len(gates) == 1 else ("scheduling gates", "them")
    verb = "is" if len(gates) == 1 else "are"
    return f"waits: its scheduler ignores it until {first} {named} {verb} removed; without {it}, {clause}"


def daemon_gaps(
    origin: PodOrigin, outcome: Outcome, feasible: Collection[str], fits_alone: Callable[[str], bool]
) -> tuple[Gap, ...]:
    """A gap if it matters for which of several nodes a pod of a DaemonSet is.

    ``outcome`` is that of a pod for any of them; ``feasible`` are the nodes with room now, and ``fits_alone`` says
    whether an empty node could have it.
    """
    targets = origin.targets
    if len(targets) < 2 or outcome is Outcome.NEVER:
        return ()
    if outcome is Outcome.ADMITTED and set(targets) <= set(feasible):
        return ()
    if outcome is Outcome.WAITS and all(map(fits_alone, targets)):
        return ()
    return (Gap(DAEMON_NODES, (origin.place,), touches=True, subject=str(len(targets))),)


def conditional_answer(answer: Answer[Detail], condition: str) -> Answer[Detail]:
    """An answer about a pod that is there only once something has happened, such as ``resumed``."""
    if not condition:
        return answer
    known = answer.outcome is not Outcome.UNKNOWN
    return replace(
        answer,
        verdict=conditional(answer.verdict, condition) if known else answer.verdict,
        assumed=assumption(condition),
    )


def _making_gaps(template: TemplatePod[Any], manifest: Manifest) -> Iterator[Gap]:
    """What brings a pod onto a node without its scheduler, and who makes it."""
    named = Field(template.written.object, (*template.written.path, "spec"), template.spec).at("nodeName")
    if named.text() and not _is_created_pod(manifest):
        yield Gap(NAMED_NODE, (named.place,), touches=True, subject=named.text())
    yield from controller_gaps(manifest)


def controller_gaps(manifest: Manifest) -> Iterator[Gap]:
    """A gap for a Job whose pods another controller makes. Raises ``FairshareError`` for another type."""
    controller = _job_spec(root_of(manifest)).at("managedBy")
    if controller.text() not in ("", _OWN_CONTROLLER):
        yield Gap(OTHER_CONTROLLER, (controller.place,), touches=True, subject=controller.text())


def _is_created_pod(manifest: Manifest) -> bool:
    return manifest.key[:2] == _POD and is_created(manifest.data)


def _job_spec(root: Field) -> Field:
    """The spec of a Job, or of the Jobs that a CronJob makes; empty for other kinds."""
    if root.owner[:2] == ("batch", "CronJob"):
        return root.at("spec", "jobTemplate", "spec")
    return root.at("spec") if root.owner[:2] == ("batch", "Job") else root._replace(value=None)


def supposed(manifest: Manifest) -> str:
    """What has to happen to the object before it makes another pod; empty if nothing has to.

    Raises ``FairshareError`` for a field of another type.
    """
    root, job = root_of(manifest), _job_spec(root_of(manifest))
    cron = manifest.key[:2] == ("batch", "CronJob")
    if job.at("suspend").flag() or (cron and root.at("spec", "suspend").flag()):
        return RESUMED
    if any(job.at(name).value == 0 for name in ("parallelism", "completions")):
        return SCALED
    if manifest.key.kind in REPLICATED and root.at("spec", "replicas").value == 0:
        return SCALED
    return ""
