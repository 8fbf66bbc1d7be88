"""From manifests to the snapshot that questions are asked about."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Final, TypeVar

from kubectl_fairshare.input.chains import too_long
from kubectl_fairshare.jobs.fields import root_of
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.elasticquota.model.objects import KIND as ELASTIC_QUOTA
from kubectl_fairshare.schedulers.elasticquota.model.objects import READ as ELASTICQUOTA_READ
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState
from kubectl_fairshare.schedulers.kai.model.objects import GROUPS as KAI_GROUPS
from kubectl_fairshare.schedulers.kai.model.objects import KINDS as KAI_KINDS
from kubectl_fairshare.schedulers.kai.model.objects import KaiState
from kubectl_fairshare.schedulers.kueue.jobs import Context, context_of, pending_of
from kubectl_fairshare.schedulers.kueue.jobs.moments import queued_at
from kubectl_fairshare.schedulers.kueue.model.objects import (
    GROUP,
    AdmissionCheck,
    ClusterQueue,
    Cohort,
    Configuration,
    LocalQueue,
    ResourceFlavor,
)
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending
from kubectl_fairshare.schedulers.kueue.reading import readers, typed
from kubectl_fairshare.schedulers.kueue.reading.accepted import Accepted
from kubectl_fairshare.schedulers.kueue.reading.configuration import find_configuration, holds_configuration
from kubectl_fairshare.schedulers.kueue.reading.holders import Stage

_Named = TypeVar("_Named", ResourceFlavor, Cohort, ClusterQueue, AdmissionCheck)
_COHORT: Final = ObjectKey(GROUP, "Cohort", "", "")
_SECOND: Final = 10**9
READ: Final = frozenset(
    {
        *((GROUP, kind) for kind in ("ResourceFlavor", "Cohort", "ClusterQueue", "LocalQueue", "Workload")),
        *((GROUP, kind) for kind in ("WorkloadPriorityClass", "AdmissionCheck", "Topology")),
        ("config.kueue.x-k8s.io", "Configuration"),
        ("scheduling.k8s.io", "PriorityClass"),
        ("node.k8s.io", "RuntimeClass"),
        ("", "Namespace"),
        ("", "LimitRange"),
    }
)


@dataclass(frozen=True, slots=True)
class Assembled:
    """A snapshot with the context in which jobs become workloads.

    ``unknown_fields`` are fields that an API server would drop, by object.
    """

    snapshot: Snapshot
    context: Context
    unknown_fields: Mapping[ObjectKey, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Gathered:
    """What the objects amount to that can be read; ``accepted`` and ``problems`` tell of the others."""

    snapshot: Snapshot
    context: Context
    accepted: Accepted
    problems: tuple[Problem, ...]


def assemble(
    manifests: Sequence[Manifest],
    override: Callable[[Configuration], Configuration] | None = None,
    unread: Collection[str] = (),
) -> Assembled:
    """The snapshot that ``manifests`` describe; ``override`` changes the configuration found there.

    ``unread`` are kinds of which not all could be read. Raises ``FairshareError`` with every object that an API
    server would refuse.
    """
    gathered = gather(manifests, override, unread)
    if problems := (*gathered.accepted.refusals, *gathered.problems):
        raise FairshareError(*problems)
    return Assembled(gathered.snapshot, gathered.context, gathered.accepted.unknown_fields)


def gather(
    manifests: Sequence[Manifest],
    override: Callable[[Configuration], Configuration] | None = None,
    unread: Collection[str] = (),
) -> Gathered:
    """All of ``manifests`` that an API server takes and that can be read, and what is wrong with the rest."""
    manifests = sorted(manifests, key=attrgetter("key"))
    accepted = Accepted(manifests)
    found, configured = _configuration(accepted)
    configuration = found if override is None else override(found)
    local_queues = accepted.read(accepted.of("LocalQueue"), readers.local_queue)
    priorities = dict(accepted.read(accepted.of("WorkloadPriorityClass"), readers.priority))
    workloads = accepted.read(accepted.of("Workload"), partial(_workload, configuration))
    holders = tuple(w for w in workloads if isinstance(w, Holder))
    others = [w for w in workloads if not isinstance(w, Holder)]
    flavors = _named(accepted.read(accepted.of("ResourceFlavor"), readers.resource_flavor))
    cohorts = _named(accepted.read(accepted.of("Cohort"), readers.cohort))
    cluster_queues = _named(accepted.read(accepted.of("ClusterQueue"), readers.cluster_queue))
    checks = _named(accepted.read(accepted.of("AdmissionCheck"), _check))
    created = _newest(holders, (m for _, m in others)) + _SECOND
    context = _context(accepted, configuration, priorities, local_queues, created, configured)
    state = KueueState(
        configuration=configuration,
        flavors=flavors,
        cohorts=cohorts,
        cluster_queues=cluster_queues,
        local_queues={(q.namespace, q.name): q for q in local_queues},
        checks=checks,
        topologies=frozenset(m.key.name for m in accepted.of("Topology")),
        workload_priorities=priorities,
        holders=holders,
        pending=_pending(accepted, context, [m for s, m in others if s is Stage.PENDING]),
        finished=sum(s is Stage.FINISHED for s, _ in others),
        deactivated=sum(s is Stage.DEACTIVATED for s, _ in others),
        unread=tuple(sorted(unread)),
    )
    accepted.problems.extend(too_long({name: cohort.parent for name, cohort in cohorts.items()}, _COHORT, "parentName"))
    elasticquota = replace(_elasticquota(accepted, context), unread=state.unread)
    kai = replace(_kai(accepted), unread=state.unread)
    snapshot = Snapshot(
        {m.key: m for m in manifests},
        dict(context.namespace_labels),
        _skipped(accepted, _read_kinds(elasticquota, kai)),
        {type(part): part for part in (state, elasticquota, kai)},
    )
    return Gathered(snapshot, context, accepted, tuple(accepted.problems))


def _configuration(accepted: Accepted) -> tuple[Configuration, bool]:
    try:
        return find_configuration(accepted.others)
    except FairshareError as error:
        accepted.problems.extend(error.problems)
        return Configuration(), False


def _context(
    accepted: Accepted,
    configuration: Configuration,
    priorities: Mapping[str, int],
    local_queues: Sequence[LocalQueue],
    default_created: int,
    configured: bool,
) -> Context:
    try:
        return context_of(
            accepted.others,
            configuration,
            priorities,
            local_queues=local_queues,
            default_created=default_created,
            configured=configured,
        )
    except FairshareError as error:
        accepted.problems.extend(error.problems)
        return Context(configuration=configuration, workload_priorities=priorities)


def _named(found: Iterable[_Named]) -> dict[str, _Named]:
    return {one.name: one for one in found}


def _newest(holders: Iterable[Holder], others: Iterable[Manifest]) -> int:
    """The latest creation among the workloads, in nanoseconds; 0 when none tells."""
    newest = max((h.created for h in holders), default=0)
    for manifest in others:
        metadata = manifest.data.get("metadata")
        created = metadata.get("creationTimestamp") if isinstance(metadata, dict) else None
        if isinstance(created, str) and created:
            newest = max(newest, _moment(created))
    return newest


def _check(manifest: Manifest) -> AdmissionCheck:
    """An AdmissionCheck; one that a server has stored, and nobody called active yet, is not active."""
    found = typed.admission_check(manifest.data)
    return replace(found, active=False) if manifest.stored and found.active is None else found


def _moment(text: str) -> int:
    try:
        return nanoseconds(text)
    except ValueError:  # said again, with its place, by whoever reads the workload
        return 0


def _workload(configuration: Configuration, manifest: Manifest) -> Holder | tuple[Stage, Manifest]:
    found = readers.workload(manifest)
    if isinstance(found, Stage):
        return found, manifest
    if found.evicted:
        found.queued = queued_at(root_of(manifest), configuration, found.created)
    return found


def _pending(accepted: Accepted, context: Context, manifests: Iterable[Manifest]) -> tuple[Pending, ...]:
    found = []
    for manifest in manifests:
        try:
            found.append(pending_of(manifest, context))
        except FairshareError as error:
            accepted.problems.extend(error.problems)
    return tuple(found)


def _kai(accepted: Accepted) -> KaiState:
    """KAI's part; an input without any object of KAI's own has none, and its Pods and Nodes are not read for it."""
    if not any(manifest.key.group in KAI_GROUPS for manifest in accepted.others):
        return KaiState()
    from kubectl_fairshare.schedulers.kai.reading.state import kai_state

    return kai_state(accepted.others, accepted.problems)


def _elasticquota(accepted: Accepted, context: Context) -> ElasticQuotaState:
    """ElasticQuotas' part; an input without any has none, and its Pods and Nodes are not read for it."""
    if not any(manifest.key.kind == ELASTIC_QUOTA for manifest in accepted.others):
        return ElasticQuotaState()
    from kubectl_fairshare.schedulers.elasticquota.reading.state import elasticquota_state

    state, unread = elasticquota_state(accepted.others, context)
    accepted.problems.extend(unread)
    return state


def _read_kinds(elasticquota: ElasticQuotaState, kai: KaiState) -> frozenset[tuple[str, str]]:
    """The kinds that answers rest on: Pods and Nodes where a scheduler that looks at them has quotas here."""
    read = READ | ELASTICQUOTA_READ if elasticquota.quotas else READ
    return read | KAI_KINDS if kai.queues else read


def _skipped(accepted: Accepted, read: Collection[tuple[str, str]]) -> dict[str, int]:
    """How many objects of each kind were passed over: those that are not ``read``."""
    counts: dict[str, int] = {}
    for manifest in (*accepted.others, *accepted.outside({kind for group, kind in READ if group == GROUP})):
        if (manifest.key.group, manifest.key.kind) not in read and not holds_configuration(manifest):
            kind = f"{manifest.api_version} {manifest.key.kind}"
            counts[kind] = counts.get(kind, 0) + 1
    return dict(sorted(counts.items()))
