"""Configuration of Kueue's manager: its structure in both versions. The flags are those of the Go types."""

from kubectl_fairshare.api.structures.selector import LABEL_SELECTOR
from kubectl_fairshare.api.structures.structure import (
    DURATION,
    INT32,
    INT64,
    NUMBER,
    QUANTITY,
    TEXT,
    TRUTH,
    Listing,
    Table,
    f,
    struct,
)

CONTROLLER_WEBHOOK = struct(
    f("port", INT64, "*"),
    f("host", TEXT),
    f("certDir", TEXT),
)

LEADER_ELECTION_CONFIGURATION = struct(
    f("leaderElect", TRUTH, "*"),
    f("leaseDuration", DURATION),
    f("renewDeadline", DURATION),
    f("retryPeriod", DURATION),
    f("resourceLock", TEXT),
    f("resourceName", TEXT),
    f("resourceNamespace", TEXT),
)

CONTROLLER_METRICS_CUSTOM_LABEL = struct(
    f("name", TEXT),
    f("sourceLabelKey", TEXT),
    f("sourceAnnotationKey", TEXT),
    f("sourceKind", TEXT, "*"),
    f("trackedValues", Listing(TEXT)),
)

LOCAL_QUEUE_METRICS = struct(
    f("enable", TRUTH),
    f("localQueueSelector", LABEL_SELECTOR, "*"),
)

CONTROLLER_METRICS = struct(
    f("bindAddress", TEXT),
    f("enableClusterQueueResources", TRUTH),
    f("customLabels", Listing(CONTROLLER_METRICS_CUSTOM_LABEL)),
    f("localQueueMetrics", LOCAL_QUEUE_METRICS, "*"),
)

CONTROLLER_HEALTH = struct(
    f("healthProbeBindAddress", TEXT),
    f("readinessEndpointName", TEXT),
    f("livenessEndpointName", TEXT),
)

CONTROLLER_CONFIGURATION_SPEC = struct(
    f("groupKindConcurrency", Table(INT64)),
    f("cacheSyncTimeout", INT64, "*"),
)

TLS_OPTIONS = struct(
    f("minVersion", TEXT),
    f("cipherSuites", Listing(TEXT)),
    f("curvePreferences", Listing(INT32)),
)

INTERNAL_CERT_MANAGEMENT = struct(
    f("enable", TRUTH, "*"),
    f("webhookServiceName", TEXT, "*"),
    f("webhookSecretName", TEXT, "*"),
)

REQUEUING_STRATEGY = struct(
    f("timestamp", TEXT, "*"),
    f("backoffLimitCount", INT32, "*"),
    f("backoffBaseSeconds", INT32, "*"),
    f("backoffMaxSeconds", INT32, "*"),
)

WAIT_FOR_PODS_READY = struct(
    f("timeout", DURATION),
    f("blockAdmission", TRUTH, "*"),
    f("requeuingStrategy", REQUEUING_STRATEGY, "*"),
    f("recoveryTimeout", DURATION, "*"),
)

CLIENT_CONNECTION = struct(
    f("qps", NUMBER, "*"),
    f("burst", INT32, "*"),
)

INTEGRATIONS = struct(
    f("frameworks", Listing(TEXT)),
    f("externalFrameworks", Listing(TEXT)),
    f("labelKeysToCopy", Listing(TEXT)),
)

MULTI_KUEUE_EXTERNAL_FRAMEWORK = struct(
    f("name", TEXT),
)

EXEC_ENV_VAR = struct(
    f("name", TEXT),
    f("value", TEXT),
)

EXEC_CONFIG = struct(
    f("command", TEXT),
    f("args", Listing(TEXT)),
    f("env", Listing(EXEC_ENV_VAR)),
    f("apiVersion", TEXT),
    f("installHint", TEXT),
    f("provideClusterInfo", TRUTH),
    f("interactiveMode", TEXT),
)

CLUSTER_PROFILE_ACCESS_PROVIDER = struct(
    f("name", TEXT),
    f("execConfig", EXEC_CONFIG),
)

CLUSTER_PROFILE = struct(
    f("accessProviders", Listing(CLUSTER_PROFILE_ACCESS_PROVIDER)),
    f("credentialsProviders", Listing(CLUSTER_PROFILE_ACCESS_PROVIDER)),
)

INCREMENTAL_DISPATCHER_CONFIG = struct(
    f("stepSize", INT32, "*"),
)

