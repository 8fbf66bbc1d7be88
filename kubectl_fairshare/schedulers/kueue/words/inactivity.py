"""Why a ClusterQueue is inactive, in words; documents keep Kueue's own reasons."""

from collections.abc import Mapping
from typing import Final

_WORDS: Final[Mapping[str, str]] = {
    "Stopped": "it is stopped",
    "Terminating": "it was deleted, and disappears when its last workload releases its quota",
    "FlavorNotFound": "it lists a ResourceFlavor that does not exist: {}",
    "AdmissionCheckNotFound": "it uses an AdmissionCheck that does not exist: {}",
    "AdmissionCheckInactive": "its AdmissionCheck is not active: {}",
    "MultipleMultiKueueAdmissionChecks": "it uses several MultiKueue checks: {}",
    "MultiKueueAdmissionCheckAppliedPerFlavor": "its MultiKueue check does not apply to all flavors: {}",
    "MultiKueueWithProvisioningRequest": "it uses ProvisioningRequest together with MultiKueue: {}",
    "TopologyNotFound": "the Topology of a ResourceFlavor does not exist: {}",
    "TopologyNotSynced": "the Topology of a ResourceFlavor does not exist: {}; Kueue calls it active all the same",
    "CohortCycle": "its cohorts form a cycle: {}",
}
_ABOUT_NOTHING: Final = ("Stopped", "Terminating")


def inactivity_clause(reasons: str, objects: str) -> str:
    """One clause for the reasons and the objects that they name; both are lists, separated by commas."""
    names = [name for name in reasons.split(", ") if name]
    if not names:
        return ""
    about = objects.replace(", ", " → ") if names == ["CohortCycle"] else objects
    if len([n for n in names if n not in _ABOUT_NOTHING]) <= 1:
        return ", and ".join(_WORDS.get(name, name).format(about) for name in names)
    return f"{', '.join(names)} ({objects})"
