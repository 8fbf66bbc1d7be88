"""A Job, JobSet, Pod … as the workload that the scheduler sees.

Tested in ``tests/unit/schedulers/kueue/jobs/test_job_scenarios.py``, by the scenarios of ``testdata/jobs``.
"""

from kubectl_fairshare.schedulers.kueue.jobs.context import Context, with_asked
from kubectl_fairshare.schedulers.kueue.jobs.laws import NO_WORKLOAD, UNMANAGED, JobLaw
from kubectl_fairshare.schedulers.kueue.jobs.names import workload_name
from kubectl_fairshare.schedulers.kueue.jobs.pending import pending_of

__all__ = ["NO_WORKLOAD", "UNMANAGED", "Context", "JobLaw", "pending_of", "with_asked", "workload_name"]
