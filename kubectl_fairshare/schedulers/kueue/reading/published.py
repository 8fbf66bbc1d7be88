"""The release of Kueue in an address of what its project publishes: files of a release, or its repository at a tag.

Kustomizations name such addresses among their resources, Argo CD and Flux as the source of an installation. What lies
there is not fetched. The manifests of a release have no queue, flavor or workload, and settings that change
no decision.
Tested in ``tests/unit/schedulers/kueue/reading/test_published.py``.
"""

import re
from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.model.json import JsonObject, inside, mapping, rows
from kubectl_fairshare.model.manifest import ByKind, Manifest

_ARGO: Final = (("argoproj.io", "Application"), ("argoproj.io", "ApplicationSet"))
_FLUX: Final = ("source.toolkit.fluxcd.io", "GitRepository")
_HOME: Final = re.compile(r"[/:]kubernetes-sigs/kueue(?:\.git)?(?=[/?]|$)(.*)")
_TAG: Final = re.compile(r"(?:^|[/=])(v[0-9]{1,4}\.[0-9]{1,4}\.[0-9]{1,4}(?:-rc\.[0-9]+)?)(?=[/&]|$)")


def release_at(address: str) -> str:
    """The release that an address of Kueue's own repository names; empty for any other address."""
    found = _HOME.search(address)
    tag = _TAG.search(found[1]) if found else None
    return tag[1] if tag else ""


def releases_of_sources(kinds: ByKind) -> tuple[str, ...]:
    """The releases that the objects of GitOps programs install from Kueue's repository, sorted."""
    found = {each for kind in (*_ARGO, _FLUX) for manifest in kinds.get(kind, ()) for each in _releases(manifest)}
    return tuple(sorted(found))


def is_source(manifest: Manifest) -> bool:
    """Whether an object of a GitOps program installs a release of Kueue from its repository."""
    return manifest.key[:2] in (*_ARGO, _FLUX) and next(_releases(manifest), None) is not None


def _releases(manifest: Manifest) -> Iterator[str]:
    spec = mapping(manifest.data, "spec")
    if manifest.key[:2] == _FLUX:
        yield from _at(spec.get("url"), inside(spec, "ref", "tag"))
        return
    if manifest.key.kind == "ApplicationSet":
        spec = mapping(spec, "template", "spec")
    for source in _sources(spec):
        yield from _at(source.get("repoURL"), source.get("targetRevision"))


def _sources(spec: JsonObject) -> Iterator[JsonObject]:
    yield mapping(spec, "source")
    yield from rows(spec, "sources")


def _at(url: object, revision: object) -> Iterator[str]:
    if isinstance(url, str) and isinstance(revision, str) and (release := release_at(f"{url}?ref={revision}")):
        yield release
