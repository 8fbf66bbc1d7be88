"""New jobs whose pods claim devices that Kueue cannot count, so that no Workload of theirs comes into a queue."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Finding, Remedy
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.schedulers.kueue.jobs import JobLaw, pending_of
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.jobs.kinds import ReadJob, in_new_jobs


@error_rule("K216")
def devices_not_counted(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each job with such a claim, at the field that Kueue names, in its words.

    Source: Kueue v0.19.2, ``GetResourceRequestsForResourceClaimTemplates`` and the reconciler of Workloads.
    """
    yield from (found for _, found in in_new_jobs(given, _of))


def _of(job: ReadJob, given: KueueGiven) -> Iterator[Finding]:
    refusal = pending_of(job.manifest, given.context).refusal
    if refusal is not None and refusal.law == JobLaw.DEVICES:
        message = f"{job.title}: Kueue does not count the devices that its pods claim: {refusal.operands[0]}"
        remedy = "map the DeviceClass in `resources.deviceClassMappings`, or claim an exact number by a template"
        yield Finding(refusal.places[0], message, Remedy(remedy))
