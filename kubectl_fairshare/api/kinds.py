"""The kinds that an API serves: a scheduler's house lists its own, everything else about them is derived."""

from collections.abc import Iterable
from functools import cache, cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.values import Value

if TYPE_CHECKING:  # a house lists its kinds wherever it is imported; structures are for those that need them
    from kubectl_fairshare.api.structures.library import Changes, Library, Rules
    from kubectl_fairshare.api.structures.structure import Struct

STATUS: Final = "status"


class Kind(NamedTuple):
    """A kind: its names for us and for kubectl, whether its objects are namespaced, and the versions that are served.

    Objects are stored in the last version. ``deprecation`` is the server's warning about writes in the others.
    """

    name: str
    group: str
    versions: tuple[str, ...]
    namespaced: bool = False
    plural: str = ""
    short: tuple[str, ...] = ()
    deprecation: str = ""


class Served(Value, frozen=True, eq=False):
    """A kind of an API in one of its versions, with its structure there.

    ``has_status``: the status is a subresource; every status is one. ``is_stored``: objects are stored in this version;
    then ``deprecation`` is empty.
    """

    api: "Api"
    kind: str
    version: str
    struct: "Struct"
    namespaced: bool
    has_status: bool
    is_stored: bool
    deprecation: str

    @property
    def stored(self) -> "Served":
        """The same kind in the version in which its objects are stored."""
        return _served(self.api, self.api.kinds[self.kind].versions[-1], self.kind)


class Api:
    """The kinds of a scheduler's API. Each has one file of structures per version: ``folder/VERSION/KIND.json``.

    ``changes`` are what a release has otherwise in these files. Compared by identity.
    """

    def __init__(
        self, folder: str, rules: "Rules", kinds: Iterable[Kind], changes: "Changes" = MappingProxyType({})
    ) -> None:
        self.folder = folder
        self.rules = rules
        self.kinds = {kind.name: kind for kind in kinds}
        self.changes = changes

    @cached_property
    def library(self) -> "Library":
        """The files of the structures."""
        from kubectl_fairshare.api.structures.library import Library

        return Library(self.folder, self.rules, self.changes)

    def served(self, data: JsonObject) -> Served | None:
        """The kind of an object in the version in which it is written; None if that is not served."""
        group, version, name = identity(data)
        kind = self.kinds.get(name)
        if kind is None or group != kind.group or version not in kind.versions:
            return None
        return _served(self, version, kind.name)

    def structure(self, version: str, kind: str) -> "Struct":
        """The structure of a kind in a served version; its file is read on first use."""
        return _served(self, version, kind).struct


@cache
def _served(api: Api, version: str, name: str) -> Served:
    kind, struct = api.kinds[name], api.library.struct(f"{version}/{name}", name)
    is_stored = version == kind.versions[-1]
    deprecation = "" if is_stored else kind.deprecation
    return Served(api, name, version, struct, kind.namespaced, STATUS in struct.fields, is_stored, deprecation)


def identity(data: JsonObject) -> tuple[str, str, str]:
    """Group, version and kind; the kind is empty if it is not a text, as a patch may make it."""
    group, _, version = str(data.get("apiVersion")).rpartition("/")
    kind = data.get("kind")
    return group, version, kind if isinstance(kind, str) else ""
