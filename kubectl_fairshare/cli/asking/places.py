"""Symbolic places as lines and columns: looked up in the texts when an answer cites them."""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from operator import attrgetter
from typing import Final

from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.input.units.patching import written_at
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import LinePart
from kubectl_fairshare.model.location import Location, ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.nodes import is_hypothetical
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers import known_schedulers

_KEY: Final = attrgetter("key")


class Places(Mapping[Place, Location]):
    """The lines and columns of fields, in the texts that were read.

    A place is computed at its first use, because an answer cites few of them; iteration yields those computed so
    far. A place in an object that comes from no text raises ``KeyError``.
    """

    def __init__(self, manifests: Collection[Manifest], texts: Texts, beside: "Places | None" = None) -> None:
        self._listed = manifests
        self._texts = texts
        self._beside = beside
        self._found: dict[Place, Location] = {}

    def __getitem__(self, place: Place) -> Location:
        if place not in self._found:
            self._found[place] = self._locate(place)
        return self._found[place]

    def __iter__(self) -> Iterator[Place]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def under(self, manifests: Iterable[Manifest], texts: Texts) -> "Places":
        """These places and those of further objects, which take precedence: the job in question."""
        return Places(tuple(manifests), texts, beside=self)

    @cached_property
    def _ordered(self) -> list[Manifest]:
        """By key: a mapping of a hundred thousand takes five times the memory, and an answer cites few."""
        return sorted(self._listed, key=_KEY)

    def _manifest(self, key: ObjectKey) -> Manifest | None:
        """The last of this key."""
        at = bisect_right(self._ordered, key, key=_KEY)
        found = self._ordered[at - 1] if at else None
        return None if found is None or found.key != key else found

    @cached_property
    def hypothetical_nodes(self) -> int:
        """The number of Nodes that ``--nodes`` adds."""
        further = self._beside.hypothetical_nodes if self._beside is not None else 0
        nodes = [manifest for manifest in self._listed if manifest.key.kind == "Node"]
        return further + sum(map(is_hypothetical, nodes))

    def problem(self, problem: Problem) -> Problem:
        """The problem with its place, if symbolic, looked up; one of no known object keeps it."""
        if not isinstance(problem.place, Place) or (location := self.get(problem.place)) is None:
            return problem
        line = self._untold_line(problem.place, location)
        message = problem.message if line is None else f"line {line} of its value: {problem.message}"
        return replace(problem, place=location, message=message)

    def _untold_line(self, place: Place, location: Location) -> int | None:
        """The line inside a field's text, if ``place`` has one and ``location`` is only the field itself."""
        parts = [number for number, part in enumerate(place.path) if isinstance(part, LinePart)]
        if not parts or self[Place(place.object, place.path[: parts[0]])] != location:
            return None
        return int(place.path[parts[0]])

    def _locate(self, place: Place) -> Location:
        manifest = self._manifest(place.object)
        if manifest is None:
            if self._beside is None:
                raise KeyError(place)
            return self._beside[place]
        path = known_schedulers().path_in_text(manifest, place.path)
        return self._texts.named(self._texts.locate(*written_at(manifest, path)), str(place))
