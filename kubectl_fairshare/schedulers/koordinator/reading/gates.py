"""The feature gates of Koordinator's scheduler and manager, and the release, from their Deployments and pods.

Source: koordinator v1.8.0, ``pkg/features``; its chart passes ``--feature-gates`` to both programs.
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from kubectl_fairshare.input.text.feature_gates import gates_set, unmodelled_gates
from kubectl_fairshare.input.units.running import releases_of, running
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import ByKind, Manifest, by_kind
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.model.objects import Gates
from kubectl_fairshare.schedulers.koordinator.reading.chart import KoordinatorChart
from kubectl_fairshare.schedulers.koordinator.release import PROGRAMS

SCHEDULER, MANAGER = PROGRAMS
OF_SCHEDULER: Final = {
    "MultiQuotaTree": "multi_tree",
    "ElasticQuotaGuaranteeUsage": "guarantees_use",
    "ElasticQuotaIgnorePodOverhead": "ignores_overhead",
    "ElasticQuotaIgnoreTerminatingPod": "ignores_ended",
    "ElasticQuotaImmediateIgnoreTerminatingPod": "ignores_leaving",
    "DisableDefaultQuota": "no_default",
}
OF_WEBHOOK: Final = {
    "SupportParentQuotaSubmitPod": "parents_take_pods",
    "ElasticQuotaEnableUpdateResourceKey": "keys_may_differ",
    "EnableQuotaAdmission": "admits_by_quota",
    "PodValidatingWebhook": "validates_pods",
    "ValidatePodDeviceResource": "validates_devices",
    "EnablePodEnhancedValidator": "validates_labels",
}
KNOWN: Final = OF_SCHEDULER | OF_WEBHOOK
IDLE: Final = frozenset(
    {
        *("CleanExpiredReservationAllocated", "CompatibleCSIStorageCapacity", "CompatiblePodDisruptionBudget"),
        *("CSIStorageCapacity", "DevicePluginAdaption", "DisableCSIStorageCapacityInformer"),
        *("DisableDynamicResourceAllocationInformer", "GenericEphemeralVolume", "LazyReservationRestore"),
        *("OmitNodeLabelsForReservation", "SkipReservationFitsNode", "SyncBarrier", *OF_WEBHOOK),
    }
)
"""The scheduler's gates that decide nothing, or only about objects and pods that are gaps by themselves."""
_NAMED: Final = IDLE | frozenset(OF_SCHEDULER)
_DEFAULTS: Final = {
    "DisablePodDisruptionBudgetInformer": False,
    "DynamicSchedulerCheck": True,
    "PodDisruptionBudget": True,
    "PreemptionPolicyTransformer": False,
    "PriorityTransformer": False,
    "ResizePod": False,
}
"""Koordinator's own gates that can decide and are not modelled, with their defaults."""


def gates_of(values: Mapping[str, bool], gates: Gates | None = None) -> Gates:
    """The gates with these values; names that decide nothing here are left out."""
    return replace(gates or Gates(), **{KNOWN[name]: value for name, value in values.items() if name in KNOWN})


class Programs(NamedTuple):
    """The objects that run Koordinator's scheduler, and those that run its manager."""

    schedulers: tuple[Manifest, ...]
    managers: tuple[Manifest, ...]

    @property
    def releases(self) -> tuple[str, ...]:
        """The releases of the schedulers, sorted."""
        return releases_of(self.schedulers, SCHEDULER)

    def or_of(self, made: KoordinatorChart) -> "Programs":
        """The same, with the programs that a chart makes where the input has none."""
        schedulers = () if made.scheduler is None else (made.scheduler.manifest,)
        managers = () if made.manager is None else (made.manager.manifest,)
        return Programs(self.schedulers or schedulers, self.managers or managers)


def programs_in(kinds: ByKind) -> Programs:
    """The programs among manifests: Deployments and others of their names, and all that run their images."""
    return Programs(running(kinds, SCHEDULER, (SCHEDULER,)), running(kinds, MANAGER, (MANAGER,)))


def gates_in(programs: Programs) -> Gates:
    """The gates that the two programs set."""
    found: dict[str, bool] = {}
    for each, mine in ((programs.schedulers, OF_SCHEDULER), (programs.managers, KNOWN)):
        values = [(name, value) for manifest in each for name, value in gates_set(manifest) if name in mine]
        for name, value in values:
            found[name] = value or found.get(name, False)
    return gates_of(found)


def odd_gates(programs: Programs) -> dict[str, Place]:
    """The gates of the scheduler that are neither modelled nor idle, with its place, by name and value."""
    return unmodelled_gates(programs.schedulers, _NAMED, _DEFAULTS)


def wished_gates(texts: Iterable[str], gates: Gates) -> Gates:
    """The gates with those of an option. Raises ``UsageError`` for an unknown name, or a value other than a flag."""
    values: dict[str, bool] = {}
    for text in texts:
        for part in text.split(","):
            name, equals, value = part.strip().partition("=")
            if name not in KNOWN or (equals and value.lower() not in ("true", "false")):
                known = ", ".join(sorted(KNOWN))
                raise UsageError(Problem(f"`{part}` sets no gate", "--koordinator-gate", f"gates that decide: {known}"))
            values[name] = value.lower() != "false"
    return gates_of(values, gates)


def release_in(manifests: Iterable[Manifest]) -> str:
    """The newest release that a scheduler runs; empty without one."""
    return next(reversed(programs_in(by_kind(manifests)).releases), "")
