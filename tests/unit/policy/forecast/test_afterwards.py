"""What a job waits for, in order, and by what it is preempted afterwards: the same course with every scheduler.

``first`` ends after a quarter of an hour and ``second`` after an hour. ``guest`` starts once ``first`` has ended. What
``owner`` needs is there once ``second`` has ended, too, and it takes the place of ``guest``.
"""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_fairshare.answers.forecast import Forecast, Leaving
from kubectl_fairshare.policy.forecast.durations import DurationOptions
from kubectl_fairshare.policy.forecast.plays import ForecastTerms, forecast
from kubectl_fairshare.policy.simulation.parameters import NamedSpan
from kubectl_fairshare.schedulers import scheduler_named
from tests.unit.policy.forecast.test_changes import ELASTIC, KAI, NOW, RUNTIME, kueue, pod, workload
from tests.unit.policy.simulation.states import SECOND, snapshot_of

MINUTE = 60 * SECOND
LENGTHS = {"first": 35, "second": 80, "guest": 300, "owner": 10}
"""Minutes; what runs has run for 20."""
SIZES = {"first": 4, "second": 2, "guest": 6, "owner": 4}


def state(house: str) -> str:
    """``a`` and ``b`` own 4 each and may use 8. Koordinator evicts for the same quota alone: there all are of ``a``."""
    if house == "kueue":
        return "\n---\n".join(map(yaml.safe_dump, kueue_objects()))
    policy = {"elasticquota": ELASTIC, "koordinator": RUNTIME, "kai": KAI}[house]
    objects = [each for name in SIZES for each in pods(house, name)]
    return policy + "".join(f"\n---\n{json.dumps(each)}" for each in objects)


def kueue_objects() -> list[dict[str, Any]]:
    group: dict[str, Any] = {"coveredResources": ["nvidia.com/gpu"]}
    group["flavors"] = [{"name": "a100", "resources": [{"name": "nvidia.com/gpu", "nominalQuota": 4}]}]
    spec = {"cohortName": "all", "namespaceSelector": {}, "resourceGroups": [group]}
    spec["preemption"] = {"reclaimWithinCohort": "Any"}
    return [
        kueue("ResourceFlavor", {"name": "a100"}),
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}},
        *(kueue("ClusterQueue", {"name": name}, spec=spec) for name in "ab"),
        *(kueue("LocalQueue", {"name": name, "namespace": "team"}, spec={"clusterQueue": name}) for name in "ab"),
        workload("first", "a", 4, 0, runs="a"),
        workload("second", "b", 2, 0, runs="b"),
        older(workload("guest", "a", 6, 0)),
        workload("owner", "b", 4, 0),
    ]


def older(manifest: dict[str, Any]) -> dict[str, Any]:
    """``guest`` came first, so that its turn comes before that of ``owner``."""
    manifest["metadata"]["creationTimestamp"] = "2026-03-02T08:20:00Z"
    return manifest


def pods(house: str, name: str) -> list[dict[str, Any]]:
    """One pod of so many GPUs; a PodGroup, too, where that is the job."""
    runs, of_b = name in {"first", "second"}, name in {"second", "owner"}
    found = pod(house, name, 8 if (house, name) == ("koordinator", "owner") else SIZES[name], runs=runs)
    found = older(found) if name == "guest" else found
    metadata = found["metadata"]
    if house == "elasticquota" and of_b:
        metadata["namespace"] = "b"
    if house == "koordinator":
        found["spec"]["priority"] = 0 if name == "guest" else 10
    if house == "kai":
        queue = "speech" if of_b else "vision"
        metadata["labels"]["kai.scheduler/queue"] = queue
        group: dict[str, Any] = {"namespace": "team", "name": name, "creationTimestamp": "2026-03-02T08:30:00Z"}
        group["annotations"] = {"kai.scheduler/last-start-timestamp": "2026-03-02T08:40:00Z"} if runs else {}
        spec = {"queue": queue, "minMember": 1}
        kind = {"apiVersion": "scheduling.run.ai/v2alpha2", "kind": "PodGroup"}
        return [found, {**kind, "metadata": group, "spec": spec}]
    return [found]


def course(house: str, folder: Path) -> Forecast:
    scheduler, snapshot = scheduler_named(house), snapshot_of(folder, state(house))
    lengths = DurationOptions(tuple(NamedSpan(name, minutes * MINUTE) for name, minutes in LENGTHS.items()))
    return forecast(scheduler, snapshot, scheduler.adoption(snapshot, NOW), ForecastTerms(NOW, durations=lengths))


@pytest.mark.parametrize("house", ["kueue", "kai", "elasticquota", "koordinator"])
def test_what_a_job_waits_for_and_what_preempts_it_afterwards(house: str, tmp_path: Path) -> None:
    found = course(house, tmp_path)
    waiting = {each.keys[0].name: each for each in found.waiting}
    guest, owner = waiting["guest"], waiting["owner"]
    near = 15 * SECOND

    assert guest.starts.median is not None
    assert 0 <= guest.starts.median - (NOW + 15 * MINUTE) <= near
    assert [(end.job.rpartition("/")[2], end.how) for end in guest.awaits] == [("first", Leaving.ENDS)]
    assert guest.preemption is not None
    assert (guest.preemption.plays, guest.preemption.by.rpartition("/")[2]) == (found.plays, "owner")
    assert guest.preemption.rule

    assert owner.starts.median is not None
    assert 0 <= owner.starts.median - (NOW + 60 * MINUTE) <= near
    ends = [(end.job.rpartition("/")[2], end.how) for end in owner.awaits]
    assert ends[-2:] == [("second", Leaving.ENDS), ("guest", Leaving.PREEMPTED)]
    assert owner.preemption is None
    before = [name.rpartition("/")[2] for names in owner.before.values() for name in names]
    assert before == ["guest"]
