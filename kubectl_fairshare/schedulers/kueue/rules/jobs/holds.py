"""New jobs whose pods something holds after Kueue has admitted them, in the words of ``plan`` and ``why``."""

from collections.abc import Iterator

from kubectl_fairshare.answers.holds import Hold, HoldKind
from kubectl_fairshare.finding import Finding, Remedy
from kubectl_fairshare.jobs.creation import NewPods, quota_objects
from kubectl_fairshare.jobs.pod_surroundings import surroundings
from kubectl_fairshare.lint.given import worked_out_once
from kubectl_fairshare.lint.protocol import info_rule, warning_rule
from kubectl_fairshare.schedulers.kueue.explain.manifest.holds import transformation_holds, workload_holds
from kubectl_fairshare.schedulers.kueue.jobs import pending_of
from kubectl_fairshare.schedulers.kueue.jobs.laws import is_left_alone
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.jobs.kinds import ReadJob, in_new_jobs
from kubectl_fairshare.schedulers.manifests.holds import creation_holds

_POD = ("", "Pod")


@info_rule("K209")
def pods_gated_after_admission(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each gate of a job."""
    for job, hold in _holds(given, HoldKind.GATE):
        yield Finding(hold.place, f"{job.title}: {hold.sentence}", Remedy("remove the gate, or run its controller"))


@warning_rule("K210")
def quota_rejects_pods_of_job(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each job and ResourceQuota, at the job."""
    for job, hold in _holds(given, HoldKind.QUOTA):
        yield Finding(job.at("spec"), f"{job.title}: {hold.sentence}", Remedy("raise the quota, or lower the requests"))


@warning_rule("K211")
def transformation_never_applies(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each transformation of an excluded resource."""
    for _, hold in transformation_holds(given.configuration):
        yield Finding(hold.place, hold.sentence, Remedy("remove the prefix, or the transformation"))


def _holds(given: KueueGiven, kind: HoldKind) -> Iterator[tuple[ReadJob, Hold]]:
    """What holds the new jobs that Kueue manages."""
    return ((job, hold) for job, hold in in_new_jobs(given, _of_job) if hold.kind is kind)


def _of_job(job: ReadJob, given: KueueGiven) -> Iterator[Hold]:
    pending, bounds = pending_of(job.manifest, given.context), _bounds(given)
    yield from workload_holds(job.manifest, pending, bounds, given.context)
    if job.manifest.key[:2] == _POD and not is_left_alone(pending):
        yield from creation_holds(job.manifest, bounds)


@worked_out_once
def _bounds(given: KueueGiven) -> NewPods:
    manifests = quota_objects(given.snapshot.manifests)
    return NewPods(manifests, surroundings(manifests.values(), given.context))
