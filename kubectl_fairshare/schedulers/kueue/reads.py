"""What Kueue reads of an input."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.input.known import Home, Reads, Spared
from kubectl_fairshare.input.parts import Material, Part
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP

if TYPE_CHECKING:
    from kubectl_fairshare.input.cluster.resources import ClusterReads


def _part(material: Material) -> Part:
    from kubectl_fairshare.schedulers.kueue.reading.state import kueue_part

    return kueue_part(material)


def _cluster() -> "ClusterReads":
    from kubectl_fairshare.schedulers.kueue.reading.cluster import CLUSTER_READS

    return CLUSTER_READS


def _settings(manifest: Manifest) -> Mapping[str, str]:
    from kubectl_fairshare.schedulers.kueue.reading.configuration import DATA_KEY, holds_configuration

    return {DATA_KEY: manifest.data["data"][DATA_KEY]} if holds_configuration(manifest) else {}


READS: Final = Reads(
    "kueue",
    "Kueue",
    {GROUP: frozenset({"LocalQueue", "Workload"})},
    Home("kueue-system", "--kueue-namespace", "Kueue's manager"),
    _part,
    _cluster,
    related=frozenset({"jobset.x-k8s.io"}),
    configurations=frozenset({("config.kueue.x-k8s.io", "Configuration")}),
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
    spared=Spared(("kueue.x-k8s.io/", "provreq.kueue", "ray.io/ft-enabled")),
)