MULTI_KUEUE = struct(
    f("gcInterval", DURATION, "*"),
    f("origin", TEXT, "*"),
    f("workerLostTimeout", DURATION, "*"),
    f("dispatcherName", TEXT, "*"),
    f("externalFrameworks", Listing(MULTI_KUEUE_EXTERNAL_FRAMEWORK)),
    f("clusterProfile", CLUSTER_PROFILE, "*"),
    f("incrementalDispatcherConfig", INCREMENTAL_DISPATCHER_CONFIG, "*"),
)

FAIR_SHARING = struct(
    f("preemptionStrategies", Listing(TEXT)),
)

ADMISSION_FAIR_SHARING = struct(
    f("usageHalfLifeTime", DURATION),
    f("usageSamplingInterval", DURATION),
    f("resourceWeights", Table(NUMBER)),
)

RESOURCE_TRANSFORMATION = struct(
    f("input", TEXT),
    f("strategy", TEXT, "*"),
    f("multiplyBy", TEXT),
    f("outputs", Table(QUANTITY)),
)

CEL_DEVICE_SELECTOR = struct(
    f("expression", TEXT),
)

DEVICE_SELECTOR = struct(
    f("cel", CEL_DEVICE_SELECTOR, "*"),
)

DEVICE_CLASS_COUNTER_SOURCE = struct(
    f("name", TEXT),
    f("driver", TEXT),
    f("deviceSelector", DEVICE_SELECTOR),
)

DEVICE_CLASS_CAPACITY_SOURCE = struct(
    f("name", TEXT),
    f("driver", TEXT),
    f("deviceSelector", DEVICE_SELECTOR),
)

DEVICE_CLASS_SOURCE_CONFIG = struct(
    f("counter", DEVICE_CLASS_COUNTER_SOURCE, "*"),
    f("capacity", DEVICE_CLASS_CAPACITY_SOURCE, "*"),
)

DEVICE_CLASS_MAPPING = struct(
    f("name", TEXT),
    f("deviceClassNames", Listing(TEXT)),
    f("sources", Listing(DEVICE_CLASS_SOURCE_CONFIG)),
)

RESOURCES = struct(
    f("quotaCheckStrategy", TEXT, "*"),
    f("excludeResourcePrefixes", Listing(TEXT)),
    f("transformations", Listing(RESOURCE_TRANSFORMATION)),
    f("deviceClassMappings", Listing(DEVICE_CLASS_MAPPING)),
)

WORKLOAD_RETENTION_POLICY = struct(
    f("afterFinished", DURATION, "*"),
    f("afterDeactivatedByKueue", DURATION, "*"),
)

OBJECT_RETENTION_POLICIES = struct(
    f("workloads", WORKLOAD_RETENTION_POLICY, "*"),
)

VISIBILITY_SERVER_CONFIGURATION = struct(
    f("bindAddress", TEXT, "*"),
    f("bindPort", INT32, "*"),
)

CONFIGURATION = struct(
    f("kind", TEXT),
    f("apiVersion", TEXT),
    f("namespace", TEXT, "*"),
    f("webhook", CONTROLLER_WEBHOOK),
    f("leaderElection", LEADER_ELECTION_CONFIGURATION, "*"),
    f("metrics", CONTROLLER_METRICS),
    f("health", CONTROLLER_HEALTH),
    f("pprofBindAddress", TEXT),
    f("controller", CONTROLLER_CONFIGURATION_SPEC, "*"),
    f("tls", TLS_OPTIONS, "*"),
    f("manageJobsWithoutQueueName", TRUTH),
    f("managedJobsNamespaceSelector", LABEL_SELECTOR, "*"),
    f("internalCertManagement", INTERNAL_CERT_MANAGEMENT, "*"),
    f("waitForPodsReady", WAIT_FOR_PODS_READY, "*"),
    f("clientConnection", CLIENT_CONNECTION, "*"),
    f("integrations", INTEGRATIONS, "*"),
    f("multiKueue", MULTI_KUEUE, "*"),
    f("fairSharing", FAIR_SHARING, "*"),
    f("admissionFairSharing", ADMISSION_FAIR_SHARING, "*"),
    f("resources", RESOURCES, "*"),
    f("featureGates", Table(TRUTH)),
    f("objectRetentionPolicies", OBJECT_RETENTION_POLICIES, "*"),
    f("visibilityServer", VISIBILITY_SERVER_CONFIGURATION, "*"),
)

