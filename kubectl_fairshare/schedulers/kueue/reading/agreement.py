"""One object given in two API versions: it is one, if both say the same.

A cluster that serves two versions exports the same object twice. Once converted and defaulted the two
must agree; where they do not, nobody can tell which one is meant.
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
    """A problem for every object whose two versions say different things, with both places."""
    for kept, other in reading.versions:
        if _meaning(kept) != _meaning(other):
            yield Problem(
                f"{str(kept.key).strip()} stands here in {kept.api_version} and again in {other.api_version}, "
                "and they differ",
                reading.texts.locate(kept.origin),
                "leave one of them out",
                (("the other one", reading.texts.locate(other.origin)),),
            )


def _meaning(manifest: Manifest) -> JsonObject:
    """What an object says whatever the version it is written in; status is the server's."""
    data = _stored(manifest)
    metadata = manifest.data.get("metadata")
    named = {k: metadata.get(k) or {} for k in ("labels", "annotations")} if isinstance(metadata, dict) else {}
    return {**{k: v for k, v in data.items() if k not in _OWN}, "metadata": named}


def _stored(manifest: Manifest) -> dict[str, Json]:
    if manifest.key.group != GROUP:
        return manifest.data
    try:
        return dict(judge(manifest.data).stored or to_v1beta2(manifest.data))
    except ConversionError:  # told with its place by whoever reads the object
        return manifest.data
