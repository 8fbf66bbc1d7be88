"""Config of KAI's operator: its structure. No webhook reads it, so the Go types are left out."""

from kubectl_fairshare.api.structures.condition import CONDITION
from kubectl_fairshare.api.structures.object_meta import TYPE_AND_META
from kubectl_fairshare.api.structures.pod_affinity import AFFINITY
from kubectl_fairshare.api.structures.pod_container import RESOURCE_REQUIREMENTS, SECURITY_CONTEXT
from kubectl_fairshare.api.structures.pod_template import POD_SECURITY_CONTEXT
from kubectl_fairshare.api.structures.selector import TOLERATION
from kubectl_fairshare.api.structures.structure import (
    INT32,
    INT64,
    NUMBER,
    QUANTITY,
    TEXT,
    TRUTH,
    Field,
    Listing,
    Struct,
    Table,
    Text,
    f,
    struct,
)
from kubectl_fairshare.schedulers.kai.admission.structures.scheduling_shard import PLUGIN_CONFIG

_CHANGES = ("TargetHigherThanRequests", "TargetLowerThanRequests")
_UPDATE_MODES = ("Off", "Initial", "Recreate", "InPlaceOrRecreate", "Auto")

IMAGE = struct(f("name", TEXT), f("pullPolicy", TEXT), f("repository", TEXT), f("tag", TEXT))
CLIENT_CONFIG = struct(f("burst", INT64), f("qps", INT64))
DISRUPTION_BUDGET = struct(f("enabled", TRUTH), f("maxUnavailable", INT32))

VPA_CONTAINER_POLICY = struct(
    f("containerName", TEXT),
    f("controlledResources", Listing(TEXT)),
    f("controlledValues", Text(choices=("RequestsAndLimits", "RequestsOnly"))),
    f("maxAllowed", Table(QUANTITY)),
    f("minAllowed", Table(QUANTITY)),
    f("mode", Text(choices=("Auto", "Off"))),
)
VPA_RESOURCE_POLICY = struct(f("containerPolicies", Listing(VPA_CONTAINER_POLICY)))
VPA_EVICTION_REQUIREMENT = struct(
    f("changeRequirement", Text(choices=_CHANGES), "!"),
    f("resources", Listing(TEXT), "!"),
)
VPA_UPDATE_POLICY = struct(
    f("evictionRequirements", Listing(VPA_EVICTION_REQUIREMENT)),
    f("minReplicas", INT32),
    f("updateMode", Text(choices=_UPDATE_MODES)),
)
VPA = struct(
    f("enabled", TRUTH),
    f("resourcePolicy", VPA_RESOURCE_POLICY),
    f("updatePolicy", VPA_UPDATE_POLICY),
)

SERVICE = struct(
    f("affinity", AFFINITY),
    f("enabled", TRUTH),
    f("image", IMAGE),
    f("k8sClientConfig", CLIENT_CONFIG),
    f("podDisruptionBudget", DISRUPTION_BUDGET),
    f("resources", RESOURCE_REQUIREMENTS),
)


def _component(*fields: Field) -> Struct:
    """A part of KAI: how it is deployed, and fields of its own."""
    return struct(f("service", SERVICE), f("vpa", VPA), *fields)


NAMED_PORT = struct(f("name", TEXT), f("port", INT64), f("targetPort", INT64))
WEBHOOKS = struct(f("enableValidation", TRUTH), f("webhookConfigurationNamePrefix", TEXT))
ADMISSION_WEBHOOK = struct(f("metricsPort", INT64), f("port", INT64), f("probePort", INT64), f("targetPort", INT64))

ADMISSION = _component(
    f("blockNvidiaVisibleDevices", TRUTH),
    f("gpuFractionRuntimeClassName", TEXT),
    f("gpuPodRuntimeClassName", TEXT),
    f("gpuSharing", TRUTH),
    f("mutatingWebhookConfigurationName", TEXT),
    f("queueLabelSelector", TRUTH),
    f("replicas", INT32),
    f("validatingWebhookConfigurationName", TEXT),
    f("webhook", ADMISSION_WEBHOOK),
)

RESOURCE_RESERVATION = struct(
    f("allocationTimeout", INT64),
    f("appLabel", TEXT),
    f("image", IMAGE),
    f("namespace", TEXT),
    f("podResources", RESOURCE_REQUIREMENTS),
    f("reservationContainerSecurityContext", SECURITY_CONTEXT),
    f("reservationPodSecurityContext", POD_SECURITY_CONTEXT),
    f("runtimeClassName", TEXT),
    f("serviceAccountName", TEXT),
)
BINDER = _component(
    f("cdiEnabled", TRUTH),
    f("maxConcurrentReconciles", INT64),
    f("metricsPort", INT64),
    f("plugins", Table(PLUGIN_CONFIG)),
    f("probePort", INT64),
    f("replicas", INT32),
    f("resourceReservation", RESOURCE_RESERVATION),
    f("volumeBindingTimeoutSeconds", INT64),
)

