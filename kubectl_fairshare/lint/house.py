"""What a scheduler adds to lint: its rules, and its knowledge of its objects."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

import orjson

from kubectl_fairshare.finding import Severity
from kubectl_fairshare.input.known import Reads
from kubectl_fairshare.lint.protocol import Rule, RuleOver, known_rule
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import FieldPath, JsonObject
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.packed import Packed
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.model.values import Value

if TYPE_CHECKING:
    from kubectl_fairshare.api.judgement import Judgement
    from kubectl_fairshare.api.structures.structure import Struct
    from kubectl_fairshare.input.assemble import Assembled
    from kubectl_fairshare.lint.given import Given


Seen = TypeVar("Seen")
"""The input of a house's rules: what was read, as the house interprets it."""


TABLE: Final = "known.json"
"""The table of the rules in a package: id, name, severity, advice, since, until, function."""


class Judged(NamedTuple):
    """An object with the API server's judgement: see ``Examined``."""

    manifest: Manifest
    judgement: "Judgement | None"
    stored: JsonObject | Packed | None


class Renamed(NamedTuple):
    """The right path for the value of an unknown field, and another version that has the field; empty if none has."""

    meant: FieldPath | None = None
    version: str = ""


class Unreadable(NamedTuple):
    """A problem while reading. ``severity`` is the finding's; None for the rule's own."""

    problem: Problem
    severity: Severity | None = None


class Releases(NamedTuple):
    """The releases that a scheduler's rules assume, and how a user names one: an option, a setting, a JSON field.

    Without a name it is the ``newest`` that was measured; ``latest`` is one that a user may name beyond that.
    """

    title: str
    newest: Release
    option: str
    setting: str
    document_field: str
    latest: Release | None = None


class LintedHouse(Value, Generic[Seen], frozen=True, eq=False, dict=True):
    """A scheduler as lint sees it. A value is cheap: its functions import heavy modules when they are called.

    ``rules_package`` holds its rules, and their table; ``seen`` makes their input. An input that mentions none of
    ``words`` does not concern the house, and its rules are not imported. It knows the objects of its API ``groups``:

    - ``judged``: the objects of known kinds, with the API server's judgement
    - ``structure``: the structure of a kind in the version of the manifest, None for an unknown kind
    - ``as_written``: the place in the text of a field of the stored form
    - ``renamed``: the right path for the value of an unknown field; ``renamed_value``: the current word for a value
    - ``unreadable``: the reading problems that no other rule reports, and further ones
    - ``reads``: what it reads from an input
    - ``checked_when_read``: kinds whose readers check every field that they use
    - ``ruled``: kinds without a structure at which its rules look
    - ``named_by_jobs``: words in jobs at which its rules look even if no object of its own is there
    """

    name: str
    rules_package: str
    seen: "Callable[[Given], Seen]"
    words: tuple[str, ...] = ()
    groups: frozenset[str] = frozenset()
    judged: "Callable[[Iterable[Manifest], Assembled], Iterator[Judged]]" = lambda *_: iter(())
    structure: "Callable[[Manifest], Struct | None]" = lambda _: None
    as_written: Callable[[Manifest, FieldPath], FieldPath] = lambda _, path: path
    renamed: Callable[[Manifest, FieldPath], Renamed] = lambda *_: Renamed()
    renamed_value: Callable[[str, str], str | None] = lambda *_: None
    unreadable: "Callable[[Given, Sequence[Unreadable]], Sequence[Unreadable]]" = lambda _, problems: problems
    checked_when_read: frozenset[str] = frozenset()
    ruled: frozenset[tuple[str, str]] = frozenset()
    named_by_jobs: tuple[str, ...] = ()
    releases: Releases | None = None
    reads: Reads | None = None

    def is_concerned(self, mentions: Callable[..., bool]) -> bool:
        """Whether an input can concern it; ``mentions`` says whether the input has any of several words."""
        return not self.words or mentions(*self.words)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """Its rules, by id, as the table next to them says. No module with a rule is imported."""
        return tuple(self._known(*row[:-1]) for row in self._table.values())

    def written(self, id: str) -> RuleOver[Seen]:
        """A rule with its function, whose module is imported."""
        module, _, name = self._table[id][-1].rpartition(".")
        found: RuleOver[Seen] = getattr(import_module(f"{self.rules_package}.{module}"), name)
        return found

    def rows(self) -> list[list[Any]]:
        """What the table has to say, found by importing all rules. Raises ``ValueError`` if two share an id."""
        import pkgutil

        package = import_module(self.rules_package)
        found: dict[str, tuple[RuleOver[Seen], str]] = {}
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for name, rule in vars(import_module(module.name)).items():
                if not isinstance(rule, RuleOver):
                    continue
                if found.setdefault(rule.id, (rule, ""))[0] is not rule:
                    raise ValueError(f"two rules are called {rule.id}")
                place = f"{module.name.removeprefix(self.rules_package + '.')}.{name}"
                if not found[rule.id][1] or rule.check.__module__ == module.name:  # not where it is only imported
                    found[rule.id] = rule, place
        return [_row(*found[id]) for id in sorted(found)]

    @cached_property
    def _table(self) -> dict[str, list[Any]]:
        found = find_spec(self.rules_package)
        if found is None or not found.submodule_search_locations:
            raise LookupError(f"{self.rules_package} is not a package")
        with open(f"{found.submodule_search_locations[0]}/{TABLE}", "rb") as file:
            return {row[0]: row for row in orjson.loads(file.read())}

    def _known(self, id: str, name: str, severity: str, advice: bool, since: str, until: str) -> Rule:
        return known_rule(id, name, Severity(severity), lambda: self.written(id).texts(), advice, since, until)


def _row(rule: Rule, place: str) -> list[Any]:
    since, until = (f"{rule.scheduler} {each}" if each else "" for each in (rule.since, rule.until))
    return [rule.id, rule.name, str(rule.severity), rule.advice, since, until, place]


House: TypeAlias = LintedHouse[Any]
Houses: TypeAlias = tuple[House, ...]


def house_of(manifest: Manifest, houses: Houses) -> House | None:
    """The house of an object's API; None for other APIs."""
    return next((house for house in houses if manifest.key.group in house.groups), None)


def has_rules(manifest: Manifest, houses: Houses) -> bool:
    """Whether rules of a house look at objects of this kind, which is one of its API."""
    house = house_of(manifest, houses)
    return house is not None and (manifest.key[:2] in house.ruled or house.structure(manifest) is not None)


def as_written(manifest: Manifest, path: FieldPath, houses: Houses) -> FieldPath:
    """The place in the text of a field, given as its house stores it."""
    house = house_of(manifest, houses)
    return path if house is None else house.as_written(manifest, path)
