"""How much the ElasticQuota engine does for an answer, counted in calls; and, on request, its times."""

from pathlib import Path

import pytest

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.elasticquota.explain.planning import plan
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState
from kubectl_fairshare.schedulers.elasticquota.quotas.state import state_of
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd
from kubectl_fairshare.schedulers.recording import manifests_of
from tests.bench.elasticquota import elasticquota_table, objects
from tests.bench.test_work import Calls
from tests.unit.schedulers.elasticquota.build import pod

SLACK = 1.5


def calls(scale: int, course: CycleEnd, *, cpu: int = 0, gpu: int = 0) -> tuple[int, int]:
    """The calls of reading a state of ``scale`` × 1,600 pods, and those of a plan on it."""
    manifests = manifests_of(objects(scale, per_node=8), "bench")
    with Calls() as reading:
        snapshot = assemble(manifests, known_schedulers()).snapshot
    with Calls() as planning:
        state = state_of(snapshot.part(ElasticQuotaState))
        found = plan(state, pod("team-001/new", priority=101, cpu=cpu, gpu=gpu), NodeDemand())
    assert found.attempt.course is course
    return reading.all, planning.all


@pytest.mark.parametrize(
    ("course", "request_"),
    [(CycleEnd.SCHEDULABLE, {"cpu": 1}), (CycleEnd.NO_CANDIDATE, {"gpu": 33}), (CycleEnd.PREEMPT, {"gpu": 1})],
)
@pytest.mark.slow
def test_four_times_the_pods_is_some_four_times_the_work(course: CycleEnd, request_: dict[str, int]) -> None:
    small, large = (calls(scale, course, **request_) for scale in (1, 4))
    assert large[0] < 5 * small[0]
    assert large[1] < 5 * small[1]


@pytest.mark.bench
def test_a_plan_stays_below_its_goals(tmp_path: Path) -> None:
    rows = list(elasticquota_table(tmp_path, rounds=3, scales=[1, 10]))
    assert [str(row) for row in rows if row.goal is not None and row.reached > SLACK * row.goal] == []
