"""Whether Kueue takes a job in hand, and into which LocalQueue it goes.

Source: Kueue v0.19 on managed jobs: the integration must be on, the namespace selected, and the job
must name its queue, get the default one, or be managed without a name.
"""

from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.jobs.context import Context
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import JobKind
from kubectl_fairshare.schedulers.kueue.jobs.laws import JobLaw
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.model.workload import Refusal

QUEUE_LABEL: Final = f"{GROUP}/queue-name"
DEFAULT_QUEUE: Final = "default"


def local_queue(metadata: Field, kind: JobKind, context: Context, *, stored: bool) -> tuple[str, Refusal | None]:
    """The name of the job's LocalQueue, or why Kueue leaves the job alone.

    The name is empty for a job that is managed without naming a queue: such a job waits for ever.
    The default queue is given to a job when it is created, so never to one that is ``stored``.
    """
    job = metadata.owner
    named = metadata.at("labels").at(QUEUE_LABEL).text()
    if context.frameworks is not None and kind.framework not in context.frameworks:
        return named, Refusal(JobLaw.FRAMEWORK_OFF, (kind.framework,), places=(Place(job),))
    if not context.manages_namespace(job.namespace):
        return named, Refusal(JobLaw.NAMESPACE_NOT_MANAGED, (job.namespace,), places=(Place(job),))
    if named:
        return named, None
    if not stored and job.namespace in context.default_queues:
        return DEFAULT_QUEUE, None
    if context.configuration.manage_unlabelled:
        return "", None
    where = metadata.at("labels").place
    return "", Refusal(JobLaw.NO_QUEUE_NAME, (job.kind, job.namespace, job.name), places=(where,))
