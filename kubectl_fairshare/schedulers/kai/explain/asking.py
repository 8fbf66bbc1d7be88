"""The jobs that ``plan`` is asked about, as KAI reads them, and the session that each is planned in.

Tested in ``tests/unit/schedulers/kai/why/test_explainer.py``.
"""

from collections.abc import Iterable, Iterator, Sequence

from kubectl_fairshare.answers.fidelity import INVALID_OBJECT, Gap
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.unknown_fields import unknown_for_new_pod, unknown_gaps, unknown_in
from kubectl_fairshare.jobs.creation import creation_gaps, has_been_created, is_created
from kubectl_fairshare.jobs.fields import root_of
from kubectl_fairshare.jobs.pod_surroundings import WRONG_SHAPE, unreadable
from kubectl_fairshare.jobs.pod_templates import KUBERNETES_SCHEDULER
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import inside, mapping
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.jobs.described import described_job
from kubectl_fairshare.schedulers.kai.jobs.groups import (
    OwnGroup,
    Submission,
    membership,
    now_of,
    submission_of,
    with_submission,
)
from kubectl_fairshare.schedulers.kai.jobs.webhook import webhook_clause
from kubectl_fairshare.schedulers.kai.model.kinds import QUEUE_GROUP, RUNTIMES
from kubectl_fairshare.schedulers.kai.model.objects import OLD_LABEL, KaiState, Pod, PodGroup, Shard
from kubectl_fairshare.schedulers.kai.reading.state import pod_group_of, read_object
from kubectl_fairshare.schedulers.kai.reading.unknown import KNOWN
from kubectl_fairshare.schedulers.kai.session.jobs import up_for_scheduling
from kubectl_fairshare.schedulers.kai.session.session import Session, open_session
from kubectl_fairshare.schedulers.new_objects import new_object_gaps
from kubectl_fairshare.schedulers.other_schedulers import other_scheduler_gap
from kubectl_fairshare.schedulers.question import PlanQuestion


def submissions(snapshot: Snapshot, question: PlanQuestion) -> tuple[Submission, ...]:
    """The jobs to plan. Raises ``FairshareError`` for the manifests that describe no job."""
    state = snapshot.part(KaiState)
    if question.given is None:
        return (submission_of(described_job(question.wishes, question.namespace, snapshot), state),)
    return tuple(_of_manifests(question.given, state))


def notes_on(jobs: Sequence[Submission], given: Reading | None, queue_label: str) -> tuple[Problem, ...]:
    """Notes on jobs that name another scheduler, on jobs of several PodGroups, and on labels that name no queue."""
    return (*_foreign_notes(jobs), *_copy_notes(jobs), *_old_label_notes(jobs, given, queue_label))


def _old_label_notes(jobs: Sequence[Submission], given: Reading | None, queue_label: str) -> Iterator[Problem]:
    """A note for each job that names its queue by the label of old releases alone."""
    objects = {each.key: each for each in given.manifests} if given is not None else {}
    for job in jobs:
        owner = objects[job.source].data if job.source in objects else {}
        labels = [mapping(each, "metadata", "labels") for each in (owner, *(pod.raw for pod in job.pods))]
        if any(OLD_LABEL in each for each in labels) and not any(queue_label in each for each in labels):
            message = f"KAI does not read the label `{OLD_LABEL}` of {job.source}: it goes to queue `{job.group.queue}`"
            yield Problem(message, help=f"write the label as `{queue_label}`")


def _copy_notes(jobs: Sequence[Submission]) -> Iterator[Problem]:
    """A note for each job of several PodGroups."""
    for job in jobs:
        copies = job.group.copies
        if copies > 1:
            yield Problem(f"KAI schedules {copies} PodGroups of {job.source} one by one: this answers for the first")


def _foreign_notes(jobs: Sequence[Submission]) -> tuple[Problem, ...]:
    """A note for each job that names another scheduler."""
    text = "the pods of `{}` name another scheduler, so KAI ignores them: this plan assumes that they name KAI's"
    return tuple(Problem(text.format(job.group.name)) for job in jobs if any(pod.foreign for pod in job.pods))


def job_gaps(snapshot: Snapshot, job: Submission, given: Reading | None) -> tuple[Gap, ...]:
    """What an API server rejects in the job, what in it is unknown, and schedulers with quotas that its pods name."""
    return (
        *job_creation_gaps(snapshot, job, given),
        *_unknown_gaps(snapshot, job, given),
        *foreign_gaps(job.pods, snapshot, touches=True),
    )


def _unknown_gaps(snapshot: Snapshot, job: Submission, given: Reading | None) -> Iterator[Gap]:
    """What is unknown in the objects of the job as they are asked about, and in those that complete its new pods."""
    parts = {job.source, job.group.key, *(pod.key for pod in job.pods)}
    asked = () if given is None else (each for each in given.manifests if each.key in parts)
    yield from unknown_gaps(unknown_in(asked, KNOWN))
    new = [pod for pod in job.pods if pod.key not in snapshot.manifests and not is_created(pod.raw)]
    specs = {pod.key.namespace: mapping(pod.raw, "spec") for pod in new}
    for namespace, spec in specs.items():
        yield from unknown_gaps(unknown_for_new_pod(snapshot.manifests, namespace, spec, KNOWN))


