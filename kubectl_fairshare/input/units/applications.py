"""What GitOps programs apply: the folders that Argo CD's and Flux's objects name.

Source: Argo CD's Application and ApplicationSet (git directory generators), Flux's Kustomization. A repository is taken
to name itself: a path that is a folder of the input is that folder.
"""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from kubectl_fairshare.input.files.globs import folders_matching, matches
from kubectl_fairshare.input.files.roots import is_within, root_of
from kubectl_fairshare.model.json import Json, mapping, rows
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest

_ARGO: Final = "argoproj.io"
_FLUX: Final = "kustomize.toolkit.fluxcd.io"
_INSTALLERS: Final = (
    (_ARGO, "Application"),
    (_ARGO, "ApplicationSet"),
    (_FLUX, "Kustomization"),
    ("helm.toolkit.fluxcd.io", "HelmRelease"),
)
_BY_DIRECTORY: Final = ("{{path}}", "{{ path }}", "{{.path.path}}", "{{ .path.path }}")
"""A path that is the directory which a generator matches."""
APPLICATION: Final = "Argo CD Application"
FLUX: Final = "Flux Kustomization"


def applied_folders(manifests: Iterable[Manifest], top: str) -> Iterator[tuple[str, str]]:
    """The folders that objects name, each with what names it; ``top`` is where their paths begin."""
    for manifest in manifests:
        key = manifest.key
        spec = manifest.data.get("spec")
        if not isinstance(spec, dict):
            continue
        if (key.group, key.kind) == (_ARGO, "Application"):
            yield from ((folder, APPLICATION) for folder in _folders(_source_paths(spec), top))
        elif (key.group, key.kind) == (_ARGO, "ApplicationSet"):
            yield from ((folder, APPLICATION) for folder in _generated(spec, top))
        elif (key.group, key.kind) == (_FLUX, "Kustomization"):
            yield from ((folder, FLUX) for folder in _folders([spec.get("path")], top))


class Installers:
    """What objects of Argo CD and Flux among the manifests apply of the folders: charts that none of them names wait.

    Without such an object nothing says what is applied, so anything may be. The same holds where a path is filled in by
    a generator whose values are not known here, and where a kustomization inflates charts.
    """

    def __init__(self, manifests: Iterable[Manifest], tops: Sequence[str], *, inflates: bool = False) -> None:
        found = [manifest for manifest in manifests if _installs(manifest)]
        self._open = inflates or not found or any(map(_is_filled_in_elsewhere, found))
        self._found = found
        self.tops = tops
        self._folders = [folder for top in tops for folder, _ in applied_folders(found, top)]

    def forms(self, manifests: Iterable[Manifest]) -> Iterator[bytes]:
        """The objects that say which charts are installed with which values, and the ConfigMaps that they name."""
        said = [mapping(manifest.data, "spec") for manifest in self._found]
        held = {str(each.get("name")) for spec in said for each in rows(spec, "valuesFrom")}
        for manifest in manifests:
            if manifest.key.kind in ("ConfigMap", "Secret") and manifest.key.name in held:
                yield _form(manifest.key, manifest.data)
        for manifest, spec in zip(self._found, said, strict=True):
            of_argo = manifest.key.group == _ARGO
            inner = mapping(spec, "template", "spec") if manifest.key.kind == "ApplicationSet" else spec
            kept = {name: inner.get(name) for name in ("source", "sources")} if of_argo else spec
            yield _form(manifest.key, [kept, spec.get("generators")])

    def may_apply(self, folder: str) -> bool:
        """Whether what is in a folder may be applied."""
        return self._open or any(_are_one_way(os.path.normpath(folder), each) for each in self._folders)


def _form(key: ObjectKey, data: Json) -> bytes:
    return json.dumps([key, data], sort_keys=True, default=str).encode()


def _are_one_way(one: str, other: str) -> bool:
    return one == other or one.startswith(f"{other}{os.sep}") or other.startswith(f"{one}{os.sep}")


def _installs(manifest: Manifest) -> bool:
    return manifest.key[:2] in _INSTALLERS


def _is_filled_in_elsewhere(manifest: Manifest) -> bool:
    """Whether an object applies a path that is not written in the input."""
    spec = manifest.data.get("spec")
    if not isinstance(spec, dict):
        return True
    if manifest.key.kind == "HelmRelease":
        return True  # its chart is a name, or a path in a source that is not this input
    if manifest.key.kind != "ApplicationSet":
        return False
    inner = spec.get("template")
    paths = _source_paths(inner["spec"]) if isinstance(inner, dict) and isinstance(inner.get("spec"), dict) else [None]
    by_path = all(isinstance(path, str) and path.strip() in _BY_DIRECTORY for path in paths)
    return not by_path or not _are_directories(spec.get("generators"))


def _are_directories(generators: Any) -> bool:
    """Whether all generators match directories."""
    if not isinstance(generators, list) or not generators:
        return False
    return all(
        isinstance(each, dict) and isinstance(each.get("git"), dict) and each["git"].get("directories")
        for each in generators
    )


def _source_paths(spec: dict[str, Any]) -> list[Any]:
    sources = spec.get("sources")
    every = [spec.get("source"), *(sources if isinstance(sources, list) else ())]
    return [source.get("path") for source in every if isinstance(source, dict)]


def _folders(paths: Iterable[Any], top: str) -> Iterator[str]:
    for path in paths:
        if isinstance(path, str) and path and "{{" not in path:
            folder = os.path.normpath(os.path.join(top, path.lstrip("/")))
            if is_within(folder, root_of(top)) and os.path.isdir(folder) and folder != os.path.normpath(top):
                yield folder


def _generated(spec: dict[str, Any], top: str) -> Iterator[str]:
    """The folders that the directory generators of an ApplicationSet match."""
    patterns = list(_directory_patterns(spec.get("generators")))
    for wanted, excluded in patterns:
        if excluded:
            continue
        for folder in folders_matching(wanted, top):
            if not is_within(folder, root_of(top)):
                continue
            below = os.path.relpath(folder, top)
            if not any(out and matches(below, pattern) for pattern, out in patterns):
                yield folder


def _directory_patterns(generators: Any) -> Iterator[tuple[str, bool]]:
    for generator in generators if isinstance(generators, list) else ():
        if not isinstance(generator, dict):
            continue
        git = generator.get("git")
        for entry in rows(git, "directories") if isinstance(git, dict) else ():
            if isinstance(entry.get("path"), str):
                yield entry["path"].strip("/"), bool(entry.get("exclude"))
        for nested in ("matrix", "merge"):
            inner = generator.get(nested)
            yield from _directory_patterns(inner.get("generators") if isinstance(inner, dict) else None)
