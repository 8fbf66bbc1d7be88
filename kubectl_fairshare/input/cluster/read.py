"""A cluster as a reading: every list that a command needs, in parallel, with notes on what is missing."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import Final, TypeVar

from kubectl_fairshare.input.cluster import installed, notes
from kubectl_fairshare.input.cluster.access import Access
from kubectl_fairshare.input.cluster.connection import CONNECTIONS, Connection, Patience, Refused
from kubectl_fairshare.input.cluster.kubeconfig import namespace_of_context
from kubectl_fairshare.input.cluster.lists import PAGE, Listed, read_list, read_one
from kubectl_fairshare.input.cluster.parallel import results
from kubectl_fairshare.input.cluster.resources import NAMESPACES, ClusterReads, Objects, Resource, Settings, needs
from kubectl_fairshare.input.extent import Extent, Unread
from kubectl_fairshare.input.files.raw_bytes import Budget
from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import Value

T = TypeVar("T")
_FORBIDDEN: Final = (401, 403)
_ABSENT: Final = (404, 405)
_UNSAID: Final = "the API server gives no reason"
_SLACK: Final = 20.0
"""Seconds of silence beyond what requests may take: for the pauses between them."""


class Query(Value, frozen=True):
    """What is asked of a cluster: a command's lists, in pages of so many objects, of no more than so many bytes."""

    command: str
    max_input: int
    page: int = PAGE
    patience: Patience | None = None


class KindRead(Value, frozen=True):
    """What there was of one kind. ``forbidden`` is what the server said, ``only`` the one namespace that it is of."""

    resource: Resource
    found: Listed | None = None
    forbidden: str = ""
    only: str = ""


def read_cluster(access: Access, asked: Query, schedulers: KnownSchedulers) -> Reading:
    """All objects of the cluster that the command's answers rest on, as far as we may read them.

    Raises ``UsageError`` where no cluster is meant, ``FairshareError`` where it can't be reached, or where
    nothing of any scheduler can be read.
    """
    with closing(_Cluster(access, asked, schedulers)) as cluster:
        return cluster.reading()


