"""What a LocalQueue or a namespace uses is listed in one order, in whatever order the input has the workloads."""

from kubectl_fairshare.schedulers.kueue.explain.shares import share_tree
from kubectl_fairshare.schedulers.kueue.model.objects import Quota
from tests.unit.schedulers.kueue.build import CPU, GPU, holder, queue, state


def test_resources_are_listed_in_order() -> None:
    quotas = {CPU: Quota(4), GPU: Quota(4)}
    found = share_tree(state(queue("a", None, quotas), holder("y", "a", {GPU: 1}), holder("z", "a", {CPU: 1})))

    assert [list(line.usage) for line in (*found.local_queues, *found.namespaces)] == [[CPU, GPU]] * 2
