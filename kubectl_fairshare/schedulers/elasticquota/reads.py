"""What CapacityScheduling reads of an input."""

from dataclasses import replace
from typing import Final

from kubectl_fairshare.input.known import Reads
from kubectl_fairshare.input.parts import Material, Part
from kubectl_fairshare.schedulers.elasticquota.model.objects import KIND, READ, ElasticQuotaState


def _part(material: Material) -> Part:
    """The state; an input without any ElasticQuota has none, and its Pods and Nodes are not read for it."""
    if not any(manifest.key.kind == KIND for manifest in material.manifests):
        return Part((ElasticQuotaState(unread=material.unread),))
    from kubectl_fairshare.schedulers.elasticquota.reading.state import elasticquota_state

    state, problems = elasticquota_state(material.manifests, material.pods)
    state = replace(state, unread=material.unread)
    return Part((state,), READ if state.quotas else frozenset(), problems=tuple(problems))


READS: Final = Reads("elasticquota", _part)
