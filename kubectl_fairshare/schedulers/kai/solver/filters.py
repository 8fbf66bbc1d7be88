"""Tests that a set of victims must pass before it is worth a simulation: labels of nodes, and a count of GPUs.

Example: a pod of 8 GPUs, and victims that free 7 on a node. The scenario is not simulated; the count of GPUs says so.
Source:
https://github.com/NVIDIA/KAI-Scheduler/tree/v0.17.0/pkg/scheduler/actions/common/solvers/accumulated_scenario_filters;
"kai solver" in ``docs/laws.md``.
"""

from collections.abc import Collection, Iterable, Sequence

from kubectl_fairshare.schedulers.kai.solver.layers import Layer
from kubectl_fairshare.schedulers.kai.solver.ledgers import charge_on, free_gpus
from kubectl_fairshare.schedulers.kai.solver.predicates import UnmodelledError, selects
from kubectl_fairshare.schedulers.kai.solver.tasks import Task


class Filters:
    """The tests for the pods ``asking``, next to victims ``recorded`` before, on ``nodes`` and those of victims.

    Where a pod is recorded twice KAI's count of GPUs ends in an error, which it takes for a pass.
    """

    __slots__ = ("_asking", "_counts", "_free", "_layer", "_nodes", "_wanted")

    def __init__(self, layer: Layer, asking: Sequence[Task], recorded: Sequence[str], nodes: Collection[str]) -> None:
        self._layer, self._asking, self._nodes = layer, asking, set(nodes)
        self._wanted = sorted((task.request[2] for task in asking), reverse=True)
        self._free = {name: free_gpus(ledger) for name, ledger in layer.ledgers.items()}
        # The error is of KAI's own books: it lets the scenario through, and the simulation decides.
        self._counts = len(set(recorded)) == len(recorded)
        self.free(dict.fromkeys(recorded))

    def free(self, pods: Iterable[str]) -> None:
        """Pods that leave, next to those before. Raises ``UnmodelledError`` for one on a node that is not there."""
        for pod in pods:
            node = self._layer.pod_states[pod].node
            if node not in self._free:
                raise UnmodelledError("victims on nodes that are not in the input")
            machine = self._layer.ledgers[node].machine
            self._free[node] += charge_on(self._layer.ground.tasks[pod], machine).gpu
            self._nodes.add(node)

    def pass_(self) -> bool:
        """Whether each pod has a node by its labels, and the GPUs suffice."""
        return all(map(self._has_node, self._asking)) and (not self._counts or self._enough())

    def _has_node(self, task: Task) -> bool:
        ledgers = self._layer.ledgers
        return not task.needs.chooses or any(selects(task.needs, ledgers[name].machine) for name in self._nodes)

    def _enough(self) -> bool:
        """Whether the GPUs asked for, largest first, fit on the nodes with most, as many nodes as pods."""
        # As many nodes as pods are enough, since no pod needs two.
        most = sorted(self._free.values(), reverse=True)[: len(self._asking)]
        given = [0.0] * len(most)
        for wanted in self._wanted:
            # Largest first, so that only pods without GPUs are left.
            if wanted == 0:
                return True
            place = next((i for i, gpus in enumerate(most) if gpus >= wanted and gpus - given[i] >= wanted), None)
            if place is None:
                return False
            given[place] += wanted
        return True
