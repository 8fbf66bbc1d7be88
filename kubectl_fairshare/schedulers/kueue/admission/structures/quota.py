"""What ClusterQueue and Cohort share: resource groups, usage, fair sharing."""

from kubectl_fairshare.api.structures.structure import (
    INT64,
    NAME,
    QUANTITY,
    TEXT,
    TIME,
    Listing,
    Rule,
    Table,
    f,
    struct,
)
from kubectl_fairshare.model.json import Json


def _resources_as_many_as_covered(group: Json, _old: Json) -> bool:
    covered = len(group["coveredResources"])
    return all(len(flavor["resources"]) == covered for flavor in group["flavors"])


RULES_RESOURCE_GROUP = (
    Rule("a flavor has not as many resources as coveredResources", _resources_as_many_as_covered, law="CQ03"),
)

RESOURCE_QUOTA = struct(
    f("name", TEXT, "!"),
    f("nominalQuota", QUANTITY, "!"),
    f("borrowingLimit", QUANTITY, "*"),
    f("lendingLimit", QUANTITY, "*"),
)

FLAVOR_QUOTAS = struct(
    f("name", NAME, "!k"),
    f("resources", Listing(RESOURCE_QUOTA, least=1, most=64, keys=("name",)), "!"),
)

RESOURCE_GROUP = struct(
    f("coveredResources", Listing(TEXT, least=1, most=64), "!"),
    f("flavors", Listing(FLAVOR_QUOTAS, least=1, most=64, keys=("name",), law="CQ06"), "!"),
    rules=RULES_RESOURCE_GROUP,
)

FAIR_SHARING = struct(
    f("weight", QUANTITY, "*", default=1),
)

RESOURCE_USAGE = struct(
    f("name", TEXT, "!"),
    f("total", QUANTITY),
    f("borrowed", QUANTITY),
)

FLAVOR_USAGE = struct(
    f("name", NAME, "!"),
    f("resources", Listing(RESOURCE_USAGE, most=64, keys=("name",)), "!"),
)

FAIR_SHARING_STATUS = struct(
    f("weightedShare", INT64, "!k"),
)

RESOURCE_QUOTA_V1BETA1 = struct(
    f("name", TEXT, "!k"),
    f("nominalQuota", QUANTITY, "!k"),
    f("borrowingLimit", QUANTITY, "*"),
    f("lendingLimit", QUANTITY, "*"),
)

FLAVOR_QUOTAS_V1BETA1 = struct(
    f("name", NAME, "!k"),
    f("resources", Listing(RESOURCE_QUOTA_V1BETA1, least=1, most=64, keys=("name",)), "!k"),
)

RESOURCE_GROUP_V1BETA1 = struct(
    f("coveredResources", Listing(TEXT, least=1, most=64), "!k"),
    f("flavors", Listing(FLAVOR_QUOTAS_V1BETA1, least=1, most=64, keys=("name",), law="CQ06"), "!k"),
    rules=RULES_RESOURCE_GROUP,
)

RESOURCE_USAGE_V1BETA1 = struct(
    f("name", TEXT, "!k"),
    f("total", QUANTITY),
    f("borrowed", QUANTITY),
)

FLAVOR_USAGE_V1BETA1 = struct(
    f("name", NAME, "!k"),
    f("resources", Listing(RESOURCE_USAGE_V1BETA1, most=64, keys=("name",)), "!k"),
)

ADMISSION_FAIR_SHARING_STATUS_V1BETA1 = struct(
    f("consumedResources", Table(QUANTITY), "!k"),
    f("lastUpdate", TIME, "!k"),
)

FAIR_SHARING_STATUS_V1BETA1 = struct(
    f("weightedShare", INT64, "!k"),
    f("admissionFairSharingStatus", ADMISSION_FAIR_SHARING_STATUS_V1BETA1, "*"),
)
