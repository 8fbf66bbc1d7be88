"""Settings of a job's own kind with which Kueue's webhook rejects it."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Finding, Remedy
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.jobs.features import is_elastic
from kubectl_fairshare.schedulers.kueue.jobs.kinds.of_manifest import job_kind
from kubectl_fairshare.schedulers.kueue.jobs.management import local_queue
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.jobs.kinds import QUEUE_NAME, ReadJob, in_new_jobs
from kubectl_fairshare.schedulers.kueue.rules.submissions import default_queue


@error_rule("K207")
def job_shape_refused(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each setting of a job that Kueue would manage; one that cannot be read has none."""
    yield from (found for _, found in in_new_jobs(given, _of))


def _of(job: ReadJob, given: KueueGiven) -> Iterator[Finding]:
    kind, root = job_kind(job.manifest), job.root
    queue, unmanaged = local_queue(root, kind, given.context, stored=False)
    elastic = is_elastic(root.at("metadata", "annotations"), given.context.configuration)
    related = default_queue(given.snapshot, job.label(QUEUE_NAME)) if queue else ()
    for problem in () if unmanaged else kind.rejections(root, elastic, given.release):
        place = problem.place if isinstance(problem.place, Place) else job.at("spec")
        remedy = Remedy(problem.help or "change the setting")
        yield Finding(place, f"{job.title}: {problem.message}", remedy, related=related)
