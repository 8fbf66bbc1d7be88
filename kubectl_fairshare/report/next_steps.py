"""The commands that a person would type after an answer, with the options that reach the same input again."""

import shlex
from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.answers.answer import Answer
from kubectl_fairshare.answers.details import PlanDetail, WhyDetail
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.standing import Verdict, WhyAnswer
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value

OURS: Final = "kubectl fairshare "


class GivenOptions(Value, frozen=True):
    """The options with which a question was asked, word by word as typed.

    ``reading`` chooses what is read and which scheduler decides; only this program has these options. ``cluster``
    chooses the cluster; kubectl has these, too. ``asked`` are those that name the work of a plan.
    """

    reading: tuple[str, ...] = ()
    cluster: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()

    def repeated(self, command: str) -> str:
        """A command line of this program or of kubectl, asking the same input or cluster."""
        words = (*self.reading, *self.cluster) if command.startswith(OURS) else self.cluster
        return f"{command} {shlex.join(words)}" if words else command


HERE: Final = GivenOptions()
"""No options: the cluster of the current context."""


def next_commands(answer: WhyAnswer[WhyDetail], origin: GivenOptions) -> Iterator[str]:
    """The commands that a person would type now: the scheduler's, then those about the workload and its holder."""
    return map(origin.repeated, _next_commands(answer))


def commands_after(answer: Answer[PlanDetail], origin: GivenOptions) -> Iterator[str]:
    """The commands that a person would type after a plan, the best one first.

    Why the first victim is where it is; with all that waits, for what gets in, as others may be before it; the whole
    answer, if it is not exact; otherwise who holds what.
    """
    work = f" {shlex.join(origin.asked)}" if origin.asked else ""
    if answer.victims:
        yield origin.repeated(f"{OURS}why {typed(answer.victims[0].key)}")
    if answer.outcome is Outcome.UNKNOWN and work:
        yield origin.repeated(f"{OURS}plan{work}")
    if answer.outcome in (Outcome.ADMITTED, Outcome.PREEMPTS) and work:
        yield origin.repeated(f"{OURS}plan{work} --together")
    yield origin.repeated(f"{OURS}shares")


def _next_commands(answer: WhyAnswer[WhyDetail]) -> Iterator[str]:
    yield from answer.next
    key = answer.job or answer.key
    if key is not None and not any(command.startswith("kubectl describe") for command in answer.next):
        yield f"kubectl describe {typed(key)}"
    if answer.verdict is Verdict.NOT_NOW and answer.held:
        yield f"kubectl fairshare why {typed(answer.held[0].key)}"


def typed(key: ObjectKey) -> str:
    """An object as a user types it after a command: ``job.batch/train -n team``."""
    kind = f"{key.kind.lower()}.{key.group}" if key.group else key.kind.lower()
    return f"{kind}/{key.name} -n {key.namespace}" if key.namespace else f"{kind}/{key.name}"
