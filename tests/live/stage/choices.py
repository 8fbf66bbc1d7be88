"""Random fields with which a pod chooses its nodes and its turn, most of them right."""

import random
from collections.abc import Sequence
from typing import Any, Final

from tests.live.stage.server import Object

_KEYS: Final = ("a", "a", "example.com/a", "a b", "", "A.b/c", "a/b/c")
_VALUES: Final = ("", "b", "b", "b c", "-")
_OPERATORS: Final = ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Nope", "")
_EFFECTS: Final = ("", "NoSchedule", "PreferNoSchedule", "NoExecute", "Nope")


def choices(chance: random.Random) -> Object:
    """A few of the fields."""
    made: dict[str, Any] = {
        "nodeSelector": {chance.choice(_KEYS): chance.choice(_VALUES)},
        "tolerations": [_toleration(chance) for _ in range(chance.choice((1, 2)))],
        "affinity": _affinity(chance),
        "topologySpreadConstraints": [_constraint(chance) for _ in range(chance.choice((1, 2)))],
        "schedulingGates": [{"name": chance.choice(("a", "a.b/c", "a b", ""))} for _ in range(chance.choice((1, 2)))],
        "activeDeadlineSeconds": chance.choice((0, 1, -1, 2**31 - 1)),
        "preemptionPolicy": chance.choice(("PreemptLowerPriority", "Nope", "")),
        "priorityClassName": chance.choice(("A_b", "")),
        "nodeName": chance.choice(("n1", "n1", "N_1", "")),
        "runtimeClassName": chance.choice(("A_b",)),
        "serviceAccountName": chance.choice(("A_b",)),
    }
    odds = (0.2, 0.3, 0.3, 0.25, 0.15, 0.08, 0.06, 0.04, 0.1, 0.03, 0.03)
    return {name: value for (name, value), odd in zip(made.items(), odds, strict=True) if chance.random() < odd}


def _some(chance: random.Random, odds: float, **fields: Sequence[Any]) -> Object:
    return {name: chance.choice(values) for name, values in fields.items() if chance.random() < odds}


def _toleration(chance: random.Random) -> Object:
    if chance.random() < 0.5:
        return {"key": "a", "operator": "Exists", "effect": "NoSchedule"}
    return _some(
        chance,
        0.6,
        key=_KEYS,
        operator=("Equal", "Exists", "Exists", "Lt", "Nope", ""),
        value=_VALUES,
        effect=_EFFECTS,
        tolerationSeconds=(5,),
    )


def _requirement(chance: random.Random) -> Object:
    operator, values = (
        chance.choice((*["In"] * 4, *_OPERATORS)),
        [chance.choice(_VALUES)] * chance.choice((0, 1, 1, 1, 2)),
    )
    found: Object = {"key": chance.choice(("a", "a", *_KEYS)), "operator": operator}
    return found | ({"values": values} if values or chance.random() < 0.3 else {})


def _field(chance: random.Random) -> Object:
    values = [chance.choice(("n1", "N_1"))] * chance.choice((0, 1, 1, 2))
    operator = chance.choice(("In", "In", "NotIn", "Exists"))
    return {"key": chance.choice(("metadata.name", "metadata.name", "spec.x")), "operator": operator, "values": values}


def _term(chance: random.Random) -> Object:
    found: Object = {}
    if chance.random() < 0.8:
        found["matchExpressions"] = [_requirement(chance)]
    if chance.random() < 0.25:
        found["matchFields"] = [_field(chance)]
    return found


def _affinity(chance: random.Random) -> Object:
    kind = chance.choice(("nodeAffinity", "podAffinity", "podAntiAffinity"))
    return {kind: _node_affinity(chance) if kind == "nodeAffinity" else _neighbours(chance)}


def _node_affinity(chance: random.Random) -> Object:
    found: Object = {}
    if chance.random() < 0.7:
        terms = [_term(chance) for _ in range(chance.choice((0, 1, 1, 1, 2)))]
        found["requiredDuringSchedulingIgnoredDuringExecution"] = {"nodeSelectorTerms": terms}
    if chance.random() < 0.4:
        preferred = {"weight": chance.choice((1, 100, 50, 0, 101)), "preference": _term(chance)}
        found["preferredDuringSchedulingIgnoredDuringExecution"] = [preferred]
    return found


def _selector(chance: random.Random) -> Object:
    found: Object = {}
    if chance.random() < 0.5:
        found["matchLabels"] = {chance.choice(("a", "a", *_KEYS)): chance.choice(("b", "b", *_VALUES))}
    if chance.random() < 0.4:
        found["matchExpressions"] = [_requirement(chance)]
    return found


def _neighbour(chance: random.Random) -> Object:
    found: Object = {"topologyKey": chance.choice(("zone", "zone", "zone", *_KEYS))}
    found |= {"labelSelector": _selector(chance)} if chance.random() < 0.7 else {}
    found |= {"namespaceSelector": _selector(chance)} if chance.random() < 0.2 else {}
    return found | _some(chance, 0.2, namespaces=(["n"], ["N"], ["a.b"]))


def _neighbours(chance: random.Random) -> Object:
    if chance.random() < 0.5:
        return {"requiredDuringSchedulingIgnoredDuringExecution": [_neighbour(chance)]}
    preferred = {"weight": chance.choice((1, 100, 0)), "podAffinityTerm": _neighbour(chance)}
    return {"preferredDuringSchedulingIgnoredDuringExecution": [preferred]}


def _constraint(chance: random.Random) -> Object:
    found: Object = {
        "maxSkew": chance.choice((1, 1, 2, 0)),
        "topologyKey": chance.choice(("zone", "host", "zone", *_KEYS)),
        "whenUnsatisfiable": chance.choice(("DoNotSchedule", "DoNotSchedule", "ScheduleAnyway", "Nope")),
    }
    found |= _some(
        chance,
        0.2,
        minDomains=(1, 0),
        nodeAffinityPolicy=("Honor", "Ignore", "Nope"),
        nodeTaintsPolicy=("Honor", "x"),
    )
    return found | ({"labelSelector": _selector(chance)} if chance.random() < 0.4 else {})
