"""The pod template of a Workload's pod set (core/v1)."""

from kubectl_fairshare.api.structures.object_meta import TEMPLATE_META
from kubectl_fairshare.api.structures.pod_affinity import AFFINITY
from kubectl_fairshare.api.structures.pod_container import (
    APP_ARMOR_PROFILE,
    CONTAINER,
    EPHEMERAL_CONTAINER,
    RESOURCE_REQUIREMENTS,
    SE_LINUX_OPTIONS,
    SECCOMP_PROFILE,
    WINDOWS_SECURITY_CONTEXT_OPTIONS,
)
from kubectl_fairshare.api.structures.pod_volume import LOCAL_OBJECT_REFERENCE, VOLUME
from kubectl_fairshare.api.structures.selector import LABEL_SELECTOR, TOLERATION
from kubectl_fairshare.api.structures.structure import INT32, INT64, QUANTITY, TEXT, TRUTH, Listing, Table, f, struct

SYSCTL = struct(
    f("name", TEXT, "!k"),
    f("value", TEXT, "!k"),
)

POD_SECURITY_CONTEXT = struct(
    f("seLinuxOptions", SE_LINUX_OPTIONS, "*"),
    f("windowsOptions", WINDOWS_SECURITY_CONTEXT_OPTIONS, "*"),
    f("runAsUser", INT64, "*"),
    f("runAsGroup", INT64, "*"),
    f("runAsNonRoot", TRUTH, "*"),
    f("supplementalGroups", Listing(INT64)),
    f("supplementalGroupsPolicy", TEXT, "*"),
    f("fsGroup", INT64, "*"),
    f("sysctls", Listing(SYSCTL)),
    f("fsGroupChangePolicy", TEXT, "*"),
    f("seccompProfile", SECCOMP_PROFILE, "*"),
    f("appArmorProfile", APP_ARMOR_PROFILE, "*"),
    f("seLinuxChangePolicy", TEXT, "*"),
)

HOST_ALIAS = struct(
    f("ip", TEXT, "!k"),
    f("hostnames", Listing(TEXT)),
)

POD_DNS_CONFIG_OPTION = struct(
    f("name", TEXT),
    f("value", TEXT, "*"),
)

POD_DNS_CONFIG = struct(
    f("nameservers", Listing(TEXT)),
    f("searches", Listing(TEXT)),
    f("options", Listing(POD_DNS_CONFIG_OPTION)),
)

POD_READINESS_GATE = struct(
    f("conditionType", TEXT, "!k"),
)

TOPOLOGY_SPREAD_CONSTRAINT = struct(
    f("maxSkew", INT32, "!k"),
    f("topologyKey", TEXT, "!k"),
    f("whenUnsatisfiable", TEXT, "!k"),
    f("labelSelector", LABEL_SELECTOR, "*"),
    f("minDomains", INT32, "*"),
    f("nodeAffinityPolicy", TEXT, "*"),
    f("nodeTaintsPolicy", TEXT, "*"),
    f("matchLabelKeys", Listing(TEXT)),
)

POD_OS = struct(
    f("name", TEXT, "!k"),
)

POD_SCHEDULING_GATE = struct(
    f("name", TEXT, "!k"),
)

POD_RESOURCE_CLAIM = struct(
    f("name", TEXT, "!k"),
    f("resourceClaimName", TEXT, "*"),
    f("resourceClaimTemplateName", TEXT, "*"),
)

POD_SCHEDULING_GROUP = struct(
    f("podGroupName", TEXT, "*"),
)

POD_SPEC = struct(
    f("volumes", Listing(VOLUME, keys=("name",))),
    f("initContainers", Listing(CONTAINER, keys=("name",))),
    f("containers", Listing(CONTAINER, keys=("name",)), "!k"),
    f("ephemeralContainers", Listing(EPHEMERAL_CONTAINER, keys=("name",))),
    f("restartPolicy", TEXT),
    f("terminationGracePeriodSeconds", INT64, "*"),
    f("activeDeadlineSeconds", INT64, "*"),
    f("dnsPolicy", TEXT),
    f("nodeSelector", Table(TEXT)),
    f("serviceAccountName", TEXT),
    f("serviceAccount", TEXT),
    f("automountServiceAccountToken", TRUTH, "*"),
    f("nodeName", TEXT),
    f("hostNetwork", TRUTH),
    f("hostPID", TRUTH),
    f("hostIPC", TRUTH),
    f("shareProcessNamespace", TRUTH, "*"),
    f("securityContext", POD_SECURITY_CONTEXT, "*"),
    f("imagePullSecrets", Listing(LOCAL_OBJECT_REFERENCE, keys=("name",))),
    f("hostname", TEXT),
    f("subdomain", TEXT),
    f("affinity", AFFINITY, "*"),
    f("schedulerName", TEXT),
    f("tolerations", Listing(TOLERATION)),
    f("hostAliases", Listing(HOST_ALIAS, keys=("ip",))),
    f("priorityClassName", TEXT),
    f("priority", INT32, "*"),
    f("dnsConfig", POD_DNS_CONFIG, "*"),
    f("readinessGates", Listing(POD_READINESS_GATE)),
    f("runtimeClassName", TEXT, "*"),
    f("enableServiceLinks", TRUTH, "*"),
    f("preemptionPolicy", TEXT, "*"),
    f("overhead", Table(QUANTITY)),
    f("topologySpreadConstraints", Listing(TOPOLOGY_SPREAD_CONSTRAINT, keys=("topologyKey", "whenUnsatisfiable"))),
    f("setHostnameAsFQDN", TRUTH, "*"),
    f("os", POD_OS, "*"),
    f("hostUsers", TRUTH, "*"),
    f("schedulingGates", Listing(POD_SCHEDULING_GATE, keys=("name",))),
    f("resourceClaims", Listing(POD_RESOURCE_CLAIM, keys=("name",))),
    f("resources", RESOURCE_REQUIREMENTS, "*"),
    f("hostnameOverride", TEXT, "*"),
    f("schedulingGroup", POD_SCHEDULING_GROUP, "*"),
)

POD_TEMPLATE_SPEC = struct(
    f("metadata", TEMPLATE_META),
    f("spec", POD_SPEC),
)
