"""The kinds that can be asked for in a cluster, and which of them each command needs.

What ``rbac`` prints and what is read come from the same tables: one for all schedulers here, one in each house.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from kubectl_fairshare.input.extent import Unread
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import Value, field

if TYPE_CHECKING:
    from kubectl_fairshare.input.cluster.connection import Connection

COMMANDS: Final = ("shares", "plan", "why", "cycle", "forecast", "diff", "capacity", "lint", "trace", "snapshot")
"""What a cluster can be asked for; the last reads all that any other does."""


class Resource(Value, frozen=True):
    """One list. ``versions`` are those that are understood, the preferred first.

    ``labels`` and ``fields`` are selectors. With ``at_home`` only the namespace that is asked about is listed. With
    ``beside``, an API group and kind, the list is read only if the cluster has an object of that kind. ``kept`` gives
    the part of an object that is kept, where that is not the whole.
    """

    group: str
    versions: tuple[str, ...]
    plural: str
    kind: str
    namespaced: bool = True
    labels: str = ""
    fields: str = ""
    at_home: bool = False
    beside: tuple[str, str] | None = None
    kept: Callable[[dict[str, Json]], dict[str, Json]] | None = None

    @property
    def name(self) -> str:
        """Plural and group, ``jobs.batch``, as kubectl names it."""
        return f"{self.plural}.{self.group}" if self.group else self.plural

    @property
    def is_whole(self) -> bool:
        """Whether every object of the kind is listed."""
        return not (self.labels or self.fields or self.at_home or self.beside or self.kept)

    def path(self, version: str, namespace: str = "") -> str:
        """The path of the list, in all namespaces or one."""
        root = f"/apis/{self.group}/{version}" if self.group else f"/api/{version}"
        return f"{root}/namespaces/{namespace}/{self.plural}" if namespace else f"{root}/{self.plural}"


Objects: TypeAlias = Callable[[str, str], tuple[Manifest, ...] | None]
"""The objects of an API group and kind that were read; None where they may not be."""


class Settings(Value, frozen=True):
    """The settings of a scheduler outside its own kinds: what was found, what may not be read, and notes.

    ``release`` is the scheduler's, empty where it is not known; ``idle`` says that it has nothing to decide on.
    """

    manifests: tuple[Manifest, ...] = ()
    unread: tuple[Unread, ...] = ()
    notes: tuple[Problem, ...] = ()
    release: str = ""
    idle: bool = False


class ClusterReads(Value, frozen=True):
    """What one scheduler reads of a cluster.

    - ``group``: the API group that is served where it is installed
    - ``state``: what all its answers rest on; ``more``, what single commands need next to it
    - ``unknown``: by kind, what is unknown where it may not be read
    - ``settings``: reads its configuration, in a namespace; needs the objects of ``settings_need``, if any
    - ``deployment``, ``config_maps``: what it gets by name in the namespace that it runs in
    - ``definitions``: the CRDs that it gets by name where the Deployment does not say which release runs
    """

    group: str
    state: tuple[Resource, ...]
    settings: "Callable[[Connection, str, Objects], Settings]"
    deployment: str
    config_maps: tuple[str, ...] = ()
    definitions: tuple[str, ...] = ()
    settings_need: tuple[tuple[str, str], ...] = ()
    more: Mapping[str, tuple[Resource, ...]] = field(default_factory=dict)
    unknown: Mapping[str, str] = field(default_factory=dict)

    def resources(self, command: str) -> tuple[Resource, ...]:
        """What a command reads, one of ``COMMANDS``."""
        return (*self.state, *self.more.get(command, ()))


NAMESPACES: Final = Resource("", ("v1",), "namespaces", "Namespace", namespaced=False)
PODS: Final = Resource("", ("v1",), "pods", "Pod")
RESOURCE_QUOTAS: Final = Resource("", ("v1",), "resourcequotas", "ResourceQuota")
NODES: Final = Resource("", ("v1",), "nodes", "Node", namespaced=False)


def events_about(kind: str, fields: str = "") -> Resource:
    """The Events about objects of a kind; ``fields`` narrows them down."""
    return Resource("", ("v1",), "events", "Event", fields=f"involvedObject.kind={kind}{fields}")


_AROUND: Final = (
    NAMESPACES,
    Resource("", ("v1",), "limitranges", "LimitRange"),
    Resource("scheduling.k8s.io", ("v1",), "priorityclasses", "PriorityClass", namespaced=False),
    Resource("node.k8s.io", ("v1",), "runtimeclasses", "RuntimeClass", namespaced=False),
)
"""What the pods of every scheduler rest on."""
_AROUND_NEW: Final = {"plan": (RESOURCE_QUOTAS,), "snapshot": (RESOURCE_QUOTAS,)}
"""By command, what new pods need in addition."""
UNKNOWN: Final = {
    "LimitRange": "the default requests of pods",
    "Namespace": "the labels of namespaces",
    "Node": "the nodes",
    "Pod": "the running and waiting pods",
    "PriorityClass": "the priorities of PriorityClasses",
    "ResourceQuota": "which new pods and objects are rejected",
    "RuntimeClass": "the overhead of pods",
}
"""By kind, what is unknown where it may not be read, whatever the scheduler."""


def needs(command: str, schedulers: Iterable[ClusterReads]) -> tuple[Resource, ...]:
    """What a command reads where these schedulers are installed; lists that another holds in whole are left out."""
    known = command if command in COMMANDS else COMMANDS[-1]
    own = (resource for each in schedulers for resource in each.resources(known))
    wanted = [*_AROUND, *_AROUND_NEW.get(known, ()), *own]
    whole = {resource.name for resource in wanted if resource.is_whole}
    return tuple(dict.fromkeys(each for each in wanted if each.is_whole or each.name not in whole))
