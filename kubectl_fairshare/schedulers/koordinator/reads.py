"""What Koordinator's quotas read from an input.

Tested in ``tests/unit/schedulers/koordinator/test_reading.py``.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.input.kinds import KOORD_QUEUE, SCHEDULER_CONFIGURATION
from kubectl_fairshare.input.known import Home, Reads, Unredacted
from kubectl_fairshare.input.parts import Material, Part
from kubectl_fairshare.input.units.installed_charts import installs
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.model import names
from kubectl_fairshare.schedulers.koordinator.release import CHART, MARKS, NAME, PROGRAMS
from kubectl_fairshare.schedulers.kubescheduler.settings import has_settings, scheduler_settings

if TYPE_CHECKING:
    from kubectl_fairshare.api.unknown import KnownParts
    from kubectl_fairshare.input.cluster.resources import ClusterReads

_QUOTA: Final = (names.GROUP, names.KIND)
_POD: Final = ("", "Pod")


def _part(material: Material) -> Part:
    """The state; none without one of Koordinator's quotas: Pods and Nodes are not read for it then."""
    if _QUOTA not in material.by_kind:
        return Part()
    from kubectl_fairshare.jobs.pod_classes import missing_classes
    from kubectl_fairshare.schedulers.koordinator.reading.gates import programs_in
    from kubectl_fairshare.schedulers.koordinator.reading.missing import missing_of
    from kubectl_fairshare.schedulers.koordinator.reading.state import READ, koordinator_state

    state, problems = koordinator_state(material)
    state = replace(state, absent=None if material.complete else material.absent)
    state = replace(state, missing=missing_of(state, missing_classes(material.by_kind.get(_POD, ()), material.pods)))
    read = {each.key for programs in programs_in(material.by_kind) for each in programs}
    return Part(
        (state,),
        READ | KOORD_QUEUE,
        is_read=lambda m: m.key in read or _configures(m),
        problems=tuple(problems),
        unknown=state.unknown,
    )


def _known() -> "KnownParts":
    from kubectl_fairshare.schedulers.koordinator.reading.unknown import KNOWN

    return KNOWN


def _cluster() -> "ClusterReads":
    from kubectl_fairshare.schedulers.koordinator.reading.cluster import CLUSTER_READS

    return CLUSTER_READS


def _configures(manifest: Manifest) -> bool:
    """Whether an object is a ConfigMap with the scheduler's configuration, or installs the scheduler."""
    return has_settings(manifest) or installs(manifest, CHART) or bool(MARKS.found_in(manifest))


def _release(manifests: Iterable[Manifest]) -> str:
    from kubectl_fairshare.schedulers.koordinator.reading.gates import release_in

    return release_in(manifests)


READS: Final = Reads(
    NAME,
    "Koordinator",
    {
        names.GROUP: frozenset({names.KIND, "PodGroup"}),
        names.PROFILE_GROUP: frozenset({names.PROFILE_KIND}),
        **{group: frozenset() for group in names.OTHER_GROUPS},
    },
    Home(names.HOME, "--koordinator-namespace", "Koordinator's scheduler"),
    _part,
    _cluster,
    configurations=frozenset({SCHEDULER_CONFIGURATION}),
    settings=scheduler_settings,
    images=PROGRAMS,
    charts=(CHART,),
    marks=MARKS,
    release=_release,
    scheduler=PROGRAMS[0],
    spared=Unredacted(
        annotations=tuple(f"{part}{names.DOMAIN}/" for part in ("", *names.SUBDOMAINS)),
        words=frozenset(PROGRAMS),
        domains=(names.DOMAIN,),
    ),
    known=_known,
)
