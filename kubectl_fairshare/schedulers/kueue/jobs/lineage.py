"""The Workloads of an object: its own, its owners', or those of the objects that it owns.

Source: Kueue v0.19 integrations: a Workload names its job in ``ownerReferences`` and in a label; pods of a
group name their Workload, and a job may name a prebuilt one.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias, TypedDict

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.kinds import UNKNOWN
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.packed import Packed
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kueue.jobs.grouping import GROUP_NAME
from kubectl_fairshare.schedulers.kueue.jobs.names import PREBUILT_KEY, workload_name
from kubectl_fairshare.schedulers.kueue.jobs.ownership import JOB_UID, workloads_of
from kubectl_fairshare.schedulers.kueue.jobs.record import is_workload
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP

QUEUE_LABEL: Final = f"{GROUP}/queue-name"


class _RelatedMetadata(TypedDict, total=False):
    uid: Json
    labels: Json
    annotations: Json
    ownerReferences: Json


class RelatedFields(TypedDict, total=False):
    """The fields of an object that say whose it is: of ten thousand packed ones, no other is decoded."""

    metadata: _RelatedMetadata


class _OwnerFields(Value, frozen=True, gc=False):
    """What names an owner."""

    apiVersion: str = ""  # noqa: N815 -- as the text has it
    kind: str = ""
    name: str = ""


class _MetadataFields(Value, frozen=True, gc=False):
    """Who owns an object."""

    labels: dict[str, str] | None = None
    ownerReferences: list[_OwnerFields] | None = None  # noqa: N815


class _OwnedFields(Value, frozen=True, gc=False):
    """The owners that a packed object names, read in a quarter of the time that its fields take one by one."""

    metadata: _MetadataFields


class _OwnerReference(NamedTuple):
    """One ownerReference."""

    key: ObjectKey
    uid: str
    controller: bool


class Kin(Value, frozen=True):
    """An object of the input, or an owner that only others name (``manifest`` None)."""

    key: ObjectKey
    uid: str
    manifest: Manifest | None


_Known: TypeAlias = tuple[ObjectKey, str, bool]
"""A relative: its key, the UID by which it is known, and whether the input has it."""


def _known(of: Kin) -> _Known:
    return of.key, of.uid, of.manifest is not None


class _Workloads(NamedTuple):
    """The Workloads of an input: by the UID of a job in their label, and by namespace and what names are made from."""

    by_job_uid: dict[str, list[Manifest]]
    by_prefix: dict[tuple[str, str], list[Manifest]]


class Family:
    """The ownership among the objects of an input.

    Of a hundred thousand objects no more is kept than who has which children: few are asked about, and their texts say
    the rest.
    """

    def __init__(self, manifests: Iterable[Manifest]) -> None:
        self._manifests = {m.key: m for m in manifests}
        self._children: dict[ObjectKey, Manifest | list[Manifest]] = {}
        self._named: dict[ObjectKey, dict[ObjectKey, list[str]]] = {}
        self._bare: dict[_Known, bool] = {}
        self._controllers: dict[ObjectKey, Kin | None] = {}
        self._leading: dict[ObjectKey, bool] = {}
        self._own: dict[_Known, bool] = {}
        for manifest in self._manifests.values():
            for owner in _owner_keys(manifest):
                self._note_child(owner, manifest)

    def _note_child(self, owner: ObjectKey, child: Manifest) -> None:
        known = self._children.setdefault(owner, child)
        if isinstance(known, list):
            if known[-1] is not child:
                known.append(child)
        elif known is not child:
            self._children[owner] = [known, child]

    def _children_of(self, owner: ObjectKey) -> Iterator[tuple[Manifest, str]]:
        """Those that name an owner, each with the UID by which they do."""
        known = self._children.get(owner, ())
        for child in (known,) if isinstance(known, Manifest) else known:
            yield from ((child, uid) for uid in self._uids_named_by(child).get(owner, ()))

    def _uids_named_by(self, child: Manifest) -> Mapping[ObjectKey, list[str]]:
        """The owners of an object, each with the UIDs that it names; where there are several, each may ask for it."""
        found = self._named.get(child.key)
        if found is None:
            found = {}
            for owner in _owners(_root(child)):
                found.setdefault(owner.key, []).append(owner.uid)
            if len(found) > 1:
                self._named[child.key] = found
        return found

    @cached_property
    def _workloads(self) -> _Workloads:
        found = _Workloads(defaultdict(list), defaultdict(list))
        for manifest in self._manifests.values():
            if is_workload(manifest.key):
                found.by_job_uid[_label(_root(manifest), JOB_UID)].append(manifest)
                found.by_prefix[manifest.key.namespace, manifest.key.name[: -len(UNKNOWN)]].append(manifest)
        return found

    @property
    def owners(self) -> Iterator[ObjectKey]:
        """Every owner that an object names and that the input lacks."""
        return (key for key in self._children if key not in self._manifests)

    def kin(self, key: ObjectKey) -> Kin | None:
        """The object with that key, if the input has it or names it as an owner."""
        manifest = self._manifests.get(key)
        if manifest is not None:
            return Kin(key, _uid(manifest), manifest)
        return next((Kin(key, uid, None) for _, uid in self._children_of(key)), None)

    def ancestors(self, of: Kin) -> tuple[Kin, ...]:
        """The controllers above an object, nearest first."""
        return tuple(self._climbed(of))

    def _climbed(self, of: Kin) -> Iterator[Kin]:
        seen, at = {of.key}, self._next(of)
        while at is not None and at.key not in seen:
            seen.add(at.key)
            yield at
            at = self._next(at)

    def _controller(self, of: Kin) -> Kin | None:
        """The controller of an object; without one, the first of its owners."""
        owners = () if of.manifest is None else _owners(_root(of.manifest))
        first = min(owners, key=lambda owner: (not owner.controller, owner.key), default=None)
        return None if first is None else self._above(first)

    def _above(self, owner: _OwnerReference) -> Kin:
        manifest = self._manifests.get(owner.key)
        if manifest is not None and owner.uid and _uid(manifest) not in ("", owner.uid):
            manifest = None  # a later object of the same name
        return Kin(owner.key, owner.uid, manifest)

    def workloads(self, of: Kin) -> tuple[ObjectKey, ...]:
        """The Workloads of an object, sorted: its own, else its nearest owner's, else those of the objects it owns."""
        if is_workload(of.key):
            return (of.key,)
        for kin in (of, *self.ancestors(of)):
            found = self._direct(kin)
            if found:
                return found
        return tuple(sorted({key for child in self._below(of) for key in self._direct(child)}))

    def has_workloads(self, of: Kin) -> bool:
        """Whether ``workloads`` has any, of an object of the input.

        Where all are asked about, each relative is looked at once: the owners of a stranger's jobs may be in a ring.
        """
        return is_workload(of.key) or self._is_led(of) or self._leads(of)

    def _is_led(self, of: Kin) -> bool:
        """Whether the object or one of those above it has a Workload."""
        return not self._is_bare(of) and any(self._has(each) for each in (of, *self._climbed(of)))

    def _is_bare(self, of: Kin) -> bool:
        """Whether neither the object nor any that one comes to from it has one, in a ring by whatever UID."""
        passed: dict[_Known, None] = {}
        at: Kin | None = of
        while at is not None and (known := _known(at)) not in self._bare and known not in passed:
            passed[known] = None
            if self._has(at):
                self._bare.update(dict.fromkeys(passed, False))
                return False
            at = self._next(at)
        bare = at is None or self._bare.get(_known(at), True)
        self._bare.update(dict.fromkeys(passed, bare))
        return bare

    def _has(self, of: Kin) -> bool:
        known = _known(of)
        if known not in self._own:
            self._own[known] = bool(self._direct(of))
        return self._own[known]

    def _next(self, of: Kin) -> Kin | None:
        if of.manifest is None:
            return None
        if of.key not in self._controllers:
            self._controllers[of.key] = self._controller(of)
        return self._controllers[of.key]

    def _leads(self, of: Kin) -> bool:
        """Whether an object that this one owns, directly or not, has a Workload."""
        if of.key not in self._leading:
            above: dict[ObjectKey, list[ObjectKey]] = {}
            todo, found, having = [of], {of.key}, set[ObjectKey]()
            while todo:
                kin = todo.pop()
                for child in self._owned(kin):
                    above.setdefault(child.key, []).append(kin.key)
                    if self._has(child):
                        having.add(child.key)
                    if child.key not in found and child.key not in self._leading:
                        found.add(child.key)
                        todo.append(child)
            leading: set[ObjectKey] = set()
            rising = [key for key in above if key in having or self._leading.get(key)]
            while rising:
                fresh = set(above.get(rising.pop(), ())) - leading
                leading |= fresh
                rising += fresh
            self._leading.update((key, key in leading) for key in found)
        return self._leading[of.key]

    def _direct(self, of: Kin) -> tuple[ObjectKey, ...]:
        named = {m.key for m, uid in self._children_of(of.key) if is_workload(m.key) and _same(uid, of.uid)}
        stand_in = Manifest(of.key, "", {"metadata": {"name": of.key.name, "uid": of.uid}}, Origin("", 0))
        named.update(workloads_of(of.manifest or stand_in, self._likely(of)))
        if of.manifest is not None:
            named.update(self._named_workloads(of.manifest))
        return tuple(sorted(named))

    def _likely(self, of: Kin) -> list[Manifest]:
        """The Workloads that may belong to the object, by a label or by their name."""
        prefix = workload_name(of.key, "").removesuffix(UNKNOWN)
        by_name = self._workloads.by_prefix.get((of.key.namespace, prefix), [])
        return [*(self._workloads.by_job_uid.get(of.uid, ()) if of.uid else ()), *by_name]

    def _named_workloads(self, manifest: Manifest) -> Iterator[ObjectKey]:
        """The Workloads that an object names itself: a prebuilt one, or that of its pod group."""
        metadata = _root(manifest).at("metadata")
        for name in (PREBUILT_KEY, GROUP_NAME):
            for field in (metadata.at("labels"), metadata.at("annotations")):
                key = ObjectKey(GROUP, "Workload", manifest.key.namespace, field.at(name).text())
                if key in self._manifests:
                    yield key

    def _below(self, of: Kin) -> list[Kin]:
        """The objects that an object owns, directly or not, without Workloads."""
        found: list[Kin] = []
        seen = {of.key}
        level = [of]
        while level:
            level = [child for kin in level for child in self._owned(kin) if child.key not in seen]
            seen.update(kin.key for kin in level)
            found += level
        return found

    def _owned(self, of: Kin) -> Iterator[Kin]:
        """The objects that name this one as an owner, without Workloads."""
        for child, uid in self._children_of(of.key):
            if not is_workload(child.key) and _same(uid, of.uid):
                yield Kin(child.key, _uid(child), child)

    def names_queue(self, of: Kin) -> bool:
        """Whether the object itself names a LocalQueue."""
        return of.manifest is not None and bool(_queue(of.manifest))

    def job_behind(self, of: Kin) -> Kin:
        """The object that Kueue treats as the job: the outermost owner that names a queue, else the object itself."""
        labelled = [k for k in (of, *self.ancestors(of)) if k.manifest is not None and _queue(k.manifest)]
        return labelled[-1] if labelled else next((k for k in self.ancestors(of)[::-1] if k.manifest), of)


