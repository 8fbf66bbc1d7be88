"""From documents to manifests: Lists are split, objects are named, and anything else is reported."""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count, groupby, repeat
from operator import attrgetter
from typing import Final

from kubectl_fairshare.input.known import Archive, KnownSchedulers
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.packed import Packed

_WHOLE_REMEDY: Final = "a manifest has `apiVersion`, `kind` and `metadata.name`"
_key: Final = partial(tuple.__new__, ObjectKey)  # in half the time, where ten thousand are made
_KIND: Final = attrgetter("of.api_version", "of.kind")
_NAME: Final = attrgetter("name")
_GENERATED_REMEDY: Final = "set `metadata.name`: only a workload for `plan` may leave it to the server"


class Objects:
    """Takes documents, and gives manifests; ``problems`` collects what is wrong with any of them.

    ``namespace`` is for objects of namespaced kinds without one. With ``allow_generate_name`` an object
    may have ``metadata.generateName`` alone; its key then has that for a name. With ``among_others`` documents
    that were never meant to be manifests, or not for a cluster, are no problem, but ``foreign``. Nor is an object
    without a name that is judged later; objects with the same generated name, or without one, get a number.
    """

    def __init__(
        self,
        texts: Texts,
        schedulers: KnownSchedulers,
        namespace: str,
        allow_generate_name: bool,
        among_others: bool = False,
    ) -> None:
        self._texts = texts
        self._schedulers = schedulers
        self._namespace = namespace
        self._allow_generate_name = allow_generate_name
        self._among_others = among_others
        self.manifests: list[Manifest] = []
        self.problems: list[Problem] = []
        self.foreign: list[Origin] = []
        self._alike: Counter[ObjectKey] = Counter()
        self._known_kinds: dict[tuple[str, str], tuple[str, str, bool]] = {}

    def take(self, source: str, documents: list[Json]) -> None:
        """Takes the documents of one source; empty ones are passed over, but counted."""
        for number, document in enumerate(documents):
            if self._among_others and self._is_foreign(document):
                self.foreign.append(Origin(source, number))
            elif document is not None:
                self._take(document, Origin(source, number))

    def take_one(self, data: Json, origin: Origin) -> None:
        """Takes what is at one place of a document."""
        self._take(data, origin)

    def _take(self, data: Json, origin: Origin) -> None:
        if not isinstance(data, dict):
            self._problem("this is not a Kubernetes object", origin)
        elif (archive := self._archive(data)) is not None:
            for path, item in archive.objects(data):
                self._take(item, Origin(origin.source, origin.document, (*origin.path, *path)))
        elif not _is_list(data):
            self._add(data, origin)
        elif not isinstance(data.get("items"), (list, type(None))):
            self._problem("`items` must be a list", origin, "items")
        else:
            self._take_items(_items(data), origin)

    def _take_items(self, items: Iterable[Json], origin: Origin) -> None:
        """Takes the objects of a List that is there: packed ones of one kind all at once."""
        numbers = count()
        for of, some in groupby(items, type):
            if of is Packed:
                for kind, alike in groupby(some, _KIND):
                    self._add_packed(kind, list(alike), origin, numbers)
            else:
                for item in some:
                    self._take(item, origin.item(next(numbers)))

    def _archive(self, data: dict[str, Json]) -> Archive | None:
        """The form in which a document holds objects, where that is one of a scheduler."""
        if "kind" in data:
            return None
        return next((each for each in self._schedulers.archives if isinstance(data.get(each.field), dict)), None)

    def _is_foreign(self, document: Json) -> bool:
        """Whether a document is of another program: a list, or a mapping with neither ``kind`` nor an API's group.

        A ``kind`` in small letters, alone, is a field of another program: Kubernetes' kinds begin with a capital.
        """
        if isinstance(document, dict):
            kind = document.get("kind")
            if isinstance(kind, str) and kind[:1].islower() and document.keys().isdisjoint(("apiVersion", "metadata")):
                return True
            grouped = "kind" in document or "/" in str(document.get("apiVersion", ""))
            return not grouped and self._archive(document) is None
        return isinstance(document, list)

    def _problem(self, message: str, origin: Origin, field: str | None = None, remedy: str = _WHOLE_REMEDY) -> None:
        place = self._texts.item(origin, tuple(field.split(".")) if field else ())
        self.problems.append(Problem(message, place, remedy))

    def _add_packed(
        self, kind: tuple[str, str], alike: Sequence[Packed], origin: Origin, numbers: Iterator[int]
    ) -> None:
        """Adds objects of one version and kind: no call of ours for each, of which there may be ten thousand."""
        group, version, has_namespace = self._known_kind(*kind)
        spaces = (each.namespace or self._namespace for each in alike) if has_namespace else repeat("")
        keys = map(_key, zip(repeat(group), repeat(kind[1]), spaces, map(_NAME, alike)))
        of_list = repeat(origin), repeat(False), repeat(())
        self.manifests += map(Manifest, keys, repeat(version), alike, *of_list, numbers)

    def _known_kind(self, api_version: str, kind: str) -> tuple[str, str, bool]:
        """The group and version of a kind, and whether its objects are in namespaces: asked once for each kind."""
        found = self._known_kinds.get((api_version, kind))
        if found is None:
            group, _, version = api_version.rpartition("/")
            found = sys.intern(group), sys.intern(version), self._schedulers.has_namespace(group, kind)
            self._known_kinds[(api_version, kind)] = found
        return found

    def _add(self, data: dict[str, Json], origin: Origin) -> None:
        api_version, kind = data.get("apiVersion"), data.get("kind")
        if not isinstance(api_version, str) or not api_version:
            self._not_text("apiVersion", api_version, origin)
            return
        if not isinstance(kind, str) or not kind:
            self._not_text("kind", kind, origin)
            return
        group, version, has_namespace = self._known_kind(api_version, kind)
        metadata = data.get("metadata")
        if not isinstance(metadata, dict):
            metadata = {}
        namespace = metadata.get("namespace")
        if namespace is not None and not isinstance(namespace, str):
            self._not_text("metadata.namespace", namespace, origin)
            return
        name = metadata.get("name")
        place = (namespace or self._namespace) if has_namespace else ""
        if isinstance(name, str) and name:
            self.manifests.append(Manifest(ObjectKey(group, kind, place, name), version, data, origin))
            return
        if self._among_others and not metadata.get("generateName") and not self._needs_name(group, kind, metadata):
            self.foreign.append(origin)
            return
        name = self._name(metadata, group, origin)
        if name is not None:
            key = self._numbered(ObjectKey(group, kind, place, name))
            self.manifests.append(Manifest(key, version, data, origin))

    def _needs_name(self, group: str, kind: str, metadata: dict[str, Json]) -> bool:
        """Whether the lack of a name is a mistake: elsewhere a template may fill it in, and no answer rests on it."""
        return self._schedulers.decides(group, kind) or bool(metadata.get("name"))

    def _numbered(self, key: ObjectKey) -> ObjectKey:
        """A key that no other object has: the second of one generated name is ``train-(2)``."""
        if not self._among_others or self._schedulers.needs_no_name(key.group):
            return key
        self._alike[key] += 1
        return key if self._alike[key] == 1 else key._replace(name=f"{key.name}({self._alike[key]})")

    def _not_text(self, field: str, value: Json, origin: Origin) -> None:
        if value is None or value == "":
            self._problem(f"`{field}` is missing", origin)
        else:
            scalar = not isinstance(value, (dict, list))
            remedy = f"put it in quotes: kubectl reads `{_json(value)}` here" if scalar else _WHOLE_REMEDY
            self._problem(f"`{field}` must be text", origin, field, remedy)

    def _name(self, metadata: dict[str, Json], group: str, origin: Origin) -> str | None:
        """The name of an object without a proper one: its ``generateName`` where that is allowed."""
        name, generated = metadata.get("name"), metadata.get("generateName")
        if name is not None and name != "":
            self._not_text("metadata.name", name, origin)
            return None
        if isinstance(generated, str) and generated:
            if not self._allow_generate_name:
                self._problem("this object has only a `generateName`", origin, "metadata", _GENERATED_REMEDY)
            return generated if self._allow_generate_name else None
        judged = self._among_others and self._schedulers.is_judged(group)
        if not (judged or self._schedulers.needs_no_name(group)):
            self._not_text("metadata.name", None, origin)
            return None
        return ""


def _json(value: Json) -> str:
    """A value as JSON writes it."""
    import orjson

    return orjson.dumps(value).decode()


def _is_list(data: dict[str, Json]) -> bool:
    """Whether an object is a List, as kubectl and the API server print them: with mixed kinds, or with one."""
    kind = data.get("kind")
    return kind == "List" or (isinstance(kind, str) and kind.endswith("List") and "items" in data)


def _items(data: dict[str, Json]) -> Iterable[Json]:
    """The items of a List; one of ``ClusterQueueList`` need not say again what it is."""
    from kubectl_fairshare.input.text.json_list import stated_for_all

    known, items = stated_for_all(data), data.get("items") or ()
    return items if known is None else [_completed(item, known) for item in items]


def _completed(item: Json, known: Mapping[str, Json]) -> Json:
    is_whole = not isinstance(item, dict) or ("kind" in item and "apiVersion" in item)
    return item if is_whole else {**known, **item}
