"""The answer to "what happens to this pod", with its proof. Types only.

Tested in ``tests/unit/schedulers/elasticquota/explain/test_citation.py``.
"""

from enum import StrEnum

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.holds import CreationRefusal
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.jobs.node_demand import BarredNodes
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import Excess
from kubectl_fairshare.schedulers.elasticquota.preemption.possible import PossibleEviction
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt, CycleEnd
from kubectl_fairshare.schedulers.elasticquota.preemption.spread import Spread
from kubectl_fairshare.schedulers.elasticquota.preemption.victims import NodeTrial
from kubectl_fairshare.schedulers.kubescheduler.limits import ExceededLimit
from kubectl_fairshare.schedulers.question import PodOrigin
from kubectl_fairshare.trace import Step


class ChangeKind(StrEnum):
    """What a remedy changes."""

    MIN = "min"
    MAX = "max"
    REQUEST = "request"
    PRIORITY = "priority"
    POLICY = "preemptionPolicy"
    DELETION = "deletion"
    UNCORDON = "unschedulable"


class RemedyChange(Value, frozen=True):
    """One field to change: amounts of ``resource``, or priorities. ``before`` is None for an amount that is not set.

    ``place`` is the field, or the nearest field that is set; ``pod`` is the one to delete.
    """

    kind: ChangeKind
    place: Place | None = None
    resource: str = ""
    before: int | None = None
    after: int | None = None
    pod: Pod | None = None


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


class Plan(Value, frozen=True):
    """The decision for one pod.

    ``outcome`` is Unknown if a feature that is not modelled can change it; ``computed`` is the outcome apart from that.
    ``half``: the input has no nodes, so only the quotas decided. ``over_min`` are the resources in which the pod takes
    its namespace above the minimum. ``spared`` are the pods of the chosen node that are not candidates. ``spread`` is
    set if preemption finds no node.
    ``possible`` are the evictions that ties allow, this one first, if there are several. ``elsewhere`` are the other
    nodes with room for the pod once the victims are gone: it can come to one of them if the scheduler tries it again
    before it knows of the nomination. ``barred`` are nodes that exclude the pod and could take it. ``ends`` are the
    outcomes of all ends of the cycle that ties allow. ``beyond`` are the limits that it
    exceeds by itself. ``if_created`` is what the scheduler makes of a pod that the API server does not create now.
    ``node_bound``: quotas reject the pod now, and no node ever takes it.
    """

    pod: Pod
    outcome: Outcome
    computed: Outcome
    attempt: Attempt
    half: bool
    over_min: tuple[Excess, ...]
    spared: tuple[tuple[Pod, Law], ...]
    spread: Spread | None
    remedies: tuple[Remedy, ...]
    proof: tuple[Step, ...]
    fidelity: Fidelity
    origin: PodOrigin
    possible: tuple[PossibleEviction, ...] = ()
    elsewhere: tuple[str, ...] = ()
    barred: BarredNodes | None = None
    node_bound: bool = False
    ends: tuple[Outcome, ...] = ()
    if_created: Outcome | None = None
    beyond: tuple[ExceededLimit, ...] = ()

    @property
    def refusals(self) -> tuple[CreationRefusal, ...]:
        """What keeps the pod from being created."""
        return self.origin.refusals

    @property
    def chosen(self) -> NodeTrial | None:
        """The trial of the chosen node; the first by name if several are equal."""
        choice = self.attempt.choice
        return None if choice is None else self.attempt.trials[choice.nodes[0]]