def _root(manifest: Manifest) -> Field:
    return Field(manifest.key, (), manifest.passing_fields(RelatedFields))


def _owner_keys(manifest: Manifest) -> list[ObjectKey]:
    """The owners of an object. Raises ``FairshareError`` for what names them, or a Workload's job, in a wrong type."""
    if isinstance(manifest.held_data, Packed):
        try:
            owners = manifest.read_as(_OwnedFields).metadata.ownerReferences or ()
        except ValueError:
            pass  # the fields, one by one, say what is wrong, if anything is
        else:
            return [_owner_key(manifest.key, o.apiVersion, o.kind, o.name) for o in owners if o.kind and o.name]
    root = _root(manifest)
    if is_workload(manifest.key):
        _label(root, JOB_UID)
    return [owner.key for owner in _owners(root)]


def _owner_key(of: ObjectKey, api_version: str, kind: str, name: str) -> ObjectKey:
    return ObjectKey(sys.intern(api_version.rpartition("/")[0]), sys.intern(kind), of.namespace, name)


def _owners(root: Field) -> Iterator[_OwnerReference]:
    """The owners of an object; an entry without kind or name is ignored."""
    for field in root.at("metadata", "ownerReferences").entries():
        version, kind, name = field.at("apiVersion").text(), field.at("kind").text(), field.at("name").text()
        if kind and name:
            key = _owner_key(root.owner, version, kind, name)
            yield _OwnerReference(key, field.at("uid").text(), field.at("controller").flag())


def _uid(manifest: Manifest) -> str:
    return _root(manifest).at("metadata", "uid").text()


def _queue(manifest: Manifest) -> str:
    return _label(_root(manifest), QUEUE_LABEL)


def _label(root: Field, name: str) -> str:
    return root.at("metadata", "labels").at(name).text()


def _same(one: str, other: str) -> bool:
    return not one or not other or one == other
