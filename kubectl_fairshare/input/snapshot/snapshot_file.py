"""A snapshot in one file: every object that an answer rests on, as gzipped JSON, an object on each line.

It is a kubectl List, so it is read like any other input; its ``metadata`` say what of the
cluster could not be read. The same state gives the same bytes.

Tested in ``tests/unit/input/snapshot/test_redaction.py``.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.input.cluster.resources import COMMANDS, needs
from kubectl_fairshare.input.extent import Extent, Unread
from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.snapshot.embedded import closed, opened
from kubectl_fairshare.input.snapshot.kept import UNSAID, only_read, read_words, said_of
from kubectl_fairshare.input.snapshot.redaction import Pseudonyms, Redaction, without_credentials, without_secrets
from kubectl_fairshare.input.units.installed_charts import as_read
from kubectl_fairshare.input.units.unread_settings import absent_objects, without_settings
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import Json, inside, mappings
from kubectl_fairshare.model.manifest import Manifest, by_kind
from kubectl_fairshare.model.packed import packed_text

if TYPE_CHECKING:
    from kubectl_fairshare.api.unknown import KnownParts

API_VERSION: Final = "fairshare.dev/v1alpha1"
KIND: Final = "SnapshotList"
_TOLD: Final = ("kubernetes", "unread", "notes")
"""What the file says about a cluster, besides the releases of schedulers."""
_LEVEL: Final = 6
_NAMED_IN: Final = re.compile(r"`[^`]+`|\b[A-Z]\w+ [a-z0-9][-./a-z0-9]*|\S+/\S+")
"""How notes name objects: quoted, behind their kind, or with their namespace."""
Object = dict[str, Json]


def snapshot(reading: Reading, redaction: Redaction, schedulers: KnownSchedulers) -> tuple[bytes, dict[str, str]]:
    """The file, and the real name for each pseudonym in it."""
    objects = _without_secrets(reading, redaction, schedulers)
    extent, beside = _extent(reading.extent), _beside(reading, schedulers)
    if redaction is Redaction.NONE:
        read = read_words(schedulers.read_words, schedulers.spared)
        written = (closed(each, lambda text: said_of(text, {}, read)) for each in objects)
        return _file(written, extent, beside, redaction), {}
    kept, pseudonyms = _named(objects, redaction, schedulers)
    hidden = (pseudonyms.hide(each) for each in kept.taken())
    if extent is not None:
        extent["unread"] = pseudonyms.hide(extent["unread"], "unread")
        extent["notes"] = [_hidden_note(each, pseudonyms) for each in extent["notes"]]
    return _file(hidden, extent, beside, redaction), {alias: name for name, alias in pseudonyms.of.items()}


def pseudonyms_of(reading: Reading, redaction: Redaction, schedulers: KnownSchedulers) -> Pseudonyms:
    """The pseudonyms that a snapshot of the same input has, for other files about it."""
    return _named(_without_secrets(reading, redaction, schedulers), redaction, schedulers)[1]


def _without_secrets(reading: Reading, redaction: Redaction, schedulers: KnownSchedulers) -> Iterator[Object]:
    """The objects, with the documents in their texts apart: what goes of an object goes of these, too."""
    for data in _objects(reading.manifests, schedulers):
        yield without_secrets(opened(data), redaction, schedulers.spared)


class _Compact:
    """Objects as texts, decoded each time that they are gone through: decoded ones take eight times the memory.

    Those with documents inside of texts stay decoded.
    """

    def __init__(self, objects: Iterable[Object]) -> None:
        self._held = [_compact(each) for each in objects]

    def __iter__(self) -> Iterator[Object]:
        return map(_decoded, self._held)

    def taken(self) -> Iterator[Object]:
        """The objects for the last time: none stays."""
        held, self._held = self._held[::-1], []
        while held:
            yield _decoded(held.pop())


def _compact(data: Object) -> Object | bytes:
    from orjson import OPT_PASSTHROUGH_SUBCLASS, JSONEncodeError

    try:
        return packed_text(data, OPT_PASSTHROUGH_SUBCLASS)
    except JSONEncodeError:
        return data


def _decoded(held: Object | bytes) -> Object:
    from orjson import loads

    return loads(held) if isinstance(held, bytes) else held


def _named(objects: Iterable[Object], redaction: Redaction, schedulers: KnownSchedulers) -> tuple[_Compact, Pseudonyms]:
    """The objects with the fields that some scheduler's code names, and the pseudonyms for what is in them."""
    read = read_words(schedulers.read_words, schedulers.spared)
    known = [each.known() for each in schedulers if each.known is not None]
    kept = _Compact(_with_signs(only_read(each, read), each, known) for each in objects)
    return kept, Pseudonyms(kept, schedulers.spared, read, labels=redaction is Redaction.ALL)


