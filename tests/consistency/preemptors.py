"""Who may preempt running work, as ``why``, ``diff`` and ``report`` compute it for Kueue, against plans."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kueue.explain.preemptors.newcomers import Taking
from kubectl_fairshare.schedulers.kueue.explain.preemptors.takers import Takers, takers
from kubectl_fairshare.schedulers.kueue.model.workload import Pending, PodSet
from kubectl_fairshare.schedulers.kueue.review.reviewer import considered
from kubectl_fairshare.schedulers.kueue.tree.state import State as Considered
from kubectl_fairshare.schedulers.recording import manifests_of
from tests.consistency.asking import NOW, Program
from tests.consistency.kueue_queues import local_queue
from tests.consistency.states import Manifest, State

_MOST: Final = 5
"""Named preemptors of one state that are planned."""


class Preemptors:
    """Who is named in a state; nobody in those of other schedulers."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._decided: Considered | None = None
        self._named = Takers({})
        if state.house == "kueue":
            snapshot = assemble(manifests_of(state.objects, "drawn"), known_schedulers(), complete=False).snapshot
            self._decided = considered(snapshot)
            self._named = takers(self._decided, PreemptorNumbers(), self._decided.kueue.holders)

    def unnamed(self, victims: list[tuple[str, str]]) -> Iterator[str]:
        """Victims of plans whose preemptor is not among those that may preempt them."""
        known = {f"{key.namespace}/{key.name}": {each.queue for each in of} for key, of in self._named.of.items()}
        for queue, victim in victims:
            if victim in known and queue not in known[victim]:
                yield f"{victim} is preempted for {queue}; named are {', '.join(sorted(known[victim])) or 'none'}"

    def in_vain(self, program: Program, file: str) -> Iterator[str]:
        """Named queues for whose newcomer, that is said to preempt, a plan has other victims."""
        for queue, (key, law), newcomer in islice(self._found() if "charges" not in self._named.doubt else (), _MOST):
            local = local_queue(self._state, queue)
            if local is None:
                continue
            manifest = workload(newcomer, *local)
            plan = program.ask("plan", "-w", program.file("newcomer", [manifest]), "-f", file).document
            victims = [(each["object"]["namespace"], each["object"]["name"]) for each in plan.get("victims", ())]
            if (key.namespace, key.name) not in victims and plan.get("fidelity", {}).get("exact", True):
                yield f"{queue} may preempt {key.name} ({law}); the plan of its newcomer {manifest}: {victims}"

    def _found(self) -> Iterator[tuple[str, Taking, Pending]]:
        for node, takings in sorted(self._named.newcomers.items()):
            name = "" if self._decided is None else self._decided.forest.nodes[node].name
            yield from ((name, taking, found) for taking, found in sorted(takings.items()) if found is not None)


def workload(newcomer: Pending, namespace: str, local_queue: str) -> Manifest:
    """The Workload that a newcomer would be."""
    return {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "Workload",
        "metadata": {
            "name": "newcomer",
            "namespace": namespace,
            "uid": "newcomer",
            "creationTimestamp": "2000-01-01T00:00:00Z" if newcomer.queued < 0 else NOW,
        },
        "spec": {
            "queueName": local_queue,
            "priority": newcomer.priority,
            "podSets": [_pods(each, number) for number, each in enumerate(newcomer.pod_sets)],
        },
    }


def _pods(pods: PodSet, number: int) -> Manifest:
    amounts = {r: f"{amount}m" if r == "cpu" else str(amount) for r, amount in pods.requests.items()}
    tolerations = [
        {"key": t.key, "operator": t.operator, "value": t.value, "effect": t.effect} for t in pods.tolerations
    ]
    absent = [{"key": each.key, "operator": each.operator} for each in pods.node_selector if not each.values]
    spec: Manifest = {
        "restartPolicy": "Never",
        "containers": [{"name": "main", "image": "busybox", "resources": {"requests": amounts}}],
        "nodeSelector": {each.key: each.values[0] for each in pods.node_selector if each.values},
        "affinity": _affinity(absent),
        "tolerations": tolerations,
    }
    return {"name": f"ps{number}", "count": pods.count, "template": {"spec": spec}}


def _affinity(expressions: list[Manifest]) -> Manifest:
    """The affinity that requires all of the expressions; none without any."""
    terms = {"nodeSelectorTerms": [{"matchExpressions": expressions}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}} if expressions else {}
