"""The answer to "what would become of this pod", with its proof. Types only."""

from enum import StrEnum

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.elasticquota.explain.creation import CreationRefusal
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import Excess
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt, CycleEnd
from kubectl_fairshare.schedulers.elasticquota.preemption.spread import Spread
from kubectl_fairshare.schedulers.elasticquota.preemption.victims import NodeTrial
from kubectl_fairshare.trace import Step


class ChangeKind(StrEnum):
    """What a remedy changes."""

    MIN = "min"
    MAX = "max"
    PRIORITY = "priority"
    POLICY = "preemptionPolicy"
    DELETION = "deletion"


@dataclass(frozen=True, slots=True)
class RemedyChange:
    """One field to change: amounts of ``resource``, or priorities; ``before`` None is an amount not written.

    ``place`` is the field, or the nearest that is written; ``object`` the pod to delete.
    """

    kind: ChangeKind
    place: Place | None = None
    resource: str = ""
    before: int | None = None
    after: int | None = None
    pod: Pod | None = None


@dataclass(frozen=True, slots=True)
class Remedy:
    """Changes that were simulated together and place the pod: how it then ends, on which nodes, with which victims.

    Without nodes they let the quotas admit it, and ``nodes`` are none.
    Where one amount alone is raised, one unit less is not enough. ``named`` is the lowest PriorityClass that will
    do; ``alternatives`` is how many other pods could be deleted instead.
    """

    changes: tuple[RemedyChange, ...]
    course: CycleEnd
    nodes: tuple[str, ...]
    victims: int
    named: str | None = None
    alternatives: int = 0


@dataclass(frozen=True, slots=True)
class PodOrigin:
    """Where the pod that is asked about comes from.

    ``place`` is where it is written: it, or the template that makes it. ``exists``: it has been created already;
    ``node`` is then the one that it is on, if any.
    """

    place: Place
    exists: bool = False
    node: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The decision for one pod.

    ``outcome`` is Unknown where something that is not modelled can touch it; ``computed`` is what it is otherwise.
    ``half``: there are no nodes, so only the quotas have answered. ``borrows`` are the resources in which the pod
    takes its namespace beyond the minimum. ``spared`` are the pods of the chosen node that could not be taken.
    ``spread`` is there where preemption finds no node. ``refusals``
    keep the pod from being created, and so from ever being considered.
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
    refusals: tuple[CreationRefusal, ...]

    @property
    def chosen(self) -> NodeTrial | None:
        """The trial of the chosen node, the first by name of several equals."""
        choice = self.attempt.choice
        return None if choice is None else self.attempt.trials[choice.nodes[0]]
