"""New jobs of which Kueue can make no Workload, because the API server would reject it."""

from collections.abc import Iterator

from kubectl_fairshare.api.causes import DUPLICATE, Cause
from kubectl_fairshare.finding import Finding, Remedy
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.placeholders import placeholder_in
from kubectl_fairshare.schedulers.kueue.explain.creating import workload_causes
from kubectl_fairshare.schedulers.kueue.jobs import NO_WORKLOAD, pending_of
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.jobs.kinds import ReadJob, in_new_jobs


@error_rule("K208")
def workload_not_made(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each mistake in the Workload of a job that Kueue would manage; an unreadable job has none.

    The name of the job counts elsewhere, and a placeholder is filled in before.
    """
    yield from (found for _, found in in_new_jobs(given, _of))


def _of(job: ReadJob, given: KueueGiven) -> Iterator[Finding]:
    pending = pending_of(job.manifest, given.context)
    if pending.refusal is not None and pending.refusal.law in NO_WORKLOAD:
        return
    for path, cause in workload_causes(pending, job.manifest, given.context):
        if cause.path[:1] == ("metadata",) or placeholder_in(cause.message.upper()):  # Kueue writes names in small
            continue
        place = Place(job.manifest.key, path) if path else job.at("spec")
        message = f"{job.title}: Kueue cannot make its Workload: {cause.field}: {cause.message}"
        yield Finding(place, message, _remedy(cause))


def _remedy(cause: Cause) -> Remedy:
    if cause.type == DUPLICATE:
        return Remedy("list it once, or give it another name or number")
    return Remedy("correct it in the job: Kueue copies it to the Workload")
