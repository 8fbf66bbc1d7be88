"""What KAI-Scheduler reads from an input.

Tested in ``tests/unit/input/cluster/test_roles.py``.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.input.known import Archive, Home, Reads, Unredacted, texts_with
from kubectl_fairshare.input.parts import Material, Part
from kubectl_fairshare.input.units.installed_charts import installs
from kubectl_fairshare.input.units.unread_settings import Marks, unread_settings
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import FieldPath, Json
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.model.kinds import CONFIG_GROUP, GROUPS, HELPERS, KINDS, LEADERS, QUEUE_GROUP
from kubectl_fairshare.schedulers.kai.release import CHART, DEPLOYMENT, IMAGES, release_in

if TYPE_CHECKING:
    from kubectl_fairshare.api.unknown import KnownParts
    from kubectl_fairshare.input.cluster.resources import ClusterReads

MARKS: Final = Marks(("SchedulingShard", "stalegangeviction"), (CHART,))
"""A shard in a text, and the last action of a scheduler's configuration."""
_SETTINGS: Final = tuple((CONFIG_GROUP, kind) for kind in ("Config", "SchedulingShard"))
_NAME: Final = "kai"


def _part(material: Material) -> Part:
    """KAI's state; none without an object of KAI: Pods and Nodes are not read for it then."""
    if not any(group in GROUPS for group, _ in material.by_kind):
        return Part()
    from kubectl_fairshare.schedulers.kai.reading.state import kai_state

    problems: list[Problem] = []
    state = kai_state(material, problems)
    if not any(kind in material.by_kind for kind in _SETTINGS):
        marked = unread_settings(material.by_kind, MARKS, lambda each: installs(each, CHART))
        state = replace(state, elsewhere=(*state.elsewhere, *marked))
    deployed = release_in(material.manifests)
    release = material.releases.get(_NAME) or deployed
    state = replace(
        state,
        unread=material.unread,
        complete=material.complete,
        absent=material.absent,
        release=release or state.release,
    )
    kinds = KINDS | {DEPLOYMENT} if deployed else KINDS
    kinds = kinds if state.queues else frozenset(kind for kind in kinds if kind[0] in GROUPS)
    return Part((state,), kinds, is_read=_is_read, problems=tuple(problems), unknown=state.unknown)


def _is_read(manifest: Manifest) -> bool:
    """Whether an object installs KAI, or holds settings of it."""
    return installs(manifest, CHART) or bool(MARKS.found_in(manifest))


def _known() -> "KnownParts":
    from kubectl_fairshare.schedulers.kai.reading.unknown import KNOWN

    return KNOWN


def _cluster() -> "ClusterReads":
    from kubectl_fairshare.schedulers.kai.reading.cluster import CLUSTER_READS

    return CLUSTER_READS


def _settings(manifest: Manifest) -> Mapping[str, str]:
    """The ConfigMap with defaults of job kinds, whatever its name."""
    return texts_with("typeName", manifest)


def _objects(document: Json) -> Iterator[tuple[FieldPath, Json]]:
    from kubectl_fairshare.schedulers.kai.reading.snapshot_zip import objects_of

    return objects_of(document)


def _unzipped(name: str, data: bytes, most: int) -> bytes:
    from kubectl_fairshare.schedulers.kai.reading.snapshot_zip import unzipped

    return unzipped(name, data, most)


READS: Final = Reads(
    _NAME,
    "KAI-Scheduler",
    {QUEUE_GROUP: frozenset({"PodGroup", "BindRequest"}), CONFIG_GROUP: frozenset()},
    Home("kai-scheduler"),
    _part,
    _cluster,
    short_names={"pg": "podgroup"},
    settings=_settings,
    images=IMAGES,
    charts=(CHART,),
    marks=MARKS,
    spared=Unredacted(
        ("kai.scheduler/", "pod-group-name", "gpu-fraction", "gpu-memory"),
        words=frozenset({*HELPERS, *LEADERS}),
        domains=("run.ai",),
    ),
    archive=Archive("rawObjects", _objects, _unzipped),
    release=release_in,
    scheduler="kai-scheduler",
    known=_known,
)
