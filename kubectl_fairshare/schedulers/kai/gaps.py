"""Features that KAI's engine does not reproduce."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.answers.fidelity import (
    NO_QUEUES,
    TAKEN_AS_MISSING,
    Fidelity,
    Gap,
    elsewhere_gaps,
    not_given,
    unread_gaps,
)
from kubectl_fairshare.answers.missing_objects import missing_gaps
from kubectl_fairshare.input.unknown_fields import unknown_gaps
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.division.fair_share import depend_on_usage
from kubectl_fairshare.schedulers.kai.jobs.config_maps import required_config_maps
from kubectl_fairshare.schedulers.kai.model.kinds import KINDS, POD_GROUP, QUEUE_GROUP
from kubectl_fairshare.schedulers.kai.model.objects import Phase, Pod, PodGroup, TimeAware
from kubectl_fairshare.schedulers.kai.release import SCHEDULER, VERSION, is_modelled, may_differ_on_devices, standing_of
from kubectl_fairshare.schedulers.kai.session.gangs import USED
from kubectl_fairshare.schedulers.kai.session.jobs import Job, up_for_scheduling
from kubectl_fairshare.schedulers.kai.session.room import PARTS
from kubectl_fairshare.schedulers.kai.session.session import Session

NO_NODES: Final = "NoNodes"
NO_SHARDS: Final = "NoShards"
PAST_USAGE: Final = "PastUsage"
SEARCH_BUDGET: Final = "SearchBudget"
WAITING_JOBS: Final = "WaitingJobs"
TERMINATING_SINCE: Final = "TerminatingSince"
UNDATED: Final = frozenset({TERMINATING_SINCE, "DelaySince", "MinRuntimeSince"})
"""What is open only for a question without a moment."""
OF_DEVICES: Final = frozenset({"DynamicResourceClaims", "LaterDevices"})
"""What is open of the devices of pods, of which a job that KAI does not try gets none."""
WORDS: Final = {
    "ConfigSetting": "the setting {0} of KAI's Config",
    "Copies": "how many of its {0} equal PodGroups KAI has seen when it decides: fair shares depend on all that wait",
    "DelaySince": "whether the preemption delay of the job is over: give the moment with `--now`",
    "DynamicResourceClaims": "the GPUs of resourceClaims (DRA) that are not in the input",
    "ElasticVictimOrder": "KAI sorts victims again after each pod above a minimum, so other jobs may lose pods instead",
    "FewMapOrders": "the order of Go maps, of which few were tried because the search is long",
    "Grouping": "{0}",
    "GroupTwice": "which of several PodGroups called {0} counts: KAI knows them by name alone",
    "LostNodes": "the outcome of jobs on a node that a change takes away: here, they run on",
    "MapOrder": "the order of Go maps, with which KAI's decision varies between runs",
    "MinRuntimeSince": "whether the minimum runtime of victims is over: give the moment with `--now`",
    NO_NODES: "how much is idle, and which nodes its pods get: the input has no nodes (see `--nodes`)",
    NO_SHARDS: "the shard of its node pool: the input has no SchedulingShard",
    NO_QUEUES: "the quotas of its queue: the input has no Queue",
    PAST_USAGE: "past usage, which the shard counts: give it with `--usage` or `--prometheus`",
    "Placement": "the nodes that its pods get: {0}",
    "PluginDisabled": "scheduling without the plugin {0}, which the shard disables",
    "PodOrder": "the order in which its new pods, which differ, are created: KAI places them in that order",
    "QueueCycle": "a cycle of parent queues (KAI's walk to the root never ends)",
    "LaterDevices": "devices of claims: what the patches up to KAI {0} changed of them was not seen",
    "ReleaseNotMeasured": "what KAI {0} decides differently: this release was not measured",
    "StaleGang": "the eviction of what {0} still runs: fewer pods than its minimum, for longer than its grace period",
    SEARCH_BUDGET: "the time limit {0} of the shard, with which KAI may end its search for victims early",
    "ShardRefused": "the settings that the shard had before: KAI's operator rejects it for {0}",
    "ShardSetting": "the setting {0} of the shard",
    TERMINATING_SINCE: "whether pods have been terminating for more than two minutes: give the moment with `--now`",
    WAITING_JOBS: "what the jobs that wait get first: they are so many that each made-up job is decided without them",
    "UsageOverTime": "how past usage changes while time passes: it stays as given",
}
"""The features that are not modelled, in clauses; {0} is the subject."""
_TRAIN, _TRAIN_VALUE = "train", 50
_OWN_CLASSES: Final = (_TRAIN, "inference", "build")
"""The classes of jobs for which no label and no default names one."""
_READ = frozenset(kind for _, kind in KINDS) - {"ResourceClaim"}
_PRIORITY_CLASS: Final = ("scheduling.k8s.io", "PriorityClass", "")
_ENDED = frozenset({Phase.SUCCEEDED, Phase.FAILED})
_ORDERING = frozenset({"proportion", "priority", "elastic", "subgrouporder", "taskorder", "kubeflow", "ray"})


def session_gaps(session: Session) -> tuple[Gap, ...]:
    """Features of the input that change figures and are not modelled."""
    found = [*unread_gaps(session.state.unread, _READ), *elsewhere_gaps(session.state.elsewhere)]
    if not is_modelled(session.state.release):
        found.append(Gap("ReleaseNotMeasured", (), touches=True, subject=session.state.release))
    if not session.state.nodes:
        found.append(Gap(NO_NODES, (), touches=True))
    if session.shard.pool is not None and not (session.state.shards or session.state.complete):
        found.append(Gap(NO_SHARDS, (), touches=True))
    if not session.state.queues:
        found.append(Gap(NO_QUEUES, (), touches=True))
    if may_differ_on_devices(session.state.release):
        places = tuple(Place(pod.key, ("spec", "resourceClaims")) for pod in _with_claims(session))
        found += [Gap("LaterDevices", places, touches=True, subject=session.state.release)] if places else []
    unknown = (pod for pod in _with_claims(session) if pod.claims_unknown)
    claims = tuple(Place(pod.key, ("spec", "resourceClaims")) for pod in unknown)
    if claims:
        found.append(Gap("DynamicResourceClaims", claims, touches=True))
    idle = _idle_objects(session) if session.state.unknown else frozenset()
    found += unknown_gaps(place for place in session.state.unknown if place.object not in idle)
    found += [*_missing(session, session.state.classes), *_missing_nodes(session)]
    found += [*_doubles(session), *_usage_gaps(session)]
    shard = session.shard
    refused = ((shard.place("spec", *path), ".".join(map(str, path))) for path in shard.refused)
    found += [Gap("ShardRefused", (place,), touches=True, subject=name) for place, name in refused]
    for name in shard.disabled:
        if name in _ORDERING:
            place = shard.place("spec", "plugins", name, "enabled")
            found.append(Gap("PluginDisabled", (place,), touches=True, subject=name))
    cycles = tuple(
        Place(lost.queue.key, ("spec", "parentQueue")) for lost in session.lost if lost.cycle and lost.queue.key
    )
    if cycles:
        found.append(Gap("QueueCycle", cycles, touches=False))
    return tuple(found)


def _idle_objects(session: Session) -> frozenset[ObjectKey]:
    """The objects that take no part: other shards, PodGroups whose pods have ended, waiting pods of no job."""
    live = {job.group.key for job in session.jobs.values() if any(task.phase not in _ENDED for task in job.tasks)}
    shards = (shard.key for shard in session.state.shards if shard.key is not None)
    groups = (group.key for group in session.state.pod_groups)
    waiting = (pod.key for pod in session.state.pods if not pod.node)
    tasks = {task.pod.key for job in session.jobs.values() for task in job.tasks}
    return frozenset({*shards, *groups, *waiting} - {*live, *tasks, session.shard.key})


def _usage_gaps(session: Session) -> Iterator[Gap]:
    """Past usage that KAI counts and that no source of the question has, where fair shares can depend on it."""
    shard = session.shard
    if shard.key is None or not shard.counts_usage or session.state.past is not None:
        return
    if not shard.k and shard.time_aware is TimeAware.KAI:
        return
    shares = {name: standing.fair_share for name, standing in session.standings.items()}
    claimants = [standing.claimant() for standing in session.standings.values()]
    if depend_on_usage(session.totals.total, claimants, shares):
        yield Gap(PAST_USAGE, (shard.place("spec", "usageDBConfig"),), touches=True)


def reference_gaps(session: Session) -> Iterator[Gap]:
    """The objects that others name, or that KAI made for them, and the input lacks."""
    yield from counted_gaps(session)
    yield from _bind_requests(session)


def _bind_requests(session: Session) -> Iterator[Gap]:
    """The BindRequests of pods on nodes that share GPUs of which their labels do not name all.

    KAI's binder labels a pod with several parts of GPUs under other keys than those that its scheduler looks for.
    """
    named: dict[ObjectKey, list[Place]] = {}
    for pod in session.state.pods:
        shares = pod.gpu.kind in PARTS and pod.phase in USED and pod.node in session.nodes
        if shares and len(pod.groups) < pod.gpu.devices:
            key = ObjectKey(QUEUE_GROUP, "BindRequest", pod.key.namespace, pod.key.name)
            named[key] = [Place(pod.key, ("metadata", "labels"))]
    yield from _missing(session, named)


def counted_gaps(session: Session) -> Iterator[Gap]:
    """The objects that others name and the input lacks, so that figures of queues may miss something.

    KAI counts pods by their PodGroups, PodGroups by their queues, and queues by their parents.
    """
    yield from missing_groups(session, session.state.pods)
    yield from _missing_queues(session)
    running = (job for job in session.jobs.values() if job.active and job.group.preemptible is None)
    yield from class_gaps(session, running)


def missing_groups(session: Session, pods: Iterable[Pod]) -> Iterator[Gap]:
    """The PodGroups that pods name, by ``pod-group-name``, and that the input lacks."""
    known = {group.name for group in session.state.pod_groups}
    named: dict[ObjectKey, list[Place]] = {}
    for pod in pods:
        if pod.group and pod.group not in known and pod.phase not in _ENDED:
            key = ObjectKey(QUEUE_GROUP, "PodGroup", pod.key.namespace, pod.group)
            named.setdefault(key, []).append(Place(pod.key, ("metadata", "annotations", POD_GROUP)))
    yield from _missing(session, named)


def _missing_queues(session: Session) -> Iterator[Gap]:
    """The Queues, or their ancestors, that PodGroups with pods need: a queue without requests has no fair share."""
    named: dict[ObjectKey, list[Place]] = {}
    for job in session.jobs.values():
        if not job.group.new and any(task.phase not in _ENDED for task in job.tasks):
            for key, place in _absent_queue(session, job):
                named.setdefault(key, []).append(place)
    yield from _missing(session, {key: tuple(dict.fromkeys(places)) for key, places in named.items()})


def _missing_nodes(session: Session) -> Iterator[Gap]:
    """The Nodes on which pods run."""
    known = {node.name for node in session.state.nodes}
    named: dict[ObjectKey, list[Place]] = {}
    for pod in session.state.pods if known else ():
        if pod.node and pod.node not in known and pod.phase in USED:
            named.setdefault(ObjectKey("", "Node", "", pod.node), []).append(Place(pod.key, ("spec", "nodeName")))
    yield from _missing(session, named)


def _missing(session: Session, named: Mapping[ObjectKey, Sequence[Place]]) -> Iterator[Gap]:
    """A gap for each object of one kind that is named at these places, unless it certainly does not exist."""
    state = session.state
    lacking = {} if state.complete else {k: tuple(named[k]) for k in sorted(named) if k not in state.absent.deleted}
    yield from missing_gaps({key: places for key, places in lacking.items() if key not in state.absent})
    for gap in missing_gaps({key: places for key, places in lacking.items() if key in state.absent}):
        yield replace(gap, feature=TAKEN_AS_MISSING)


def _doubles(session: Session) -> Iterator[Gap]:
    """PodGroups of one name in several namespaces: KAI keeps one of them, with the pods of all."""
    by_name: dict[str, list[PodGroup]] = {}
    for group in session.state.pod_groups:
        if group.pool == session.shard.pool and up_for_scheduling(group):
            by_name.setdefault(group.name, []).append(group)
    for name, groups in sorted(by_name.items()):
        if len(groups) > 1:
            yield Gap("GroupTwice", tuple(Place(group.key) for group in groups), touches=True, subject=name)


def _of_session(session: Session) -> Iterator[Pod]:
    """The pods of the shard's jobs and nodes."""
    jobs = {task.pod.uid for job in session.jobs.values() for task in job.tasks}
    return (pod for pod in session.state.pods if pod.uid in jobs or pod.node in session.nodes)


