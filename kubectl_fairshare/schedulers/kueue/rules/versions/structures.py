"""The structures of the kinds that Kueue serves."""

from kubectl_fairshare.api.structures.structure import Struct
from kubectl_fairshare.schedulers.kueue.admission.kinds import KINDS, structure


def known_structure(version: str, kind: str) -> Struct | None:
    """The structure of a kind in a version; None if Kueue does not serve it."""
    return structure(version, kind) if kind in KINDS and version in KINDS[kind].versions else None
