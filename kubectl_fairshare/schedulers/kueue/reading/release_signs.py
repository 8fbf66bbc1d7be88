"""What says which line of releases an input is for where no manager's image does: the vendor's operator, and the CRDs.

Source: the limits and rules of CustomResourceDefinitions from v0.16.9 to v0.20.0; the vendor's release notes, by which
its build 1.3 is Kueue 0.16.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Final, TypeAlias

from kubectl_fairshare.model.json import JsonObject, inside, mappings
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import ByKind, Manifest

_CRD: Final = ("apiextensions.k8s.io", "CustomResourceDefinition")
_OPERATORS: Final = "operators.coreos.com"
_INSTALLED: Final = (_OPERATORS, "ClusterServiceVersion")
_WISHED: Final = (_OPERATORS, "Subscription")
_WORKLOADS: Final = "workloads.kueue.x-k8s.io"
_FLAVORS: Final = "resourceflavors.kueue.x-k8s.io"
_OPERATOR: Final = "kueue-operator"
Build: TypeAlias = tuple[int, int]
_BUILDS: Final[Mapping[Build, str]] = {(1, 3): "0.16"}
"""The vendor's builds by the release of Kueue that they are made of."""
_BY_POD_SETS: Final = {10: "0.18", 18: "0.19"}
"""The release by the largest number of pod sets that the CRD of Workloads allows; 8 is 0.17 or older."""
_FIXED: Final = "self == oldSelf"
"""The rule of a spec that may not change at all."""
_SPEC: Final = ("schema", "openAPIV3Schema", "properties", "spec")
DEFINITIONS: Final = (_FLAVORS, _WORKLOADS)
"""The CRDs in which the lines differ."""
SIGNS: Final = frozenset(
    {*DEFINITIONS, _OPERATOR, _FIXED, *(f"{_OPERATOR}.v{major}.{minor}" for major, minor in _BUILDS)}
)
"""Texts that say which line it is: a redacted snapshot keeps them."""
_KINDS: Final = (_CRD, _INSTALLED, _WISHED)


def sign_of(definition: JsonObject) -> Manifest:
    """What a CRD says of the line, as a manifest; the schemas of a cluster's CRDs are large."""
    versions = [_of_version(each) for each in mappings(inside(definition, "spec", "versions"))]
    name = str(inside(definition, "metadata", "name") or "")
    head = {"apiVersion": f"{_CRD[0]}/v1", "kind": _CRD[1], "metadata": {"name": name}}
    key = ObjectKey(*_CRD, "", name)
    return Manifest(key, "v1", {**head, "spec": {"versions": versions}}, Origin("customresourcedefinitions", 0))


def sign_in(manifest: Manifest) -> JsonObject | None:
    """What an object says of the line, in as few words as say it; None if it says nothing."""
    if manifest.key[:2] == _CRD:
        return sign_of(manifest.data).data if manifest.key.name in DEFINITIONS else None
    build = next((build for build, _ in _builds({manifest.key[:2]: [manifest]})), None)
    if build is None:
        return None
    name = f"{_OPERATOR}.v{build[0]}.{build[1]}"
    head = {"apiVersion": manifest.data.get("apiVersion"), "kind": manifest.key.kind, "metadata": {"name": name}}
    return {**head, "spec": {"name": _OPERATOR, "startingCSV": name}}


def _of_version(version: JsonObject) -> JsonObject:
    rules = mappings(inside(version, *_SPEC, "x-kubernetes-validations"))
    kept = [{"rule": _FIXED} for each in rules if each.get("rule") == _FIXED]
    spec: JsonObject = {"x-kubernetes-validations": kept}
    most = _most_pod_sets(version)
    pod_sets: JsonObject = {"properties": {"podSets": {"maxItems": most}}} if most else {}
    schema: JsonObject = {"openAPIV3Schema": {"properties": {"spec": {**spec, **pod_sets}}}}
    return {"name": version.get("name"), "served": version.get("served"), "schema": schema}


def line_told(kinds: ByKind) -> tuple[str, str]:
    """The line of releases and what says so, the surest first; both empty where nothing does."""
    return next(chain(_of_operator(kinds), _of_definitions(kinds)), ("", "")) if _any(kinds) else ("", "")


def tells_line(manifest: Manifest) -> bool:
    """Whether an object may say which line of releases the input is for."""
    if manifest.key[:2] == _CRD:
        return manifest.key.name in (_WORKLOADS, _FLAVORS)
    return manifest.key[:2] in (_INSTALLED, _WISHED) and _OPERATOR in manifest.key.name


def _any(kinds: ByKind) -> bool:
    return any(kind in kinds for kind in _KINDS)


def _of_operator(kinds: ByKind) -> Iterator[tuple[str, str]]:
    """What the vendor's operator installs."""
    for build, where in _builds(kinds):
        line = _BUILDS[build]
        yield line, f"{where}: the vendor's build {build[0]}.{build[1]} is Kueue {line}"


def _builds(kinds: ByKind) -> Iterator[tuple[Build, ObjectKey]]:
    """The vendor's builds that objects name: the installed version, otherwise the channel that is wished."""
    for manifest in kinds.get(_INSTALLED, ()):
        if manifest.key.name.startswith(f"{_OPERATOR}."):
            yield from _build(manifest.key.name, manifest.key)
    for manifest in kinds.get(_WISHED, ()):
        spec = manifest.data.get("spec")
        if isinstance(spec, dict) and spec.get("name") == _OPERATOR:
            status = manifest.data.get("status")
            written = (inside(status, "installedCSV"), spec.get("startingCSV"), spec.get("channel"))
            yield from _build(str(next(filter(None, written), "")), manifest.key)


def _build(text: str, where: ObjectKey) -> Iterator[tuple[Build, ObjectKey]]:
    found = re.search(r"v([0-9]{1,3})\.([0-9]{1,3})", text)
    if found and (build := (int(found[1]), int(found[2]))) in _BUILDS:
        yield build, where


def _of_definitions(kinds: ByKind) -> Iterator[tuple[str, str]]:
    """What the CRDs say that the cluster has, or gets."""
    named = {manifest.key.name: manifest for manifest in kinds.get(_CRD, ())}
    workloads, flavors = named.get(_WORKLOADS), named.get(_FLAVORS)
    if workloads is None:
        return
    versions = {str(each.get("name")): each for each in mappings(inside(workloads.data, "spec", "versions"))}
    most = _most_pod_sets(versions.get("v1beta2", {}))
    if most == 8:
        if flavors is not None:
            yield ("0.16" if _is_fixed(flavors.data) else "0.17"), str(flavors.key)
    elif line := _BY_POD_SETS.get(most):
        served = versions.get("v1beta1", {}).get("served")
        yield ("0.20" if line == "0.19" and served is False else line), str(workloads.key)


def _most_pod_sets(version: JsonObject) -> int:
    most = inside(version, *_SPEC, "properties", "podSets", "maxItems")
    return most if isinstance(most, int) else 0


def _is_fixed(definition: JsonObject) -> bool:
    """Whether the spec of a ResourceFlavor may not change at all: that ended with 0.17."""
    for version in mappings(inside(definition, "spec", "versions")):
        rules = mappings(inside(version, *_SPEC, "x-kubernetes-validations"))
        if any(each.get("rule") == _FIXED for each in rules):
            return True
    return False
