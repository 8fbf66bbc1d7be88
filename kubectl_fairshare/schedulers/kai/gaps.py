"""What KAI's engine does not reproduce."""

from typing import Final

from kubectl_fairshare.answers.fidelity import Fidelity, Gap, unread_gaps
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kai.model.objects import KINDS
from kubectl_fairshare.schedulers.kai.release import SCHEDULER, VERSION
from kubectl_fairshare.schedulers.kai.session.session import Session

WORDS: Final = {
    "DynamicResourceClaims": "devices of resourceClaims (DRA)",
    "ElasticVictimOrder": "that KAI orders victims anew after each pod above a minimum: others may lose pods instead",
    "MapOrder": "the order of Go maps, by which KAI decides otherwise from run to run",
    "NoNodes": "no nodes are in the input, so this is the half of the answer that quotas give",
    "Placement": "on which nodes its pods fit: {0}",
    "PluginDisabled": "scheduling without the plugin {0}, which the shard disables",
    "QueueCycle": "what KAI does about queues in a circle (its walk to the root has no end)",
}
"""What is not modelled, in a clause; {0} is what it is about."""
_READ = frozenset(kind for _, kind in KINDS)
_ORDERING = frozenset({"proportion", "priority", "elastic", "subgrouporder", "taskorder", "kubeflow", "ray"})


def session_gaps(session: Session) -> tuple[Gap, ...]:
    """Features of the input that change figures, and that are left out."""
    found = [*unread_gaps(session.state.unread, _READ)]
    if not session.state.nodes:
        found.append(Gap("NoNodes", (), touches=True))
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


def fidelity_of(session: Session, *more: Gap) -> Fidelity:
    """The scheduler reproduced, and what is left out."""
    return Fidelity(SCHEDULER, VERSION, (*session_gaps(session), *more), WORDS)
