"""One object in two API versions: it counts once if both have the same content.

A cluster that serves two versions exports the same object twice. After conversion and defaulting the two must agree;
if they do not, it is unknown which one is correct.
"""

from collections.abc import Iterator

from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.kueue.admission.conversion import ConversionError, to_v1beta2
from kubectl_fairshare.schedulers.kueue.admission.judge import judge
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP

_OWN = ("apiVersion", "metadata", "status")


def disagreements(reading: Reading) -> Iterator[Problem]:
    """A problem for every object whose two versions differ, with both places."""
    for kept, other in reading.versions:
        if _meaning(kept) != _meaning(other):
            yield Problem(
                f"{str(kept.key).strip()} is here in {kept.api_version} and again in {other.api_version}, "
                "and they differ",
                reading.texts.item(kept.origin),
                "remove one of them",
                (("the other one", reading.texts.item(other.origin)),),
            )


def _meaning(manifest: Manifest) -> JsonObject:
    """The content of an object, independent of its version and without the status."""
    data = _content(manifest)
    metadata = manifest.data.get("metadata")
    named = {k: metadata.get(k) or {} for k in ("labels", "annotations")} if isinstance(metadata, dict) else {}
    return {**{k: v for k, v in data.items() if k not in _OWN}, "metadata": named}


def _content(manifest: Manifest) -> dict[str, Json]:
    if manifest.key.group != GROUP:
        return manifest.data
    try:
        return dict(judge(manifest.data).stored or to_v1beta2(manifest.data))
    except ConversionError:  # the reader of the object reports it with its place
        return manifest.data
