"""What each known scheduler declares about the objects that it reads: input itself names no scheduler."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_fairshare.input import kinds
from kubectl_fairshare.input.parts import Material, Part
from kubectl_fairshare.input.units.unread_settings import NO_MARKS, Marks
from kubectl_fairshare.model.json import FieldPath, Json, JsonObject
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import Value, field

if TYPE_CHECKING:
    from kubectl_fairshare.api.unknown import KnownParts
    from kubectl_fairshare.input.cluster.resources import ClusterReads
    from kubectl_fairshare.input.reading import Reading
    from kubectl_fairshare.model.errors import Problem

_CACHED: Final = 1024
READ_ANNOTATIONS: Final = ("fairshare.dev/", "scheduling.")
"""How annotations begin that this program reads, whatever the scheduler."""
_SHARED_WORDS: Final = "jobs/read_words.txt"


class Archive(Value, frozen=True):
    """A form of its own in which a scheduler gives all its objects.

    A document of it has the mapping ``field`` and no kind. ``objects`` are those in it, each with its path;
    ``unzipped`` the text in a zip, given its name and the largest size in bytes.
    """

    field: str
    objects: Callable[[Json], Iterator[tuple[FieldPath, Json]]]
    unzipped: Callable[[str, bytes, int], bytes]


class Home(NamedTuple):
    """The namespace that a scheduler runs in; ``option`` names another one, ``program`` is what runs there."""

    namespace: str
    option: str = ""
    program: str = ""

    @property
    def parameter(self) -> str:
        """The option as a Python name."""
        return self.option.removeprefix("--").replace("-", "_")


class Unredacted(NamedTuple):
    """What redaction leaves, as decisions rest on it.

    ``annotations`` are how names of annotations begin, ``words`` names that stay, ``domains`` those of labels;
    ``strict`` the kinds, with their groups, for which an unknown field is an error.
    """

    annotations: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    domains: tuple[str, ...] = ()
    strict: frozenset[tuple[str, str]] = frozenset()


def _nothing(_: Manifest) -> Mapping[str, str]:
    return {}


def _none(_: "Reading") -> "Iterable[Problem]":
    return ()


def _as_it_is(data: JsonObject) -> JsonObject:
    return data


def _no_sign(_: Manifest) -> JsonObject | None:
    return None


def _same_path(_: Manifest, path: FieldPath) -> FieldPath:
    return path


def _not_published(_: str) -> str:
    return ""


def _unknown(_: "Iterable[Manifest]") -> str:
    return ""


def texts_with(word: str, manifest: Manifest) -> Mapping[str, str]:
    """The texts of a ConfigMap that contain a word."""
    held = manifest.data.get("data")
    entries = held.items() if isinstance(held, dict) else ()
    return {name: text for name, text in entries if isinstance(text, str) and word in text}


SEVERAL: Final = ", "
"""Between the releases of a scheduler, where an input has several."""


class Reads(Value, frozen=True):
    """What one scheduler reads, and how; whatever takes long to import is imported inside of its functions.

    - ``namespaced``: its API groups, and of each the kinds that lie in a namespace; all others of these groups don't
    - ``related``: further API groups that its answers rest on
    - ``configurations``: kinds of its configuration files, which need no name
    - ``short_names``: what kubectl's users call its kinds, in small letters
    - ``part``: what it makes of an input
    - ``cluster``: what it reads of a cluster
    - ``spared``: what redaction leaves of its objects
    - ``settings``: the texts in a ConfigMap that configure it
    - ``images``: the images of its programs, without their registries
    - ``charts``: the names of the Helm charts that install it
    - ``marks``: what an object has that holds settings of it in a form that is not read
    - ``signs``: what an object of another program says of its settings or its release; None if it says nothing
    - ``disagreements``: objects that were read in two versions and differ
    - ``spelled_out``: an object of its kinds with every name as one text, so that a pseudonym can take its place
    - ``path_in_text``: the place in the text of a field of the stored form
    - ``release``: the release of it that a Deployment among manifests runs, empty without one
    - ``published``: the release that a remote resource of a kustomization installs, with nothing that decides besides;
      empty for any other address
    - ``scheduler``: what pods usually call the scheduler, empty if they name none
    - ``known``: what it knows of objects
    """

    name: str
    title: str
    namespaced: Mapping[str, frozenset[str]]
    home: Home
    part: Callable[[Material], Part]
    cluster: "Callable[[], ClusterReads]"
    related: frozenset[str] = frozenset()
    configurations: frozenset[tuple[str, str]] = frozenset()
    short_names: Mapping[str, str] = field(default_factory=dict)
    settings: Callable[[Manifest], Mapping[str, str]] = _nothing
    images: tuple[str, ...] = ()
    charts: tuple[str, ...] = ()
    marks: Marks = NO_MARKS
    signs: Callable[[Manifest], JsonObject | None] = _no_sign
    archive: Archive | None = None
    disagreements: "Callable[[Reading], Iterable[Problem]]" = _none
    spared: Unredacted = field(default_factory=Unredacted)
    spelled_out: Callable[[JsonObject], JsonObject] = _as_it_is
    path_in_text: Callable[[Manifest, FieldPath], FieldPath] = _same_path
    release: Callable[[Iterable[Manifest]], str] = _unknown
    published: Callable[[str], str] = _not_published
    scheduler: str = ""
    known: "Callable[[], KnownParts] | None" = None


def releases_together(releases: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Releases of schedulers, by name, of several sources; where these differ, all of them in a list."""
    found: dict[str, set[str]] = {}
    for name, text in (pair for each in releases for pair in each.items()):
        found.setdefault(name, set()).update(f"v{each.removeprefix('v')}" for each in text.split(SEVERAL))
    return {name: SEVERAL.join(sorted(texts)) for name, texts in found.items()}