def _with_signs(kept: Object, data: Object, known: Sequence["KnownParts"]) -> Object:
    """What is kept of an object, with a sign where a field goes that the reproduced releases do not have: it decides.

    Labels and annotations that a scheduler reads stay by themselves.
    """
    for path in {path: None for each in known for path in each.paths(data) if path[0] != "metadata"}:
        holder: Json = kept
        for part in path[:-1]:
            below = inside(holder, part)
            if not isinstance(below, dict | list):
                break
            holder = below
        if isinstance(holder, dict) and path[-1] not in holder:
            holder[UNSAID] = True
    return kept


def _objects(manifests: Iterable[Manifest], schedulers: KnownSchedulers) -> Iterator[Object]:
    """The objects that count, each with the namespace that it was taken to be in."""
    resources = needs(COMMANDS[-1], (each.cluster() for each in schedulers))
    kinds = {(resource.group, resource.kind) for resource in resources}
    kinds |= {kind for each in schedulers for kind in each.configurations}
    read = read_words(schedulers.read_words, schedulers.spared)
    charts = [name for each in schedulers for name in each.charts]
    for manifest in manifests:
        key = manifest.key
        data = dict(manifest.passing_data)
        if key.kind == "ConfigMap" and not key.group:
            texts = {name: text for each in schedulers for name, text in each.settings(manifest).items()}
            if not texts:
                yield from _marked(manifest, schedulers)
                continue
            data = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": data.get("metadata"), "data": texts}
        elif (key.group, key.kind) not in kinds:
            said = as_read(manifest, charts) or next(filter(None, (e.signs(manifest) for e in schedulers)), None)
            if said is None:
                yield from _marked(manifest, schedulers)
                continue
            data = without_credentials(only_read(opened(said), read))  # a value of a chart may be a password
        metadata = data.get("metadata")
        if key.namespace and isinstance(metadata, dict) and not metadata.get("namespace"):
            data["metadata"] = {**metadata, "namespace": key.namespace}
        for each in schedulers:
            data = dict(each.spelled_out(data))
        yield data
    marked = ((each.images, each.marks) for each in schedulers)
    yield from map(dict, absent_objects(marked, by_kind(sorted(manifests, key=attrgetter("key")))))


def _marked(manifest: Manifest, schedulers: KnownSchedulers) -> Iterator[Object]:
    """An object whose settings are not read, without them: answers have to know that it was there."""
    found = next(filter(None, (each.marks.found_in(manifest) for each in schedulers)), "")
    if found:
        yield dict(without_settings(manifest, found))


def _hidden_note(note: Object, pseudonyms: Pseudonyms) -> Object:
    """A note with pseudonyms where it names an object; elsewhere a word is a word, whatever an object is called."""
    return {**note, "message": _NAMED_IN.sub(lambda match: pseudonyms.hide_in(match[0]), note["message"])}


def _extent(extent: Extent | None) -> Object | None:
    if extent is None:
        return None
    return {
        "kubernetes": extent.kubernetes,
        **extent.releases,
        "unread": [{"kind": each.kind, "namespace": each.namespace} for each in extent.unread],
        "notes": [{"place": n.place and str(n.place), "message": n.message, "help": n.help} for n in extent.notes],
    }


