"""CapacityScheduling: the API groups and kinds that its answers rest on.

Tested in ``tests/unit/schedulers/elasticquota/test_linting.py``.
"""

from typing import Final

from kubectl_fairshare.input.kinds import SCHEDULER_CONFIGURATION

GROUP: Final = "scheduling.x-k8s.io"
KIND: Final = "ElasticQuota"
KOORDINATOR_GROUP: Final = "scheduling.sigs.k8s.io"
READ: Final = frozenset(
    {
        (GROUP, KIND),
        SCHEDULER_CONFIGURATION,
        ("policy", "PodDisruptionBudget"),
        *(("", kind) for kind in ("Pod", "Node", "ResourceQuota")),
    }
)
"""The kinds that answers about ElasticQuotas rest on, in addition to those that complete every pod."""
