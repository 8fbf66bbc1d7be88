"""JobSets, LeaderWorkerSets and Grove's PodCliqueSets.

Source: KAI-Scheduler v0.17, its pod groupers for ``jobset.x-k8s.io``, ``leaderworkerset.x-k8s.io`` and ``grove.io``;
JobSet v0.10, LeaderWorkerSet v0.7 and Grove v0.1 for the pods that exist when KAI first decides.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.jobs.kinds.shape import (
    MIN_MEMBER,
    GangShape,
    PodRole,
    Shaped,
    Shapes,
    check_segments,
    constrained,
    rejected,
    replaced,
    stated_minimum,
    unmodelled,
)
from kubectl_fairshare.schedulers.kai.model.objects import SubGroup

_IN_ORDER: Final = "InOrder"
_LEADER_CREATED: Final = "LeaderCreated"
_PREEMPTIBILITY: Final = "kai.scheduler/preemptibility"
_MNNVL: Final = "grove.io/mnnvl-group"
_NO_GROUP: Final = "none"
_GPU: Final = "nvidia.com/gpu"
_CLAIMS: Final = "the ResourceClaims that Grove's operator gives to its pods ({})"
_MOST_SUB_GROUPS: Final = 10_000


def of_job_set(job_set: Field) -> GangShape:
    """A JobSet: a sub-group for each replicated job, in it one for each replica; all of them start together.

    If the replicated jobs start in order, one of them is enough, and only the first has pods.
    """
    policies = job_set.at("spec", "volumeClaimPolicies").entries()
    claims = [claim for policy in policies for claim in policy.at("templates").entries()]
    entries = job_set.at("spec", "replicatedJobs").entries()
    if not entries:
        raise rejected(job_set.at("spec", "replicatedJobs").place, "KAI's pod grouper fails: it has no replicated jobs")
    for entry in entries:
        if entry.at("dependsOn").entries():
            raise unmodelled(entry.at("dependsOn").place, "replicated jobs that start after others (`dependsOn`)")
        if entry.at("replicas").natural(1) > _MOST_SUB_GROUPS:
            raise unmodelled(entry.at("replicas").place, f"more than {_MOST_SUB_GROUPS:,} replicas of a replicated job")
    in_order = job_set.at("spec", "startupPolicy", "startupPolicyOrder").text() == _IN_ORDER
    stated = stated_minimum(job_set.at("metadata", "annotations"))
    wanted = 1 if in_order and stated is None else len(entries)
    started = entries[:1] if in_order else entries
    return GangShape(
        tuple(_with_claims(role, claims) for entry in started for role in _replicas(entry)),
        None,
        wanted if stated is None else min(stated, len(entries)),
        tuple(group for entry in entries for group in _replica_groups(entry)),
        topology=any(constrained(entry.at("template")) for entry in entries),
    )


def _replica_groups(entry: Field) -> Iterator[SubGroup]:
    """The sub-group of a replicated job, and one for each replica."""
    name, replicas = entry.at("name").text(), entry.at("replicas").natural(1)
    yield SubGroup(name, None, None, replicas)
    annotations = entry.at("template", "metadata", "annotations")
    stated = stated_minimum(annotations) if annotations.at(MIN_MEMBER).text() else None  # KAI ignores an empty one
    least = entry.at("template", "spec", "parallelism").integer(1) if stated is None else stated
    yield from (SubGroup(f"{name}-replica-{i}", name, least, None) for i in range(replicas))


def _replicas(entry: Field) -> Iterator[PodRole]:
    """The pods of each replica of a replicated job."""
    name, spec = entry.at("name").text(), entry.at("template", "spec")
    parallel = spec.at("parallelism").natural(1)
    count = min(parallel, spec.at("completions").natural(parallel))
    for i in range(entry.at("replicas").natural(1)):
        yield PodRole(f"{name}-{i}", count, spec.at("template"), f"{name}-replica-{i}", job=entry.at("template"))


def of_leader_worker_set(workers: Field) -> GangShape:
    """A LeaderWorkerSet: a PodGroup for each of its groups, with a sub-group of the leader and one of its workers."""
    template = workers.at("spec", "leaderWorkerTemplate")
    size = template.at("size").integer(1)  # 1 is the default of its schema
    if size <= 0:
        raise rejected(template.at("size").place, f"KAI's pod grouper fails: the size of a group is {size}")
    policy = workers.at("spec", "startupPolicy")
    if policy.text(_LEADER_CREATED) != _LEADER_CREATED:
        raise unmodelled(policy.place, f"workers that start after their leader (startupPolicy {policy.text()})")
    if template.at("subGroupPolicy", "subGroupSize").value is not None:
        raise unmodelled(template.at("subGroupPolicy").place, "workers in sub-groups (`subGroupPolicy`)")
    check_segments(workers, template.at("workerTemplate"), empty=True)
    own = template.at("leaderTemplate")
    leader = template.at("workerTemplate") if own.value is None else own
    roles = [PodRole("leader", 1, leader, "leader")]
    groups = [SubGroup("leader", None, 1, None)]
    if size > 1:
        roles.append(PodRole("workers", size - 1, template.at("workerTemplate"), "workers"))
        groups.append(SubGroup("workers", None, size - 1, None))
    copies = workers.at("spec", "replicas").natural(1)
    claims = template.at("volumeClaimTemplates").entries()
    roles = [_with_claims(role, claims) for role in roles]
    return GangShape(tuple(roles), size, sub_groups=tuple(groups), suffix="-group-0", copies=copies)


def _with_claims(role: PodRole, claims: Sequence[Field]) -> PodRole:
    """The pods with a volume for each template of a claim."""
    if not claims:
        return role
    names = [claim.at("metadata", "name").text() for claim in claims]
    added = [{"name": name, "persistentVolumeClaim": {"claimName": name}} for name in names]
    spec = role.template.at("spec")
    volumes = [*(volume.value for volume in spec.at("volumes").entries()), *added]
    pod = {**role.template.mapping(), "spec": {**spec.mapping(), "volumes": volumes}}
    return replace(role, template=replaced(role.template, pod))


def of_pod_clique_set(clique_set: Field) -> GangShape:
    """A PodCliqueSet of Grove: the first of its base gangs, with a sub-group for each PodClique.

    A scaling group is in the base gang as often as its ``minAvailable`` says; Grove makes a gang of its own of each
    further replica.
    """
    label = clique_set.at("metadata", "labels").at(_PREEMPTIBILITY)
    if label.text() not in ("", "preemptible", "non-preemptible"):
        raise rejected(label.place, f"KAI's pod grouper fails: {_PREEMPTIBILITY} is `{label.text()[:64]}`")
    template = clique_set.at("spec", "template")
    cliques = {entry.at("name").text(): entry for entry in template.at("cliques").entries()}
    scaling = template.at("podCliqueScalingGroups").entries()
    scaled = {name for group in scaling for name in _clique_names(group)}
    prefix = f"{clique_set.owner.name}-0"
    parts = [(f"{prefix}-{name}", entry) for name, entry in cliques.items() if name not in scaled]
    copies = clique_set.at("spec", "replicas").natural(1)
    further = 0
    for group in scaling:
        least, name = group.at("minAvailable").natural(1), group.at("name").text()
        further += max(0, group.at("replicas").natural(1) - least)
        for i in range(least):
            for clique in _clique_names(group):
                if clique not in cliques:
                    raise rejected(group.at("cliqueNames").place, f"its scaling group names no PodClique: `{clique}`")
                parts.append((f"{prefix}-{name}-{i}-{clique}", cliques[clique]))
    holders = (template, *scaling, *cliques.values())
    _check_claims(clique_set, holders, cliques.values())
    return GangShape(
        tuple(_clique_role(name, entry) for name, entry in parts),
        sum(_clique_least(entry) for _, entry in parts),
        sub_groups=tuple(SubGroup(name, None, _clique_least(entry), None) for name, entry in parts),
        suffix="-0",
        copies=copies * (1 + further),
        priority_class=_class_of(clique_set, template),
        topology=any(holder.at("topologyConstraint").value is not None for holder in holders),
    )


def _check_claims(clique_set: Field, holders: Sequence[Field], cliques: Iterable[Field]) -> None:
    """Raises ``UngroupedError`` where Grove's operator gives pods claims: for resourceSharing, or for an MNNVL group.

    A group counts for cliques that ask for GPUs. Source: ``ResourceSharing`` and ``grove.io/mnnvl-group`` in Grove.
    """
    for holder in holders:
        if holder.at("resourceSharing").entries():
            raise unmodelled(holder.at("resourceSharing").place, _CLAIMS.format("resourceSharing"))
    groups = [clique_set.at("metadata", "annotations"), *(holder.at("annotations") for holder in holders)]
    joined = next((each for each in groups if each.texts().get(_MNNVL, _NO_GROUP) != _NO_GROUP), None)
    if joined is not None and any(map(_asks_for_gpus, cliques)):
        raise unmodelled(joined.at(_MNNVL).place, _CLAIMS.format(_MNNVL))


def _asks_for_gpus(clique: Field) -> bool:
    """Whether a container of a clique asks for a whole GPU, and its own annotation does not keep it from a group."""
    if clique.at("annotations").texts().get(_MNNVL) == _NO_GROUP:
        return False
    containers = clique.at("spec", "podSpec", "containers").entries()
    return any(each.at("resources", kind).at(_GPU).value for each in containers for kind in ("limits", "requests"))


def _class_of(clique_set: Field, template: Field) -> str | None:
    """The PriorityClass of a PodCliqueSet: its label comes before its field; None without both."""
    label = clique_set.at("metadata", "labels").texts().get("priorityClassName")
    return (template.at("priorityClassName").text() or None) if label is None else label


def _clique_names(group: Field) -> list[str]:
    return [name.text() for name in group.at("cliqueNames").entries()]


def _clique_least(entry: Field) -> int:
    """The pods of a PodClique that must start together: all, unless it says less. ``UngroupedError`` for none."""
    replicas = entry.at("spec", "replicas").natural(1)
    least = entry.at("spec", "minAvailable").natural(replicas)
    if not least:
        raise rejected(entry.at("spec", "minAvailable").place, "KAI's pod grouper fails: minAvailable is 0")
    return least


def _clique_role(name: str, entry: Field) -> PodRole:
    """The pods of a PodClique, with its labels and annotations."""
    metadata = {kind: entry.at(kind).texts() for kind in ("labels", "annotations")}
    pod = replaced(entry, {"metadata": metadata, "spec": entry.at("spec", "podSpec").value})
    return PodRole(name, entry.at("spec", "replicas").natural(1), pod, name)


SETS: Final[Shapes] = {
    ("jobset.x-k8s.io", "JobSet"): Shaped(frozenset({"v1alpha2"}), of_job_set),
    ("leaderworkerset.x-k8s.io", "LeaderWorkerSet"): Shaped(frozenset({"v1"}), of_leader_worker_set),
    ("grove.io", "PodCliqueSet"): Shaped(frozenset({"v1alpha1"}), of_pod_clique_set),
}
