"""Records made up for tests: what a simulation does, as if a cluster had recorded it."""

from kubectl_fairshare.answers.simulation import SimulatedJob, Simulation
from kubectl_fairshare.model.job_trace import TracedEviction, TracedJob
from kubectl_fairshare.model.values import replace


def as_recorded(simulation: Simulation) -> list[TracedJob]:
    """The jobs with what became of them."""
    return [_recorded(job) for job in simulation.jobs]


def _recorded(job: SimulatedJob) -> TracedJob:
    return replace(
        job.job,
        admitted=job.admitted[0] if job.admitted else None,
        readmitted=tuple(job.admitted[1:]),
        evictions=tuple(TracedEviction(each.at, "Preempted") for each in job.evictions),
        finished=job.finished,
    )
