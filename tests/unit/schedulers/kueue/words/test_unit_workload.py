"""The unit workload of --saturated."""

import pytest

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.errors import UsageError
from kubectl_fairshare.schedulers.kueue.explain.shares import ShareTree
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.words.unit_workload import unit_workload


def tree_of(*resources: str) -> ShareTree:
    return ShareTree(
        fair=True,
        strategies=(),
        trees=(),
        loans=(),
        local_queues=(),
        namespaces=(),
        totals={FlavorResource("any", r): (1, 0) for r in resources},
        cycles=(),
        stray=(),
        running=0,
        pending=0,
        skipped={},
        fidelity=Fidelity("Kueue", "v0.19"),
    )


@pytest.mark.parametrize(
    ("resources", "requests", "shape", "why"),
    [
        (("cpu", "memory", "nvidia.com/gpu"), (), {"nvidia.com/gpu": 1}, "the only accelerator here"),
        (("cpu",), (), {"cpu": 1000}, "the only resource here"),
        (("cpu", "memory"), ("cpu=500m,memory=1Gi",), {"cpu": 500, "memory": 1 << 30}, ""),
        (("cpu", "memory"), ("cpu=1", "memory=2"), {"cpu": 1000, "memory": 2}, ""),
    ],
)
def test_the_shape(resources: tuple[str, ...], requests: tuple[str, ...], shape: dict[str, int], why: str) -> None:
    found, said = unit_workload(tree_of(*resources), requests)
    assert found == shape
    assert said.partition(";")[0] == why


@pytest.mark.parametrize(
    ("resources", "requests", "message"),
    [
        (("cpu", "memory"), (), "the unit workload could be any of `cpu`, `memory`"),
        (("a.b/x", "a.b/y", "cpu"), (), "the unit workload could be any of `a.b/x`, `a.b/y`"),
        ((), (), "no queue has quota, so there is no unit workload"),
        (("cpu",), ("gpu=1",), "no resource `gpu` in the input"),
        (("cpu",), ("cpu",), "`cpu` is not a request"),
        (("cpu",), ("cpu=0",), "`cpu=0` requests nothing"),
    ],
)
def test_what_is_no_shape(resources: tuple[str, ...], requests: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        unit_workload(tree_of(*resources), requests)
