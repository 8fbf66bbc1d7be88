"""The objects whose containers run a program: Deployments, DaemonSets, StatefulSets, and pods, static ones too.

Tested in ``tests/unit/input/units/test_running.py``.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from kubectl_fairshare.model.json import FieldPath, JsonObject, inside, mappings
from kubectl_fairshare.model.manifest import ByKind, Manifest
from kubectl_fairshare.model.releases import Release

TEMPLATE: Final = ("spec", "template", "spec")
"""The path of the pod's spec in objects that make pods."""
POD_SPECS: Final[dict[tuple[str, str], FieldPath]] = {
    ("apps", "DaemonSet"): TEMPLATE,
    ("apps", "Deployment"): TEMPLATE,
    ("apps", "StatefulSet"): TEMPLATE,
    ("", "Pod"): ("spec",),
}
"""The path of the pod's spec in each kind."""
_ENDED: Final = ("Succeeded", "Failed")
_DATE: Final = r"^v?20[0-9]{6}-"
"""What tags of builds between releases begin with: ``v20260301-v0.19.0-12-g1a2b3c4``."""
_VERSION_LABEL: Final = "app.kubernetes.io/version"


def running(kinds: ByKind, image: str, names: Collection[str] = ()) -> tuple[Manifest, ...]:
    """The objects with a container of an image, or of one of these names, that have not ended.

    ``image`` is the end of the image's name without tag: ``kube-scheduler``, or ``plugins/kube-scheduler``.
    """
    return tuple(m for kind in POD_SPECS for m in kinds.get(kind, ()) if _runs(m, image, names))


def releases_of(manifests: Iterable[Manifest], image: str) -> tuple[str, ...]:
    """The releases in the tags of an image that objects run, sorted."""
    return tuple(sorted({found for m in manifests if (found := release_of(m.data, image))}))


def release_of(data: JsonObject, image: str) -> str:
    """The release that an object runs: from the tag of a container's image, else from its label; empty for neither.

    An image that is called so comes before one that only lies in a repository with that name.
    """
    tags: dict[bool, str] = {}
    for container in containers(data):
        name, tag = _named(container)
        if f"/{image}/" in f"/{name}/" and _is_release(tag):
            tags.setdefault(_ends_with(name, image), tag)
    label = inside(data, "metadata", "labels", _VERSION_LABEL)
    return tags.get(True) or tags.get(False) or (str(label) if label and _is_release(str(label)) else "")


def containers(data: JsonObject) -> Iterator[JsonObject]:
    """The containers of a pod, or of the pods that an object makes."""
    template = inside(data, *TEMPLATE)
    yield from mappings(inside(data, *(TEMPLATE if template is not None else ("spec",)), "containers"))


def _runs(manifest: Manifest, image: str, names: Collection[str]) -> bool:
    if manifest.key.name in names:
        return True
    if not manifest.may_mention(f"{image}:"):
        return False
    data = manifest.passing_data
    if manifest.key.kind == "Pod" and inside(data, "status", "phase") in _ENDED:
        return False
    return any(_ends_with(_named(each)[0], image) for each in containers(data))


def _named(container: JsonObject) -> tuple[str, str]:
    """The name and the tag of an image; a digest counts for nothing."""
    text = str(container.get("image") or "").partition("@")[0]
    name, colon, tag = text.rpartition(":")
    return (name, re.sub(_DATE, "", tag)) if colon and "/" not in tag else (text, "")


def _ends_with(name: str, image: str) -> bool:
    return f"/{name}".endswith(f"/{image}")


def _is_release(text: str) -> bool:
    try:
        Release.parse(text.partition("-")[0])
    except ValueError:
        return False
    return True
