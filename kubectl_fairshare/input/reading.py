"""All manifests of the input, each once, with their texts."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.input.extent import Extent
from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.location import Location, ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import Value, field, replace

if TYPE_CHECKING:
    from kubectl_fairshare.input.units.unit import RefusedUnit
    from kubectl_fairshare.input.units.unit_readings import UnitReading

_VERSION: Final = re.compile(r"v([0-9]+)(?:(alpha|beta)([0-9]+))?")
_KEY: Final = attrgetter("key")
_OVERLAID: Final = "keep one of the two; to try a change, use `--overlay`"
_APART: Final = "they belong to different clusters; choose one: name its files, such as `{}`"


class Reading(Value, frozen=True, dict=True):
    """What was read. ``manifests`` holds every object, sorted by key.

    ``versions`` pairs the manifest that was kept with another of the same object in an older version of its
    API: whether the two agree shows once they are converted. ``empty`` names the sources without any object;
    ``foreign`` are documents that are no manifests, and ``templates`` where files that are yet to be filled in show
    it, where such are passed over. ``extent`` says how much of a cluster this is, if it comes from one.
    ``redacted`` is how names in all of it are hidden already, empty where they are not.
    ``deleted`` are objects that were removed. ``units`` are the parts for one cluster each, where there are several;
    ``strangers`` are files of other programs that are not YAML; ``notes`` are on what was read in spite of a mistake.
    ``releases`` are those of schedulers, by name, that a snapshot of files names. ``unfilled`` are the kinds of
    objects that may be in templates, or in what is ``outside`` of the root and was not read. ``refused`` are the units
    that are not built, by name. ``unread`` is a digest of all that was not read as objects and may make some: charts
    and, of a unit, what is remote.
    """

    manifests: tuple[Manifest, ...]
    texts: Texts
    versions: tuple[tuple[Manifest, Manifest], ...] = ()
    empty: tuple[str, ...] = ()
    foreign: tuple[Origin, ...] = ()
    templates: tuple[Location, ...] = ()
    extent: Extent | None = None
    redacted: str = ""
    deleted: frozenset[ObjectKey] = frozenset()
    units: "tuple[UnitReading, ...]" = ()
    strangers: tuple[Location, ...] = ()
    notes: tuple[Problem, ...] = ()
    releases: Mapping[str, str] = field(default_factory=dict)
    unfilled: frozenset[str] = frozenset()
    outside: tuple[Problem, ...] = ()
    refused: "Mapping[str, RefusedUnit]" = field(default_factory=dict)
    unread: bytes = b""

    def in_general(self, problems: Iterable[Problem]) -> tuple[Problem, ...]:
        """The problems that are not those of a unit: with these, no unit is answered."""
        own = {problem for each in self.refused.values() for problem in each.problems}
        return tuple(problem for problem in problems if problem not in own)

    @property
    def built(self) -> "tuple[UnitReading, ...]":
        """The units that are not refused."""
        return tuple(each for each in self.units if each.unit.name not in self.refused)

    @property
    def is_whole(self) -> bool:
        """Whether this is all of a cluster that counts."""
        return self.extent is not None and not self.extent.unread

    @property
    def unread_kinds(self) -> frozenset[str]:
        """The kinds of which not all could be read: in the cluster, in templates, or outside of the root."""
        hidden = frozenset(kind for kind, _ in self.extent.unread) if self.extent is not None else frozenset()
        return hidden | self.unfilled

    def without(self, kind: str) -> "Reading":
        """The same, as if all of a kind were known."""
        return self if self.extent is None else replace(self, extent=self.extent.without(kind))

    def as_given(self, manifests: Iterable[Manifest]) -> list[Manifest]:
        """The manifests in the order of the texts, and of their places in each text."""
        rank = {name: number for number, name in enumerate(self.texts)}

        def position(manifest: Manifest) -> tuple[int, int, tuple[int, ...]]:
            origin = manifest.origin
            # The numbers in its path are places in Lists.
            return rank[origin.source], origin.document, tuple(p for p in origin.path if isinstance(p, int))

        return sorted(manifests, key=position)

    def mentions(self, *words: str) -> bool:
        """Whether one of the words occurs in the texts, or in the group or kind of an object.

        Objects without a text may contain any word.
        """
        if self._has_more_than_texts or any(map(self.texts.mention, words)):
            return True
        return any(word in group or word in kind for word in words for group, kind in self._kinds)

    @cached_property
    def _has_more_than_texts(self) -> bool:
        return any(source not in self.texts for source in {manifest.source for manifest in self.manifests})

    @cached_property
    def _kinds(self) -> frozenset[tuple[str, str]]:
        """Group and kind of all objects: of these there may be thousands."""
        return frozenset({manifest.key[:2] for manifest in self.manifests})


def distinct(
    manifests: Iterable[Manifest],
    texts: Texts,
    problems: list[Problem],
    schedulers: KnownSchedulers,
    among_others: bool = False,
) -> tuple[list[Manifest], list[tuple[Manifest, Manifest]]]:
    """Each object once, sorted by key, and the pairs of one object in two versions, the one kept first.

    An object that is given twice in one version, and differs, goes to ``problems``; ``among_others`` not where nothing
    rests on it. The last one is kept, as kubectl applies it.
    """
    ordered = sorted(manifests, key=_KEY)
    if len({manifest.key for manifest in ordered}) == len(ordered):
        return ordered, []
    kept: list[Manifest] = []
    pairs: list[tuple[Manifest, Manifest]] = []
    for _, same in groupby(ordered, key=_KEY):
        alike = list(same)
        if len(alike) == 1 or not _is_one_object(alike[0], schedulers):
            kept.extend(alike)
            continue
        counts = schedulers.decides(alike[0].key.group, alike[0].key.kind) or not among_others
        problems.extend(_given_twice(alike, texts) if counts else ())
        newest = max(reversed(alike), key=lambda m: (_age(m.version), len(_namespace_labels(m))))
        kept.append(newest)
        pairs.extend((newest, other) for other in alike if counts and other.version != newest.version)
    return kept, pairs


def _is_one_object(manifest: Manifest, schedulers: KnownSchedulers) -> bool:
    """Whether the key identifies one object: a generated or missing name does not."""
    metadata = manifest.data.get("metadata")
    named = isinstance(metadata, dict) and bool(metadata.get("name"))
    return named or schedulers.has_one(manifest.key.group)


def _given_twice(alike: list[Manifest], texts: Texts) -> Iterator[Problem]:
    first: dict[str, Manifest] = {}
    for manifest in alike:
        earlier = first.setdefault(manifest.version, manifest)
        if not _agree(earlier, manifest):
            sources = earlier.source, manifest.source
            remedy = _OVERLAID if len(set(sources)) == 1 else _APART.format(_alone(*sources))
            place, before = texts.item(manifest.origin), texts.item(earlier.origin)
            yield Problem(f"{str(manifest.key).strip()} occurs twice", place, remedy, (("first here", before),))


def _alone(source: str, other: str) -> str:
    """The folder of a file if another one is not in it, too; otherwise the file."""
    folder = os.path.dirname(source)
    return source if not folder or other.startswith(f"{folder}{os.sep}") else folder


def _agree(one: Manifest, other: Manifest) -> bool:
    """Whether two objects of one name are one: equal, or Namespaces, one of which has all labels of the other."""
    if one.key[:2] != ("", "Namespace"):
        return one.data == other.data
    fewer, more = sorted((_namespace_labels(one), _namespace_labels(other)), key=len)
    return all(name in more and more[name] == value for name, value in fewer.items())


def _namespace_labels(manifest: Manifest) -> JsonObject:
    """The labels of a Namespace, all that answers rest on; none for other objects."""
    metadata = manifest.data.get("metadata")
    labels = metadata.get("labels") if isinstance(metadata, dict) else None
    return labels if isinstance(labels, dict) and manifest.key[:2] == ("", "Namespace") else {}


def _age(version: str) -> tuple[int, int, int, str]:
    """Versions in order of age, as Kubernetes ranks them: v1alpha1, v1beta1, v1beta2, v1, v2."""
    match = _VERSION.fullmatch(version)
    if match is None:
        return 0, 0, 0, version
    stage = {"alpha": 1, "beta": 2, None: 3}[match[2]]
    return stage, int(match[1]), int(match[3] or 0), version
