"""The fields of a kustomization, as kustomize decodes them: their names in any case, and what each may hold.

The fields that are applied here are known in full. The others are built by a program of the user's, so only their
outer form is known. Source: kustomize v5.5.0, asked by ``kubectl kustomize``.
Tested in ``tests/unit/input/units/test_refusals.py``.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from kubectl_fairshare.model.json import FieldPath

Form: TypeAlias = "type[object] | Sequence[Form] | Mapping[str, Form]"
"""Text, a boolean, or anything; a list of a form; a mapping of fields, or of any names where the name is ``""``."""

_TEXTS: Final[Form] = (str,)
_TEXT_BY_NAME: Final[Form] = {"": str}
_OPEN: Final[Form] = {"": object}
_LISTS: Final[Form] = (_OPEN,)
_OPTIONS: Final[Form] = {
    "labels": _TEXT_BY_NAME,
    "annotations": _TEXT_BY_NAME,
    "disableNameSuffixHash": bool,
    "immutable": bool,
}
_TARGET: Final[Form] = dict.fromkeys(
    ("group", "version", "kind", "name", "namespace", "annotationSelector", "labelSelector"), str
)
_PATCHES: Final[Form] = ({"path": str, "patch": str, "target": _TARGET, "options": {"": bool}},)
_GENERATED: Final = {
    **dict.fromkeys(("namespace", "name", "behavior", "env"), str),
    **dict.fromkeys(("literals", "files", "envs"), _TEXTS),
    "options": _OPTIONS,
}
_FIELDS: Final[Mapping[str, Form]] = {
    **dict.fromkeys(("apiVersion", "kind", "namePrefix", "nameSuffix", "namespace"), str),
    **dict.fromkeys(("openapi", "commonLabels", "commonAnnotations"), _TEXT_BY_NAME),
    **dict.fromkeys(("resources", "bases", "components", "patchesStrategicMerge", "crds", "buildMetadata"), _TEXTS),
    **dict.fromkeys(("configurations", "generators", "transformers", "validators"), _TEXTS),
    **dict.fromkeys(("patches", "patchesJson6902"), _PATCHES),
    **dict.fromkeys(("labels", "images", "imageTags", "replacements", "replicas", "vars"), _LISTS),
    **dict.fromkeys(("helmCharts", "helmChartInflationGenerator"), _LISTS),
    "metadata": {"name": str, "namespace": str, "labels": _TEXT_BY_NAME, "annotations": _TEXT_BY_NAME},
    "configMapGenerator": (_GENERATED,),
    "secretGenerator": ({**_GENERATED, "type": str, "stringData": bool},),
    "generatorOptions": _OPTIONS,
    "sortOptions": {"order": str, "legacySortOptions": {"orderFirst": _TEXTS, "orderLast": _TEXTS}},
    "helmGlobals": _OPEN,
}


def mistakes(data: Mapping[str, Any]) -> Iterator[tuple[FieldPath, str]]:
    """What kustomize does not decode: the place, and what is wrong there."""
    for at, said in _differences(_FIELDS, data, ()):
        if said:
            yield at, said


def spelled_otherwise(data: Mapping[str, Any]) -> Iterator[str]:
    """The names of fields that kustomize knows, in upper and lower case that is not theirs."""
    for at, said in _differences(_FIELDS, data, ()):
        if not said:
            yield str(at[-1])


def _differences(form: Form, value: Any, at: FieldPath) -> Iterator[tuple[FieldPath, str]]:
    """The mistakes below a place; without words where a name is only spelled otherwise."""
    if form is object or (value is None and not (at and isinstance(at[-1], int) and form is str)):
        return
    if isinstance(form, type):
        if not isinstance(value, form):
            yield at, f"{_kind(value)}, and not {_WORDS[form]}"
    elif isinstance(form, Mapping):
        if isinstance(value, dict):
            yield from _of_mapping(form, value, at)
        else:
            yield at, f"{_kind(value)}, and not a mapping"
    elif not isinstance(value, list):
        yield at, f"{_kind(value)}, and not a list"
    else:
        for number, each in enumerate(value):
            yield from _differences(form[0], each, (*at, number))


_WORDS: Final[Mapping[type[object], str]] = {str: "text", bool: "true or false"}


def _of_mapping(form: Mapping[str, Form], value: Mapping[str, Any], at: FieldPath) -> Iterator[tuple[FieldPath, str]]:
    for name, each in value.items():
        known = next((field for field in form if field in ("", name) or field.lower() == name.lower()), None)
        if known is None:
            yield (*at, name), "unknown field"
            continue
        if known not in ("", name):
            yield (*at, name), ""
        yield from _differences(form[known], each, (*at, name))


def _kind(value: Any) -> str:
    """What a value is, as YAML calls it."""
    if value is None:
        return "empty"
    names = {bool: "true or false", str: "text", dict: "a mapping", list: "a list"}
    return names.get(type(value), "a number")
