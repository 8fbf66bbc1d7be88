"""Jobs that name a queue, but that Kueue does not manage."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.finding import Finding, Related, Remedy
from kubectl_fairshare.jobs.context import NAMESPACE_NAME
from kubectl_fairshare.lint.protocol import warning_rule
from kubectl_fairshare.lint.words.figures import several
from kubectl_fairshare.schedulers.kueue.jobs.management import managing
from kubectl_fairshare.schedulers.kueue.rules.configuration.settings import ELSEWHERE, absent, sound_configuration
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.jobs.kinds import QUEUE_NAME, ReadJob, is_enabled, jobs

_MOST_RELATED: Final = 10


def _queued_jobs(given: KueueGiven) -> Iterator[ReadJob]:
    return (job for job in jobs(given) if job.labels.get(QUEUE_NAME))


@warning_rule("K173")
def framework_not_enabled(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each framework, at the Configuration; at its first job where the release has none for it."""
    found = sound_configuration(given)
    unmanaged: dict[str, list[ReadJob]] = {}
    for job in _queued_jobs(given):
        if is_enabled(given, job.framework) is False and given.context.manages_namespace(job.manifest.key.namespace):
            unmanaged.setdefault(job.framework, []).append(job)
    for framework, some in sorted(unmanaged.items()):
        own, jobs_here = managing(framework, given.release), several(len(some), some[0].manifest.key.kind)
        evidence = (("jobs", str(len(some))),)
        related = tuple(Related("names a queue here", job.label(QUEUE_NAME)) for job in some[:_MOST_RELATED])
        if not own:
            message = f"Kueue {given.release} has no integration `{framework}`: {jobs_here} with a queue name"
            remedy = Remedy("upgrade Kueue, or remove the label")
            where = some[0].label(QUEUE_NAME)
            yield Finding(where, f"{message} would run without quota", remedy, evidence=evidence, related=related[1:])
        elif found is not None:
            yield Finding(
                found.at("integrations", "frameworks"),
                f"`{own}` is not enabled: {jobs_here} with a queue name would run without quota",
                Remedy(f"add `{own}` to the frameworks"),
                evidence=evidence,
                related=related,
            )


@warning_rule("K174", since="Kueue 0.19")
def job_in_unmanaged_namespace(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each namespace, at its first job; another rule reports a namespace with a LocalQueue."""
    found = sound_configuration(given)
    if found is None and not absent(given) and not given.complete:
        return
    with_queue = {namespace for namespace, _ in given.kueue.local_queues}
    left: dict[str, list[ReadJob]] = {}
    for job in _queued_jobs(given):
        namespace = job.manifest.key.namespace
        if namespace not in with_queue and not given.context.manages_namespace(namespace):
            left.setdefault(namespace, []).append(job)
    for namespace, some in sorted(left.items()):
        selector = () if found is None else (Related("selected here", found.at("managedJobsNamespaceSelector")),)
        yield Finding(
            some[0].label(QUEUE_NAME),
            f"Kueue manages no jobs of namespace `{namespace}`: {several(len(some), 'job')} with a queue name "
            "would run without quota",
            Remedy("let `managedJobsNamespaceSelector` select the namespace, or move the job"),
            evidence=(("jobs", str(len(some))),),
            related=(*selector, *(Related("also here", job.label(QUEUE_NAME)) for job in some[1:_MOST_RELATED])),
            elsewhere=_unknown(given, namespace),
        )


def _unknown(given: KueueGiven, namespace: str) -> str:
    """The object outside the input that would make the namespace a managed one."""
    if absent(given):
        return ELSEWHERE
    selector = given.configuration.managed_namespaces
    by_label = selector is not None and any(r.key != NAMESPACE_NAME for r in selector.requirements)
    return f"labels of Namespace {namespace}" if by_label and namespace not in given.snapshot.namespaces else ""
