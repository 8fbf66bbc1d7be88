"""What GitOps programs apply: the folders that Argo CD's and Flux's objects name.

Source: Argo CD's Application and ApplicationSet (git directory generators), Flux's Kustomization. A repository is taken
to name itself: a path that is a folder of the input is that folder.
"""

import os
from collections.abc import Iterable, Iterator
from typing import Any, Final

from kubectl_fairshare.input.files.globs import folders_matching, matches
from kubectl_fairshare.input.files.roots import is_within, root_of
from kubectl_fairshare.model.manifest import Manifest

_ARGO: Final = "argoproj.io"
_FLUX: Final = "kustomize.toolkit.fluxcd.io"
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
        for entry in (git.get("directories") or ()) if isinstance(git, dict) else ():
            if isinstance(entry, dict) and isinstance(entry.get("path"), str):
                yield entry["path"].strip("/"), bool(entry.get("exclude"))
        for nested in ("matrix", "merge"):
            inner = generator.get(nested)
            yield from _directory_patterns(inner.get("generators") if isinstance(inner, dict) else None)