def _with_claims(session: Session) -> Iterator[Pod]:
    """The pods of these that use devices; those behind scheduling gates ask for nothing, and are not placed."""
    return (pod for pod in _of_session(session) if pod.claims and pod.phase is not Phase.GATED)


def config_map_gaps(session: Session, job: Job) -> Iterator[Gap]:
    """ConfigMaps that the job's waiting pods need and the input does not have.

    They touch the answer where the input has others of their namespace: KAI leaves the pods waiting if one is missing.
    """
    known = session.state.config_maps
    wanted: dict[tuple[str, str], list[Place]] = {}
    for task in (task for task in job.tasks if task.phase is Phase.PENDING):
        for name in sorted(required_config_maps(task.pod.raw)):
            if (task.pod.key.namespace, name) not in known:
                wanted.setdefault((task.pod.key.namespace, name), []).append(Place(task.pod.key, ("spec",)))
    for (namespace, name), places in sorted(wanted.items()):
        listed = any(there == namespace for there, _ in known)
        yield not_given(ObjectKey("", "ConfigMap", namespace, name), tuple(places), touches=listed)


def grouping_gaps(job: Job) -> Iterator[Gap]:
    """The PodGroup of a job that the pod grouper takes in a way that is not reproduced."""
    ungrouped = job.group.ungrouped
    if ungrouped is not None and not ungrouped.modelled:
        yield Gap("Grouping", (ungrouped.place,), touches=True, subject=ungrouped.reason)


