"""The feature gates that a scheduler's Deployment, or its pods, set with ``--feature-gates``."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Final

from kubectl_fairshare.input.units.running import POD_SPECS, TEMPLATE, containers
from kubectl_fairshare.model.json import listed
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import Manifest

_OPTION: Final = "--feature-gates"
_IDLE: Final = frozenset(
    {
        # when a pod is tried again, and what runs next to a cycle
        *("SchedulerAsyncAPICalls", "SchedulerAsyncPreemption", "SchedulerPopFromBackoffQ", "SchedulerQueueingHints"),
        # pods with resourceClaims, which are a gap
        *("DRAAdminAccess", "DRAConsumableCapacity", "DRADeviceBindingConditions", "DRADeviceTaints"),
        *("DRAPartitionableDevices", "DRAPrioritizedList", "DRAResourceClaimDeviceStatus"),
        *("DRASchedulerFilterTimeout", "DynamicResourceAllocation"),
        # pods with volumes, which are a gap; and scores, for the same
        *("CSIMigrationPortworx", "StorageCapacityScoring", "VolumeAttributesClass", "VolumeCapacityPriority"),
        # pods with topologySpreadConstraints or affinity to pods, which are gaps
        *("MatchLabelKeysInPodAffinity", "MatchLabelKeysInPodTopologySpread", "MinDomainsInPodTopologySpread"),
        "NodeInclusionPolicyInPodTopologySpread",
        # logs, metrics, elections, and how objects travel
        *("APIResponseCompression", "ClientsAllowCBOR", "ClientsPreferCBOR", "ComponentFlagz", "ComponentSLIs"),
        *("ComponentStatusz", "ContextualLogging", "CoordinatedLeaderElection", "InformerResourceVersion"),
        *("LoggingAlphaOptions", "LoggingBetaOptions", "WatchList", "WatchListClient"),
        # conditions of victims, and other programs
        *("PodDisruptionConditions", "RotateKubeletServerCertificate"),
    }
)
"""Gates of Kubernetes that change no decision on a pod, or only on pods that are gaps by themselves.

Source: Kubernetes 1.35, the gates that plugins of the scheduler read, ``pkg/scheduler/framework/plugins/feature``.
"""
_DEFAULTS: Final = {"InPlacePodVerticalScaling": True, "PodLevelResources": True, "SidecarContainers": True}
"""The gates of Kubernetes that can decide and are not modelled, with their defaults in 1.35."""


def gates_set(program: Manifest) -> Iterator[tuple[str, bool]]:
    """The gates that the containers of a Deployment or a pod set, in their order."""
    for container in containers(program.data):
        words = [w for name in ("command", "args") for w in listed(container, name) if isinstance(w, str)]
        for word, after in pairwise((*words, "")):
            option, equals, value = word.partition("=")
            if option == _OPTION:
                yield from _pairs(value if equals else after)


def unmodelled_gates(
    programs: Iterable[Manifest],
    modelled: Collection[str] = (),
    defaults: Mapping[str, bool] = {},
) -> dict[str, Place]:
    """The gates that a scheduler's objects set and that may decide, by name and value, with their place.

    ``modelled`` are names that count for nothing here, ``defaults`` further gates that matter unless they have this
    value. A gate that is not listed anywhere matters, whatever its value: its default is not known.
    """
    usual = {**_DEFAULTS, **defaults}
    return {
        f"{name}={str(value).lower()}": Place(program.key, POD_SPECS.get(program.key[:2], TEMPLATE))
        for program in programs
        for name, value in sorted(gates_set(program))
        if name not in _IDLE and name not in modelled and value is not usual.get(name)
    }


def _pairs(text: str) -> Iterator[tuple[str, bool]]:
    for part in text.split(","):
        name, equals, value = part.strip().partition("=")
        if equals and value.lower() in ("true", "false"):
            yield name, value.lower() == "true"
