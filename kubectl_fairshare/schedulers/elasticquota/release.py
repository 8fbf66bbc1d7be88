"""The reproduced release of CapacityScheduling, and the one that runs.

Tested in ``tests/unit/schedulers/elasticquota/reading/test_state.py``.
"""

from collections.abc import Iterable
from typing import Final

from kubectl_fairshare.model.manifest import Manifest

NAME: Final = "elasticquota"
SCHEDULER: Final = "CapacityScheduling"
VERSION: Final = "903da7d"
"""The commit of scheduler-plugins."""
DEPLOYED: Final = "scheduler-plugins-scheduler"
"""The Deployment of the chart."""
IMAGE: Final = "kube-scheduler"
"""The scheduler's image, without its registry."""


def release_in(manifests: Iterable[Manifest]) -> str:
    """The release that the chart's Deployment runs; empty without it."""
    from kubectl_fairshare.input.cluster.installed import release_of
    from kubectl_fairshare.input.text.feature_gates import DEPLOYMENT

    for manifest in manifests:
        if manifest.key[:2] == DEPLOYMENT and manifest.key.name == DEPLOYED:
            return release_of(manifest.data, IMAGE)
    return ""
