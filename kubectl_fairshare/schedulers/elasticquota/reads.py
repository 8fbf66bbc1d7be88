"""What CapacityScheduling reads from an input.

Tested in ``tests/unit/input/cluster/test_roles.py``.
"""

from typing import TYPE_CHECKING, Final

from kubectl_fairshare.input.kinds import KOORD_QUEUE, SCHEDULER_CONFIGURATION
from kubectl_fairshare.input.known import Home, Reads
from kubectl_fairshare.input.parts import Material, Part
from kubectl_fairshare.input.units.installed_charts import installs
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.model.kinds import GROUP, KIND, KOORDINATOR_GROUP, READ
from kubectl_fairshare.schedulers.elasticquota.model.semantics import Semantics
from kubectl_fairshare.schedulers.elasticquota.release import (
    CHARTS,
    IMAGE,
    MARKS,
    NAME,
    is_reproduced,
    release_in,
    release_of_programs,
    scheduler_programs,
    standing_of,
)
from kubectl_fairshare.schedulers.kubescheduler.settings import has_settings, scheduler_settings

if TYPE_CHECKING:
    from kubectl_fairshare.api.unknown import KnownParts
    from kubectl_fairshare.input.cluster.resources import ClusterReads


_POD: Final = ("", "Pod")


def _part(material: Material) -> Part:
    """The state; none without an ElasticQuota: Pods and Nodes are not read for it then."""
    if not any(kind == KIND for _, kind in material.by_kind):
        return Part()
    from kubectl_fairshare.answers.missing_objects import missing_nodes, missing_objects
    from kubectl_fairshare.input.text.feature_gates import unmodelled_gates
    from kubectl_fairshare.jobs.pod_classes import missing_classes
    from kubectl_fairshare.schedulers.elasticquota.model.semantics import semantics_of
    from kubectl_fairshare.schedulers.elasticquota.reading.chart import made_by_chart
    from kubectl_fairshare.schedulers.elasticquota.reading.state import elasticquota_state

    made = made_by_chart(material.by_kind)
    state, problems = elasticquota_state(material.by_kind, material.pods, made)
    programs = scheduler_programs(material.by_kind)
    gates = unmodelled_gates(programs)
    running: tuple[Manifest, ...] = programs
    if not programs and made.scheduler is not None:
        running = (made.scheduler.manifest,)
        gates = {name: made.scheduler.place(place) for name, place in unmodelled_gates(running).items()}
    named = material.releases.get(NAME, "")
    release = release_of_programs(running) if named in {*Semantics} else named or release_of_programs(running)
    odd = "" if is_reproduced(release) else release
    semantics = semantics_of(release)
    state = replace(
        state,
        unread=material.unread,
        semantics=semantics,
        odd_release=odd,
        standing=standing_of(release),
        odd_gates=gates,
        missing=missing_objects(
            None if material.complete else material.absent,
            (*missing_nodes(state.pods, state.nodes), *missing_classes(material.by_kind.get(_POD, ()), material.pods)),
        ),
    )
    kinds, read = READ | KOORD_QUEUE if state.quotas else frozenset({(GROUP, KIND)}), {each.key for each in programs}
    return Part(
        (state,),
        kinds,
        is_read=lambda m: m.key in read or _configures(m),
        problems=tuple(problems),
        unknown=state.unknown,
    )


def _known() -> "KnownParts":
    from kubectl_fairshare.schedulers.elasticquota.reading.unknown import KNOWN

    return KNOWN


def _cluster() -> "ClusterReads":
    from kubectl_fairshare.schedulers.elasticquota.reading.cluster import CLUSTER_READS

    return CLUSTER_READS


def _configures(manifest: Manifest) -> bool:
    """Whether an object is a ConfigMap with the scheduler's configuration, or installs the scheduler."""
    return has_settings(manifest) or installs(manifest, *CHARTS) or bool(MARKS.found_in(manifest))


READS: Final = Reads(
    NAME,
    "CapacityScheduling",
    {GROUP: frozenset({KIND, "PodGroup"})},
    Home("scheduler-plugins", "--scheduler-namespace", "CapacityScheduling's scheduler"),
    _part,
    _cluster,
    related=frozenset({KOORDINATOR_GROUP}),
    configurations=frozenset({SCHEDULER_CONFIGURATION}),
    short_names={"eq": "elasticquota"},
    settings=scheduler_settings,
    images=(IMAGE,),
    charts=CHARTS,
    marks=MARKS,
    release=release_in,
    scheduler="scheduler-plugins-scheduler",
    known=_known,
)
