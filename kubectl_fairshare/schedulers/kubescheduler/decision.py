"""How a cycle ends, and what would change it. Types only.

Decides nothing: it has types only.
Tested in ``tests/unit/schedulers/elasticquota/explain/test_remedies.py``.
"""

from enum import StrEnum
from typing import Any

from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kubescheduler.objects import PluginPod


class CycleEnd(StrEnum):
    """The end of a scheduling cycle for the pod, in the words of recordings; empty after an error of the quotas."""

    SCHEDULABLE = "Schedulable"
    PREEMPT = "Preempt"
    NO_CANDIDATE = "NoCandidate"
    NOT_ELIGIBLE = "NotEligible"
    ERROR = "Error"
    NONE = ""


class ChangeKind(StrEnum):
    """What a remedy changes."""

    MIN = "min"
    MAX = "max"
    REQUEST = "request"
    PRIORITY = "priority"
    POLICY = "preemptionPolicy"
    PREEMPTIBLE = "preemptible"
    DELETION = "deletion"
    UNCORDON = "unschedulable"


class RemedyChange(Value, frozen=True):
    """One field to change: amounts of ``resource``, in inner units, or priorities. ``before`` is None for one not set.

    ``place`` is the field, or the nearest field that is set; ``quota`` the one whose amount it is; ``pod`` is the one
    to delete.
    """

    kind: ChangeKind
    place: Place | None = None
    resource: str = ""
    before: int | None = None
    after: int | None = None
    pod: PluginPod[Any] | None = None
    quota: str = ""


class Remedy(Value, frozen=True):
    """Changes that were simulated together and place the pod: its end, its nodes, its victims.

    Without nodes the changes let the quotas admit the pod, and ``nodes`` is empty. If one amount alone is raised, one
    unit less is not enough. ``named`` is the lowest PriorityClass that is enough; ``alternatives`` counts the other
    pods whose deletion helps as well. Where ties decide, ``nodes`` are all that are possible, and there are ``fewest``
    to ``victims`` victims. ``doubted``: something that is not modelled can change what the changes lead to.
    """

    changes: tuple[RemedyChange, ...]
    course: CycleEnd
    nodes: tuple[str, ...]
    victims: int
    named: str | None = None
    alternatives: int = 0
    fewest: int = 0
    doubted: bool = False