def class_gaps(session: Session, jobs: Iterable[Job]) -> Iterator[Gap]:
    """The PriorityClasses of jobs that an input which is not complete lacks: a value is assumed for them.

    KAI's own class for training needs none while that value is its own.
    """
    classes = session.state.priorities
    named: dict[ObjectKey, list[Place]] = {}
    for job in jobs:
        name = job.group.named_class or job.group.priority_class
        if name and name not in classes.values and not (name == _TRAIN and classes.default == _TRAIN_VALUE):
            place = Place(job.group.key, ("spec", "priorityClassName"))
            named.setdefault(ObjectKey(*_PRIORITY_CLASS, name), []).append(place)
    yield from _missing(session, named)


def default_gaps(session: Session, job: Job, *, ranked: bool = False) -> Iterator[Gap]:
    """The ConfigMap with defaults of kinds of jobs that an input which is not complete lacks, for a new job.

    ``ranked``: its priority counts too, not only whether it can be preempted.
    """
    state, group = session.state, job.group
    key = state.defaults_in
    if key is None or state.complete or (key.namespace, key.name) in state.config_maps:
        return
    grouped = group.new and not group.raw.get("metadata")  # not a PodGroup that was written by hand
    decided = group.preemptible is not None and not (ranked and group.priority_class in _OWN_CLASSES)
    if grouped and not decided and state.admission.key is not None:
        place = state.admission.place("spec", "podGrouper", "args", "defaultPrioritiesConfigMapName")
        yield not_given(key, (place,), touches=True)