class _Cluster:
    """One cluster while it is read. ``_home`` is the namespace that is left where others are forbidden."""

    def __init__(self, access: Access, asked: Query, schedulers: KnownSchedulers) -> None:
        self._access = access
        self._asked = asked
        self._schedulers = schedulers
        self._home = namespace_of_context(access)
        self._connection = Connection(access, Budget(asked.max_input), asked.patience)

    def close(self) -> None:
        """Closes the connections to it."""
        self._connection.close()

    def reading(self) -> Reading:
        """Everything, in order. Raises as ``read_cluster``."""
        (groups,) = self._side_by_side([lambda: installed.served_versions(self._connection)])
        reads = {each.name: each.cluster() for each in self._schedulers}
        reads = {name: each for name, each in reads.items() if groups is None or each.group in groups}
        if not reads:
            raise FairshareError(self._not_installed())
        resources = needs(self._asked.command, reads.values())
        resources = tuple(r for r in resources if groups is None or not r.group or r.group in groups)
        tasks: list[Callable[[], KindRead | str | dict[str, Settings]]] = [
            partial(self._read_kind, r, groups) for r in resources if r.beside is None
        ]
        tasks.append(lambda: installed.kubernetes(self._connection))
        early = {name: each for name, each in reads.items() if not each.settings_need}
        tasks += [partial(self._settings, n, each, lambda *_: None) for n, each in early.items()]
        found = self._side_by_side(tasks)
        had = [each for each in found if isinstance(each, KindRead)]
        beside = [r for r in resources if r.beside is not None and _objects(had, *r.beside)]
        had = [*self._side_by_side([partial(self._read_kind, r, groups) for r in beside]), *had]
        version = next(each for each in found if isinstance(each, str))
        self._check(had, reads.values())
        objects = partial(_objects, had)
        late = [partial(self._settings, n, each, objects) for n, each in reads.items() if each.settings_need]
        settings = {n: s for each in found if isinstance(each, dict) for n, s in each.items()}
        settings |= {n: s for each in self._side_by_side(late) for n, s in each.items()}
        return self._reading(had, version, reads, {name: settings[name] for name in reads})

    def _settings(self, name: str, reads: ClusterReads, objects: Objects) -> dict[str, Settings]:
        """What configures a scheduler, by its name."""
        home = next(each.home for each in self._schedulers if each.name == name)
        namespace = self._access.namespaces.get(name, home.namespace)
        return {name: reads.settings(self._connection, namespace, objects)}

    def _side_by_side(self, tasks: Sequence[Callable[[], T]]) -> list[T]:
        limit = self._access.request_timeout
        patience = 2 * limit + _SLACK if limit else None
        return results(tasks, CONNECTIONS, patience, lambda: self._connection.heard)

    def _read_kind(self, resource: Resource, groups: Mapping[str, tuple[str, ...]] | None) -> KindRead:
        """One kind, of all namespaces, otherwise of our own."""
        home = self._home if resource.at_home else ""
        try:
            return KindRead(resource, self._read_served(resource, groups, home))
        except Refused as refused:
            if refused.status not in _FORBIDDEN:
                raise FairshareError(self._unforeseen(resource, refused)) from None
            if self._access.everywhere or resource.at_home:
                return KindRead(resource, forbidden=refused.message or _UNSAID)
            return self._read_at_home(resource, groups, refused)

    def _read_at_home(
        self, resource: Resource, groups: Mapping[str, tuple[str, ...]] | None, refused: Refused
    ) -> KindRead:
        """What may be read of a kind that may not be listed in whole."""
        try:
            if resource == NAMESPACES:
                return KindRead(resource, read_one(self._connection, resource, self._home), only=self._home)
            if resource.namespaced:
                return KindRead(resource, self._read_served(resource, groups, self._home), only=self._home)
        except Refused as again:
            if again.status not in (*_FORBIDDEN, *_ABSENT):
                raise FairshareError(self._unforeseen(resource, again)) from None
        return KindRead(resource, forbidden=refused.message or _UNSAID)

    def _read_served(
        self, resource: Resource, groups: Mapping[str, tuple[str, ...]] | None, namespace: str
    ) -> Listed | None:
        """The list in the first version that is served; None where none is: then there are no objects."""
        known = None if groups is None else groups.get(resource.group)
        for version in resource.versions:
            if known is not None and version not in known:
                continue
            try:
                return read_list(self._connection, resource, version, namespace, self._asked.page)
            except Refused as refused:
                if refused.status not in _ABSENT:
                    raise
        return None

    def _unforeseen(self, resource: Resource, refused: Refused) -> Problem:
        message = f"the API server refuses the list of `{resource.name}` ({refused.status}): {refused.message}"
        return Problem(message, self._connection.server, f"check with `kubectl get {resource.name} -A`")

    def _check(self, had: Sequence[KindRead], reads: Iterable[ClusterReads]) -> None:
        """Raises ``FairshareError`` where nothing of any scheduler may be read."""
        groups = {each.group for each in reads}
        own = [h for h in had if h.resource.group in groups]
        if any(h.found is not None for h in own):
            return
        refused = [h.forbidden for h in own if h.forbidden]
        if not refused:
            raise FairshareError(self._not_installed())
        remedy = f"`kubectl fairshare rbac {self._asked.command}` prints the role that permits it"
        message = f"you may not read anything that the answer needs: {refused[0]}"
        raise FairshareError(Problem(message, self._connection.server, remedy))

    def _not_installed(self) -> Problem:
        remedy = "install one, select another cluster with `--context`, or pass manifests with `-f`"
        message = f"the cluster serves no API of a supported scheduler: {self._schedulers.titles()}"
        return Problem(message, self._connection.server, remedy)

    def _reading(
        self, had: Sequence[KindRead], version: str, reads: Mapping[str, ClusterReads], settings: Mapping[str, Settings]
    ) -> Reading:
        texts = notes.UNKNOWN | {kind: text for each in reads.values() for kind, text in each.unknown.items()}
        hidden = [unread for each in settings.values() for unread in each.unread]
        listed = sorted({*_unread(had), *(each for each in hidden if each.kind in texts)})
        own = {group for each in self._schedulers for group in each.namespaced}
        said = [
            *notes.unknown(listed, texts, self._asked.command),
            *notes.not_served([h.resource for h in had if h.found is None and not h.forbidden], reads.values(), own),
            *notes.changed_meanwhile([h.found for h in had if h.found is not None], own),
            *(note for each in settings.values() for note in each.notes),
        ]
        if all(each.idle for each in settings.values()):
            said.append(notes.without_queues(", ".join(s.title for s in self._schedulers if s.name in reads)))
        releases = {name: each.release for name, each in settings.items()}
        extent = Extent(tuple(sorted({*listed, *hidden})), tuple(said), version, releases)
        return Reading(tuple(_distinct(had, settings.values())), Texts(), extent=extent)


def _objects(had: Sequence[KindRead], group: str, kind: str) -> tuple[Manifest, ...] | None:
    """The objects of a kind; None where they may not be read."""
    lists = [each for each in had if (each.resource.group, each.resource.kind) == (group, kind)]
    if any(each.forbidden for each in lists):
        return None
    return tuple(m for each in lists if each.found is not None for m in each.found.manifests)


def _distinct(had: Sequence[KindRead], settings: Iterable[Settings]) -> list[Manifest]:
    """Each object once, sorted; lists of one kind with different selectors may share some."""
    found: dict[ObjectKey, Manifest] = {}
    for each in had:
        for manifest in each.found.manifests if each.found is not None else ():
            found[manifest.key] = manifest
    found.update({manifest.key: manifest for each in settings for manifest in each.manifests})
    return [found[key] for key in sorted(found)]


def _unread(had: Sequence[KindRead]) -> Iterator[Unread]:
    for each in had:
        if each.forbidden:
            yield Unread(each.resource.kind)
        elif each.only:
            yield Unread(each.resource.kind, each.only)
