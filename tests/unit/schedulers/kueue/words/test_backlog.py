"""The unit workload and the backlogs that `--demand` and `--request` describe."""

from collections.abc import Mapping

import pytest

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.demand import demand_of
from kubectl_fairshare.model.errors import UsageError
from kubectl_fairshare.schedulers.kueue.explain.shares import ShareTree, Total, share_tree
from kubectl_fairshare.schedulers.kueue.model.objects import Quota
from kubectl_fairshare.schedulers.kueue.words.backlog import backlogs, unit_workload
from tests.unit.schedulers.kueue.build import CPU, GPU, cohort, queue, state


def tree_of(*resources: str) -> ShareTree:
    return ShareTree(
        fair=True,
        strategies=(),
        trees=(),
        loans=(),
        local_queues=(),
        namespaces=(),
        totals=tuple(Total("any", r, 1, 0) for r in resources),
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


@pytest.mark.parametrize(
    ("demands", "shape"),
    [
        (["a=20"], {"nvidia.com/gpu": 1}),
        (["a=cpu=20"], {"cpu": 1000}),
        (["a=cpu=64,nvidia.com/gpu=20"], {"nvidia.com/gpu": 1, "cpu": 3200}),
        (["a=cpu=64,nvidia.com/gpu=20", "b=nvidia.com/gpu=5,cpu=16", "c=0"], {"nvidia.com/gpu": 1, "cpu": 3200}),
    ],
)
def test_the_shape_follows_from_what_queues_request(demands: list[str], shape: dict[str, int]) -> None:
    wanted = demand_of(demands).queues.values()
    found, reason = unit_workload(tree_of("cpu", "nvidia.com/gpu"), (), wanted)
    assert (found, list(found)) == (shape, list(shape))
    assert reason.endswith("--request sets another")


ORG = state(
    cohort("org"),
    queue("a", "org", {CPU: Quota(9000), GPU: Quota(9)}),
    queue("b", "org", {CPU: Quota(9000), GPU: Quota(9)}),
)


def asked(*demands: str, request: str = "") -> Mapping[str, int | None]:
    tree = share_tree(ORG)
    return backlogs(ORG, tree, demand_of(demands), [request] if request else []).units


@pytest.mark.parametrize(
    ("demands", "units"),
    [
        (("unlimited",), {"a": None, "b": None}),
        (("unlimited", "a=0"), {"b": None}),
        (("a=gpu=3",), {"a": 3}),
        (("org=unlimited", "a=gpu=3"), {"a": 3, "b": None}),
        (("a=gpu=3", "org=0"), {"a": 3}),
        (("unlimited", "org=0", "b=unlimited"), {"b": None}),
    ],
)
def test_the_backlogs(demands: tuple[str, ...], units: dict[str, int | None]) -> None:
    assert asked(*demands, request="gpu=1") == units


def test_amounts_are_numbers_of_the_unit_workload() -> None:
    assert asked("a=cpu=6,gpu=3", request="gpu=1,cpu=2") == {"a": 3}


@pytest.mark.parametrize(
    ("demands", "request_", "message"),
    [
        (("c=0",), "", "no ClusterQueue or Cohort `c`"),
        (("team/a=0",), "", "`team/a` is a LocalQueue"),
        (("org=gpu=3",), "", "`org` is a Cohort"),
        (("a=gpu=3",), "gpu=2", "3 gpu of `a` is not a multiple of the unit workload's 2"),
        (("a=cpu=3",), "gpu=1", "the unit workload does not request cpu"),
        (("a=4",), "gpu=1,cpu=1", "the amount of `a` could be of any of `gpu`, `cpu`"),
        (("a=gpu=4,cpu=3",), "gpu=1,cpu=1", "different numbers of unit workloads: 3, 4"),
        (("a=gpu=4,cpu=3", "b=gpu=4,cpu=4"), "", "different proportions"),
        (("a=tpu=4",), "", "no resource `tpu`"),
        (("a=gpu=x",), "", "`x` is not an amount of gpu"),
    ],
)
def test_what_makes_no_backlog_is_refused(demands: tuple[str, ...], request_: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        asked(*demands, request=request_)