def queue_gaps(session: Session, job: Job) -> Iterator[Gap]:
    """The queue of the job, or the first of its ancestors, that an input which is not complete lacks."""
    yield from _missing(session, {key: (place,) for key, place in _absent_queue(session, job)})


def _absent_queue(session: Session, job: Job) -> Iterator[tuple[ObjectKey, Place]]:
    """The first queue from the job's own upwards that the input lacks, and the place that names it."""
    queues, place = session.state.queues, Place(job.group.key, ("spec", "queue"))
    name, seen = job.queue, set[str]()
    while name in queues and name not in seen:
        seen.add(name)
        queue = queues[name]
        name, place = queue.parent, Place(queue.key, ("spec", "parentQueue")) if queue.key else place
    if queues and name and name not in queues:
        yield ObjectKey(QUEUE_GROUP, "Queue", "", name), place


def placing_gaps(session: Session) -> tuple[Gap, ...]:
    """What changes where pods go or who is a victim, and is left out: settings of the shard, an unknown moment."""
    shard, undated = session.shard, (*_undated(session), *_by_settings(session))
    if shard.key is None:
        return undated
    ordering = {("plugins", name, "enabled") for name in _ORDERING}
    fields = [("ShardSetting", path) for path in shard.unmodelled if path[1:] not in ordering]
    fields += [(SEARCH_BUDGET, path) for path in shard.budgets]
    return undated + tuple(Gap(name, (shard.place(*path),), True, ".".join(path[1:])) for name, path in fields)


