"""The what-if of a pull request: objects that replace or extend a reading, and objects removed from it."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

from kubectl_fairshare.input.garbage import going_with
from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.phrases import likely, quoted, some_of

IsCalled: TypeAlias = Callable[[str, str, str], bool]
"""Whether a word names the kind of a group."""
_SHOWN: Final = 5
_REMADE: Final = "what controllers would make anew is not part of the answer: add it with `--overlay`"
_FORM = "write `KIND/NAME`, or `KIND/NAMESPACE/NAME`"


def overlay(base: Reading, changes: Reading, deletions: Sequence[str], schedulers: KnownSchedulers) -> Reading:
    """``base`` without what ``deletions`` names, and with the objects of ``changes`` added or in place of theirs.

    A deletion is ``KIND/NAME`` or ``KIND/NAMESPACE/NAME``, the kind in any form that kubectl takes. What a deleted
    object owns goes with it, and a note says so. Raises ``UsageError`` for each that names no object of ``base``, or
    several.
    """
    keys = [manifest.key for manifest in base.manifests]
    problems: list[Problem] = []
    deleted = _deleted(keys, deletions, problems, schedulers.is_called)
    if problems:
        raise UsageError(*problems)
    changed = {manifest.key for manifest in changes.manifests}
    deleted -= changed
    owned = tuple(key for key in going_with(deleted, base.manifests) if key not in changed)
    gone = changed.union(deleted, owned)
    kept = [manifest for manifest in base.manifests if manifest.key not in gone]
    manifests = sorted([*kept, *changes.manifests], key=lambda manifest: manifest.key)
    versions = [pair for pair in base.versions if pair[0].key not in gone]
    return Reading(
        tuple(manifests),
        Texts([*base.texts.values(), *changes.texts.values()]),
        (*versions, *changes.versions),
        (*base.empty, *changes.empty),
        (*base.foreign, *changes.foreign),
        extent=base.extent,
        releases={**changes.releases, **base.releases},
        deleted=base.deleted.union(deleted, owned).difference(changed),
        templates=(*base.templates, *changes.templates),
        unfilled=base.unfilled | changes.unfilled,
        outside=(*base.outside, *changes.outside),
        strangers=(*base.strangers, *changes.strangers),
        notes=(*base.notes, *changes.notes, *_told(owned)),
    )


def _told(owned: Sequence[ObjectKey]) -> tuple[Problem, ...]:
    if not owned:
        return ()
    names = some_of([str(key) for key in owned], _SHOWN)
    return (Problem(f"these go with what is deleted, as on a server: {names}", help=_REMADE),)


def _deleted(
    keys: Sequence[ObjectKey], deletions: Iterable[str], problems: list[Problem], is_called: IsCalled
) -> set[ObjectKey]:
    gone = set()
    for deletion in deletions:
        matches = _matches(keys, deletion, is_called)
        if len(matches) == 1:
            gone.add(matches[0])
        else:
            problems.append(_unclear(keys, deletion, matches, is_called))
    return gone


def _matches(keys: Sequence[ObjectKey], deletion: str, is_called: IsCalled) -> list[ObjectKey]:
    kind, *namespace, name = deletion.split("/") if "/" in deletion else (deletion, "")
    return [
        key
        for key in keys
        if key.name == name and namespace in ([], [key.namespace]) and is_called(key.group, key.kind, kind)
    ]


def _unclear(keys: Sequence[ObjectKey], deletion: str, matches: Sequence[ObjectKey], is_called: IsCalled) -> Problem:
    if matches:
        names = quoted(map(_form, matches))
        return Problem(f"`{deletion}` matches several objects", "--overlay-delete", f"choose one: {names}")
    near = quoted(_near(keys, deletion, is_called))
    remedy = f"did you mean {near}?" if near else _FORM
    return Problem(f"no object `{deletion}` in the input", "--overlay-delete", remedy)


def _near(keys: Sequence[ObjectKey], deletion: str, is_called: IsCalled) -> list[str]:
    """The objects that a deletion might have meant: those of its kind with a like name, otherwise similar names."""
    kind, _, rest = deletion.partition("/")
    forms = {_form(key): key.name for key in keys if is_called(key.group, key.kind, kind)}
    names = likely(rest.rpartition("/")[2], sorted(set(forms.values())), 3, 0.5)
    of_kind = [form for form, name in forms.items() if name in names][:3]
    return of_kind or likely(deletion.lower(), sorted({_form(key) for key in keys}))


def _form(key: ObjectKey) -> str:
    """How a deletion names an object in full."""
    path = f"{key.namespace}/{key.name}" if key.namespace else key.name
    return f"{key.kind.lower()}/{path}"
