"""What each known scheduler tells of the objects that it reads."""

from collections.abc import Callable, Iterable, Iterator

from kubectl_fairshare.input.parts import Material, Part
from kubectl_fairshare.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Reads:
    """What one scheduler reads, and how; whatever takes long to import is imported inside of its functions."""

    name: str
    part: Callable[[Material], Part]


class KnownSchedulers:
    """The schedulers that an input is read for, in order."""

    def __init__(self, reads: Iterable[Reads]) -> None:
        self._reads = tuple(reads)

    def __iter__(self) -> Iterator[Reads]:
        return iter(self._reads)
