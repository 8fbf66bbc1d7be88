"""ResourceFlavor: its structure and its CEL rules."""

from kubectl_fairshare.api.sameness import ABSENT, same
from kubectl_fairshare.api.structures.object_meta import TYPE_AND_META
from kubectl_fairshare.api.structures.selector import RULES_NODE_TAINTS, RULES_TOLERATIONS, TAINT, TOLERATION
from kubectl_fairshare.api.structures.structure import NAME, TEXT, Listing, Rule, Table, Verdict, f, struct
from kubectl_fairshare.model.json import Json


def _labelled_for_topology(spec: Json, _old: Json) -> Verdict:
    if "topologyName" not in spec:
        return True
    return len(spec["nodeLabels"]) >= 1 if "nodeLabels" in spec else None


def _fixed_with_topology(name: str) -> Rule:
    def holds(spec: Json, old: Json) -> bool:
        return "topologyName" not in old or same(spec.get(name, ABSENT), old.get(name, ABSENT))

    return Rule(f"{name} is immutable once topologyName is set", holds, transition=True, law="1.4-topology-immutable")


RULES_RESOURCE_FLAVOR_SPEC = (
    Rule("topologyName needs at least one nodeLabel", _labelled_for_topology, law="1.4-topology-without-label"),
    _fixed_with_topology("nodeLabels"),
    _fixed_with_topology("tolerations"),
    _fixed_with_topology("topologyName"),
)

RESOURCE_FLAVOR_SPEC = struct(
    f("nodeLabels", Table(TEXT, most=8)),
    f("nodeTaints", Listing(TAINT, most=8, rules=RULES_NODE_TAINTS)),
    f("tolerations", Listing(TOLERATION, most=8, rules=RULES_TOLERATIONS)),
    f("topologyName", NAME, "*"),
    rules=RULES_RESOURCE_FLAVOR_SPEC,
)

RESOURCE_FLAVOR = struct(
    *TYPE_AND_META,
    f("spec", RESOURCE_FLAVOR_SPEC),
)
