"""Topology: its structure and its CEL rules."""

from kubectl_fairshare.api.sameness import same
from kubectl_fairshare.api.structures.object_meta import TYPE_AND_META
from kubectl_fairshare.api.structures.structure import LABEL_KEY, Listing, Rule, f, struct
from kubectl_fairshare.model.json import Json

HOSTNAME = "kubernetes.io/hostname"


def _levels_differ(levels: Json, _old: Json) -> bool:
    return len({level["nodeLabel"] for level in levels}) == len(levels)


def _hostname_lowest(levels: Json, _old: Json) -> bool:
    return not any(level["nodeLabel"] == HOSTNAME for level in levels) or levels[-1]["nodeLabel"] == HOSTNAME


RULES_LEVELS = (
    Rule("levels are immutable", same, transition=True, law="1.5-levels-immutable"),
    Rule("a level is named twice", _levels_differ, law="1.5-level-twice"),
    Rule("kubernetes.io/hostname is not the lowest level", _hostname_lowest, law="1.5-hostname-not-lowest"),
)

TOPOLOGY_LEVEL = struct(
    f("nodeLabel", LABEL_KEY, "!"),
)

TOPOLOGY_SPEC = struct(
    f("levels", Listing(TOPOLOGY_LEVEL, least=1, most=16, rules=RULES_LEVELS), "!"),
)

TOPOLOGY = struct(
    *TYPE_AND_META,
    f("spec", TOPOLOGY_SPEC, "k"),
)

TOPOLOGY_LEVEL_V1BETA1 = struct(
    f("nodeLabel", LABEL_KEY, "!k"),
)

TOPOLOGY_SPEC_V1BETA1 = struct(
    f("levels", Listing(TOPOLOGY_LEVEL_V1BETA1, least=1, most=16, rules=RULES_LEVELS), "!"),
)

TOPOLOGY_V1BETA1 = struct(
    *TYPE_AND_META,
    f("spec", TOPOLOGY_SPEC_V1BETA1),
)
