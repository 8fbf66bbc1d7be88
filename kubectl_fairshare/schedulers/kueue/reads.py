"""What Kueue reads of an input.

Tested in ``tests/unit/input/test_known.py``.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.input.known import Home, Reads, Unredacted
from kubectl_fairshare.input.parts import Material, Part
from kubectl_fairshare.model.json import FieldPath, JsonObject, mapping, rows
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.kueue.model.objects import CHART, GROUP, IMAGE, OPERATOR
from kubectl_fairshare.schedulers.kueue.reading.release_signs import MARKS, SIGNS

if TYPE_CHECKING:
    from kubectl_fairshare.api.unknown import KnownParts
    from kubectl_fairshare.input.cluster.resources import ClusterReads
    from kubectl_fairshare.input.reading import Reading
    from kubectl_fairshare.model.errors import Problem


def _part(material: Material) -> Part:
    from kubectl_fairshare.schedulers.kueue.reading.state import kueue_part

    return kueue_part(material)


def _known() -> "KnownParts":
    from kubectl_fairshare.schedulers.kueue.reading.unknown import KNOWN

    return KNOWN


def _cluster() -> "ClusterReads":
    from kubectl_fairshare.schedulers.kueue.reading.cluster import CLUSTER_READS

    return CLUSTER_READS


def _settings(manifest: Manifest) -> Mapping[str, str]:
    from kubectl_fairshare.schedulers.kueue.reading.written_settings import DATA_KEY, holds_configuration

    return {DATA_KEY: manifest.data["data"][DATA_KEY]} if holds_configuration(manifest) else {}


def _signs(manifest: Manifest) -> JsonObject | None:
    from kubectl_fairshare.schedulers.kueue.reading.installers import of_operator
    from kubectl_fairshare.schedulers.kueue.reading.release_signs import sign_in

    return of_operator(manifest) or sign_in(manifest)


def _disagreements(reading: "Reading") -> "Iterable[Problem]":
    if not reading.versions:
        return ()
    from kubectl_fairshare.schedulers.kueue.reading.agreement import disagreements

    return disagreements(reading)


def _spelled_out(data: JsonObject) -> JsonObject:
    """A Workload whose places name every domain in one text, without prefixes that domains share."""
    if data.get("kind") != "Workload" or not str(data.get("apiVersion")).startswith(f"{GROUP}/"):
        return data
    status = mapping(data, "status")
    assigned = rows(status, "admission", "podSetAssignments")
    if not any(mapping(each, "topologyAssignment").get("slices") for each in assigned):
        return data
    from kubectl_fairshare.schedulers.kueue.admission.topology_encoding import spelled_out

    each_spelled = [
        {**each, "topologyAssignment": spelled_out(mapping(each, "topologyAssignment"))}
        if mapping(each, "topologyAssignment")
        else each
        for each in assigned
    ]
    admission = {**mapping(status, "admission"), "podSetAssignments": each_spelled}
    return {**data, "status": {**status, "admission": admission}}


def _path_in_text(manifest: Manifest, path: FieldPath) -> FieldPath:
    from kubectl_fairshare.schedulers.kueue.admission.conversion import path_in_text

    return path_in_text(manifest, path)


def _release(manifests: Iterable[Manifest]) -> str:
    from kubectl_fairshare.schedulers.kueue.reading.running_release import release_in

    return release_in(manifests)


def _published(address: str) -> str:
    from kubectl_fairshare.schedulers.kueue.reading.published import release_at

    return release_at(address)


_CONFIGURATION: Final = ("config.kueue.x-k8s.io", "Configuration")
_EVICTIONS: Final = (
    *("Preempted", "PodsReadyTimeout", "AdmissionCheck", "ClusterQueueStopped", "LocalQueueStopped", "NodeFailures"),
    *("Deactivated", "DeactivatedDueToAdmissionCheck", "DeactivatedDueToMaximumExecutionTimeExceeded"),
    *("DeactivatedDueToRequeuingLimitExceeded", "FlavorMigration", "EvictedOnManagerCluster"),
)
"""Why Kueue evicts: the reason of a condition, and behind a word that of an Event."""

READS: Final = Reads(
    "kueue",
    "Kueue",
    {GROUP: frozenset({"LocalQueue", "Workload"})},
    Home("kueue-system", "--kueue-namespace", "Kueue's manager"),
    _part,
    _cluster,
    related=frozenset({"jobset.x-k8s.io"}),
    configurations=frozenset({_CONFIGURATION}),
    short_names={
        "cq": "clusterqueue",
        "co": "cohort",
        "queue": "localqueue",
        "queues": "localqueue",
        "lq": "localqueue",
        "rf": "resourceflavor",
        "flavor": "resourceflavor",
        "flavors": "resourceflavor",
        "kwl": "workload",
        "kueueworkload": "workload",
        "kueueworkloads": "workload",
        "wl": "workload",
        "ac": "admissioncheck",
        "wpc": "workloadpriorityclass",
        "topo": "topology",
    },
    settings=_settings,
    images=(IMAGE,),
    charts=(CHART,),
    marks=MARKS,
    signs=_signs,
    disagreements=_disagreements,
    spelled_out=_spelled_out,
    path_in_text=_path_in_text,
    release=_release,
    published=_published,
    spared=Unredacted(
        ("kueue.x-k8s.io/", "provreq.kueue", "ray.io/ft-enabled"),
        words=frozenset({*_EVICTIONS, *(f"EvictedDueTo{each}" for each in _EVICTIONS), *SIGNS}),
        strict=frozenset({_CONFIGURATION, OPERATOR}),
    ),
    known=_known,
)
