"""Who holds what a waiting pod lacks, and who can preempt a placed pod."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from kubectl_fairshare.answers.review import PossiblePreemptor
from kubectl_fairshare.schedulers.elasticquota.explain.preemptors import left_below
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.preemption.gate import Gate
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.elasticquota.why.verdict import Exposed, HeldBy, NextPreemptor


def holders(state: State, namespace: str, refused: Gate) -> tuple[HeldBy, ...]:
    """The pods that hold what the quotas lack, largest first.

    At the max of a namespace these are its own pods. At the sum of all min these are the pods of namespaces above
    their min.
    """
    held = [h for excess in refused.excesses for h in _of_resource(state, namespace, refused.law, excess.resource)]
    return tuple(sorted(held, key=lambda h: (h.resource, -h.amount, h.pod.key)))


def _of_resource(state: State, namespace: str, law: Law, resource: str) -> Iterator[HeldBy]:
    beyond = frozenset(n for n in state.source.quotas if _borrows(state, n, resource))
    among = {namespace} if law is Law.OVER_MAX else beyond
    for pod in state.source.pods:
        amount = pod.charge.of(resource)
        if pod.node and pod.namespace in among and amount > 0:
            yield HeldBy(pod, resource, amount, pod.namespace in beyond)


def _borrows(state: State, namespace: str, resource: str) -> bool:
    return any(excess.resource == resource for excess in state.ledger.borrowed(namespace))


def holding(
    state: State, pod: Pod, attempts: Iterable[tuple[Attempt, bool]], able: Iterable[PossiblePreemptor]
) -> Exposed:
    """Who can preempt a placed pod; ``attempts`` are those of waiting pods, and whether each is certain."""
    quoted = state.ledger.has(pod.namespace)
    borrowed = state.ledger.borrowed(pod.namespace) if quoted else ()
    takers = tuple(sorted(able, key=lambda each: (each.law == Law.BORROWER, each)))
    others = [each.queue for each in takers if each.law == Law.BORROWER]
    lenders = tuple(_lenders(state, others, [excess.resource for excess in borrowed]))
    below = tuple(left_below(state, pod))
    return Exposed(borrowed, lenders, takers, tuple(_preemptors(pod, attempts)), below)


def _lenders(state: State, namespaces: Iterable[str], resources: Sequence[str]) -> Iterator[tuple[str, str, int]]:
    """The namespaces with an unused min of one of the resources, and the unused amount."""
    for resource, namespace in product(resources, namespaces):
        unused = state.source.quotas[namespace].least.of(resource) - state.ledger.used(namespace).of(resource)
        if unused > 0:
            yield namespace, resource, unused


def _preemptors(pod: Pod, attempts: Iterable[tuple[Attempt, bool]]) -> Iterator[NextPreemptor]:
    for attempt, exact in attempts:
        if attempt.choice is None:
            continue
        for name in attempt.choice.nodes:
            if any(fate.pod.key == pod.key for fate in attempt.trials[name].victims):
                yield NextPreemptor(attempt.pod, name, exact and len(attempt.choice.nodes) == 1)
