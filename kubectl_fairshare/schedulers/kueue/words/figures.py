"""Kueue's own figures as people read them."""

from kubectl_fairshare.answers import answer
from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.schedulers.kueue.laws import Share
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource


def pair_text(of: FlavorResource) -> str:
    """A flavor-resource: ``nvidia.com/gpu in a100``."""
    return f"{of.resource} in {of.flavor}"


def share_text(of: Share) -> str:
    """A share as a fraction: Kueue's weightedShare divided by 1000; ``∞`` for a borrower of weight 0."""
    if of.rank:
        return "∞"
    value = of.value / 1000
    if value == 0:
        return "0"
    return f"{value:.3f}" if value >= 0.001 else f"{value:.1e}"


def pooled(queue: ClusterQueue | None) -> frozenset[str]:
    """The resources that a queue has in more than one flavor."""
    groups = () if queue is None else queue.groups
    return frozenset(resource for group in groups if len(group.flavors) > 1 for resource in group.covered)


def amount_of(pair: FlavorResource, value: int) -> Amount:
    """An amount of a flavor-resource."""
    return answer.amount_of(pair.resource, value, pair.flavor)
