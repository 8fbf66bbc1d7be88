"""ProvisioningRequestConfig: its structure."""

from kubectl_fairshare.api.structures.object_meta import TYPE_AND_META
from kubectl_fairshare.api.structures.structure import (
    INT32,
    LABEL_KEY_PATTERN,
    NAME,
    NAME_PATTERN,
    TEXT,
    Listing,
    Table,
    Text,
    f,
    struct,
)

PROVISIONING_REQUEST_RETRY_STRATEGY = struct(
    f("backoffLimitCount", INT32, "*", default=3),
    f("backoffBaseSeconds", INT32, "*", default=60),
    f("backoffMaxSeconds", INT32, "*", default=1800),
)

PROVISIONING_REQUEST_POD_SET_UPDATES_NODE_SELECTOR = struct(
    f("key", Text(pattern=LABEL_KEY_PATTERN, least=1, most=317), "!"),
    f("valueFromProvisioningClassDetail", Text(least=1, most=32768), "!"),
)

PROVISIONING_REQUEST_POD_SET_UPDATES = struct(
    f("nodeSelector", Listing(PROVISIONING_REQUEST_POD_SET_UPDATES_NODE_SELECTOR, most=8, keys=("key",))),
)

PROVISIONING_REQUEST_CONFIG_SPEC = struct(
    f("provisioningClassName", Text(pattern=NAME_PATTERN, least=1, most=253), "!"),
    f("parameters", Table(Text(most=255), most=100)),
    f("managedResources", Listing(TEXT, most=100, unique=True)),
    f(
        "retryStrategy",
        PROVISIONING_REQUEST_RETRY_STRATEGY,
        "*",
        default={"backoffBaseSeconds": 60, "backoffLimitCount": 3, "backoffMaxSeconds": 1800},
    ),
    f("podSetUpdates", PROVISIONING_REQUEST_POD_SET_UPDATES, "*"),
    f("podSetMergePolicy", Text(choices=("IdenticalPodTemplates", "IdenticalWorkloadSchedulingRequirements")), "*"),
)

PROVISIONING_REQUEST_CONFIG = struct(
    *TYPE_AND_META,
    f("spec", PROVISIONING_REQUEST_CONFIG_SPEC, "k"),
)

PROVISIONING_REQUEST_POD_SET_UPDATES_NODE_SELECTOR_V1BETA1 = struct(
    f("key", Text(pattern=LABEL_KEY_PATTERN, least=1, most=317), "!k"),
    f("valueFromProvisioningClassDetail", Text(least=1, most=32768), "!k"),
)

PROVISIONING_REQUEST_POD_SET_UPDATES_V1BETA1 = struct(
    f("nodeSelector", Listing(PROVISIONING_REQUEST_POD_SET_UPDATES_NODE_SELECTOR_V1BETA1, most=8)),
)

PROVISIONING_REQUEST_CONFIG_SPEC_V1BETA1 = struct(
    f("provisioningClassName", NAME, "!k"),
    f("parameters", Table(Text(most=255), most=100)),
    f("managedResources", Listing(TEXT, most=100, unique=True)),
    f(
        "retryStrategy",
        PROVISIONING_REQUEST_RETRY_STRATEGY,
        "*",
        default={"backoffBaseSeconds": 60, "backoffLimitCount": 3, "backoffMaxSeconds": 1800},
    ),
    f("podSetUpdates", PROVISIONING_REQUEST_POD_SET_UPDATES_V1BETA1, "*"),
    f("podSetMergePolicy", Text(choices=("IdenticalPodTemplates", "IdenticalWorkloadSchedulingRequirements")), "*"),
)

PROVISIONING_REQUEST_CONFIG_V1BETA1 = struct(
    *TYPE_AND_META,
    f("spec", PROVISIONING_REQUEST_CONFIG_SPEC_V1BETA1),
)
