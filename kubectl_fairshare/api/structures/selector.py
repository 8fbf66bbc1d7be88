"""Label selectors, taints and tolerations, with the rules of the API on them."""

from kubectl_fairshare.api.structures.structure import INT64, TEXT, TIME, Listing, Rule, Table, f, struct
from kubectl_fairshare.model.json import Json

EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")


def _effects_known(taints: Json, _old: Json) -> bool:
    return all(taint["effect"] in EFFECTS for taint in taints)


def _keyless_exist(tolerations: Json, _old: Json) -> bool:
    return all("key" in each or each.get("operator") == "Exists" for each in tolerations)


def _timed_not_executing(tolerations: Json, _old: Json) -> bool:
    return all("tolerationSeconds" not in each or each.get("effect") == "NoExecute" for each in tolerations)


def _operators_known(tolerations: Json, _old: Json) -> bool:
    return all(each.get("operator", "Exists") in ("Equal", "Exists") for each in tolerations)


def _existing_valueless(tolerations: Json, _old: Json) -> bool:
    return all(each.get("operator") != "Exists" or "value" not in each for each in tolerations)


def _toleration_effects_known(tolerations: Json, _old: Json) -> bool:
    return all(each.get("effect", "NoExecute") in EFFECTS for each in tolerations)


RULES_NODE_TAINTS = (
    Rule("effect is not NoSchedule, PreferNoSchedule or NoExecute", _effects_known, law="1.4-taint-effect"),
)
RULES_TOLERATIONS = (
    Rule("operator is not Exists although the key is absent", _keyless_exist, law="1.4-toleration-without-key"),
    Rule(
        "effect is not NoExecute although tolerationSeconds is set", _timed_not_executing, law="1.4-toleration-seconds"
    ),
    Rule("operator is neither Equal nor Exists", _operators_known, law="1.4-toleration-operator"),
    Rule("value is set although operator is Exists", _existing_valueless, law="1.4-toleration-value"),
    Rule(
        "effect is not NoSchedule, PreferNoSchedule or NoExecute",
        _toleration_effects_known,
        law="1.4-toleration-effect",
    ),
)

LABEL_SELECTOR_REQUIREMENT = struct(
    f("key", TEXT, "!k"),
    f("operator", TEXT, "!k"),
    f("values", Listing(TEXT)),
)

LABEL_SELECTOR = struct(
    f("matchLabels", Table(TEXT)),
    f("matchExpressions", Listing(LABEL_SELECTOR_REQUIREMENT)),
)

TAINT = struct(
    f("key", TEXT, "!k"),
    f("value", TEXT),
    f("effect", TEXT, "!k"),
    f("timeAdded", TIME, "*"),
)

TOLERATION = struct(
    f("key", TEXT),
    f("operator", TEXT),
    f("value", TEXT),
    f("effect", TEXT),
    f("tolerationSeconds", INT64, "*"),
)
