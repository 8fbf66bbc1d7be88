"""The syntax of names, labels, annotations and selectors.

Source: k8s.io/apimachinery, validation of object metadata and of label selectors.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from kubectl_fairshare.api.causes import (
    FORBIDDEN,
    INVALID,
    REQUIRED,
    TOO_LONG,
    Cause,
    MapKey,
    bracketed_path,
    cause,
    invalid,
)
from kubectl_fairshare.model.json import FieldPath, Json, JsonObject

_SUBDOMAIN: Final = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*", re.ASCII)
_LABEL: Final = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?", re.ASCII)
_QUALIFIED: Final = re.compile(r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]", re.ASCII)
_HTTP_PATH: Final = re.compile(r"[A-Za-z0-9/\-._~%!$&'()*+,;=:]+", re.ASCII)
SIMPLE_META: Final = frozenset({"name", "namespace", "labels", "annotations"})
"""The fields of metadata that people write."""
_LONGEST_NAME: Final = 253
_LONGEST_LABEL: Final = 63
_MOST_ANNOTATION_BYTES: Final = 256 * 1024
_BAD_KEY: Final = "not a label key: an optional DNS prefix, a slash, and up to 63 letters, digits, `-`, `_` or `.`"
_BAD_VALUE: Final = "not a label value: up to 63 letters, digits, `-`, `_` or `.`, a letter or digit at both ends"


def is_subdomain(text: str) -> bool:
    """Whether ``text`` is a DNS subdomain in lower case."""
    return len(text.encode()) <= _LONGEST_NAME and _SUBDOMAIN.fullmatch(text) is not None


def is_dns_label(text: str) -> bool:
    """Whether ``text`` is a DNS label in lower case."""
    return len(text.encode()) <= _LONGEST_LABEL and _LABEL.fullmatch(text) is not None


@lru_cache(maxsize=16384)
def is_label_key(text: str) -> bool:
    """Whether ``text`` may be the key of a label: a name, optionally after a DNS subdomain and a slash."""
    prefix, slash, name = text.rpartition("/")
    if slash and not is_subdomain(prefix):
        return False
    return len(name) <= _LONGEST_LABEL and _QUALIFIED.fullmatch(name) is not None


def is_label_value(text: str) -> bool:
    """Whether ``text`` may be the value of a label; it may be empty."""
    return len(text) <= _LONGEST_LABEL and (not text or _QUALIFIED.fullmatch(text) is not None)


def is_domain_prefixed_path(text: str) -> bool:
    """Whether ``text`` is a DNS subdomain, a slash, and the path of a URL."""
    host, _, path = text.partition("/")
    return is_subdomain(host) and _HTTP_PATH.fullmatch(path) is not None


def label_causes(labels: Mapping[str, str], path: FieldPath) -> Iterator[Cause]:
    """What is wrong with a set of labels; the API names the whole set as the field, not the label."""
    for key, value in labels.items():
        if not is_label_key(key):
            yield Cause(bracketed_path(path), INVALID, f"`{key}`: {_BAD_KEY}", (*path, MapKey(key)))
        if not is_label_value(value):
            yield Cause(bracketed_path(path), INVALID, f"`{value}`: {_BAD_VALUE}", (*path, MapKey(key)))


def key_causes(key: str, path: FieldPath) -> Iterator[Cause]:
    """What is wrong with a label key in a field of its own."""
    if not is_label_key(key):
        yield invalid(path, _BAD_KEY)


def value_causes(value: str, path: FieldPath) -> Iterator[Cause]:
    """What is wrong with a label value in a field of its own."""
    if not is_label_value(value):
        yield invalid(path, _BAD_VALUE)


def annotation_causes(annotations: Mapping[str, str], path: FieldPath) -> Iterator[Cause]:
    """What is wrong with a set of annotations: keys follow the syntax of label keys, but in any case."""
    for key in annotations:
        if not is_label_key(key.lower()):
            yield Cause(bracketed_path(path), INVALID, f"`{key}`: {_BAD_KEY}", (*path, MapKey(key)))
    if sum(len(key.encode()) + len(value.encode()) for key, value in annotations.items()) > _MOST_ANNOTATION_BYTES:
        yield cause(TOO_LONG, path, "annotations take more than 256 KiB")


def selector_causes(selector: JsonObject, path: FieldPath) -> Iterator[Cause]:
    """What is wrong with a label selector in its Go view."""
    yield from label_causes(selector.get("matchLabels", {}), (*path, "matchLabels"))
    for index, each in enumerate(selector.get("matchExpressions", ())):
        yield from _requirement_causes(each, (*path, "matchExpressions", index))


def _requirement_causes(requirement: JsonObject, path: FieldPath) -> Iterator[Cause]:
    operator, values = requirement.get("operator", ""), requirement.get("values", [])
    if operator in ("In", "NotIn"):
        if not values:
            yield cause(REQUIRED, (*path, "values"), f"operator {operator} needs values")
    elif operator in ("Exists", "DoesNotExist"):
        if values:
            yield cause(FORBIDDEN, (*path, "values"), f"operator {operator} takes no values")
    else:
        yield cause(INVALID, (*path, "operator"), "not a selector operator: In, NotIn, Exists or DoesNotExist")
    yield from key_causes(requirement.get("key", ""), (*path, "key"))
    for index, value in enumerate(values):
        yield from value_causes(value, (*path, "values", index))


def object_meta_causes(meta: JsonObject, path: FieldPath = ("metadata",)) -> Iterator[Cause]:
    """What is wrong with the metadata of an object, in its Go view."""
    yield from label_causes(meta.get("labels", {}), (*path, "labels"))
    yield from annotation_causes(meta.get("annotations", {}), (*path, "annotations"))
    yield from _owner_causes(meta.get("ownerReferences", ()), (*path, "ownerReferences"))


def _owner_causes(owners: Json, path: FieldPath) -> Iterator[Cause]:
    for owner in owners:
        group, _, version = owner.get("apiVersion", "").rpartition("/")
        if not version or "/" in group:
            yield invalid((*path, "apiVersion"), "an owner needs an apiVersion")
        for name in ("kind", "name", "uid"):
            if not owner.get(name):
                yield invalid((*path, name), f"an owner needs a {name}")
        if (group, version, owner.get("kind")) == ("", "v1", "Event"):
            yield invalid(path, "an Event may own nothing")
    if sum(1 for owner in owners if owner.get("controller")) > 1:
        yield invalid(path, "only one owner may be the controller")


def naming_causes(meta: JsonObject, namespaced: bool) -> Iterator[Cause]:
    """What is wrong with the name, namespace and finalizers of a new object."""
    generated, name = meta.get("generateName", ""), meta.get("name", "")
    if generated and not is_subdomain(generated[:-1] + "a" if generated.endswith("-") else generated):
        yield invalid(("metadata", "generateName"), "not the start of a DNS subdomain")
    if not name and not generated:
        yield cause(REQUIRED, ("metadata", "name"), "an object needs a name")
    elif name and not is_subdomain(name):
        yield invalid(("metadata", "name"), "not a DNS subdomain in lower case")
    if namespaced and not is_dns_label(meta.get("namespace", "") or "default"):
        yield invalid(("metadata", "namespace"), "not a DNS label in lower case")
    finalizers = meta.get("finalizers", ())
    for finalizer in finalizers:
        yield from key_causes(finalizer, ("metadata", "finalizers"))
    if "orphan" in finalizers and "foregroundDeletion" in finalizers:
        yield invalid(("metadata", "finalizers"), "orphan and foregroundDeletion exclude each other")
