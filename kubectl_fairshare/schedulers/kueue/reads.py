"""What Kueue reads of an input."""

from typing import Final

from kubectl_fairshare.input.known import Reads
from kubectl_fairshare.input.parts import Material, Part


def _part(material: Material) -> Part:
    from kubectl_fairshare.schedulers.kueue.reading.state import kueue_part

    return kueue_part(material)


READS: Final = Reads("kueue", _part)
