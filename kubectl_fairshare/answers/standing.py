"""Why a workload is where it is, in the form that all schedulers share.

Moments are nanoseconds since the epoch.
"""

from enum import StrEnum
from typing import Annotated, Generic, TypeVar

from kubectl_fairshare.answers.answer import Amount, BindingLimit, PossibleOutcome, TriedChange
from kubectl_fairshare.answers.documents import IF_ANY, AnswerPart
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.holds import Hold
from kubectl_fairshare.answers.needs import RequestTerm
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.trace import Fact

Detail_co = TypeVar("Detail_co", covariant=True)


class Verdict(StrEnum):
    """The state of a workload.

    RUNNING: admitted. FINISHED. NEVER: not before something is changed. NOT_NOW: others hold what it needs, or come
    first. WAITING: for something in progress: an admission check, an eviction, a backoff, a stop that may be lifted,
    the scheduler's next cycle. UNMANAGED: the scheduler does not handle it. UNKNOWN: a feature that is not modelled
    decides, and the cluster has recorded nothing.
    """

    RUNNING = "Running"
    FINISHED = "Finished"
    NEVER = "Never"
    NOT_NOW = "NotNow"
    WAITING = "Waiting"
    UNMANAGED = "Unmanaged"
    UNKNOWN = "Unknown"


class HeldAmount(Value, frozen=True):
    """A workload that holds ``amount`` of what is missing; ``borrows``: its queue is over its guarantee."""

    key: ObjectKey
    queue: str
    amount: Amount
    borrows: bool
    name: str
    since: int | None = None


class WhyAnswer(AnswerPart, Generic[Detail_co], frozen=True):
    """Why one workload is in its state.

    ``key`` is the workload as the scheduler knows it, or None; ``job`` is the object in question, if that is a
    different one. ``reason`` is the scheduler's token, ``because`` the reason with its numbers. ``short`` is what is
    missing, ``held`` who holds it. ``since`` is the start of this state, as far as the cluster recorded it. ``parts``
    are those of its requests, by resource. ``holds`` are what holds it besides quotas. ``possible`` are the outcomes of
    its plan that ties, or moments, allow; empty if there is only one.
    """

    DOCUMENT = ("parts", "holds", "possible")
    scheduler: str
    verdict: Verdict
    reason: str
    because: str
    facts: tuple[Fact, ...]
    fidelity: Fidelity
    detail: Detail_co
    title: str
    key: ObjectKey | None = None
    job: ObjectKey | None = None
    queue: str = ""
    priority: int | None = None
    needs: tuple[Amount, ...] = ()
    short: tuple[Amount, ...] = ()
    held: tuple[HeldAmount, ...] = ()
    since: int | None = None
    now: int | None = None
    binding: tuple[BindingLimit, ...] = ()
    remedies: tuple[TriedChange, ...] = ()
    next: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    parts: Annotated[tuple[RequestTerm, ...], IF_ANY] = field(default=(), name="requestParts")
    holds: Annotated[tuple[Hold, ...], IF_ANY] = ()
    possible: Annotated[tuple[PossibleOutcome, ...], IF_ANY] = ()
