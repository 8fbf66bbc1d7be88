"""Cohort: its structure."""

from kubectl_fairshare.api.structures.object_meta import TYPE_AND_META
from kubectl_fairshare.api.structures.structure import NAME, Listing, f, struct
from kubectl_fairshare.schedulers.kueue.admission.structures.quota import (
    FAIR_SHARING,
    FAIR_SHARING_STATUS,
    FAIR_SHARING_STATUS_V1BETA1,
    RESOURCE_GROUP,
    RESOURCE_GROUP_V1BETA1,
)

COHORT_SPEC = struct(
    f("parentName", NAME),
    f("resourceGroups", Listing(RESOURCE_GROUP, most=16)),
    f("fairSharing", FAIR_SHARING, "*"),
)

COHORT_STATUS = struct(
    f("fairSharing", FAIR_SHARING_STATUS, "*"),
)

COHORT = struct(
    *TYPE_AND_META,
    f("spec", COHORT_SPEC, "k"),
    f("status", COHORT_STATUS),
)

COHORT_SPEC_V1BETA1 = struct(
    f("parentName", NAME),
    f("resourceGroups", Listing(RESOURCE_GROUP_V1BETA1, most=16)),
    f("fairSharing", FAIR_SHARING, "*"),
)

COHORT_STATUS_V1BETA1 = struct(
    f("fairSharing", FAIR_SHARING_STATUS_V1BETA1, "*"),
)

COHORT_V1BETA1 = struct(
    *TYPE_AND_META,
    f("spec", COHORT_SPEC_V1BETA1),
    f("status", COHORT_STATUS_V1BETA1),
)
