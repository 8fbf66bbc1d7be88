"""The answer to ``plan`` in every form in which it is printed, whatever the scheduler.

Tested in ``tests/unit/cli/test_plan_cases.py``.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kubectl_fairshare.answers.answer import Answer
from kubectl_fairshare.answers.details import Document, Places, PlanDetail
from kubectl_fairshare.answers.outcome import EXIT_UNREAD, exit_code
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.next_steps import HERE, GivenOptions, commands_after

if TYPE_CHECKING:
    from kubectl_fairshare.report.text.view import View


class Plans(Value, frozen=True):
    """Answers for several workloads, each made alone; ``refused`` are the problems of objects next to them.

    ``origin`` has the options with which they were asked for.
    """

    answers: tuple[Answer[PlanDetail], ...]
    refused: tuple[Problem, ...] = ()
    origin: GivenOptions = HERE

    @property
    def exit_code(self) -> int:
        """0 when all get in; otherwise 4 when one surely does not, otherwise 5; 3 at least if an object is refused."""
        return max(exit_code(answer.exit_code for answer in self.answers), EXIT_UNREAD if self.refused else 0)

    @property
    def notes(self) -> tuple[Problem, ...]:
        """Notes that are printed with the answers."""
        return tuple(note for answer in self.answers for note in answer.notes)

    def screen(self, view: "View") -> str:
        """A screen for each, a blank line between them."""
        from kubectl_fairshare.report.plan_screen import plan_screen

        return "\n".join(plan_screen(answer, view) for answer in self.answers)

    def brief(self, view: "View") -> str:
        """The verdict, what binds, the best remedy and the next command of each, in at most eight lines."""
        from kubectl_fairshare.report.plan_screen import plan_brief

        several = len(self.answers) > 1
        return "\n".join(
            plan_brief(answer, view, [*commands_after(answer, self.origin)], named=several) for answer in self.answers
        )

    def markdown(self, view: "View") -> str:
        """The answers for a ticket or a pull request."""
        from kubectl_fairshare.report.plan_screen import plan_markdown

        return "\n".join(plan_markdown(answer, view) for answer in self.answers)

    def document(self, places: Places) -> Document:
        """The one answer, or a list of them with what is refused."""
        from kubectl_fairshare.report.documents.parts import API_VERSION, refused_part
        from kubectl_fairshare.report.documents.structs import plan_document

        items = [plan_document(answer, places) for answer in self.answers]
        if len(items) == 1 and not self.refused:
            return items[0]
        refused = {"refused": [refused_part(each, places) for each in self.refused]} if self.refused else {}
        return {
            "apiVersion": API_VERSION,
            "kind": "PlanList",
            "exitCode": self.exit_code,
            "items": items,
            **refused,
        }

    def names(self) -> Iterator[str]:
        """The victims, as kubectl names objects."""
        victims = (victim.key for answer in self.answers for victim in answer.victims)
        return (object_name(key) for key in dict.fromkeys(victims))

    def csv(self) -> str:
        """A line for each workload: its outcome."""
        rows = ((a.subject.key.namespace, a.subject.key.name, a.outcome) for a in self.answers)
        from kubectl_fairshare.report.csv_text import csv_text

        return csv_text(("namespace", "name", "outcome"), rows)


def object_name(key: ObjectKey) -> str:
    """An object as kubectl names it, with its namespace: ``job.batch/team/train``."""
    kind = f"{key.kind.lower()}.{key.group}" if key.group else key.kind.lower()
    return f"{kind}/{key.namespace}/{key.name}" if key.namespace else f"{kind}/{key.name}"
