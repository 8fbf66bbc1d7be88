"""The input of rules: everything that was read, judged and, if valid, interpreted.

An object that the API server rejects has its causes and nothing else. Its meaning is unknown, so rules about several
objects use only its name. Thus one mistake gives one finding.

Tested in ``tests/unit/lint/test_refused_writes.py``.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, TypeVar

from kubectl_fairshare.api.causes import Cause
from kubectl_fairshare.api.judgement import Judgement
from kubectl_fairshare.input.assemble import Assembled
from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.lint.house import House, Houses, LintedHouse, Seen
from kubectl_fairshare.lint.machines import Machines
from kubectl_fairshare.lint.suppression.suppression import Suppression, Unused
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import Json, JsonObject, mapping
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.packed import Packed
from kubectl_fairshare.model.placeholders import placeholder_in
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import Value, field, fields

if TYPE_CHECKING:
    from kubectl_fairshare.api.structures.structure import Struct


class Examined(Value, frozen=True, eq=False):
    """One object, equal only to itself, with the house that knows its API.

    ``judgement`` is what the API server would say to its creation; None if a server has accepted it already.
    ``held_form`` is its form in the cluster, in the stored version, packed in a large list; None if it is rejected or
    unreadable.
    """

    manifest: Manifest
    house: House
    judgement: Judgement | None = None
    held_form: JsonObject | Packed | None = None

    @property
    def stored(self) -> JsonObject | None:
        """Its form in the cluster; a packed one is decoded each time."""
        return self.held_form.data() if isinstance(self.held_form, Packed) else self.held_form

    @property
    def key(self) -> ObjectKey:
        """The object's identity."""
        return self.manifest.key

    @property
    def structure(self) -> "Struct | None":
        """The structure of its kind in the version of the manifest; None if it is unknown."""
        return self.house.structure(self.manifest)

    @property
    def spec(self) -> JsonObject:
        """The ``spec`` of its stored form; empty if it has none."""
        return mapping(self.stored, "spec")

    def at(self, *path: str | int) -> Place:
        """A place in the object."""
        return Place(self.manifest.key, path)


class Given(Value, frozen=True, eq=False, dict=True):
    """Everything that rules read. Equal only to itself, so that derived values can be cached.

    ``houses`` are all houses; ``concerned`` are those that the input can concern. ``examined`` holds every object of
    their APIs, by key; ``gathered`` the contents of the accepted ones; ``problems`` what could not be read.
    ``complete``: the input has every object of the cluster. ``lacking``: it has those of all kinds but these, which
    charts that are not rendered may make; None where any object may lie outside. ``elsewhere`` are objects of other
    units, known by name only.
    """

    gathered: Assembled
    houses: Houses
    concerned: Houses
    examined: Mapping[ObjectKey, Examined] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    complete: bool = False
    suppressions: tuple[Suppression, ...] = ()
    unused: tuple[Unused, ...] = ()
    elsewhere: frozenset[ObjectKey] = frozenset()
    lacking: frozenset[str] | None = None

    def has_all(self, kind: str) -> bool:
        """Whether the input has every object of a kind."""
        return self.complete or (self.lacking is not None and kind in self._kinds and kind not in self.lacking)

    @cached_property
    def _kinds(self) -> frozenset[str]:
        """The kinds that schedulers read."""
        return KnownSchedulers(house.reads for house in self.houses if house.reads is not None).kinds_read()

    @property
    def snapshot(self) -> Snapshot:
        """The contents of the accepted objects, with all manifests."""
        return self.gathered.snapshot

    def seen_by(self, house: LintedHouse[Seen]) -> Seen:
        """The input of the rules of one house; computed once."""
        found: Seen | None = self._seen.get(house.name)
        if found is None:
            found = house.seen(self)
            if found is not self:  # a value that holds itself would outlive its use
                self._seen[house.name] = found
        return found

    def of(self, kind: str, group: str) -> Sequence[Examined]:
        """The objects of a kind, including rejected ones, by namespace and name."""
        return self._by_kind.get((group, kind), ())

    def manifests(self, kind: str, group: str = "") -> Sequence[Manifest]:
        """The objects of a kind that is not judged, by namespace and name."""
        return self._unjudged.get((group, kind), ())

    def causes(self, law: str) -> Sequence[tuple[Examined, Cause]]:
        """What the API server rejects under one law, in any object."""
        return self._causes.get(law, ())

    @cached_property
    def machines(self) -> Machines:
        """The Nodes of the input."""
        return Machines(self.manifests("Node"))

    @cached_property
    def worked_out(self) -> dict[Callable[..., Any], Any]:
        """Cached results of functions of this input: see ``worked_out_once``."""
        return {}

    @cached_property
    def _seen(self) -> dict[str, Any]:
        return {}

    @cached_property
    def _by_kind(self) -> Mapping[tuple[str, str], Sequence[Examined]]:
        found: dict[tuple[str, str], list[Examined]] = {}
        for key, examined in self.examined.items():
            found.setdefault((key.group, key.kind), []).append(examined)
        return found

    @cached_property
    def _unjudged(self) -> Mapping[tuple[str, str], Sequence[Manifest]]:
        found: dict[tuple[str, str], list[Manifest]] = {}
        for key, manifest in self.snapshot.manifests.items():
            if key not in self.examined:
                found.setdefault((key.group, key.kind), []).append(manifest)
        return found

    @cached_property
    def _causes(self) -> Mapping[str, Sequence[tuple[Examined, Cause]]]:
        found: dict[str, list[tuple[Examined, Cause]]] = {}
        for examined, cause in self.complaints():
            found.setdefault(cause.law, []).append((examined, cause))
        return found

    def complaints(self) -> Iterator[tuple[Examined, Cause]]:
        """What the API server refuses, object by object, but for placeholders: they are filled in before."""
        for examined in self.examined.values():
            judgement = examined.judgement
            if judgement is not None and not judgement.accepted:
                for cause in judgement.all_causes:
                    if not placeholder_in(_written(examined, cause)):
                        yield examined, cause


def _written(examined: Examined, cause: Cause) -> Json:
    """What the text has where an API server complains; None for a field that the text lacks."""
    value: Json = examined.manifest.data
    for part in examined.house.as_written(examined.manifest, cause.path):
        if isinstance(value, dict):
            value = value.get(part)
        else:
            value = value[part] if isinstance(value, list) and isinstance(part, int) and part < len(value) else None
    return value


More = TypeVar("More", bound=Given)
T = TypeVar("T")


def given_as(given: Given, kind: type[More]) -> More:
    """This input as the house's own kind of ``Given``."""
    return kind(**{each.name: getattr(given, each.name) for each in fields(given)})


def worked_out_once(function: Callable[[More], T]) -> Callable[[More], T]:
    """A function whose value is kept with the input, for all rules that need it, and goes with it."""

    @wraps(function)
    def known(given: More) -> T:
        if function not in given.worked_out:
            given.worked_out[function] = function(given)
        found: T = given.worked_out[function]
        return found

    return known
