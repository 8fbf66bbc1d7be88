"""Kueue's part of a snapshot, from its own objects and the others that shape the workloads of jobs.

Tested in ``tests/unit/schedulers/kueue/reading/test_exact_amounts.py``.
"""

from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from kubectl_fairshare.input.chains import too_long
from kubectl_fairshare.input.parts import Material, Part
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.jobs.context import (
    CLAIM_TEMPLATE,
    DEVICE_CLASS,
    Context,
    kueue_context,
    with_asked,
)
from kubectl_fairshare.schedulers.kueue.jobs.pending import AlikePods, pending_of
from kubectl_fairshare.schedulers.kueue.model.objects import (
    GROUP,
    AdmissionCheck,
    ClusterQueue,
    Cohort,
    Configuration,
    ResourceFlavor,
)
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.topology import Topology
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending
from kubectl_fairshare.schedulers.kueue.reading import readers, topology, typed
from kubectl_fairshare.schedulers.kueue.reading.accepted import Accepted
from kubectl_fairshare.schedulers.kueue.reading.configuration import default_configuration, found_configuration
from kubectl_fairshare.schedulers.kueue.reading.holders import Stage
from kubectl_fairshare.schedulers.kueue.reading.published import is_source
from kubectl_fairshare.schedulers.kueue.reading.release_signs import names_line
from kubectl_fairshare.schedulers.kueue.reading.running_release import managers, running_release
from kubectl_fairshare.schedulers.kueue.reading.unknown import unknown_places
from kubectl_fairshare.schedulers.kueue.reading.workloads import Workloads
from kubectl_fairshare.schedulers.kueue.reading.written_settings import (
    ConfigurationSearch,
    configurations,
    configures,
    with_managers,
)
from kubectl_fairshare.schedulers.kueue.release import KueueRelease

_Named = TypeVar("_Named", ResourceFlavor, Cohort, ClusterQueue, AdmissionCheck, Topology)
_COHORT: Final = ObjectKey(GROUP, "Cohort", "", "")
_SECOND: Final = 10**9
_AMOUNTS: Final = ("ClusterQueue", "Cohort", "Workload")
_READ: Final = frozenset(
    {
        *((GROUP, kind) for kind in ("ResourceFlavor", "Cohort", "ClusterQueue", "LocalQueue", "Workload")),
        *((GROUP, kind) for kind in ("WorkloadPriorityClass", "AdmissionCheck", "Topology")),
        ("config.kueue.x-k8s.io", "Configuration"),
        CLAIM_TEMPLATE,
        DEVICE_CLASS,
    }
)

_SAYING: Final = (configures, names_line, is_source)
"""What an object of another program may say: settings, the line of releases, or a release."""


