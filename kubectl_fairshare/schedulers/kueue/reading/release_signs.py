"""What says which line of releases an input is for where no manager's image does: the vendor's operator, and the CRDs.

And the marks of objects that hold Kueue's settings in a form that is not read.

Source: the limits and rules of CustomResourceDefinitions from v0.16.9 to v0.20.0; README of openshift/kueue-operator,
by which its build 1.0 is Kueue 0.11, and the vendor's release notes, by which its build 1.3 is Kueue 0.16.
Tested in ``tests/unit/schedulers/kueue/reading/test_release_signs.py``.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Final, TypeAlias

from kubectl_fairshare.input.units.unread_settings import Marks
from kubectl_fairshare.model.json import JsonObject, inside, mappings
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import ByKind, Manifest
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.model.objects import CHART, OPERATOR
from kubectl_fairshare.schedulers.kueue.release import DEFAULT, KueueRelease, of_line, undecided

_CRD: Final = ("apiextensions.k8s.io", "CustomResourceDefinition")
_OPERATORS: Final = "operators.coreos.com"
_INSTALLED: Final = (_OPERATORS, "ClusterServiceVersion")
_WISHED: Final = (_OPERATORS, "Subscription")
_WORKLOADS: Final = "workloads.kueue.x-k8s.io"
_FLAVORS: Final = "resourceflavors.kueue.x-k8s.io"
_OPERATOR: Final = "kueue-operator"
Build: TypeAlias = tuple[int, int]
_BUILDS: Final[Mapping[Build, str]] = {(1, 0): "0.11", (1, 3): "0.16"}
"""The vendor's builds, by the release of Kueue that they are made of, as far as that is published."""
_BY_POD_SETS: Final = {10: "0.18", 18: "0.19"}
"""The release by the largest number of pod sets that the CRD of Workloads allows; 8 is 0.17 or older."""
_FIXED: Final = "self == oldSelf"
"""The rule of a spec that may not change at all."""
_SPEC: Final = ("schema", "openAPIV3Schema", "properties", "spec")
DEFINITIONS: Final = (_FLAVORS, _WORKLOADS)
"""The CRDs in which the lines differ."""
_NUMBERS: Final = tuple((major, minor) for major in range(10) for minor in range(100))
SIGNS: Final = frozenset({*DEFINITIONS, _OPERATOR, _FIXED, *(f"{_OPERATOR}.v{a}.{b}" for a, b in _NUMBERS)})
"""Texts that say which line it is: a redacted snapshot keeps them."""
MARKS: Final = Marks(("config.kueue.x-k8s.io", "controllerManagerConfigYaml"), (CHART,))
"""A Configuration in a text, and the value of the chart that becomes one."""
_KINDS: Final = (_CRD, _INSTALLED, _WISHED, OPERATOR)


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


def line_said(kinds: ByKind) -> KueueRelease | None:
    """The release by what says its line, the surest first; None where nothing does."""
    signs = chain(_of_operator(kinds), _of_definitions(kinds), _of_settings(kinds))
    return next(signs, None) if any(kind in kinds for kind in _KINDS) else None


def names_line(manifest: Manifest) -> bool:
    """Whether an object may say which line of releases the input is for."""
    if manifest.key[:2] == _CRD:
        return manifest.key.name in (_WORKLOADS, _FLAVORS)
    return manifest.key[:2] in (_INSTALLED, _WISHED) and _OPERATOR in manifest.key.name


def _of_operator(kinds: ByKind) -> Iterator[KueueRelease]:
    """What the vendor's operator installs."""
    for build, where in _builds(kinds):
        words = f"{where}: the vendor's build {build[0]}.{build[1]}"
        line = _BUILDS.get(build)
        if line is not None:
            yield of_line(line, f"{words} is Kueue {line}")
        else:
            newest = max(_BUILDS)
            older = "an older release than" if build < newest else "a later release than"
            sign = f"{words} is {older} Kueue {_BUILDS[newest]}, and which one is not published"
            yield undecided(f"v{_BUILDS[newest] if build < newest else DEFAULT.text.removeprefix('v')}", sign)


def _of_settings(kinds: ByKind) -> Iterator[KueueRelease]:
    """The operator's own object says that it is a build of the vendor, and not which."""
    for manifest in kinds.get(OPERATOR, ()):
        build = max(_BUILDS)
        line, words = _BUILDS[build], f"{build[0]}.{build[1]}"
        sign = f"{manifest.key}: the newest build of the vendor whose release is published, {words}, is Kueue {line}"
        yield replace(of_line(line, sign), assumed=True)


def _builds(kinds: ByKind) -> Iterator[tuple[Build, ObjectKey]]:
    """The vendor's builds that objects name: the installed version, otherwise the wished version or its channel."""
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
    found = re.search(r"v([0-9])\.([0-9]{1,2})(?![0-9])", text)
    if found:
        yield (int(found[1]), int(found[2])), where


def _of_definitions(kinds: ByKind) -> Iterator[KueueRelease]:
    """What the CRDs say that the cluster has, or gets."""
    named = {manifest.key.name: manifest for manifest in kinds.get(_CRD, ())}
    workloads, flavors = named.get(_WORKLOADS), named.get(_FLAVORS)
    most, served = 0, None
    if workloads is not None:
        versions = {str(each.get("name")): each for each in mappings(inside(workloads.data, "spec", "versions"))}
        most, served = _most_pod_sets(versions.get("v1beta2", {})), versions.get("v1beta1", {}).get("served")
    if flavors is not None and most in (0, 8) and _is_fixed(flavors.data):
        yield of_line("0.16", str(flavors.key))
    elif workloads is not None and most == 8:
        sure = of_line("0.17", str(workloads.key))
        yield sure if flavors is not None else undecided("v0.16 or v0.17", f"0.16 or 0.17, by {workloads.key}")
    elif workloads is not None and (line := _BY_POD_SETS.get(most)):
        yield of_line("0.20" if line == "0.19" and served is False else line, str(workloads.key))


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