def _releases(reading: Reading, schedulers: KnownSchedulers) -> Object:
    """The releases of schedulers that Deployments of the input run: a pseudonym hides the image that says it."""
    found = {each.name: each.release(reading.manifests) for each in schedulers}
    return {**reading.releases, **{name: text for name, text in found.items() if text}}


def _beside(reading: Reading, schedulers: KnownSchedulers) -> Object:
    """What is known besides the objects: releases, and the kinds of which files may have more that were not read."""
    unfilled: list[Json] = [*sorted(reading.unfilled & schedulers.kinds_read())]
    known: Object = {"releases": _releases(reading, schedulers), "unfilled": unfilled}
    return {name: value for name, value in known.items() if value}


def _file(objects: Iterable[Object], extent: Object | None, beside: Object, redaction: Redaction) -> bytes:
    import gzip

    import orjson

    metadata = {"redacted": redaction.value, "cluster": extent, **beside}
    head = {"apiVersion": API_VERSION, "kind": KIND, "metadata": metadata}
    found = BytesIO()
    items = [(_order(each), packed_text(each, orjson.OPT_SORT_KEYS)) for each in objects]
    items.sort(key=itemgetter(0))
    with gzip.GzipFile("", "wb", _LEVEL, found, mtime=0) as file:
        file.write(orjson.dumps(head)[:-1] + b',"items":[\n')
        for number, (_, text) in enumerate(items):
            file.write(b",\n" if number else b"")
            file.write(text)
        file.write(b"\n]}\n")
    return found.getvalue()


def _order(data: Object) -> tuple[str, str, str, str]:
    metadata = data.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    names = (data.get("apiVersion"), data.get("kind"), metadata.get("namespace"), metadata.get("name"))
    api_version, kind, namespace, name = (str(each or "") for each in names)
    return api_version, kind, namespace, name


def extent_of(documents: Iterable[Json]) -> Extent | None:
    """How much of a cluster the documents hold, where one of them is a snapshot of one."""
    clusters = (metadata.get("cluster") for metadata in _heads(documents))
    return next((_extent_from(cluster) for cluster in clusters if isinstance(cluster, dict)), None)


def releases_of(documents: Iterable[Json]) -> dict[str, str]:
    """The releases of schedulers, by name, that ran next to the objects of the snapshots among the documents."""
    known: dict[str, str] = {}
    for metadata in _heads(documents):
        releases = metadata.get("releases")
        for name, text in releases.items() if isinstance(releases, dict) else ():
            if isinstance(text, str):
                known.setdefault(name, text)
    return known


def unfilled_of(documents: Iterable[Json]) -> frozenset[str]:
    """The kinds of which the files that snapshots are of may have more than was read."""
    lists = (metadata.get("unfilled") for metadata in _heads(documents))
    return frozenset(kind for each in lists if isinstance(each, list) for kind in each if isinstance(kind, str))


def redaction_of(documents: Iterable[Json]) -> str:
    """How the snapshot among the documents hides names; empty if it does not."""
    for metadata in _heads(documents):
        mode = metadata.get("redacted")
        return mode if mode in (Redaction.NAMES.value, Redaction.ALL.value) else ""
    return ""


def _heads(documents: Iterable[Json]) -> Iterator[Object]:
    """The metadata of the snapshots among the documents."""
    for document in documents:
        if isinstance(document, dict) and (document.get("apiVersion"), document.get("kind")) == (API_VERSION, KIND):
            metadata = document.get("metadata")
            yield metadata if isinstance(metadata, dict) else {}


def _extent_from(cluster: Object) -> Extent:
    return Extent(
        tuple(
            Unread(str(each.get("kind")), str(each.get("namespace") or "")) for each in mappings(cluster.get("unread"))
        ),
        tuple(
            Problem(str(each.get("message")), _text(each.get("place")), _text(each.get("help")))
            for each in mappings(cluster.get("notes"))
        ),
        str(cluster.get("kubernetes") or ""),
        {name: text for name, text in cluster.items() if isinstance(text, str) and name not in _TOLD},
    )


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) else None
