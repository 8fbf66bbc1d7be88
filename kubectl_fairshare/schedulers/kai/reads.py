"""What KAI-Scheduler reads of an input."""

from dataclasses import replace
from typing import Final

from kubectl_fairshare.input.known import Reads
from kubectl_fairshare.input.parts import Material, Part
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.schedulers.kai.model.objects import GROUPS, KINDS, KaiState


def _part(material: Material) -> Part:
    """KAI's state; an input without any object of KAI's own has none, and its Pods and Nodes are not read for it."""
    if not any(manifest.key.group in GROUPS for manifest in material.manifests):
        return Part((KaiState(unread=material.unread),))
    from kubectl_fairshare.schedulers.kai.reading.state import kai_state

    problems: list[Problem] = []
    state = replace(kai_state(material.manifests, problems), unread=material.unread)
    return Part((state,), KINDS if state.queues else frozenset(), problems=tuple(problems))


READS: Final = Reads("kai", _part)
