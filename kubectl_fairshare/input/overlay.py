"""The what-if of a pull request: objects laid over a reading, and objects taken out of it."""

from collections.abc import Iterable, Sequence

from kubectl_fairshare.input.kinds import is_called
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.location import ObjectKey

_FORM = "write `KIND/NAME`, or `KIND/NAMESPACE/NAME`"


def overlay(base: Reading, changes: Reading, deletions: Sequence[str]) -> Reading:
    """``base`` without what ``deletions`` names, and with the objects of ``changes`` added or in place of theirs.

    A deletion is ``KIND/NAME`` or ``KIND/NAMESPACE/NAME``, the kind in any form that kubectl takes. Raises
    ``UsageError`` for each that names no object of ``base``, or several.
    """
    keys = [manifest.key for manifest in base.manifests]
    problems: list[Problem] = []
    gone = {changed.key for changed in changes.manifests} | _deleted(keys, deletions, problems)
    if problems:
        raise UsageError(*problems)
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
    )


def _deleted(keys: Sequence[ObjectKey], deletions: Iterable[str], problems: list[Problem]) -> set[ObjectKey]:
    gone = set()
    for deletion in deletions:
        matches = _matches(keys, deletion)
        if len(matches) == 1:
            gone.add(matches[0])
        else:
            problems.append(_unclear(keys, deletion, matches))
    return gone


def _matches(keys: Sequence[ObjectKey], deletion: str) -> list[ObjectKey]:
    kind, *namespace, name = deletion.split("/") if "/" in deletion else (deletion, "")
    return [
        key
        for key in keys
        if key.name == name and namespace in ([], [key.namespace]) and is_called(key.group, key.kind, kind)
    ]


def _unclear(keys: Sequence[ObjectKey], deletion: str, matches: Sequence[ObjectKey]) -> Problem:
    if matches:
        names = ", ".join(f"`{_form(key)}`" for key in matches)
        return Problem(f"`{deletion}` names several objects", "--overlay-delete", f"say which: {names}")
    near = ", ".join(f"`{form}`" for form in _near(keys, deletion))
    remedy = f"did you mean {near}?" if near else _FORM
    return Problem(f"`{deletion}` names no object that was read", "--overlay-delete", remedy)


def _near(keys: Sequence[ObjectKey], deletion: str) -> list[str]:
    """The objects that a deletion might have meant: those of its kind with a like name, else any that read alike."""
    from difflib import get_close_matches

    kind, _, rest = deletion.partition("/")
    forms = {_form(key): key.name for key in keys if is_called(key.group, key.kind, kind)}
    names = get_close_matches(rest.rpartition("/")[2], sorted(set(forms.values())), n=3, cutoff=0.5)
    of_kind = [form for form, name in forms.items() if name in names][:3]
    return of_kind or get_close_matches(deletion.lower(), sorted({_form(key) for key in keys}), n=3)


def _form(key: ObjectKey) -> str:
    """How a deletion names an object in full."""
    path = f"{key.namespace}/{key.name}" if key.namespace else key.name
    return f"{key.kind.lower()}/{path}"
