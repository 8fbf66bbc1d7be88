"""Fields, values, labels and annotations of objects that the reproduced releases do not have.

A newer release may decide by them, so an answer that rests on such an object is not exact. What is known comes from the
structures of the API, and from the names that a scheduler reads in its own domains. A status is what controllers write,
so a new field of it decides nothing, with few exceptions.

Source: Kubernetes 1.35; the values of ``CHOICES`` are those that its API server accepts.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache, partial
from typing import Final, TypeAlias

from kubectl_fairshare.api.kinds import STATUS, Api, identity
from kubectl_fairshare.api.known_types import KnownTypes, Member
from kubectl_fairshare.api.structures.library import SHARED
from kubectl_fairshare.api.structures.structure import Array, Map, Shape, String, Struct
from kubectl_fairshare.model.json import FieldPath, Json, JsonObject
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.packed import Packed

# Appends the paths of unknown parts of a value that is at a path.
Finder: TypeAlias = Callable[[Json, FieldPath, list[FieldPath]], None]

_OBJECTS: Final = "api/objects"
_SCHEDULER: Final = "api/scheduler"
_SHARED_KINDS: Final = frozenset(
    {
        *(("", kind) for kind in ("LimitRange", "Namespace", "Node", "Pod", "ResourceQuota")),
        ("node.k8s.io", "RuntimeClass"),
        ("policy", "PodDisruptionBudget"),
        ("resource.k8s.io", "DeviceClass"),
        ("resource.k8s.io", "ResourceClaimTemplate"),
        ("scheduling.k8s.io", "PriorityClass"),
    }
)
_EFFECTS: Final = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_OPERATORS: Final = ("In", "NotIn", "Exists", "DoesNotExist")
_POLICIES: Final = ("Honor", "Ignore")
CHOICES: Final = {
    ("Taint", "effect"): _EFFECTS,
    ("Toleration", "effect"): ("", *_EFFECTS),
    ("Toleration", "operator"): ("", "Equal", "Exists"),
    ("NodeSelectorRequirement", "operator"): (*_OPERATORS, "Gt", "Lt"),
    ("LabelSelectorRequirement", "operator"): _OPERATORS,
    ("TopologySpreadConstraint", "whenUnsatisfiable"): ("DoNotSchedule", "ScheduleAnyway"),
    ("TopologySpreadConstraint", "nodeAffinityPolicy"): _POLICIES,
    ("TopologySpreadConstraint", "nodeTaintsPolicy"): _POLICIES,
    ("PodSpec", "preemptionPolicy"): ("", "Never", "PreemptLowerPriority"),
    ("ServedPodSpec", "preemptionPolicy"): ("", "Never", "PreemptLowerPriority"),
}
"""The values of fields of Kubernetes for which no CustomResourceDefinition lists any."""
_OF_PODS: Final = frozenset(
    {
        *("affinity", "containers", "initContainers", "preemptionPolicy", "resourceClaims", "resources"),
        *("schedulingGates", "schedulingGroup", "tolerations", "topologySpreadConstraints", "volumes"),
    }
)
_LOOKED_INTO: Final[Mapping[str, frozenset[str]]] = {
    "Container": frozenset({"ports", "resources"}),
    "PodSpec": _OF_PODS,
    "ServedPodSpec": _OF_PODS,
    "Volume": frozenset(),
}
"""The fields of pods whose insides decide, by structure: the others are for the kubelet."""
_METADATA: Final = ("ObjectMeta", "TemplateMeta")
_MARKED: Final = ("labels", "annotations")
_POD_SPEC: Final = "containers"


class KnownParts:
    """What a scheduler knows of objects: the kinds of its ``apis`` and of Kubernetes, and ``marks``.

    ``marks`` are the labels and annotations that it reads, or writes, by the prefix that all of its own have.
    ``recorded`` names the fields of a status that decide, by kind; in the kinds that are ``unmarked``, users choose
    the labels. Compared by identity.
    """

    def __init__(
        self,
        apis: Iterable[Api],
        marks: Mapping[str, frozenset[str]],
        recorded: Mapping[str, tuple[str, ...]] | None = None,
        unmarked: Collection[str] = ("Namespace", "Node"),
    ) -> None:
        self.apis = tuple(apis)
        self.marks = marks
        self.recorded = recorded or {}
        self.unmarked = frozenset(unmarked)
        self._prefixes = tuple(marks)
        self._of_struct = cache(self._struct_finder)
        self._types = KnownTypes(looked_into, self._are_marks, _METADATA)

    def places(self, manifest: Manifest) -> tuple[Place, ...]:
        """The places of what is unknown in an object."""
        held = manifest.held_data
        if isinstance(held, Packed) and self._types.fits(held, partial(self._members, manifest)):
            return ()
        return tuple(Place(manifest.key, path) for path in self.paths(manifest.passing_data))

    def paths(self, data: JsonObject) -> list[FieldPath]:
        """The paths of what is unknown in an object; in one of another kind, of what is in its pods."""
        found: list[FieldPath] = []
        struct = self._structure(*identity(data))
        if struct is None:
            self._find_in_pods(data, (), found)
        else:
            self._find_in_object(struct, data, found)
        return found

    def _members(self, manifest: Manifest) -> Mapping[str, Member] | None:
        """The members of the objects of a kind, as they are looked into."""
        struct = self._structure(*identity(manifest.passing_data))
        if struct is None:
            return None
        members: dict[str, Member] = {name: field.shape for name, field in struct.fields.items()}
        status = members.get(STATUS)
        known = status.fields if isinstance(status, Struct) else {}
        read = tuple(name for name in self.recorded.get(struct.name, ()) if name in known)
        members[STATUS] = (status, read) if isinstance(status, Struct) else None
        return members | {"metadata": None} if struct.name in self.unmarked else members

    def below(self, struct: Struct, value: Json, path: FieldPath) -> list[FieldPath]:
        """The paths of what is unknown in a value at a path, which should have the structure."""
        found: list[FieldPath] = []
        self._of_struct(struct)(value, path, found)
        return found

    def _structure(self, group: str, version: str, name: str) -> Struct | None:
        if (group, name) in _SHARED_KINDS:
            return SHARED.struct(_OBJECTS, name)
        for api in self.apis:
            kind = api.kinds.get(name)
            if kind is not None and kind.group == group and version in kind.versions:
                return api.structure(version, kind.name)
        return None

    def _find_in_object(self, struct: Struct, data: JsonObject, found: list[FieldPath]) -> None:
        status = data.get(STATUS)
        apart = (STATUS, "metadata") if struct.name in self.unmarked else (STATUS,)
        self._of_struct(struct)({name: each for name, each in data.items() if name not in apart}, (), found)
        if not isinstance(status, dict) or STATUS not in struct.fields:
            return
        below = struct.fields[STATUS].shape
        for name in self.recorded.get(struct.name, ()):
            finder = self._finder(below.fields[name].shape) if isinstance(below, Struct) else None
            if finder is not None:
                finder(status.get(name), (STATUS, name), found)

    def _find_in_pods(self, value: Json, path: FieldPath, found: list[FieldPath]) -> None:
        """Looks for metadata and the specs of pods, wherever they are in a job."""
        if value.__class__ is list:
            for number, each in enumerate(value):
                self._find_in_pods(each, (*path, number), found)
        elif value.__class__ is dict:
            self._find_marks(value.get("metadata"), (*path, "metadata"), found)
            if isinstance(value.get(_POD_SPEC), list):
                self._of_struct(SHARED.struct(_OBJECTS, "ServedPodSpec"))(value, path, found)
                return
            for name, each in value.items():
                if name not in ("metadata", STATUS):
                    self._find_in_pods(each, (*path, name), found)

    def _find_marks(self, metadata: Json, path: FieldPath, found: list[FieldPath]) -> None:
        for part in _MARKED if metadata.__class__ is dict else ():
            names = metadata.get(part)
            own = (name for name in names if name.startswith(self._prefixes)) if names.__class__ is dict else ()
            found.extend((*path, part, name) for name in own if not self._is_mark(name))

    def _are_marks(self, names: Iterable[str]) -> bool:
        return all(map(self._is_mark, (name for name in names if name.startswith(self._prefixes))))

    def _is_mark(self, name: str) -> bool:
        prefix = self.prefix_of(name)
        return name.removeprefix(prefix) in self.marks[prefix]

    def prefix_of(self, name: str) -> str:
        """The scheduler's prefix that a label or an annotation has; empty for one of others."""
        return next((prefix for prefix in self._prefixes if name.startswith(prefix)), "")

    def _finder(self, shape: Shape, choices: tuple[str, ...] = ()) -> Finder | None:
        """What looks into values of a shape; None where no value has an unknown part."""
        if isinstance(shape, Struct):
            return self._find_marks if shape.name in _METADATA else self._of_struct(shape)
        if isinstance(shape, Array | Map):
            inner = self._finder(shape.items if isinstance(shape, Array) else shape.values)
            return None if inner is None else _entries_finder(inner)
        allowed = (shape.choices if isinstance(shape, String) else ()) or choices
        return _choice_finder(frozenset(allowed)) if allowed else None

    def _struct_finder(self, struct: Struct) -> Finder:
        finders = _Finders(self, struct)

        def find(value: Json, path: FieldPath, found: list[FieldPath]) -> None:
            if value.__class__ is not dict:
                return
            for name, each in value.items():
                if each is None:
                    continue
                finder = finders[name]
                if finder is not None:
                    finder(each, (*path, name), found)

        return find

    def of_field(self, struct: Struct, name: str) -> Finder | None:
        """What looks at a field of a structure: at one that the structure lacks, too."""
        if name not in struct.fields:
            return _unknown
        found = looked_into(struct, name)
        return None if found is None else self._finder(*found)


