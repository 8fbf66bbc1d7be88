"""Features that KAI's engine does not reproduce."""

from typing import Final

from kubectl_fairshare.answers.fidelity import Fidelity, Gap, unread_gaps
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kai.model.kinds import KINDS
from kubectl_fairshare.schedulers.kai.release import SCHEDULER, VERSION
from kubectl_fairshare.schedulers.kai.session.session import Session

NO_NODES: Final = "NoNodes"
NO_QUEUES: Final = "NoQueues"
WORDS: Final = {
    "DynamicResourceClaims": "devices of resourceClaims (DRA)",
    "ElasticVictimOrder": "KAI sorts victims again after each pod above a minimum, so other jobs may lose pods instead",
    "MapOrder": "the order of Go maps, with which KAI's decision varies between runs",
    NO_NODES: "how much is idle, and which nodes its pods get: the input has no nodes (see `--nodes`)",
    NO_QUEUES: "the quotas of its queue: the input has no Queue",
    "Placement": "the nodes that its pods get: {0}",
    "PluginDisabled": "scheduling without the plugin {0}, which the shard disables",
    "QueueCycle": "a cycle of parent queues (KAI's walk to the root never ends)",
    "ShardSetting": "the setting {0} of the shard",
    "UsageOverTime": "how past usage changes while time passes: it stays as given",
}
"""The features that are not modelled, in clauses; {0} is the subject."""
_READ = frozenset(kind for _, kind in KINDS)
_ORDERING = frozenset({"proportion", "priority", "elastic", "subgrouporder", "taskorder", "kubeflow", "ray"})


def session_gaps(session: Session) -> tuple[Gap, ...]:
    """Features of the input that change figures and are not modelled."""
    found = [*unread_gaps(session.state.unread, _READ)]
    if not session.state.nodes:
        found.append(Gap(NO_NODES, (), touches=True))
    if not session.state.queues:
        found.append(Gap(NO_QUEUES, (), touches=True))
    claims = tuple(Place(pod.key, ("spec", "resourceClaims")) for pod in session.state.pods if pod.claims)
    if claims:
        found.append(Gap("DynamicResourceClaims", claims, touches=True))
    key = session.shard.key
    for name in session.shard.disabled:
        if name in _ORDERING and key is not None:
            place = Place(key, ("spec", "plugins", name, "enabled"))
            found.append(Gap("PluginDisabled", (place,), touches=True, subject=name))
    cycles = tuple(
        Place(lost.queue.key, ("spec", "parentQueue")) for lost in session.lost if lost.cycle and lost.queue.key
    )
    if cycles:
        found.append(Gap("QueueCycle", cycles, touches=False))
    return tuple(found)


def placing_gaps(session: Session) -> tuple[Gap, ...]:
    """Settings of the shard that change where pods go or who is a victim, and are left out."""
    shard = session.shard
    if shard.key is None:
        return ()
    return tuple(
        Gap("ShardSetting", (Place(shard.key, path),), touches=True, subject=".".join(path[1:]))
        for path in shard.unmodelled
        if path[1:] not in {("plugins", name, "enabled") for name in _ORDERING}
    )


def fidelity_of(session: Session, *more: Gap) -> Fidelity:
    """The reproduced scheduler, and its gaps."""
    return Fidelity(SCHEDULER, VERSION, (*session_gaps(session), *more), WORDS)
