"""The answer to "what happens to this pod", with its proof. Types only."""

from enum import StrEnum

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.holds import CreationRefusal
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.jobs.node_demand import BarredNodes
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import AttemptEnd, PodAttempt
from kubectl_fairshare.schedulers.kubescheduler.limits import ExceededLimit
from kubectl_fairshare.schedulers.question import PodOrigin
from kubectl_fairshare.trace import Step


class RemedyKind(StrEnum):
    """What a remedy changes."""

    MIN = "min"
    MAX = "max"
    REQUEST = "request"
    PRIORITY = "priority"
    POLICY = "preemptionPolicy"
    PREEMPTIBLE = "preemptible"
    DELETION = "deletion"
    UNCORDON = "unschedulable"


class QuotaChange(Value, frozen=True):
    """One field to change: an amount of ``resource`` of a quota, in inner units, or a priority.

    ``before`` is None for an amount that is not set. ``pod`` is the one to delete.
    """

    kind: RemedyKind
    place: Place | None = None
    quota: str = ""
    resource: str = ""
    before: int | None = None
    after: int | None = None
    pod: Pod | None = None


class Remedy(Value, frozen=True):
    """Changes that were simulated together and get the pod in: the end, the nodes, the number of victims.

    Without nodes the changes let the quotas admit it. ``named`` is the lowest PriorityClass that is enough;
    ``alternatives`` counts other pods whose deletion helps as well. Where ties decide, ``nodes`` are all that are
    possible, and there are ``fewest`` to ``victims`` victims. ``doubted``: something that is not modelled can change
    what the changes lead to.
    """

    changes: tuple[QuotaChange, ...]
    end: AttemptEnd
    nodes: tuple[str, ...]
    victims: int
    named: str | None = None
    alternatives: int = 0
    fewest: int = 0
    doubted: bool = False


class PossibleEnd(Value, frozen=True):
    """One of the outcomes that ties allow: the node of the evictions, and the victims."""

    outcome: Outcome
    node: str
    victims: tuple[Pod, ...]


class Plan(Value, frozen=True):
    """The decision for one pod.

    ``outcome`` is Unknown if a feature that is not modelled or a tie can change it; ``computed`` is the outcome apart
    from that. ``possible`` are the outcomes that ties allow, this one first, if there are several.
    ``half``: the input has no nodes. ``message`` is the scheduler's own text about a pod that its quotas reject.
    ``in_vain``: preemption evicts pods, and the quota still rejects the pod. ``spared`` are the pods of the chosen node
    that are no candidates. ``revoked`` are pods of its quota that the over-use revoker would evict if it ran;
    about ``revoked_perhaps`` a tie decides. ``elsewhere`` are the other nodes with room for the pod once the victims
    are gone: it can come to one of them if the scheduler tries it again before it knows of the nomination. ``barred``
    are nodes that exclude the pod and could take it. ``moments`` are the outcomes at the moments that the input leaves
    open, if these differ. ``beyond`` are the limits that it exceeds by itself. ``if_created`` is what the scheduler
    makes of a pod that the API server does not create now. ``node_bound``: quotas reject the pod now, and no node ever
    takes it.
    """

    pod: Pod
    outcome: Outcome
    computed: Outcome
    attempt: PodAttempt
    half: bool
    message: str
    in_vain: bool
    spared: tuple[tuple[Pod, Law], ...]
    revoked: tuple[Pod, ...]
    watched: bool
    remedies: tuple[Remedy, ...]
    proof: tuple[Step, ...]
    fidelity: Fidelity
    origin: PodOrigin
    possible: tuple[PossibleEnd, ...] = ()
    elsewhere: tuple[str, ...] = ()
    revoked_perhaps: tuple[Pod, ...] = ()
    barred: BarredNodes | None = None
    moments: tuple[Outcome, ...] = ()
    node_bound: bool = False
    if_created: Outcome | None = None
    beyond: tuple[ExceededLimit, ...] = ()

    @property
    def refusals(self) -> tuple[CreationRefusal, ...]:
        """What keeps the pod from being created."""
        return self.origin.refusals