def looked_into(struct: Struct, name: str) -> tuple[Shape, tuple[str, ...]] | None:
    """The shape of a field, with the values that Kubernetes has for it; None where no part of it decides."""
    if name not in _LOOKED_INTO.get(struct.name, struct.fields):
        return None
    return struct.fields[name].shape, CHOICES.get((struct.name, name), ())


class _Finders(dict[str, Finder | None]):
    """What looks at the fields of a structure, each made when an object has the field: a pod has few of hundreds."""

    def __init__(self, known: KnownParts, struct: Struct) -> None:
        super().__init__()
        self._known = known
        self._struct = struct

    def __missing__(self, name: str) -> Finder | None:
        finder = self._known.of_field(self._struct, name)
        if finder is not _unknown:  # the names that a structure lacks are without end
            self[name] = finder
        return finder


def _unknown(_: Json, path: FieldPath, found: list[FieldPath]) -> None:
    found.append(path)


def _entries_finder(inner: Finder) -> Finder:
    def find(value: Json, path: FieldPath, found: list[FieldPath]) -> None:
        if value.__class__ is list:
            for number, each in enumerate(value):
                inner(each, (*path, number), found)
        elif value.__class__ is dict:
            for name, each in value.items():
                inner(each, (*path, name), found)

    return find


def _choice_finder(allowed: frozenset[str]) -> Finder:
    def find(value: Json, path: FieldPath, found: list[FieldPath]) -> None:
        if value.__class__ is str and value not in allowed:
            found.append(path)

    return find


def scheduler_struct(name: str) -> Struct | None:
    """A structure of Kubernetes' scheduler configuration; None for a name that it does not have."""
    try:
        return SHARED.struct(_SCHEDULER, name)
    except KeyError:
        return None
