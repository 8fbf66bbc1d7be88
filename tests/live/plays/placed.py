"""Organisations whose flavors have topologies, with Nodes made by hand, and Jobs that ask for a place."""

import json
from collections.abc import Iterator
from typing import Final

from tests.live.plays.richer import RicherOrganisation
from tests.live.stage.server import Object

HOST: Final = "kubernetes.io/hostname"
BLOCK: Final = "live.fairshare.dev/block"
RACK: Final = "live.fairshare.dev/rack"
POOL: Final = "live.fairshare.dev/pool"
DISK: Final = "live.fairshare.dev/disk"
_TAINT: Final = {"key": "live.fairshare.dev/burst", "value": "yes", "effect": "NoSchedule"}
_ANNOTATION: Final = "kueue.x-k8s.io/podset-"


class PlacedOrganisation(RicherOrganisation):
    """A tree of cohorts over nodes in blocks and racks.

    Perhaps leaves are racks, two flavors have the same nodes, the last flavor has no topology, nodes have taints, are
    cordoned or not ready, and pods that no topology places take room.
    """

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        chance = self.chance
        self.prefix_topology = f"{self.prefix}-topology"
        self.namespace = f"{self.prefix}-team"
        self.levels = chance.choice([[BLOCK, RACK, HOST]] * 4 + [[RACK, HOST]] * 2 + [[BLOCK, RACK]] + [[HOST]])
        self.plain_last = len(self.flavors) > 1 and chance.random() < 0.2
        self.overlap = len(self.flavors) > 1 and chance.random() < 0.3
        self.labelled = self.tainted = False
        self.apart = []
        self.node_names: list[str] = []

    def objects(self) -> Iterator[tuple[str, Object]]:
        """What to create, in order: nodes and the pods on them first."""
        yield from self._nodes()
        levels = [{"nodeLabel": level} for level in self.levels]
        yield "topologies", self._object("Topology", self.prefix_topology, {"levels": levels})
        yield from super().objects()

    def _nodes(self) -> Iterator[tuple[str, Object]]:
        chance, pools = self.chance, self._pools()
        for number in range(chance.randint(4, 10)):
            name = f"{self.prefix}-x{number}"
            self.node_names.append(name)
            block = chance.choice("ab")
            labels = {HOST: name, BLOCK: block, RACK: f"{block}{chance.randint(1, 2)}", POOL: chance.choice(pools)}
            if chance.random() < 0.5:
                labels[DISK] = chance.choice(["fast", "slow"])
            if chance.random() < 0.05:
                del labels[RACK]
            spec: Object = {"taints": [_TAINT]} if chance.random() < 0.15 else {}
            if chance.random() < 0.1:
                spec["unschedulable"] = True
            amounts = {"cpu": str(chance.randint(1, 4)), "memory": f"{chance.choice([2, 4, 6, 8])}Gi"}
            amounts["pods"] = str(chance.choice([110, 110, 110, 3]))
            ready = "True" if chance.random() < 0.92 else "False"
            conditions = [{"type": "Ready", "status": ready, "reason": "Live", "message": ""}]
            status = {"allocatable": amounts, "capacity": amounts, "conditions": conditions}
            yield "nodes", _core("Node", name, spec, labels=labels) | {"status": status}
        for number in range(chance.randint(1, 4)):
            requests = {"cpu": chance.choice(["250m", "500m", "1"]), "memory": "256Mi"}
            container = {"name": "agent", "image": "none", "resources": {"requests": requests}}
            spec = {"nodeName": chance.choice(self.node_names), "containers": [container]}
            spec["terminationGracePeriodSeconds"] = 0
            yield "pods", _core("Pod", f"{self.prefix}-agent-{number}", spec, namespace="kube-system")

    def _pools(self) -> list[str]:
        """The pool of each flavor; that of the first for all where they overlap."""
        pools = [f"{self.prefix}-pool{0 if self.overlap else i}" for i in range(len(self.flavors))]
        return pools[:-1] if self.plain_last else pools

    def _machine(self, name: str) -> Object:
        """The nodes of a flavor, and its topology."""
        number, pools = self.flavors.index(name), self._pools()
        if number >= len(pools):
            return {}
        return {"nodeLabels": {POOL: pools[number]}, "topologyName": self.prefix_topology}

    def job(self, number: int) -> Object:
        """A Job to submit; most ask for a place."""
        job = super().job(number)
        pods = self.chance.choice([1, 2, 3, 4, 4, 6, 8])
        job["spec"] |= {"parallelism": pods, "completions": pods}
        job["metadata"].pop("annotations", None)
        if pods > 1 and self.chance.random() < 0.15:
            job["metadata"]["annotations"] = {"kueue.x-k8s.io/job-min-parallelism": "1"}
        template = job["spec"]["template"]
        container = template["spec"]["containers"][0]
        container["resources"]["requests"] = {"cpu": self.chance.choice(["250m", "500m", "1", "1", "2"])}
        if "memory" not in container["resources"]["requests"]:
            container["resources"]["requests"]["memory"] = self.chance.choice(["256Mi", "1Gi"])
        template["metadata"] = {"annotations": self._asked(pods)}
        self._narrow(template["spec"])
        return job

    def _asked(self, pods: int) -> dict[str, str]:
        """The annotations of one request; none where the queue alone decides."""
        chance, levels = self.chance, self.levels
        kind = chance.choice(["required", "required", "required", "preferred", "preferred", "unconstrained", "slices"])
        if chance.random() < 0.1:
            return {}
        if kind == "unconstrained":
            return {f"{_ANNOTATION}unconstrained-topology": "true"}
        top = chance.randrange(len(levels))
        found = {} if kind == "slices" else {f"{_ANNOTATION}{kind}-topology": levels[top]}
        if kind == "slices" or chance.random() < 0.25:
            sizes = [n for n in (4, 3, 2, 1) if n <= pods]
            size, inner = sizes[0] if chance.random() < 0.5 else sizes[-1], chance.randrange(top, len(levels))
            if inner < len(levels) - 1 and size % 2 == 0 and chance.random() < 0.5:
                layers = [{"topology": levels[inner], "size": size}, {"topology": levels[inner + 1], "size": size // 2}]
                found[f"{_ANNOTATION}slice-required-topology-constraints"] = json.dumps(layers)
            else:
                found[f"{_ANNOTATION}slice-required-topology"] = levels[inner]
                found[f"{_ANNOTATION}slice-size"] = str(size)
        return found

    def _narrow(self, pod: Object) -> None:
        chance = self.chance
        if chance.random() < 0.4:
            pod["tolerations"] = [{"key": _TAINT["key"], "operator": "Exists"}]
        if chance.random() < 0.15:
            pod["nodeSelector"] = {DISK: chance.choice(["fast", "slow"])}
        elif chance.random() < 0.1:
            expression = {"key": DISK, "operator": chance.choice(["Exists", "NotIn"]), "values": ["slow"]}
            if expression["operator"] == "Exists":
                del expression["values"]
            terms = {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}
            pod["affinity"] = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}


def _core(kind: str, name: str, spec: Object, **more: object) -> Object:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, **more}, "spec": spec}