def kueue_part(material: Material) -> Part:
    """Kueue's state, and the context in which jobs become workloads."""
    accepted = Accepted(material.by_kind)
    settings = with_managers(configurations(accepted.others), runs := managers(material.by_kind), material.by_kind)
    release = running_release(material, settings.said, settings.release)
    accepted.reads_old = release.serves_v1alpha1
    configuration, configured = _configuration(accepted, settings, release)
    accepted.laws = configuration.writes
    local_queues = accepted.read(accepted.of("LocalQueue"), readers.local_queue)
    priorities = dict(accepted.read(accepted.of("WorkloadPriorityClass"), readers.priority))
    reader = Workloads(configuration, priorities)
    workloads = accepted.read(accepted.of("Workload"), reader.read)
    holders = tuple(w for w in workloads if isinstance(w, Holder))
    others = [w for w in workloads if not isinstance(w, Holder)]
    flavors = _by_name(accepted.read(accepted.of("ResourceFlavor"), readers.resource_flavor))
    cohorts = _by_name(accepted.read(accepted.of("Cohort"), readers.cohort))
    cluster_queues = _by_name(accepted.read(accepted.of("ClusterQueue"), readers.cluster_queue))
    checks = _by_name(accepted.read(accepted.of("AdmissionCheck"), _check))
    created = reader.newest + _SECOND
    context = kueue_context(material.pods, configuration, priorities, local_queues, created, configured=configured)
    context = replace(context, complete=material.complete, absent=material.absent)
    context = with_asked(context, accepted.others)
    pending = _pending(accepted, context, [m for s, m in others if s is Stage.PENDING])
    state = KueueState(
        configuration=configuration,
        flavors=flavors,
        cohorts=cohorts,
        cluster_queues=cluster_queues,
        local_queues={(q.namespace, q.name): q for q in local_queues},
        checks=checks,
        topologies=_by_name(accepted.read(accepted.of("Topology"), topology.topology)),
        workload_priorities=priorities,
        holders=holders,
        pending=pending,
        finished=sum(s is Stage.FINISHED for s, _ in others),
        deactivated=tuple(m.key for s, m in others if s is Stage.DEACTIVATED),
        unread=material.unread,
        reclaimed=tuple(reader.reclaimed),
        moment=_known_moment(accepted, pending, created),
    )
    placing = reader.lost_nodes or any(flavor.topology is not None for flavor in flavors.values())
    if placing:
        from kubectl_fairshare.schedulers.kueue.reading.second_pass import with_topology

        state = with_topology(state, accepted, context)
    live = {*(each.key for each in holders), *(each.key for each in pending)}
    state = replace(state, unknown=unknown_places(material.by_kind, live, placing=placing))
    state = _with_amounts(state, accepted, release)
    accepted.problems += too_long({name: cohort.parent for name, cohort in cohorts.items()}, _COHORT, "parentName")
    programs = {each.key for each in runs}
    return Part(
        values=(state, context),
        kinds=_READ | {topology.NODE, topology.POD} if placing else _READ,
        is_read=lambda manifest: manifest.key in programs or any(says(manifest) for says in _SAYING),
        refusals=tuple(accepted.refusals),
        problems=tuple(accepted.problems),
        unknown_fields=accepted.unknown_fields,
        unknown=state.unknown,
        workings=accepted,
    )


def _with_amounts(state: KueueState, accepted: Accepted, release: KueueRelease) -> KueueState:
    """The state with amounts beyond 64 bits as the release computes them."""
    if release.exact_amounts:
        from kubectl_fairshare.schedulers.kueue.reading.exact_amounts import with_exact_amounts

        return with_exact_amounts(state, (*accepted.of("ClusterQueue"), *accepted.of("Cohort")))
    if release.wrapping_amounts:
        from kubectl_fairshare.schedulers.kueue.reading.wrapping_amounts import with_wrapping_amounts

        return with_wrapping_amounts(state, [m for kind in _AMOUNTS for m in accepted.of(kind)])
    return state


def with_configuration(snapshot: Snapshot, change: Callable[[Configuration], Configuration]) -> Snapshot:
    """The snapshot as if Kueue's Configuration were changed."""
    state, context = snapshot.part(KueueState), snapshot.part(Context)
    configuration = change(state.configuration)
    state = replace(state, configuration=configuration)
    return snapshot.with_part(state).with_part(replace(context, configuration=configuration))


def _configuration(accepted: Accepted, found: ConfigurationSearch, release: KueueRelease) -> tuple[Configuration, bool]:
    try:
        return found_configuration(found, release)
    except FairshareError as error:
        accepted.problems.extend(error.problems)
        return default_configuration(release), False


def _by_name(found: Iterable[_Named]) -> dict[str, _Named]:
    return {one.name: one for one in found}


def _known_moment(accepted: Accepted, pending: Iterable[Pending], created: int) -> int:
    """The latest moment in the input, or a later ``created``; 0 where no workload backs off, so that none counts."""
    if all(block.until is None for each in pending for block in each.blocks):
        return 0
    from kubectl_fairshare.schedulers.kueue.jobs.record import latest_moment

    return max(created - _SECOND, latest_moment((*accepted.of("Workload"), *accepted.others)))


def _check(manifest: Manifest) -> AdmissionCheck:
    """An AdmissionCheck; a stored check without the condition Active is not active."""
    found = typed.admission_check(manifest.data)
    return replace(found, active=False) if manifest.stored and found.active is None else found


def _pending(accepted: Accepted, context: Context, manifests: Iterable[Manifest]) -> tuple[Pending, ...]:
    found, alike = [], AlikePods(context)
    for manifest in manifests:
        try:
            found.append(pending_of(manifest, context, alike))
        except FairshareError as error:
            accepted.problems.extend(error.problems)
    return tuple(found)
