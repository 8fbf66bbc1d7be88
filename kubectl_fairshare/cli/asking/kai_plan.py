"""``plan`` where the queues are KAI's."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kubectl_fairshare.cli.asking.load import Loaded, placed, tell
from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.cli.options.requested import Wishes, requested_kai_job
from kubectl_fairshare.cli.options.shared import ScreenOptions
from kubectl_fairshare.cli.output import view_of, write_document
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.kai.engine import KaiEngine
from kubectl_fairshare.schedulers.kai.explain.decision import KaiPlan
from kubectl_fairshare.schedulers.kai.jobs.groups import Asked, asked_of, with_asked
from kubectl_fairshare.schedulers.kai.jobs.pods import pod_of
from kubectl_fairshare.schedulers.kai.model.objects import QUEUE_GROUP, KaiState, Pod
from kubectl_fairshare.schedulers.kai.reading.state import pod_group_of
from kubectl_fairshare.schedulers.kai.session.jobs import up_for_scheduling
from kubectl_fairshare.schedulers.kai.session.session import Session, open_session


@dataclass(frozen=True, slots=True)
class KaiQuestion:
    """What the options of ``plan`` ask: jobs of ``workloads``, or one that ``wishes`` describe."""

    workloads: Reading | None
    wishes: Wishes
    namespace: str
    together: bool


def answer(loaded: Loaded, asked: KaiQuestion, places: Places, streams: Streams, screen: ScreenOptions) -> int:
    """Plans each job alone and shows it. Raises ``UsageError`` and ``FairshareError`` for what cannot be asked."""
    if asked.together:
        message = "is one cycle of Kueue; KAI takes jobs up one by one"
        raise UsageError(Problem(message, "--together", "leave it out: each is planned alone"))
    from kubectl_fairshare.schedulers.kai.documents.plan import exit_code, kai_plans_document

    state, engine = loaded.snapshot.part(KaiState), KaiEngine()
    with placed(places):
        jobs = list(_jobs(loaded, asked))
    if not screen.quiet:
        tell(_notes(jobs), streams, screen)
    plans, sessions = [], []
    for job in jobs:
        sessions.append(_session(state, job))
        plans.append(engine.plan(sessions[-1], job.group.name, over=not up_for_scheduling(job.group)))
    if screen.is_text or screen.output == "name":
        _show(plans, state, places, streams, screen)
    else:
        cited = [engine.cited(session, plan) for session, plan in zip(sessions, plans, strict=True)]
        write_document(streams, screen, kai_plans_document(plans, state, places, cited))
    return exit_code(plans)


def _notes(jobs: Sequence[Asked]) -> list[Problem]:
    """Jobs that other schedulers place."""
    text = "pods of `{}` name another scheduler, and KAI leaves them to it: this is the plan of one that names KAI's"
    return [Problem(text.format(job.group.name)) for job in jobs if any(pod.foreign for pod in job.pods)]


def _session(state: KaiState, job: Asked) -> Session:
    """The session of the shard of a job's node pool; a job that KAI tries no more is in it as if it did.

    Raises ``FairshareError`` where no shard takes the job.
    """
    group = job.group
    shard = state.shard_of(group.pool)
    if shard is None:
        message = f"no SchedulingShard takes {group.key.namespace}/{group.name}: {_pool(group.pool)}"
        pools = ", ".join(sorted(one.pool or "none" for one in state.shards))
        raise FairshareError(Problem(message, help=f"node pools with a shard: {pools}"))
    tried = job if up_for_scheduling(group) else replace(job, group=replace(group, backoff=None))
    return open_session(with_asked(state, tried), shard)


def _pool(pool: str | None) -> str:
    return "it has no label of a node pool" if pool is None else f"its node pool is `{pool}`"


def _jobs(loaded: Loaded, asked: KaiQuestion) -> Iterator[Asked]:
    """The jobs to plan. Raises ``FairshareError`` with every manifest that makes none."""
    state = loaded.snapshot.part(KaiState)
    if asked.workloads is None:
        yield asked_of(requested_kai_job(asked.wishes, asked.namespace, loaded.snapshot), state)
        return
    manifests = asked.workloads.manifests
    groups = [m for m in manifests if (m.key.group, m.key.kind) == (QUEUE_GROUP, "PodGroup")]
    names = {group.key.name for group in groups}
    problems: list[Problem] = []
    for manifest in manifests:
        try:
            if manifest in groups:
                yield _of_group(manifest, manifests, loaded)
            elif _group_name(manifest) not in names:
                yield asked_of(manifest, state)
        except FairshareError as error:
            problems += error.problems
    if problems:
        raise FairshareError(*problems)


def _group_name(manifest: Manifest) -> str | None:
    """The PodGroup that a Pod names."""
    if (manifest.key.group, manifest.key.kind) != ("", "Pod"):
        return None
    metadata = manifest.data.get("metadata") or {}
    name = (metadata.get("annotations") or {}).get("pod-group-name")
    return name if isinstance(name, str) else None


def _of_group(manifest: Manifest, manifests: tuple[Manifest, ...], loaded: Loaded) -> Asked:
    """A PodGroup with its pods: those given with it, and those of the state."""
    state = loaded.snapshot.part(KaiState)
    group = pod_group_of(manifest, state.pool_label)
    given: dict[object, Pod] = {pod.key: pod for pod in state.pods if pod.group == group.name}
    for one in manifests:
        if _group_name(one) == group.name:
            given[one.key] = pod_of(one.key, one.data, {}, complete=not one.stored)
    return Asked(group, tuple(given.values()))


def _show(plans: list[KaiPlan], state: KaiState, places: Places, streams: Streams, screen: ScreenOptions) -> None:
    if screen.output == "name":
        victims = (eviction.job.group.key for plan in plans for eviction in plan.victims)
        for key in dict.fromkeys(victims):
            streams.stdout.write(f"podgroup.{QUEUE_GROUP}/{key.name}\n")
    else:
        from kubectl_fairshare.schedulers.kai.words.screens.plan import kai_plan_screens

        streams.stdout.write(kai_plan_screens(plans, state, view_of(streams, screen, places)))
