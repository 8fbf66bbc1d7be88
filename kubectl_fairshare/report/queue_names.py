"""The names of queues of several trees, where each needs a name of its own.

Tested in ``tests/unit/report/page/test_overview.py``.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from kubectl_fairshare.answers.shares import AnyQueue
from kubectl_fairshare.model.location import ObjectKey


def queue_names(trees: Iterable[AnyQueue]) -> Mapping[ObjectKey, str]:
    """Every queue by its name; queues of equal names by ``namespace/name``."""
    keys = [node.key for tree in trees for node in tree]
    times = Counter(key.name for key in keys)
    return {key: f"{key.namespace}/{key.name}" if key.namespace and times[key.name] > 1 else key.name for key in keys}
