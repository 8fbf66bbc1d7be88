"""AdmissionCheck: its structure and its CEL rules."""

from kubectl_fairshare.api.sameness import same
from kubectl_fairshare.api.structures.condition import CONDITION
from kubectl_fairshare.api.structures.object_meta import TYPE_AND_META
from kubectl_fairshare.api.structures.structure import (
    DNS_LABEL,
    INT64,
    LABEL_PATTERN,
    NAME,
    NAME_PATTERN,
    Listing,
    Rule,
    Text,
    f,
    struct,
)

KIND_PATTERN = r"^[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?$"
RULES_CONTROLLER_NAME = (Rule("controllerName is immutable", same, transition=True, law="1.5-controller-immutable"),)

ADMISSION_CHECK_PARAMETERS_REFERENCE = struct(
    f("apiGroup", Text(pattern=NAME_PATTERN, least=1, most=253), "!"),
    f("kind", Text(pattern=KIND_PATTERN, least=1, most=63), "!"),
    f("name", Text(pattern=LABEL_PATTERN, least=1, most=63), "!"),
)

ADMISSION_CHECK_SPEC = struct(
    f("controllerName", Text(least=1, most=253, rules=RULES_CONTROLLER_NAME), "!k"),
    f("parameters", ADMISSION_CHECK_PARAMETERS_REFERENCE, "*"),
)

ADMISSION_CHECK_STATUS = struct(
    f("conditions", Listing(CONDITION, most=16, keys=("type",))),
)

ADMISSION_CHECK = struct(
    *TYPE_AND_META,
    f("spec", ADMISSION_CHECK_SPEC, "k"),
    f("status", ADMISSION_CHECK_STATUS),
)

ADMISSION_CHECK_PARAMETERS_REFERENCE_V1BETA1 = struct(
    f("apiGroup", NAME, "!k"),
    f("kind", Text(pattern=KIND_PATTERN, most=63), "!k"),
    f("name", DNS_LABEL, "!k"),
)

ADMISSION_CHECK_SPEC_V1BETA1 = struct(
    f("controllerName", Text(rules=RULES_CONTROLLER_NAME), "!k"),
    f("retryDelayMinutes", INT64, "*", default=15),
    f("parameters", ADMISSION_CHECK_PARAMETERS_REFERENCE_V1BETA1, "*"),
)

ADMISSION_CHECK_STATUS_V1BETA1 = struct(
    f("conditions", Listing(CONDITION, keys=("type",))),
)

ADMISSION_CHECK_V1BETA1 = struct(
    *TYPE_AND_META,
    f("spec", ADMISSION_CHECK_SPEC_V1BETA1),
    f("status", ADMISSION_CHECK_STATUS_V1BETA1),
)