def foreign_gaps(pods: Iterable[Pod], snapshot: Snapshot | None = None, *, touches: bool) -> Iterator[Gap]:
    """A gap for each other scheduler, but Kubernetes' own, that pods name: it decides when they start."""
    found: dict[str, list[Place]] = {}
    for pod in pods:
        name = inside(pod.raw, "spec", "schedulerName")
        if pod.foreign and isinstance(name, str) and name not in ("", KUBERNETES_SCHEDULER):
            found.setdefault(name, []).append(Place(pod.key, ("spec", "schedulerName")))
    for name, places in sorted(found.items()):
        yield other_scheduler_gap(name, places, snapshot, touches=touches)


def job_creation_gaps(snapshot: Snapshot, job: Submission, given: Reading | None) -> tuple[Gap, ...]:
    """What an API server rejects in the job: it then has fewer pods than this plan assumes.

    That is the job itself, for its own fields, or new pods, for ResourceQuotas too. Without ``given`` manifests,
    options describe the job.
    """
    state = snapshot.part(KaiState)
    new = [(pod.key, pod.raw.get("spec") or {}) for pod in new_pods(job, snapshot)]
    parts = {job.source, *(pod.key for pod in job.pods)}
    asked = () if given is None else [each for each in given.manifests if each.key in parts]
    return (
        *new_object_gaps(asked, snapshot.manifests),
        *_webhook_gaps(job, snapshot),
        *creation_gaps(snapshot.manifests, new, state.around, state.unread, described=given is None),
    )


def new_pods(job: Submission, snapshot: Snapshot) -> list[Pod]:
    """The pods of the job that are not created yet, those of the input among them that no API server has."""
    known = snapshot.manifests
    new = (pod for pod in job.pods if not is_created(pod.raw))
    return [pod for pod in new if pod.key not in known or not has_been_created(known[pod.key])]


def _webhook_gaps(job: Submission, snapshot: Snapshot) -> Iterator[Gap]:
    """A gap for each reason why KAI's webhook rejects new pods of the job."""
    state, subjects = snapshot.part(KaiState), dict[str, None]()
    for pod in new_pods(job, snapshot):
        try:
            clause = webhook_clause(pod.raw, pod.key.namespace, state.admission, state.around)
        except WRONG_SHAPE as error:
            raise unreadable(pod.key, pod.raw, error) from error
        if clause is not None:
            source = pod.key if job.source is None else job.source
            what = "it" if source == pod.key else "its pods"
            subjects[f"{source}: KAI's webhook rejects {what}: {clause}"] = None
    yield from (Gap(INVALID_OBJECT, (), touches=True, subject=subject) for subject in subjects)


def session_with(state: KaiState, job: Submission) -> Session:
    """The session of the shard that serves the job's node pool. A job that KAI no longer tries is added to it."""
    group = job.group
    shard = serving_shard(state, group.pool)
    tried = job if up_for_scheduling(group) else replace(job, group=replace(group, backoff=None))
    return open_session(with_submission(state, tried), shard)


def serving_shard(state: KaiState, pool: str | None) -> Shard:
    """The shard that serves a node pool, else one without a name: its jobs see the pool, and nothing tries them."""
    found = state.shard_of(pool)
    return Shard(name="", pool=pool) if found is None else found


def _of_manifests(given: Reading, state: KaiState) -> Iterator[Submission]:
    """The jobs of manifests: pods that name one PodGroup of the input are one job."""
    manifests = given.manifests
    groups = [m for m in manifests if (m.key.group, m.key.kind) == (QUEUE_GROUP, "PodGroup")]
    names = {group.key.name for group in groups}
    runtimes = {m.key: root_of(m) for m in manifests if (m.key.group, m.key.kind) in RUNTIMES}
    state = replace(state, runtimes={**state.runtimes, **runtimes})
    problems: list[Problem] = []
    found: list[Submission] = []
    for manifest in manifests:
        try:
            if manifest.key in runtimes:
                continue
            if manifest in groups:
                found.append(_of_group(manifest, manifests, state))
                continue
            member = membership(manifest, state)
            if member is None:
                found.append(submission_of(manifest, state))
            elif member.group not in names:
                _join(found, submission_of(manifest, state), member)
        except FairshareError as error:
            problems += error.problems
    if problems:
        raise FairshareError(*problems)
    return iter(found)


def _join(found: list[Submission], made: Submission, member: OwnGroup) -> None:
    """Adds a job, or its pods to the one of the same PodGroup."""
    place = next((n for n, each in enumerate(found) if made.pods and each.group.key == made.group.key), None)
    if place is None:
        found.append(made)
    else:
        pods = {pod.key: pod for pod in (*found[place].pods, *member.pods)}
        found[place] = replace(found[place], pods=tuple(pods.values()))


def _begun(group: PodGroup, state: KaiState) -> PodGroup:
    """A PodGroup that its manifest gives no creation time: it begins now, or began as the one in the state did."""
    there = next((each for each in state.pod_groups if each.key == group.key), None)
    if there is None:
        return replace(group, created=now_of(state), new=True)
    return replace(
        group,
        created=there.created,
        last_start=there.last_start if group.last_start is None else group.last_start,
        last_eviction=there.last_eviction if group.last_eviction is None else group.last_eviction,
    )


def _of_group(manifest: Manifest, manifests: tuple[Manifest, ...], state: KaiState) -> Submission:
    """A PodGroup with its pods, from the manifests and from the state."""
    group = read_object(manifest, lambda one: pod_group_of(one, state.pool_label))
    if not group.created:
        group = _begun(group, state)
    pods: dict[ObjectKey, Pod] = {pod.key: pod for pod in state.pods if pod.group == group.name}
    for one in manifests:
        member = membership(one, state)
        if member is not None and member.group == group.name:
            pods |= {pod.key: pod for pod in member.pods}
    return Submission(group, tuple(pods.values()))
