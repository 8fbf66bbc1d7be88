"""A simulation in every output format."""

from collections.abc import Iterator

from kubectl_fairshare.answers.details import Document, Places
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kai.documents.timeline import timeline_document
from kubectl_fairshare.schedulers.kai.simulation.simulation import Timeline
from kubectl_fairshare.schedulers.kai.words.screens.timeline import timeline_screen
from kubectl_fairshare.schedulers.kai.words.timeline_pictures import timeline_csv, timeline_html, timeline_svg


class KaiSimulation(Value, frozen=True):
    """What each queue held over time."""

    timeline: Timeline

    @property
    def exit_code(self) -> int:
        """0: the question is answered."""
        return 0

    def screen(self, view: View) -> str:
        """One line per queue."""
        return timeline_screen(self.timeline, view)

    def document(self, places: Places) -> Document:  # noqa: ARG002 -- a scenario has no places to cite
        """Every figure of every cycle."""
        return timeline_document(self.timeline)

    def names(self) -> Iterator[str]:
        """Raises ``UsageError``: the queues of a scenario are not objects."""
        raise UsageError(Problem("`simulate` has no `-o name`", help="use `-o csv`, `json`, `yaml` or `text`"))

    def csv(self) -> str:
        """The columns of KAI's own simulator."""
        return timeline_csv(self.timeline)

    def svg(self) -> str:
        """One panel per leaf queue."""
        return timeline_svg(self.timeline)

    def html(self) -> str:
        """The figures and the picture in one page."""
        return timeline_html(self.timeline)
