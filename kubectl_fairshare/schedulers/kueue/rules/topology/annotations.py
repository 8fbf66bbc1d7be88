"""Annotations of pod templates that request a topology, and that Kueue's webhook rejects."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Finding, Remedy
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.schedulers.kueue.admission.webhooks.topology_annotations import annotation_mistakes
from kubectl_fairshare.schedulers.kueue.jobs.kinds.of_manifest import annotated, pod_templates
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.jobs.kinds import new_jobs
from kubectl_fairshare.schedulers.kueue.rules.quotas.demand import source_of


@error_rule("K192")
def topology_annotation_refused(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each pod template, and for each group of pod sets."""
    submitted = {pending.source: pending for pending in given.submitted if pending.source is not None}
    for job in new_jobs(given) if given.configuration.topology else ():
        pending = submitted.get(job.manifest.key)
        if pending is not None:
            templates = [*map(annotated, pod_templates(job.manifest, given.context.runtimes))]
            for place, why, remedy in annotation_mistakes(job.framework, templates, given.configuration):
                yield Finding(place, f"Kueue rejects {source_of(pending)}: {why}", Remedy(remedy))
