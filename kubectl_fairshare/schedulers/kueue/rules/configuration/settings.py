"""The manager's settings for rules: those of the one Configuration with which it starts.

Without a Configuration in the input the settings are unknown. If the input is declared complete, they are Kueue's
defaults.
"""

from functools import cache
from typing import Final

from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.schedulers.kueue.admission.feature_gates import enabled_gates
from kubectl_fairshare.schedulers.kueue.rules.given import Configured, KueueGiven

ELSEWHERE: Final = "Kueue's Configuration"


def sound_configuration(given: KueueGiven) -> Configured | None:
    """The Configuration that the manager reads; None unless the input has exactly one valid Configuration."""
    if given.unread or len(given.configured) != 1:
        return None
    return given.configured[0] if given.configured[0].view is not None else None


def view(given: KueueGiven) -> JsonObject | None:
    """The settings in the form of v1beta2, with defaults; None if unknown."""
    found = sound_configuration(given)
    if found is not None:
        return found.view
    return _defaults() if given.complete and not given.configured and not given.unread else None


@cache
def _defaults() -> JsonObject | None:
    """The settings of an empty Configuration."""
    from kubectl_fairshare.schedulers.kueue.admission.configuration import GROUP, KIND, NEW, judge_configuration

    return judge_configuration({"apiVersion": f"{GROUP}/{NEW}", "kind": KIND}).configuration


def absent(given: KueueGiven) -> bool:
    """Whether the input has no Configuration, not even an invalid one, and may be incomplete."""
    return not given.configured and not given.unread and not given.complete


def gate(given: KueueGiven, name: str) -> bool | None:
    """Whether a feature gate is on; None if unknown."""
    settings = view(given)
    return None if settings is None else name in enabled_gates(settings.get("featureGates", {}))


def fair_sharing(given: KueueGiven) -> bool | None:
    """Whether fair sharing is on; None if unknown."""
    settings = view(given)
    return None if settings is None else "fairSharing" in settings


def admission_fair_sharing(given: KueueGiven) -> bool | None:
    """Whether admission fair sharing is on; None if unknown."""
    settings = view(given)
    if settings is None or not gate(given, "AdmissionFairSharing"):
        return None if settings is None else False
    return "admissionFairSharing" in settings
