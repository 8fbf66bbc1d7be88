"""Random states of Kueue: those of the properties, with topologies, checks and the manager's configuration."""

from copy import deepcopy
from random import Random
from typing import Any, Final

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.consistency.recorded import STRATEGIES, configuration
from tests.property.generate import API, cases

Manifest = dict[str, Any]
_TOPOLOGY: Final = {"apiVersion": API, "kind": "Topology", "metadata": {"name": "racks"}}


def states(start: int, count: int) -> list[list[Manifest]]:
    """``count`` states, the same for the same start."""
    drawn: list[Manifest] = []

    @seed(start)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(cases(odd=False))
    def draw(case: Manifest) -> None:
        drawn.append(case)

    draw()
    return [completed(case, Random(f"{start}/{number}")) for number, case in enumerate(drawn[:count])]


def completed(case: Manifest, dice: Random) -> list[Manifest]:
    """The objects of a case, with what the cases of properties have apart from them or not at all."""
    objects: list[Manifest] = deepcopy(case["objects"])
    for each in objects:
        fungibility = each.get("spec", {}).get("flavorFungibility", {})
        if "preference" in fungibility:  # the API server takes it with these alone
            fungibility |= {"whenCanBorrow": "TryNextFlavor", "whenCanPreempt": "TryNextFlavor"}
    if "fairSharing" in case["config"]:
        strategies = case["config"]["fairSharing"].get("preemptionStrategies", STRATEGIES)
        objects.append(configuration({"fairSharing": {"preemptionStrategies": strategies}}))
    if dice.random() < 0.15:
        objects += _with_checks(objects, dice)
    if dice.random() < 0.2:
        objects += _with_topology(objects, dice)
    return objects


def _with_checks(objects: list[Manifest], dice: Random) -> list[Manifest]:
    queue = dice.choice([each for each in objects if each["kind"] == "ClusterQueue"])
    queue["spec"]["admissionChecksStrategy"] = {"admissionChecks": [{"name": "budget"}]}
    active = {"type": "Active", "status": "True", "reason": "Active", "message": "", "lastTransitionTime": _LONG_AGO}
    return [
        {
            "apiVersion": API,
            "kind": "AdmissionCheck",
            "metadata": {"name": "budget"},
            "spec": {"controllerName": "example.com/budget"},
            "status": {"conditions": [active]},
        }
    ]


_LONG_AGO: Final = "2026-08-01T00:00:00Z"


def _with_topology(objects: list[Manifest], dice: Random) -> list[Manifest]:
    """A topology for the flavors that label their nodes, with a few nodes; some workloads that wait ask for it."""
    flavors = [each for each in objects if each["kind"] == "ResourceFlavor"]
    for flavor in flavors:
        flavor["spec"] |= {"topologyName": "racks", "nodeLabels": {"pool": flavor["metadata"]["name"]}}
    for work in (each for each in objects if each["kind"] == "Workload" and "admission" not in each.get("status", {})):
        for pods in work["spec"]["podSets"]:
            if dice.random() < 0.5:
                pods["topologyRequest"] = {dice.choice(["required", "preferred"]): dice.choice(["rack", _HOST])}
    levels = {"spec": {"levels": [{"nodeLabel": "rack"}, {"nodeLabel": _HOST}]}}
    return [_TOPOLOGY | levels, *(_node(each["metadata"]["name"], n, dice) for each in flavors for n in range(2))]


_HOST: Final = "kubernetes.io/hostname"


def _node(pool: str, number: int, dice: Random) -> Manifest:
    name = f"{pool}-{number}"
    amounts = {
        "cpu": dice.choice(["1", "2", "4"]),
        "memory": dice.choice(["1Gi", "4Gi"]),
        "nvidia.com/gpu": dice.choice(["1", "4"]),
        "pods": dice.choice(["2", "10"]),
    }
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"pool": pool, _HOST: name, "rack": f"r{dice.randrange(2)}"}},
        "status": {"allocatable": amounts, "capacity": amounts, "conditions": [{"type": "Ready", "status": "True"}]},
    }
