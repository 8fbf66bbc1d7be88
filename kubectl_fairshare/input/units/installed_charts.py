"""Helm charts that objects of GitOps programs install: which chart, in which version, with which values.

What a chart makes of its values, the house of its scheduler knows: it reads these objects as if they were given.
Source: Flux's HelmRelease, and Argo CD's Application, whose ``valuesObject`` counts before its ``values``.
Tested in ``tests/unit/input/units/test_installed_charts.py``.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from kubectl_fairshare.input.text.embedded import below, embedded_documents
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.json import FieldPath, Json, JsonObject, mapping, rows
from kubectl_fairshare.model.location import Moves, Origin, Place, moved
from kubectl_fairshare.model.manifest import ByKind, Manifest
from kubectl_fairshare.model.values import Value

_FLUX: Final = ("helm.toolkit.fluxcd.io", "HelmRelease")
_ARGO: Final = ("argoproj.io", "Application")
_ARGO_SET: Final = ("argoproj.io", "ApplicationSet")
KINDS: Final = frozenset({_FLUX, _ARGO, _ARGO_SET})
_RELEASE: Final = r"v?[0-9]+\.[0-9]+\.[0-9]+"
_ELSEWHERE: Final = ("valuesFrom", "chartRef", "postRenderers")
_ELSEWHERE_IN_ARGO: Final = ("valueFiles", "parameters", "fileParameters")


class InstalledChart(Value, frozen=True):
    """A chart that an object installs; ``version`` is empty if none is written.

    ``values_at`` is the place of its values. ``elsewhere`` are the fields that give values which the object lacks.
    ``namespace`` is the one that it is installed in; empty if none is written.
    """

    name: str
    version: str
    values: JsonObject
    values_at: Place
    elsewhere: tuple[Place, ...] = ()
    namespace: str = ""

    @property
    def release(self) -> str:
        """The version, if it is one and no range; otherwise empty."""
        return self.version if re.fullmatch(_RELEASE, self.version) else ""

    @property
    def tag(self) -> str:
        """The release as tags of images write it, with a ``v``; empty without one."""
        return f"v{self.release.removeprefix('v')}" if self.release else ""

    def given(self, *path: str, default: Json) -> Json:
        """A value; ``default`` is the chart's own. Helm drops one that is null."""
        above = mapping(self.values, *path[:-1])
        return above.get(path[-1]) if path[-1] in above else default

    def made(self, data: JsonObject, moves: Mapping[FieldPath, FieldPath]) -> "ChartObject":
        """An object that the chart makes; ``moves``: the path below the values of each of its fields that has one."""
        at = self.values_at.path
        written = {(): at, **{field: (*at, *path) for field, path in moves.items()}}
        installer = self.values_at.object
        return ChartObject(Manifest(installer, "", dict(data), Origin("", 0)), written)


class ChartObject(Value, frozen=True):
    """An object that a chart makes of its values, under the key of what installs it, with the moves of its fields."""

    manifest: Manifest
    moves: Moves

    def place(self, place: Place) -> Place:
        """Where a field of the object is written."""
        return moved(place, self.moves)


def installs(manifest: Manifest, *names: str) -> bool:
    """Whether an object installs a chart of one of these names."""
    return any(each.name in names for each in installed_charts(manifest))


def installed_as(manifests: ByKind, *names: str) -> tuple[InstalledChart, ...]:
    """The charts of these names that objects install."""
    objects = (manifest for kind in sorted(KINDS) for manifest in manifests.get(kind, ()))
    return tuple(each for manifest in objects for each in installed_charts(manifest) if each.name in names)


def as_read(manifest: Manifest, names: Collection[str]) -> JsonObject | None:
    """What is read of an object that installs one of these charts; None if it installs none of them.

    Of what the object lacks only that it does is kept, and of other charts nothing: their values may be passwords.
    """
    kind, spec = manifest.key[:2], mapping(manifest.data, "spec")
    if not installs(manifest, *names):
        return None
    if kind == _FLUX:
        kept = _read_of_flux(spec)
    elif kind == _ARGO:
        kept = _read_of_argo(spec, names)
    else:
        kept = {"template": {"spec": _read_of_argo(mapping(spec, "template", "spec"), names)}}
    return {**{name: manifest.data.get(name) for name in ("apiVersion", "kind", "metadata")}, "spec": kept}


def _read_of_flux(spec: JsonObject) -> JsonObject:
    chart = mapping(spec, "chart", "spec")
    name = str(chart.get("chart") or mapping(spec, "chartRef").get("name"))
    named = {"chart": _chart(name), "version": _text(chart, "version"), **_lacking(chart, ("valuesFiles",))}
    values = {"targetNamespace": _text(spec, "targetNamespace"), "values": mapping(spec, "values")}
    return {"chart": {"spec": named}, **values, **_lacking(spec, _ELSEWHERE)}