CONTROLLER_METRICS_CUSTOM_LABEL_V1BETA1 = struct(
    f("name", TEXT),
    f("sourceLabelKey", TEXT),
    f("sourceAnnotationKey", TEXT),
)

CONTROLLER_METRICS_V1BETA1 = struct(
    f("bindAddress", TEXT),
    f("enableClusterQueueResources", TRUTH),
    f("customLabels", Listing(CONTROLLER_METRICS_CUSTOM_LABEL_V1BETA1)),
    f("localQueueMetrics", LOCAL_QUEUE_METRICS, "*"),
)

WAIT_FOR_PODS_READY_V1BETA1 = struct(
    f("enable", TRUTH),
    f("timeout", DURATION, "*"),
    f("blockAdmission", TRUTH, "*"),
    f("requeuingStrategy", REQUEUING_STRATEGY, "*"),
    f("recoveryTimeout", DURATION, "*"),
)

POD_INTEGRATION_OPTIONS_V1BETA1 = struct(
    f("namespaceSelector", LABEL_SELECTOR, "*"),
    f("podSelector", LABEL_SELECTOR, "*"),
)

INTEGRATIONS_V1BETA1 = struct(
    f("frameworks", Listing(TEXT)),
    f("externalFrameworks", Listing(TEXT)),
    f("podOptions", POD_INTEGRATION_OPTIONS_V1BETA1, "*"),
    f("labelKeysToCopy", Listing(TEXT)),
)

CLUSTER_QUEUE_VISIBILITY_V1BETA1 = struct(
    f("maxCount", INT32),
)

QUEUE_VISIBILITY_V1BETA1 = struct(
    f("clusterQueues", CLUSTER_QUEUE_VISIBILITY_V1BETA1, "*"),
    f("updateIntervalSeconds", INT32),
)

MULTI_KUEUE_V1BETA1 = struct(
    f("gcInterval", DURATION, "*"),
    f("origin", TEXT, "*"),
    f("workerLostTimeout", DURATION, "*"),
    f("dispatcherName", TEXT, "*"),
    f("externalFrameworks", Listing(MULTI_KUEUE_EXTERNAL_FRAMEWORK)),
)

FAIR_SHARING_V1BETA1 = struct(
    f("enable", TRUTH),
    f("preemptionStrategies", Listing(TEXT)),
)

DEVICE_CLASS_MAPPING_V1BETA1 = struct(
    f("name", TEXT),
    f("deviceClassNames", Listing(TEXT)),
)

RESOURCES_V1BETA1 = struct(
    f("excludeResourcePrefixes", Listing(TEXT)),
    f("transformations", Listing(RESOURCE_TRANSFORMATION)),
    f("deviceClassMappings", Listing(DEVICE_CLASS_MAPPING_V1BETA1)),
)

CONFIGURATION_V1BETA1 = struct(
    f("kind", TEXT),
    f("apiVersion", TEXT),
    f("namespace", TEXT, "*"),
    f("webhook", CONTROLLER_WEBHOOK),
    f("leaderElection", LEADER_ELECTION_CONFIGURATION, "*"),
    f("metrics", CONTROLLER_METRICS_V1BETA1),
    f("health", CONTROLLER_HEALTH),
    f("pprofBindAddress", TEXT),
    f("controller", CONTROLLER_CONFIGURATION_SPEC, "*"),
    f("tls", TLS_OPTIONS, "*"),
    f("manageJobsWithoutQueueName", TRUTH),
    f("managedJobsNamespaceSelector", LABEL_SELECTOR, "*"),
    f("internalCertManagement", INTERNAL_CERT_MANAGEMENT, "*"),
    f("waitForPodsReady", WAIT_FOR_PODS_READY_V1BETA1, "*"),
    f("clientConnection", CLIENT_CONNECTION, "*"),
    f("integrations", INTEGRATIONS_V1BETA1, "*"),
    f("queueVisibility", QUEUE_VISIBILITY_V1BETA1, "*"),
    f("multiKueue", MULTI_KUEUE_V1BETA1, "*"),
    f("fairSharing", FAIR_SHARING_V1BETA1, "*"),
    f("admissionFairSharing", ADMISSION_FAIR_SHARING, "*"),
    f("resources", RESOURCES_V1BETA1, "*"),
    f("featureGates", Table(TRUTH)),
    f("objectRetentionPolicies", OBJECT_RETENTION_POLICIES, "*"),
)
