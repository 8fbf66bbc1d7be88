"""What a simulation found of one job."""

from kubectl_fairshare.answers.simulation import SimulatedJob
from kubectl_fairshare.model.job_trace import TracedJob

_JOB = TracedJob("train", "team-a", "main", created=10, pod_sets=())


def test_a_job_waits_for_its_first_start() -> None:
    assert SimulatedJob(_JOB, admitted=[25, 90]).waited(100) == 15


def test_a_job_that_never_started_waits_to_the_end() -> None:
    assert SimulatedJob(_JOB).waited(100) == 90
