"""The structure that an object is held against, whatever API it belongs to."""

from kubectl_fairshare.api.structures.structure import Struct
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.elasticquota.model.objects import GROUP as ELASTIC_QUOTA_GROUP
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP


def structure_of(manifest: Manifest) -> Struct | None:
    """The structure of the object's kind in the version that it is written in; None where we have none."""
    if manifest.key.group == GROUP:
        return kueue_structure(manifest.version, manifest.key.kind)
    if manifest.key.group == ELASTIC_QUOTA_GROUP:
        from kubectl_fairshare.schedulers.elasticquota.admission.structures import ELASTIC_QUOTA

        return ELASTIC_QUOTA
    from kubectl_fairshare.schedulers.kai.admission.kinds import served

    found = served(manifest.data)
    return found.struct if found is not None else None


def kueue_structure(version: str, kind: str) -> Struct | None:
    """The structure of a kind of Kueue's; None for one that it does not serve."""
    from kubectl_fairshare.schedulers.kueue.admission.kinds import KINDS, structure

    return structure(version, kind) if kind in KINDS and version in KINDS[kind].versions else None
