"""Why a ClusterQueue is out of service, in words; Kueue's own reasons stay in documents."""

from collections.abc import Mapping
from typing import Final

_WORDS: Final[Mapping[str, str]] = {
    "Stopped": "it is stopped",
    "Terminating": "it was deleted, and is gone once nobody holds quota of it",
    "FlavorNotFound": "it lists a ResourceFlavor that does not exist: {}",
    "AdmissionCheckNotFound": "it uses an AdmissionCheck that does not exist: {}",
    "AdmissionCheckInactive": "an AdmissionCheck of it is not active: {}",
    "MultipleMultiKueueAdmissionChecks": "it uses several MultiKueue checks: {}",
    "MultiKueueAdmissionCheckAppliedPerFlavor": "its MultiKueue check is not for all flavors: {}",
    "MultiKueueWithProvisioningRequest": "it uses ProvisioningRequest beside MultiKueue: {}",
    "TopologyNotFound": "the Topology of a ResourceFlavor does not exist: {}",
    "CohortCycle": "its cohorts run in a circle: {}",
}
_ABOUT_NOTHING: Final = ("Stopped", "Terminating")


def inactivity_clause(reasons: str, objects: str) -> str:
    """One clause for reasons and the objects that they are about, both as Kueue's engine lists them."""
    names = [name for name in reasons.split(", ") if name]
    if not names:
        return ""
    about = objects.replace(", ", " → ") if names == ["CohortCycle"] else objects
    if len([n for n in names if n not in _ABOUT_NOTHING]) <= 1:
        return ", and ".join(_WORDS.get(name, name).format(about) for name in names)
    return f"{', '.join(names)} ({objects})"
