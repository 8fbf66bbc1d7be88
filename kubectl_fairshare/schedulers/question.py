"""The questions to a scheduler, in the same form for all of them."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.answers.holds import CreationRefusal, Hold
from kubectl_fairshare.answers.needs import RequestTerm
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.model.demand import NO_DEMAND, Demand
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import Value

if TYPE_CHECKING:
    from kubectl_fairshare.answers.standing import WhyAnswer

Setting = str | int | float | bool | tuple[str, ...] | None
"""The value of an option; None, False and an empty tuple mean that it was not given."""
Settings = Mapping[str, Setting]
"""A scheduler's own options by name, as given."""


def is_given(setting: Setting) -> bool:
    """Whether an option was given."""
    return setting is not None and setting != ()


def assumption(condition: str) -> str:
    """What an answer assumes, in a clause. ``condition`` is what has to happen to an object first, or nothing."""
    return f"as if {condition} and considered now" if condition else "as if considered now"


def conditional(clause: str, condition: str) -> str:
    """A clause about a pod, with what has to happen before there is one."""
    return f"if {condition}, {clause}" if condition else clause


def one_of_several(pods: int) -> str:
    """That a clause is about one of several pods, of which each is decided by itself; nothing for a single one."""
    return f" (one of its {pods} pods)" if pods > 1 else ""


class PodOrigin(Value, frozen=True):
    """The origin of the pod in question.

    ``place`` is the place of the pod or of its template. ``exists``: the pod is created already; ``node`` is then its
    node, if it has one. ``gaps`` are what keeps it from being created, or from coming to the scheduler. ``supposed`` is
    what has to happen to its object before it makes another pod (``resumed``), empty if nothing has to. ``targets`` are
    the nodes that lack a pod of its DaemonSet: it is for one of them. ``pods``: its object wants so many at a time, and
    each comes to the scheduler by itself. ``parts`` are those of its requests,
    ``holds`` what keeps other pods of its object from being created, ``refusals`` what keeps the pod itself from it.
    """

    place: Place
    exists: bool = False
    node: str = ""
    gaps: tuple[Gap, ...] = ()
    supposed: str = ""
    targets: tuple[str, ...] = ()
    pods: int = 0
    parts: tuple[RequestTerm, ...] = ()
    holds: tuple[Hold, ...] = ()
    refusals: tuple[CreationRefusal, ...] = ()

    @property
    def assumed(self) -> str:
        """What an answer assumes, in a clause."""
        return assumption(self.supposed)

    def conditional(self, clause: str) -> str:
        """A clause about the pod, with what has to happen before there is one, and how many others are like it."""
        return conditional(f"{clause}{one_of_several(self.pods)}", self.supposed)


class Wishes(Value, frozen=True):
    """A workload that options describe. ``count`` and ``min_count`` are pods, ``request`` is per pod."""

    queue: str | None = None
    request: tuple[str, ...] = ()
    count: int | None = None
    min_count: int | None = None
    priority: int | None = None
    priority_class: str | None = None
    node_selector: tuple[str, ...] = ()
    toleration: tuple[str, ...] = ()

    def given(self) -> list[str]:
        """The options that describe a workload, as the user writes them."""
        values = {
            "--queue": self.queue,
            "--request": self.request,
            "--count": self.count,
            "--min-count": self.min_count,
            "--priority": self.priority,
            "--priority-class": self.priority_class,
            "--node-selector": self.node_selector,
            "--toleration": self.toleration,
        }
        return [option for option, value in values.items() if is_given(value)]


class PlanQuestion(Value, frozen=True):
    """The decision for the workloads of ``given``, or, if there are none, for the one that ``wishes`` describe.

    ``namespace`` is the default for objects that set none.
    """

    given: Reading | None
    wishes: Wishes
    namespace: str


class SharesQuestion(Value, frozen=True):
    """What queues hold: one queue with its ancestors, or all; some resources and flavors, or all.

    ``sort`` names a figure that orders siblings, ``by`` another sum than by queue (``localqueue``, ``namespace``).
    ``labelled`` are the queues that match a selector, None without a selector. ``demand`` is what queues are assumed to
    request, ``unit`` the request of one workload of a backlog.
    """

    queue: str = ""
    resources: tuple[str, ...] = ()
    flavors: tuple[str, ...] = ()
    sort: str = "name"
    by: str = ""
    labelled: frozenset[ObjectKey] | None = None
    demand: Demand = NO_DEMAND
    unit: tuple[str, ...] = ()


class WhyQuestion(Value, frozen=True):
    """Why the workloads behind ``names`` are where they are; without names, all waiting ones.

    A name is ``KIND/NAME``, ``NAMESPACE/KIND/NAME`` or a name alone. ``namespace`` limits the question and the search
    for names; ``anywhere``: bare names are searched in all namespaces. ``picked`` are the objects that match a
    selector, None without a selector. ``now`` is the moment of the question in nanoseconds since the epoch, if known.
    ``shown`` takes from a list those that are shown, None for all. The answer about another one may lack what only a
    reader of them sees, its clause, title, facts, requests and holds.
    """

    names: tuple[str, ...] = ()
    namespace: str | None = None
    anywhere: bool = False
    picked: frozenset[ObjectKey] | None = None
    now: int | None = None
    shown: "Callable[[tuple[WhyAnswer[Any], ...]], Iterable[WhyAnswer[Any]]] | None" = None

    def picks(self, key: ObjectKey | None) -> bool:
        """Whether a selector, if there is one, picks the object."""
        return self.picked is None or key in self.picked


class UnansweredError(UsageError):
    """Raised for a question that a scheduler has no answer to."""


def unanswered(title: str, question: str, reason: str, instead: str) -> UnansweredError:
    """The error for such a question: the same words for all, with the scheduler's reason and what to ask instead."""
    return UnansweredError(Problem(f"`{question}` has no answer for {title}: {reason}", help=instead))


def refuse_demand(title: str, demand: Demand) -> None:
    """Raises ``UnansweredError`` for a derivation with assumed requests, of a scheduler that derives what is there."""
    if demand.given:
        reason = "it derives what queues hold now"
        raise unanswered(title, "shares --explain --demand", reason, "leave one of the two options out")
