"""A Job, JobSet, Pod … as the workload that the scheduler would see."""

from kubectl_fairshare.schedulers.kueue.jobs.context import Context, context_of, with_asked
from kubectl_fairshare.schedulers.kueue.jobs.laws import NO_WORKLOAD, UNMANAGED, JobLaw
from kubectl_fairshare.schedulers.kueue.jobs.names import workload_name
from kubectl_fairshare.schedulers.kueue.jobs.pending import pending_of

__all__ = ["NO_WORKLOAD", "UNMANAGED", "Context", "JobLaw", "context_of", "pending_of", "with_asked", "workload_name"]
