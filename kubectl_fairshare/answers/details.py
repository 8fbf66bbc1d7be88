"""What a scheduler adds to the answers that all schedulers share: ``detail`` of an answer. It prints nothing."""

from collections.abc import Mapping
from typing import Protocol

from kubectl_fairshare.answers.blocks import CsvColumns, Grid, Layout
from kubectl_fairshare.model.location import Location, Place

Places = Mapping[Place, Location]
"""Where the fields of objects are written."""
Document = Mapping[str, object]


class SharesDetail(Protocol):
    """A scheduler's own part of the answer about shares: what it says, not how that is printed."""

    def layout(self) -> Layout:
        """What is on the screen, below its first line and above its last."""

    def columns(self) -> CsvColumns | Grid:
        """What CSV has of the queues; or its titles and rows, where it is not about queues."""

    def document(self, places: Places) -> Document:
        """The fields that only this scheduler has; ``queues`` extend those of all schedulers."""


class CycleDetail(Protocol):
    """A scheduler's own part of the answer to ``cycle``."""

    def layout(self) -> Layout:
        """What is on the screen, below its first line and above its last."""

    def document(self, places: Places) -> Document:
        """The cycle as a document."""
