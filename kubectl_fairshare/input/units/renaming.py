"""What was read of a revision, under the names that its files have there.

Tested in ``tests/unit/input/units/test_checkout.py``.
"""

from collections.abc import Iterable, Sequence

from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.text.texts import Text, Texts
from kubectl_fairshare.input.units.checkout import Checkout
from kubectl_fairshare.input.units.unit import Patch, RepositoryUnit
from kubectl_fairshare.input.units.unit_readings import UnitReading
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import Location, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace


class Renaming:
    """Gives everything that was read from checkouts the names of the revision; the rest stays as it is."""

    def __init__(self, checkouts: Sequence[Checkout]) -> None:
        self._checkouts = checkouts
        self._texts: dict[int, Text] = {}
        self._manifests: dict[int, Manifest] = {}
        self._names: dict[str, str] = {}

    def reading(self, of: Reading) -> Reading:
        """What was read."""
        return replace(
            of,
            manifests=tuple(map(self._manifest, of.manifests)),
            texts=Texts(map(self._text, of.texts.values())),
            versions=tuple((self._manifest(one), self._manifest(other)) for one, other in of.versions),
            empty=tuple(map(self._name, of.empty)),
            foreign=tuple(map(self._origin, of.foreign)),
            templates=tuple(map(self._location, of.templates)),
            strangers=tuple(map(self._location, of.strangers)),
            units=tuple(map(self._unit_reading, of.units)),
            outside=self.problems(of.outside),
            notes=self.problems(of.notes),
            refused={
                self._unit_name(name): replace(each, problems=self.problems(each.problems))
                for name, each in of.refused.items()
            },
        )

    def problems(self, problems: Iterable[Problem]) -> tuple[Problem, ...]:
        """Problems, with what they say."""
        return tuple(map(self._problem, problems))

    def _problem(self, of: Problem) -> Problem:
        place = of.place
        if isinstance(place, str):
            place = self._name(place)
        elif isinstance(place, Location):
            place = self._location(place)
        return replace(
            of,
            message=self._name(of.message),
            place=place,
            help=None if of.help is None else self._name(of.help),
            related=tuple((text, self._location(at)) for text, at in of.related),
        )

    def _unit_reading(self, of: UnitReading) -> UnitReading:
        return replace(of, unit=self._unit(of.unit), reading=self.reading(of.reading))

    def _unit(self, of: RepositoryUnit) -> RepositoryUnit:
        name = self._unit_name(of.name)
        patches = tuple(map(self._patch, of.patches))
        return replace(of, name=name, sources=tuple(map(self._name, of.sources)), patches=patches)

    def _unit_name(self, name: str) -> str:
        for checkout in self._checkouts:
            name = checkout.path(name)
        return name

    def _patch(self, of: Patch) -> Patch:
        origin = None if of.origin is None else self._origin(of.origin)
        return replace(of, origin=origin, text=None if of.text is None else self._text(of.text))

    def _manifest(self, of: Manifest) -> Manifest:
        found = self._manifests.get(id(of))
        if found is None:
            patches = tuple((self._origin(origin), content) for origin, content in of.patches)
            found = self._manifests[id(of)] = replace(of, held_origin=self._origin(of.held_origin), patches=patches)
        return found

    def _text(self, of: Text) -> Text:
        found = self._texts.get(id(of))
        if found is None:
            name = self._name(of.name)
            found = of if name == of.name else Text(name, of.data, of.format, of.starts, of.items)
            self._texts[id(of)] = found
        return found

    def _origin(self, of: Origin) -> Origin:
        return of._replace(source=self._name(of.source))

    def _location(self, of: Location) -> Location:
        return replace(of, source=self._name(of.source))

    def _name(self, text: str) -> str:
        found = self._names.get(text)
        if found is None:
            found = text
            for checkout in self._checkouts:
                found = checkout.source(found)
            self._names[text] = found
        return found
