"""A simulation, printed in every form."""

from collections.abc import Iterator

from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.report.printable import Document, Places
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kai.documents.timeline import timeline_document
from kubectl_fairshare.schedulers.kai.simulation.simulation import Timeline
from kubectl_fairshare.schedulers.kai.words.screens.timeline import timeline_screen
from kubectl_fairshare.schedulers.kai.words.timeline_pictures import timeline_csv, timeline_html, timeline_svg


@dataclass(frozen=True, slots=True)
class KaiSimulation:
    """What each queue held over time."""

    timeline: Timeline

    @property
    def exit_code(self) -> int:
        """0: it is answered."""
        return 0

    def screen(self, view: View) -> str:
        """A line for each queue."""
        return timeline_screen(self.timeline, view)

    def document(self, places: Places) -> Document:  # noqa: ARG002 -- no object stands anywhere
        """Every figure of every cycle."""
        return timeline_document(self.timeline)

    def names(self) -> Iterator[str]:
        """Raises ``UsageError``: queues of a scenario are no objects."""
        raise UsageError(Problem("`simulate` has no `-o name`", help="use `-o csv`, `json`, `yaml` or `text`"))

    def csv(self) -> str:
        """The columns of KAI's own simulator."""
        return timeline_csv(self.timeline)

    def svg(self) -> str:
        """A panel for each leaf."""
        return timeline_svg(self.timeline)

    def html(self) -> str:
        """The figures, and the picture."""
        return timeline_html(self.timeline)