class KnownSchedulers:
    """The schedulers that an input is read for, in order, and what they declare about kinds."""

    def __init__(self, reads: Iterable[Reads]) -> None:
        self._reads = tuple(reads)
        self._namespaced = {group: kinds for each in self._reads for group, kinds in each.namespaced.items()}
        self._related = frozenset(group for each in self._reads for group in each.related)
        self._configured = frozenset(group for each in self._reads for group, _ in each.configurations)
        self._with_one = tuple(r for r in self._reads if any(self.has_one(group) for group, _ in r.configurations))
        self._short_names = kinds.SHORT_NAMES | {k: v for each in self._reads for k, v in each.short_names.items()}
        self.archives = tuple(each.archive for each in self._reads if each.archive is not None)
        self.spared = Unredacted(
            tuple(name for each in self._reads for name in each.spared.annotations),
            frozenset(each.home.namespace for each in self._reads).union(
                *((*each.spared.words, *each.marks.words, *each.marks.charts) for each in self._reads)
            ),
            tuple(domain for each in self._reads for domain in (*each.namespaced, *each.spared.domains)),
            frozenset[tuple[str, str]]().union(*(each.spared.strict for each in self._reads)),
        )
        self.read_words = (_SHARED_WORDS, *(f"schedulers/{each.name}/reading/read_words.txt" for each in self._reads))
        self.has_namespace = lru_cache(_CACHED)(self._has_namespace)
        self.is_read = lru_cache(_CACHED)(self._is_read)

    def __iter__(self) -> Iterator[Reads]:
        return iter(self._reads)

    def published(self, address: str) -> dict[str, str]:
        """The release that a remote resource installs, by the scheduler's name; empty for any other address."""
        return {each.name: release for each in self._reads if (release := each.published(address))}

    def installed(self, releases: Mapping[str, str], manifests: Iterable[Manifest]) -> dict[str, str]:
        """The releases that are installed from elsewhere, together with those that programs among manifests run."""
        if not releases:
            return {}
        runs = {each.name: each.release(manifests) for each in self._reads if each.name in releases}
        return releases_together((releases, {name: text for name, text in runs.items() if text}))

    def kinds_read(self) -> frozenset[str]:
        """Every kind that an answer can rest on: what is left out may hold any of them."""
        from kubectl_fairshare.input.cluster.resources import COMMANDS, needs

        return frozenset(each.kind for each in needs(COMMANDS[-1], [each.cluster() for each in self._reads]))

    def titles(self) -> str:
        """What they are called."""
        return ", ".join(each.title for each in self._reads)

    def needs_no_name(self, group: str) -> bool:
        """Whether the documents of a group are configuration files, which have no name."""
        return group in self._configured or kinds.is_configuration(group)

    def configures(self, data: bytes) -> bool:
        """Whether a text may be a configuration file of a scheduler."""
        return any(group.encode() in data for group in sorted(self._configured))

    def has_one(self, group: str) -> bool:
        """Whether there is one document of each kind of a group, whatever it is called."""
        return group in self._configured and not kinds.is_configuration(group)

    def only_settings(self, manifest: Manifest) -> str:
        """The scheduler whose settings an object holds, if it reads one such object, whatever its name; else empty."""
        kind = manifest.key[:2]
        for each in self._with_one:
            if kind in each.configurations or (kind == ("", "ConfigMap") and each.settings(manifest)):
                return each.name
        return ""

    def is_judged(self, group: str) -> bool:
        """Whether objects of a group are judged as their API server would; it also reports a missing name."""
        return group in self._namespaced

    def path_in_text(self, manifest: Manifest, path: FieldPath) -> FieldPath:
        """The place in the text of a field, given as the API server stores it."""
        reader = next((each for each in self._reads if manifest.key.group in each.namespaced), None)
        return path if reader is None else reader.path_in_text(manifest, path)

    def decides(self, group: str, kind: str) -> bool:
        """Whether an answer, or a finding, can rest on an object of a kind."""
        return self.is_read(group) and (group != "" or kind in kinds.READ_CORE_KINDS)

    def is_called(self, group: str, kind: str, word: str) -> bool:
        """Whether ``word`` names a kind: as kind, plural or short form, perhaps with its group, in any case."""
        word, _, of_group = word.lower().partition(".")
        if of_group and of_group != group:
            return False
        name = kind.lower()
        return word in (name, kinds.plural(name)) or self._short_names.get(word) == name

    def _has_namespace(self, group: str, kind: str) -> bool:
        """Whether objects of a kind lie in a namespace; kinds that are not known are taken to."""
        if group in self._namespaced:
            return kind in self._namespaced[group]
        return not (self.needs_no_name(group) or kinds.is_cluster_scoped(group, kind))

    def _is_read(self, group: str) -> bool:
        """Whether an answer, or a finding, can rest on objects of a group."""
        known = self.is_judged(group) or group in self._related or group in kinds.READ_GROUPS
        return known or self.needs_no_name(group)
