"""The queues that workloads and LocalQueues name, and that the input lacks.

Decides nothing: what an input names and lacks.
Tested in ``tests/unit/answers/test_missing_objects.py``.
"""

from collections.abc import Iterator

from kubectl_fairshare.answers.missing_objects import Missing, missing_objects
from kubectl_fairshare.model.absence import Absence
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.tree.state import State


def missing_queues(state: State) -> Missing:
    """The ClusterQueues and LocalQueues that may exist and that the input lacks, with the places that name them.

    Without them a cohort has less quota, and counts less of what is used; and workloads wait nowhere.
    """
    named = [*state.kueue.named_queues, *_local_queues(state)]
    return missing_objects(Absence(), [each for each in named if not state.snapshot.excludes(each[0])])


def missing_cluster_queues(state: State) -> Missing:
    """The ClusterQueues among these, without a walk over all that waits: each plan asks for them."""
    return missing_objects(Absence(), [e for e in state.kueue.named_queues if not state.snapshot.excludes(e[0])])


def _local_queues(state: State) -> Iterator[tuple[ObjectKey, Place]]:
    for each in state.kueue.pending:
        namespace, name = each.key.namespace, each.local_queue
        if name and (namespace, name) not in state.kueue.local_queues:
            yield ObjectKey(GROUP, "LocalQueue", namespace, name), Place(each.key, ("spec", "queueName"))