def _by_settings(session: Session) -> Iterator[Gap]:
    """Settings of KAI's Config that no engine here follows."""
    for place in session.state.settings:
        yield Gap("ConfigSetting", (place,), touches=True, subject=".".join(map(str, place.path[1:])))


def _undated(session: Session) -> Iterator[Gap]:
    """The first terminating pod on a node, if the question has no moment: KAI waits at most two minutes for it."""
    if session.now is not None:
        return
    for pod in session.state.pods:
        if pod.phase is Phase.RELEASING and pod.node in session.nodes and _runs(pod):
            yield Gap(TERMINATING_SINCE, (Place(pod.key, ("metadata", "deletionTimestamp")),), touches=True)
            return


def eviction_gaps(session: Session) -> Iterator[Gap]:
    """The minimum runtimes that may protect victims, if the question has no moment: then none is counted."""
    if session.now is not None or not session.shard.protects:
        return
    spans = [s for q in session.state.queues.values() for s in (q.reclaim_min_runtime, q.preempt_min_runtime)]
    spans += [session.shard.reclaim_min_runtime, session.shard.preempt_min_runtime]
    started = [job for job in session.jobs.values() if job.group.last_start is not None]
    if any(span for span in spans if span is not None) and started:
        yield Gap("MinRuntimeSince", (Place(started[0].group.key),), touches=True)


def delay_gaps(session: Session, jobs: Iterable[Job]) -> Iterator[Gap]:
    """The delays of stored jobs that evict others, without their begin or the moment: they are taken to be over."""
    for job in jobs:
        group = job.group
        known = session.now is not None and (group.created or group.last_eviction)
        if group.preemption_delay > 0 and not known and not group.new:
            yield Gap("DelaySince", (Place(job.group.key, ("spec", "preemptionDelay")),), touches=True)


def _runs(pod: Pod) -> bool:
    return bool((pod.raw.get("status") or {}).get("phase") == "Running")


def fidelity_of(session: Session, *more: Gap) -> Fidelity:
    """The reproduced scheduler, and its gaps."""
    found = Fidelity(SCHEDULER, VERSION, (*session_gaps(session), *more), WORDS)
    return found.under(standing_of(session.state.release))


def figures_fidelity(session: Session) -> Fidelity:
    """The reproduced scheduler, and the gaps of figures of its queues."""
    return fidelity_of(session).with_gaps(counted_gaps(session))


def without(known: Fidelity, *features: str) -> Fidelity:
    """The same where these features cannot change the answer."""
    return replace(known, gaps=tuple(replace(g, touches=g.touches and g.feature not in features) for g in known.gaps))