GLOBAL = struct(
    f("additionalImagePullSecrets", Listing(TEXT)),
    f("affinity", AFFINITY),
    f("daemonsetsTolerations", Listing(TOLERATION)),
    f("imagesPullSecret", TEXT),
    f("jsonLog", TRUTH),
    f("namespaceLabelSelector", Table(TEXT)),
    f("nodePoolLabelKey", TEXT),
    f("nodeSelector", Table(TEXT)),
    f("openshift", TRUTH),
    f("podLabelSelector", Table(TEXT)),
    f("priorityClassName", TEXT),
    f("queueLabelKey", TEXT),
    f("replicaCount", INT32),
    f("requireDefaultPodAntiAffinityTerm", TRUTH),
    f("schedulerName", TEXT),
    f("securityContext", SECURITY_CONTEXT),
    f("tolerations", Listing(TOLERATION)),
    f("vpa", VPA),
)

NODE_SCALE_ADJUSTER_ARGS = struct(
    f("gpuMemoryToFractionRatio", NUMBER),
    f("nodeScaleNamespace", TEXT),
    f("nodeScaleServiceAccount", TEXT),
    f("scalingPodImage", IMAGE),
)
NODE_SCALE_ADJUSTER = _component(f("args", NODE_SCALE_ADJUSTER_ARGS))

NUMA_PLACEMENT_EXPORTER = struct(
    f("driftResyncInterval", TEXT),
    f("nodeSelector", Table(TEXT)),
    f("podResourcesHostPath", TEXT),
    f("podResourcesSocket", TEXT),
    f("pollInterval", TEXT),
    f("service", SERVICE),
    f("sysfsHostPath", TEXT),
    f("tolerations", Listing(TOLERATION)),
)

POD_GROUP_CONTROLLER_SERVICE = struct(f("webhook", NAMED_PORT))
POD_GROUP_CONTROLLER = _component(
    f("controllerService", POD_GROUP_CONTROLLER_SERVICE),
    f("maxConcurrentReconciles", INT64),
    f("replicas", INT32),
    f("webhooks", WEBHOOKS),
)

POD_GROUPER_ARGS = struct(
    f("defaultPrioritiesConfigMapName", TEXT),
    f("defaultPrioritiesConfigMapNamespace", TEXT),
    f("gangScheduleKnative", TRUTH),
    f("genericKartaFallback", TRUTH),
)
POD_GROUPER = _component(
    f("args", POD_GROUPER_ARGS),
    f("k8sClientConfig", CLIENT_CONFIG),
    f("maxConcurrentReconciles", INT64),
    f("replicas", INT32),
)

HEALTH_PROBE = struct(f("interval", INT64), f("maxRetries", INT64), f("timeout", INT64))
SERVICE_MONITOR = struct(
    f("bearerTokenFile", TEXT),
    f("enabled", TRUTH),
    f("interval", TEXT),
    f("scrapeTimeout", TEXT),
)
PROMETHEUS = struct(
    f("accountingLabelKey", TEXT),
    f("accountingLabelValue", TEXT),
    f("enablePersistentStorage", TRUTH),
    f("enabled", TRUTH),
    f("externalPrometheusHealthProbe", HEALTH_PROBE),
    f("externalPrometheusUrl", TEXT),
    f("instanceName", TEXT),
    f("retentionPeriod", TEXT),
    f("sampleInterval", TEXT),
    f("serviceMonitor", SERVICE_MONITOR),
    f("storageClassName", TEXT),
    f("storageSize", TEXT),
)

QUEUE_CONTROLLER_SERVICE = struct(f("metrics", NAMED_PORT), f("webhook", NAMED_PORT))
QUEUE_CONTROLLER = _component(
    f("controllerService", QUEUE_CONTROLLER_SERVICE),
    f("metricsNamespace", TEXT),
    f("queueLabelToDefaultMetricValue", TEXT),
    f("queueLabelToMetricLabel", TEXT),
    f("replicas", INT32),
    f("webhooks", WEBHOOKS),
)

SCHEDULER_SERVICE = struct(f("port", INT64), f("targetPort", INT64), f("type", TEXT))
SCHEDULER = _component(
    f("GOGC", INT64),
    f("replicas", INT32),
    f("schedulerService", SCHEDULER_SERVICE),
)

CONFIG_SPEC = struct(
    f("admission", ADMISSION),
    f("binder", BINDER),
    f("global", GLOBAL),
    f("namespace", TEXT),
    f("nodeScaleAdjuster", NODE_SCALE_ADJUSTER),
    f("numaPlacementExporter", NUMA_PLACEMENT_EXPORTER),
    f("podGroupController", POD_GROUP_CONTROLLER),
    f("podGrouper", POD_GROUPER),
    f("prometheus", PROMETHEUS),
    f("queueController", QUEUE_CONTROLLER),
    f("scheduler", SCHEDULER),
)

CONFIG_STATUS = struct(f("conditions", Listing(CONDITION)))

CONFIG = struct(
    *TYPE_AND_META,
    f("spec", CONFIG_SPEC),
    f("status", CONFIG_STATUS),
)