def _read_of_argo(spec: JsonObject, names: Collection[str]) -> JsonObject:
    sources = [mapping(spec, "source"), *rows(spec, "sources")]
    kept: list[Json] = []
    for source in sources:
        field = "chart" if source.get("chart") else "path"
        name, helm = _chart(_text(source, field)), mapping(source, "helm")
        if name in names:
            values = {each: helm[each] for each in ("valuesObject", "values") if each in helm}
            named = {field: name, "targetRevision": _text(source, "targetRevision")}
            named |= {"repoURL": name} if _is_of_project(source, name) else {}
            kept.append({**named, "helm": {**values, **_lacking(helm, _ELSEWHERE_IN_ARGO)}})
    return {"sources": kept, "destination": {"namespace": _text(mapping(spec, "destination"), "namespace")}}


def _lacking(holder: JsonObject, fields: Iterable[str]) -> JsonObject:
    """Fields with values that the object lacks, without what they say."""
    return {field: [{}] for field in fields if holder.get(field)}


def settings_of(charts: tuple[InstalledChart, ...]) -> tuple[Place, ...]:
    """Where charts get values. If there are several charts, each of them may be the one that counts."""
    written = ((chart.values_at,) if chart.values else () for chart in charts)
    return tuple(place for at, chart in zip(written, charts, strict=True) for place in (*at, *chart.elsewhere))


def release_of_charts(charts: tuple[InstalledChart, ...]) -> str:
    """The one release that the charts name; empty if they name none, or differ."""
    releases = {chart.release for chart in charts}
    return releases.pop() if len(releases) == 1 else ""


def installed_charts(manifest: Manifest) -> Iterator[InstalledChart]:
    """The charts that an object installs."""
    kind = manifest.key[:2]
    if kind not in KINDS:
        return
    spec = mapping(manifest.data, "spec")
    if kind == _FLUX:
        yield from _of_flux(manifest, spec)
    elif kind == _ARGO:
        yield from _of_argo(manifest, spec, ("spec",))
    else:
        path: FieldPath = ("spec", "template", "spec")
        for chart in _of_argo(manifest, mapping(spec, "template", "spec"), path):
            yield InstalledChart(chart.name, "", {}, chart.values_at, (Place(manifest.key, path),), chart.namespace)


def _of_flux(manifest: Manifest, spec: JsonObject) -> Iterator[InstalledChart]:
    chart = mapping(spec, "chart", "spec")
    name = chart.get("chart") or mapping(spec, "chartRef").get("name")
    if not isinstance(name, str):
        return
    places = [Place(manifest.key, ("spec", field)) for field in _ELSEWHERE if spec.get(field)]
    if chart.get("valuesFiles"):
        places.append(Place(manifest.key, ("spec", "chart", "spec", "valuesFiles")))
    values_at = Place(manifest.key, ("spec", "values"))
    namespace = _text(spec, "targetNamespace") or manifest.key.namespace
    values = mapping(spec, "values")
    yield InstalledChart(_chart(name), _text(chart, "version"), values, values_at, tuple(places), namespace)


def _of_argo(manifest: Manifest, spec: JsonObject, path: FieldPath) -> Iterator[InstalledChart]:
    sources = [((*path, "source"), mapping(spec, "source"))]
    sources += [((*path, "sources", number), each) for number, each in enumerate(rows(spec, "sources"))]
    for at, source in sources:
        name = source.get("chart") or source.get("path")
        if not isinstance(name, str):
            continue
        helm, helm_at = mapping(source, "helm"), Place(manifest.key, (*at, "helm"))
        places = [below(helm_at, field) for field in _ELSEWHERE_IN_ARGO if helm.get(field)]
        if not source.get("chart") and not _is_of_project(source, name):
            places.append(Place(manifest.key, (*at, "path")))
        values: JsonObject = mapping(helm, "valuesObject")
        values_at = below(helm_at, "valuesObject")
        if not values and isinstance(helm.get("values"), str):
            values, values_at = _embedded(str(helm["values"]), below(helm_at, "values"), places)
        version = _text(source, "targetRevision") if source.get("chart") else ""
        namespace = _text(mapping(spec, "destination"), "namespace")
        yield InstalledChart(_chart(name), version, values, values_at, tuple(places), namespace)


def _is_of_project(source: JsonObject, path: str) -> bool:
    """Whether a repository is that of the chart's own project, so that the folder holds the chart as it is known."""
    repository = _chart(_text(source, "repoURL")).removesuffix(".git").lower()
    return repository == _chart(path).lower()


def _embedded(text: str, place: Place, unread: list[Place]) -> tuple[JsonObject, Place]:
    """The values in a text; its place goes to ``unread`` if it is not YAML with one mapping."""
    try:
        documents = [*embedded_documents(text, place)]
    except FairshareError:
        documents = []
    if len(documents) == 1 and isinstance(documents[0][1], dict):
        return documents[0][1], documents[0][0]
    unread.append(place)
    return {}, place


def _chart(name: str) -> str:
    """The name of a chart without the folders or the registry before it."""
    return name.rstrip("/").rpartition("/")[2]


def _text(data: JsonObject, field: str) -> str:
    value = data.get(field)
    return value if isinstance(value, str) else ""
