"""Objects that bear the marks of an API server and cannot come from one: somebody has changed the text since."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from kubectl_fairshare.lint.structures import structure_of
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.elasticquota.model import objects as elasticquota
from kubectl_fairshare.schedulers.kai.model.objects import GROUPS as KAI_GROUPS
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP

_GROUPS: Final = (GROUP, elasticquota.GROUP, *KAI_GROUPS)
_READ_WITH_CARE: Final = "Workload"
"""The kind whose readers check every field that they use; there may be ten thousand of it."""


def unsettled(manifests: Sequence[Manifest]) -> tuple[Manifest, ...]:
    """The manifests, those with a field in a form that nothing stores without resourceVersion, and so to be judged."""
    return tuple(_new(each) if each.stored and not _can_be_stored(each) else each for each in manifests)


def _can_be_stored(manifest: Manifest) -> bool:
    if manifest.key.group not in _GROUPS:
        return True
    if not isinstance(manifest.data["metadata"].get("name"), str):
        return False
    if manifest.key.kind == _READ_WITH_CARE:
        return True
    from kubectl_fairshare.api.fitting import fits

    struct = structure_of(manifest)
    return struct is None or fits(struct, manifest.data)


def _new(manifest: Manifest) -> Manifest:
    metadata = {name: each for name, each in manifest.data["metadata"].items() if name != "resourceVersion"}
    return replace(manifest, data={**manifest.data, "metadata": metadata})
