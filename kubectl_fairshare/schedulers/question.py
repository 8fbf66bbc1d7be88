"""What can be asked of a scheduler, in the same form for all of them."""

from collections.abc import Mapping

from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import dataclass

Setting = str | int | float | bool | tuple[str, ...] | None
"""The value of an option; None, False and no texts are those of one that was not given."""
Settings = Mapping[str, Setting]
"""A scheduler's own options by name, as they were given."""


def is_given(setting: Setting) -> bool:
    """Whether an option was given."""
    return setting is not None and setting != ()


@dataclass(frozen=True, slots=True)
class Wishes:
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
        return [option for option, value in values.items() if value is not None and value != ()]


@dataclass(frozen=True, slots=True)
class PlanQuestion:
    """What becomes of the workloads of ``given``, or of the one that ``wishes`` describe where none are given.

    ``namespace`` is that of objects that set none.
    """

    given: Reading | None
    wishes: Wishes
    namespace: str


@dataclass(frozen=True, slots=True)
class SharesQuestion:
    """Who holds what: of one queue with its ancestors, or of all; of some resources and flavors, or of all.

    ``sort`` names a figure that orders siblings, ``by`` another sum than by queue (``localqueue``, ``namespace``).
    ``labelled`` names the queues that a selector picks, None where there is none.
    """

    queue: str = ""
    resources: tuple[str, ...] = ()
    flavors: tuple[str, ...] = ()
    sort: str = "name"
    by: str = ""
    labelled: frozenset[ObjectKey] | None = None


@dataclass(frozen=True, slots=True)
class WhyQuestion:
    """Why the workloads behind ``names`` are where they are; where no names are given, all that wait.

    A name is ``KIND/NAME``, ``NAMESPACE/KIND/NAME`` or a name alone. ``namespace`` limits the question to one, and is
    where names are looked for; ``anywhere``: bare names are looked for in all. ``picked`` are the objects that a
    selector picks, None where there is none. ``now`` is the moment of asking in nanoseconds since the epoch, if known.
    """

    names: tuple[str, ...] = ()
    namespace: str | None = None
    anywhere: bool = False
    picked: frozenset[ObjectKey] | None = None
    now: int | None = None

    def picks(self, key: ObjectKey | None) -> bool:
        """Whether a selector, if there is one, picks the object."""
        return self.picked is None or key in self.picked


class UnansweredError(UsageError):
    """A question that a scheduler has no answer to."""


def unanswered(title: str, question: str, reason: str, instead: str) -> UnansweredError:
    """The error for such a question: always in the same words, with the scheduler's reason and what to ask instead."""
    return UnansweredError(Problem(f"`{question}` has no answer for {title}: {reason}", help=instead))
