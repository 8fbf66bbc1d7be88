"""Fields that a kind does not have."""

from collections.abc import Iterator

from kubectl_fairshare.api.causes import REQUIRED
from kubectl_fairshare.finding import Edit, Finding, Insert, Remedy, Remove, Rename
from kubectl_fairshare.lint.given import Examined, Given
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.lint.refusals import field_named, quote, value_at
from kubectl_fairshare.lint.strays import Stray, is_there, strays
from kubectl_fairshare.lint.words.spelling import same_letters
from kubectl_fairshare.model.json import FieldPath, Json


@error_rule("M008")
def unknown_field(given: Given) -> Iterator[Finding]:
    """One finding for each unknown field that no other version of the API has."""
    for each in given.examined.values():
        for stray in strays(each):
            if not stray.version:
                yield _finding(each, stray)


def _finding(each: Examined, stray: Stray) -> Finding:
    kind, value = each.key.kind, value_at(each, stray.path)
    message = f"{kind} has no field {field_named(stray.path)}: the API server ignores it and its value {quote(value)}"
    if stray.meant is not None and _is_required(each, stray.meant):
        message += f"; the required field {field_named(stray.meant)} is missing"
    if stray.meant is None:
        remedy = Remedy("remove it, or look up the name of the field")
        return Finding(each.at(*stray.path), message, remedy, about_key=True)
    if stray.path == ("spec",):
        return Finding(each.at(*stray.path), message, _raise_remedy(each, stray))
    word, twice = str(stray.meant[-1]), is_there(each, stray.meant)
    if twice:
        same = value_at(each, stray.meant) == value
        edits: tuple[Edit, ...] = (Remove(each.at(*stray.path)),) if same else ()
        remedy = Remedy(f"remove it: `{word}` is there already", edits, same)
        return Finding(each.at(*stray.path), message, remedy, about_key=True)
    if stray.meant[:-1] != stray.path[:-1]:
        return Finding(
            each.at(*stray.path), message, _move_remedy(each, stray.path, stray.meant, value), about_key=True
        )
    edits = (Rename(each.at(*stray.path), word),) if _can_stand(each, stray.meant, value) else ()
    safe = bool(edits) and same_letters(stray.name, word)
    return Finding(each.at(*stray.path), message, Remedy(f"write `{word}`", edits, safe))


def _move_remedy(each: Examined, path: FieldPath, meant: FieldPath, value: Json) -> Remedy:
    """Moves a field that belongs to another block of the object."""
    above = each.at(*meant[:-1])
    can = isinstance(value_at(each, meant[:-1]), dict) and _can_stand(each, meant, value)
    edits: tuple[Edit, ...] = (Remove(each.at(*path)), Insert(above, str(meant[-1]), value)) if can else ()
    return Remedy(f"it belongs in `{meant[0]}`: write {field_named(meant)}", edits)


def _can_stand(each: Examined, path: FieldPath, value: Json) -> bool:
    """Whether a value has a form that the field accepts; true for a field of unknown form."""
    from kubectl_fairshare.api.fitting import fits
    from kubectl_fairshare.api.structures.descent import shape_at
    from kubectl_fairshare.api.structures.object_meta import OBJECT_META

    struct = each.structure
    if path[0] == "metadata":
        shape = shape_at(OBJECT_META, path[1:])
    else:
        shape = shape_at(struct, path) if struct is not None else None
    return shape is None or fits(shape, value)


def _is_required(each: Examined, path: FieldPath) -> bool:
    """Whether the API server rejects the object because the field is missing."""
    causes = each.judgement.all_causes if each.judgement is not None else ()
    return any(cause.type == REQUIRED and cause.path == path for cause in causes)


def _raise_remedy(each: Examined, stray: Stray) -> Remedy:
    """Moves the fields below a ``spec`` that the kind does not have to the top level."""
    spec = value_at(each, stray.path)
    edits: tuple[Edit, ...] = ()
    if isinstance(spec, dict) and spec and not any(name in each.manifest.data for name in spec):
        edits = (Remove(each.at(*stray.path)), *(Insert(each.at(), str(k), v) for k, v in spec.items()))
    return Remedy("write its fields at the top level, next to `metadata`", edits, safe=bool(edits))
