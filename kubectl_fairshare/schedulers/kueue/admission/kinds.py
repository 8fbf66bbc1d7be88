"""The kinds of Kueue's API, and the Configuration of its manager, which no API server sees.

Source: Kueue v0.19, CustomResourceDefinitions of ``kueue.x-k8s.io``, and the types of its configuration.
Tested in ``tests/unit/schedulers/kueue/rules/checks/test_checks.py``.
"""

from collections.abc import Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.api.kinds import Api, Kind
from kubectl_fairshare.schedulers.kueue.release.writes import NEWEST, WriteLaws

if TYPE_CHECKING:
    from kubectl_fairshare.api.structures.structure import CelRule, Struct

GROUP: Final = "kueue.x-k8s.io"
OLD: Final = "v1beta1"
STORED: Final = "v1beta2"
VERSIONS: Final = (OLD, STORED)
DEPRECATION: Final = "This version is deprecated. Use v1beta2 instead."
_FOLDER: Final = "schedulers/kueue/admission/structures"


def _rules() -> "Mapping[str, tuple[CelRule, ...]]":
    from kubectl_fairshare.schedulers.kueue.admission.cel import RULES

    return RULES


def _kind(name: str, *calls: str, namespaced: bool = False, deprecation: str = DEPRECATION) -> Kind:
    plural, *short = calls
    return Kind(name, GROUP, VERSIONS, namespaced, plural, tuple(short), deprecation)


_KINDS: Final = (
    _kind("AdmissionCheck", "admissionchecks", "ac"),
    _kind("ClusterQueue", "clusterqueues", "cq"),
    _kind("Cohort", "cohorts", "co"),
    _kind("LocalQueue", "localqueues", "queue", "queues", "lq", namespaced=True),
    _kind("MultiKueueCluster", "multikueueclusters", "mkc"),
    _kind("MultiKueueConfig", "multikueueconfigs", "mkconf", deprecation=""),
    _kind("ProvisioningRequestConfig", "provisioningrequestconfigs", "prc"),
    _kind("ResourceFlavor", "resourceflavors", "flavor", "flavors", "rf"),
    _kind("Topology", "topologies", "topo"),
    _kind("Workload", "workloads", "kwl", "kueueworkload", "kueueworkloads", namespaced=True),
    _kind("WorkloadPriorityClass", "workloadpriorityclasses", "wpc"),
)
API: Final = Api(_FOLDER, _rules, _KINDS)
CONFIGURATION: Final = Api(_FOLDER, dict, [Kind("Configuration", f"config.{GROUP}", VERSIONS)])
APIS: Final = (API, CONFIGURATION)
KINDS: Final = API.kinds


def structure(version: str, kind: str) -> "Struct":
    """The structure of a kind in a served version."""
    return API.structure(version, kind)


@cache
def api_of(laws: WriteLaws) -> Api:
    """The kinds as a release has them."""
    if laws == NEWEST:
        return API
    from kubectl_fairshare.schedulers.kueue.admission.former import changes

    return Api(_FOLDER, partial(_former_rules, laws), _KINDS, changes(laws))


def _former_rules(laws: WriteLaws) -> "Mapping[str, tuple[CelRule, ...]]":
    from kubectl_fairshare.schedulers.kueue.admission.former import rules

    return rules(laws)
