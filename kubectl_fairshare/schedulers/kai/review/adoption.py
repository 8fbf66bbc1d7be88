"""The PodGroups of a snapshot for forecasts, and the replay that takes them over.

Tested in ``tests/unit/policy/forecast/test_kai_plays.py``.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from kubectl_fairshare.answers.answer import Maker
from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.jobs.pod_owners import PodOwners, is_made_again
from kubectl_fairshare.jobs.pod_times import owner_of, pod_times
from kubectl_fairshare.jobs.stated_limits import stated_limits
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.adoption import Adoption, StandingJob, WorkChange, distinct, further_pods
from kubectl_fairshare.schedulers.kai.jobs.groups import Submission
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, Phase, Pod, PodGroup
from kubectl_fairshare.schedulers.kai.solver.motion.jobs import SubmittedJob, refusal
from kubectl_fairshare.schedulers.kai.solver.motion.replay import KaiReplay
from kubectl_fairshare.schedulers.kai.why.owners import Owners
from kubectl_fairshare.schedulers.kai.why.past import history, requests_of
from kubectl_fairshare.schedulers.kai.words.simulation import sayings
from kubectl_fairshare.schedulers.pod_advancing import higher_classes
from kubectl_fairshare.schedulers.replay import ReplayTerms

_OVER = frozenset({Phase.SUCCEEDED, Phase.FAILED, Phase.RELEASING})
_RUN = frozenset({Phase.BINDING, Phase.BOUND, Phase.RUNNING})


class _Member(NamedTuple):
    """A PodGroup with its pods that neither have ended nor leave."""

    group: PodGroup
    pods: Sequence[Pod]

    @property
    def unit(self) -> str:
        """``namespace/name``."""
        return f"{self.group.key.namespace}/{self.group.name}"

    @property
    def minimum(self) -> int:
        """The pods with which it runs."""
        parents = {each.parent for each in self.group.sub_groups}
        leaves = [each for each in self.group.sub_groups if each.name not in parents]
        if leaves:
            return sum(each.min_member or 1 for each in leaves)
        return self.group.min_member or 1


def adoption(snapshot: Snapshot, now: int, gaps: Sequence[Gap], new: Sequence[Submission] = ()) -> Adoption:
    """The work of the snapshot ``now``; ``gaps`` are what it leaves in doubt. Raises ``FairshareError``.

    ``new`` are jobs of the state without objects.
    """
    state, manifests = snapshot.part(KaiState), snapshot.manifests
    made = {each.group.key: each for each in new}
    pods: dict[tuple[str, str], list[Pod]] = {}
    for pod in state.pods:
        if pod.phase not in _OVER:
            pods.setdefault((pod.key.namespace, pod.group), []).append(pod)
    every = [_Member(group, pods.get((group.key.namespace, group.name), ())) for group in state.pod_groups]
    members = [each for each in every if each.pods and each.group.key not in made]
    known = tuple(group for group in state.pod_groups if group.key not in made)
    stored = snapshot.with_part(replace(state, pod_groups=known))
    traced = {job.key: job for job in history(stored).jobs}
    owners = PodOwners(manifests)
    jobs = [_standing(each, traced[each.unit], snapshot, owners, now) for each in members]
    jobs += [_new(each, made[each.group.key], state, now) for each in every if each.group.key in made]
    submitted = {each.unit: _submitted(each) for each in every if each.pods}
    jobs += _without_pods(state, [e.group for e in every if not e.pods and e.group.key not in made], now)

    def replay(terms: ReplayTerms) -> KaiReplay:
        found = KaiReplay(snapshot, terms, sayings())
        found.adopt(submitted, terms.start)
        return found

    makers = {maker: len(each.pods) for each in members if (maker := _maker(each, snapshot)) is not None}
    return Adoption(
        jobs=tuple(sorted(distinct(jobs), key=lambda each: (each.job.created, each.job.key))),
        replay=replay,
        subjects=Owners(snapshot).subjects,
        owners={each.units[0]: each.owner for each in jobs if each.owner},
        gaps=(*gaps, *further_pods(makers, manifests)),
        changes=partial(_changes, snapshot, now, gaps),
    )


def _changes(snapshot: Snapshot, now: int, gaps: Sequence[Gap], job: str) -> Iterator[WorkChange]:
    """What may bring a PodGroup forward of which all pods wait: fewer of them, or a higher priority class."""
    state = snapshot.part(KaiState)
    group = next((each for each in state.pod_groups if f"{each.key.namespace}/{each.name}" == job), None)
    if group is None:
        return
    own = (group.key.namespace, group.name)
    pods = [pod for pod in state.pods if (pod.key.namespace, pod.group) == own and pod.phase not in _OVER]
    if not pods or any(pod.phase in _RUN for pod in pods):
        return

    def changed(text: str, other: PodGroup, without: Sequence[Pod] = ()) -> WorkChange:
        gone = {pod.key for pod in without}
        groups = tuple(other if each is group else each for each in state.pod_groups)
        kept = tuple(pod for pod in state.pods if pod.key not in gone)
        later = snapshot.with_part(replace(state, pod_groups=groups, pods=kept))
        return WorkChange(text, Maker.OWNER, lambda: adoption(later, now, gaps))

    fewer = -(-len(pods) // 2)
    if fewer < len(pods) and not group.sub_groups:
        least = None if group.min_member is None else min(group.min_member, fewer)
        yield changed(f"count {len(pods)} → {fewer}", replace(group, min_member=least), pods[fewer:])
    values = state.priorities.values
    priority = values.get(group.priority_class, state.priorities.default)
    for value, name in higher_classes(values, priority)[:1]:
        text = f"priority {priority} → {value} (class {name})"
        yield changed(text, replace(group, priority_class=name))


def _without_pods(state: KaiState, groups: Sequence[PodGroup], now: int) -> list[StandingJob]:
    """The PodGroups that wait for pods, which a forecast does not make; those whose pods have ended do not wait."""
    phases: dict[tuple[str, str], set[Phase]] = {}
    for pod in state.pods:
        phases.setdefault((pod.key.namespace, pod.group), set()).add(pod.phase)
    found = []
    for group in groups:
        there = phases.get((group.key.namespace, group.name), set())
        if not there or Phase.RELEASING in there:
            job = TracedJob(group.name, group.key.namespace, group.queue, group.created or now, ())
            refused = "its pods are terminating" if there else "it has no pods"
            found.append(
                StandingJob(job, (group.key,), (f"{group.key.namespace}/{group.name}",), group.queue, "", {}, refused)
            )
    return found


def _submitted(each: _Member) -> SubmittedJob:
    requests = {pod.key: dict(requests_of(pod)) for pod in each.pods}
    return SubmittedJob(Submission(each.group, tuple(each.pods)), requests, each.minimum)


def _maker(each: _Member, snapshot: Snapshot) -> ObjectKey | None:
    """The Job that makes its pods; None where no Job does."""
    return owner_of(snapshot.manifests[each.pods[0].key], "Job")


def _standing(each: _Member, traced: TracedJob, snapshot: Snapshot, owners: PodOwners, now: int) -> StandingJob:
    state, manifests = snapshot.part(KaiState), snapshot.manifests
    maker, group = _maker(each, snapshot), each.group
    keys = tuple(key for key in (maker, group.key, *(pod.key for pod in each.pods)) if key is not None)
    root = None if maker is None or maker not in manifests else owners.root(maker)
    return StandingJob(
        job=replace(traced, lacks=(), duration=None),
        keys=keys,
        units=(each.unit,),
        queue=group.queue if group.queue in state.queues else "",
        group="",
        since=_since(each, snapshot, now),
        refused=refusal(state, group),
        owner="" if root is None or root == maker else f"{root.kind} {root.namespace}/{root.name}",
        limits=stated_limits(manifests[key] for key in keys if key in manifests),
        lasting=is_made_again(manifests[each.pods[0].key]),
    )


def _new(each: _Member, made: Submission, state: KaiState, now: int) -> StandingJob:
    """A job without objects: it is named by what it is made of."""
    source = each.group.key if made.source is None else made.source
    kinds: dict[tuple[tuple[str, int], ...], int] = {}
    for pod in each.pods:
        requests = tuple(sorted(requests_of(pod)))
        kinds[requests] = kinds.get(requests, 0) + 1
    sets = tuple(TracedPods(f"pods-{n}", many, dict(one)) for n, (one, many) in enumerate(kinds.items()))
    group, known = each.group, each.group.queue in state.queues
    job = TracedJob(group.name, group.key.namespace, group.queue, now, sets)
    refused = refusal(state, group) if each.pods else "no pod of it is created"
    keys = tuple(dict.fromkeys((source, group.key)))
    return StandingJob(job, keys, (each.unit,), group.queue if known else "", "", {}, refused)


def _since(each: _Member, snapshot: Snapshot, now: int) -> dict[str, int]:
    """When it began to run, by its unit: at the last start that KAI notes, otherwise with its first pod, or now."""
    running = [pod for pod in each.pods if pod.phase in _RUN]
    if len(running) < each.minimum:
        return {}
    bound = [at for pod in running if (at := pod_times(snapshot.manifests[pod.key]).bound) is not None]
    start = each.group.last_start if each.group.last_start is not None else min(bound, default=now)
    return {each.unit: min(start, now)}
