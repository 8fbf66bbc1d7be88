"""The structure that an object is held against, whatever API it belongs to."""

from kubectl_fairshare.admission.structures.structure import Struct
from kubectl_fairshare.model.elasticquota import GROUP as ELASTIC_QUOTA_GROUP
from kubectl_fairshare.model.kueue import GROUP
from kubectl_fairshare.model.manifest import Manifest


def structure_of(manifest: Manifest) -> Struct | None:
    """The structure of the object's kind in the version that it is written in; None where we have none."""
    if manifest.key.group == GROUP:
        return kueue_structure(manifest.version, manifest.key.kind)
    if manifest.key.group == ELASTIC_QUOTA_GROUP:
        from kubectl_fairshare.admission.elasticquota.structures import ELASTIC_QUOTA

        return ELASTIC_QUOTA
    from kubectl_fairshare.admission.kai.kinds import served

    found = served(manifest.data)
    return found.struct if found is not None else None


def kueue_structure(version: str, kind: str) -> Struct | None:
    """The structure of a kind of Kueue's; None for one that it does not serve."""
    from kubectl_fairshare.admission.kueue.kinds import KINDS, structure

    return structure(version, kind) if kind in KINDS and version in KINDS[kind].versions else None
