"""One list, page by page, as an API server gives it.

Source: Kubernetes API concepts: retrieving large results sets in chunks. A token to go on with expires after some
minutes, or when the store is compacted; the server then says 410, and the list is begun anew.

Tested in ``tests/unit/input/cluster/test_read.py``.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from sys import intern
from typing import Any, Final, TypeAlias

from kubectl_fairshare.input.cluster.connection import Connection, Refused
from kubectl_fairshare.input.cluster.parallel import Ahead
from kubectl_fairshare.input.cluster.resources import Resource
from kubectl_fairshare.input.text import json_text
from kubectl_fairshare.input.text.json_list import ListPieces, OddListError
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import Json, inside, listed
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.packed import Packed, PackedKind, packed_text
from kubectl_fairshare.model.values import Value

PAGE: Final = 1000
_BEGINNINGS: Final = 3
_EXPIRED: Final = 410
_EMPTY: Final = 1000
"""How many pages without an object may follow one another; there may be some where a selector picks."""
_MANY: Final = 200
"""Objects from which on those of a list are kept as text."""
_LONGEST: Final = 20
"""Digits from which on a version is longer than what a store counts: those have 64 bits."""
_OF_WRITERS: Final = "managedFields"
"""Which client wrote which field: half of a list, and not used here."""
_Numbered: TypeAlias = tuple[Manifest, int]
_REMEDY: Final = "check `server` in the kubeconfig, and proxies on the way"


class Listed(Value, frozen=True):
    """One list as it was at ``resource_version``; ``restarts`` is how often it had to be begun anew.

    ``versions`` are the versions of its objects, which count up; 0 for an object without such a version.
    """

    resource: Resource
    version: str
    manifests: tuple[Manifest, ...]
    versions: "array[int]"
    resource_version: str
    restarts: int = 0


def read_list(
    connection: Connection, resource: Resource, version: str, namespace: str = "", page: int = PAGE
) -> Listed:
    """The whole list, in all namespaces or one.

    Raises ``Refused`` if it does not exist or is not permitted, ``FairshareError`` if a part of it is missing.
    """
    for beginning in range(_BEGINNINGS):
        # The last time without pages: the server then has nothing to forget in between.
        size = page if beginning + 1 < _BEGINNINGS else 0
        try:
            return _once(connection, resource, version, namespace, size, beginning)
        except Refused as refused:
            if refused.status != _EXPIRED:
                raise
    message = f"the list of `{resource.name}` expired each time before it was complete"
    raise FairshareError(Problem(message, connection.server, "try again when the cluster is less busy"))


def _once(
    connection: Connection, resource: Resource, version: str, namespace: str, page: int, beginning: int
) -> Listed:
    found: list[Manifest] = []
    versions = array("Q")
    query: dict[str, str | int] = {"limit": page} if page else {}
    if resource.labels:
        query["labelSelector"] = resource.labels
    if resource.fields:
        query["fieldSelector"] = resource.fields
    path, empty = resource.path(version, namespace), 0
    data = connection.get(path, query)
    while empty <= _EMPTY:
        before, pieces = len(found), _pieces(data)
        # The server makes the next page while this one is read.
        expected = "" if pieces is None else _continue(pieces.members)
        ahead = Ahead(partial(connection.get, path, query | {"continue": expected})) if expected else None
        members, numbered = _page(
            connection, path, data, pieces, partial(_manifests, connection.server, resource, version, before)
        )
        found.extend(manifest for manifest, _ in numbered)
        versions.extend(number for _, number in numbered)
        following = _continue(members)
        if not following:
            at = inside(members, "metadata", "resourceVersion")
            return Listed(resource, version, tuple(found), versions, str(at or ""), beginning)
        if following == query.get("continue"):
            break
        query["continue"] = following
        empty = empty + 1 if len(found) == before else 0
        data = connection.get(path, query) if ahead is None or following != expected else ahead.result()
    message = f"the list of `{resource.name}` does not end: the server always sends a next page"
    raise FairshareError(Problem(message, connection.server, _REMEDY))


def _continue(members: Mapping[str, Json]) -> str:
    """The token for the next page; empty after the last."""
    return str(inside(members, "metadata", "continue") or "")


def _pieces(data: bytes) -> ListPieces | None:
    """The items of a list as texts; None where the whole of it has to be read."""
    try:
        return ListPieces(data)
    except OddListError:
        return None


def _page(
    connection: Connection,
    path: str,
    data: bytes,
    pieces: ListPieces | None,
    read: Callable[[int, Iterable[Json]], Iterator[_Numbered]],
) -> tuple[Mapping[str, Json], list[_Numbered]]:
    """The members of a list next to its items, and its manifests: its objects are never all decoded at once."""
    try:
        if pieces is not None:
            items = (value for _, values, _ in pieces.batches() for value in values)
            return pieces.members, list(read(len(pieces), items))
    except OddListError:
        pass
    document = _document(connection, path, data)
    found = listed(document, "items")
    return document, list(read(len(found), found))


def document_at(connection: Connection, path: str, query: dict[str, str | int] | None = None) -> dict[str, Json]:
    """The JSON object at a path. Raises as ``Connection.get`` does, and ``FairshareError`` for anything else."""
    return _document(connection, path, connection.get(path, query))


def _document(connection: Connection, path: str, data: bytes) -> dict[str, Json]:
    try:
        documents, _ = json_text.load(path, data)
    except json_text.NotJsonError as error:
        message = f"the response to `{path}` is not JSON: {error.message}"
        raise FairshareError(Problem(message, connection.server, _REMEDY)) from None
    if len(documents) != 1 or not isinstance(documents[0], dict):
        raise FairshareError(Problem(f"the response to `{path}` is not an object", connection.server, _REMEDY))
    return documents[0]


def _manifests(
    server: str, resource: Resource, version: str, before: int, count: int, items: Iterable[Json]
) -> Iterator[_Numbered]:
    """The ``count`` items with apiVersion and kind (the server omits them in lists of its own kinds), numbered.

    ``before`` is how many objects the list had until here. The second is the version of the object. Raises
    ``FairshareError`` for an item that is not an object of a server: without it the answer would be about a part.
    """
    api_version = f"{resource.group}/{version}" if resource.group else version
    name = resource.name
    many = before + count >= _MANY
    for number, item in enumerate(items, before):
        metadata = item.get("metadata") if isinstance(item, dict) else None
        space = (metadata.get("namespace") or "") if isinstance(metadata, dict) else ""
        if not isinstance(metadata, dict) or not isinstance(metadata.get("name"), str) or not isinstance(space, str):
            message = f"item {number} of the list of {name} has no text for its name, or none for its namespace"
            raise FairshareError(Problem(message, server, _REMEDY))
        key = ObjectKey(resource.group, resource.kind, _shared(space), metadata["name"])
        metadata.pop(_OF_WRITERS, None)
        whole = {"apiVersion": api_version, "kind": resource.kind, **item}
        data = whole if resource.kept is None else resource.kept(whole)
        content = _packed(key, data) if many else data
        stored_at = version_number(metadata.get("resourceVersion"))
        yield Manifest(key, version, content, Origin(name, number)), stored_at


def version_number(text: Json) -> int:
    """A resourceVersion as a number; 0 for one that is not, or is larger than a server's store counts."""
    return int(text) if isinstance(text, str) and text.isdecimal() and len(text) < _LONGEST else 0


def _packed(key: ObjectKey, data: dict[str, Json]) -> Packed:
    """An object of a long list as its text, which takes a tenth of the memory."""
    stored = bool(inside(data, "metadata", "resourceVersion"))
    return Packed(packed_text(data), _kind(_shared(data["apiVersion"]), key.kind, stored), key.namespace, key.name)


@lru_cache(maxsize=64)
def _kind(api_version: str, kind: str, stored: bool) -> PackedKind:
    return PackedKind(api_version, kind, stored)


def _shared(text: Any) -> Any:
    """The same text for all objects that have it; anything else as it is."""
    return intern(text) if text.__class__ is str else text


def read_one(connection: Connection, resource: Resource, name: str) -> Listed:
    """One object of a kind, got by its name, as a list of one. Raises as ``document_at``."""
    version = resource.versions[0]
    document = document_at(connection, f"{resource.path(version)}/{name}")
    numbered = list(_manifests(connection.server, resource, version, 0, 1, [document]))
    manifests, versions = (manifest for manifest, _ in numbered), (number for _, number in numbered)
    return Listed(resource, version, tuple(manifests), array("Q", versions), "")
