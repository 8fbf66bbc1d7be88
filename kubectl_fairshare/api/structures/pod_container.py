"""The containers of a pod, as the Workload API knows them (core/v1)."""

from kubectl_fairshare.api.structures.pod_volume import OBJECT_FIELD_SELECTOR, RESOURCE_FIELD_SELECTOR
from kubectl_fairshare.api.structures.structure import (
    INT32,
    INT64,
    PORT,
    QUANTITY,
    TEXT,
    TRUTH,
    Listing,
    Table,
    f,
    struct,
)

CONTAINER_PORT = struct(
    f("name", TEXT),
    f("hostPort", INT32),
    f("containerPort", INT32, "!k"),
    f("protocol", TEXT, default="TCP"),
    f("hostIP", TEXT),
)

CONFIG_MAP_ENV_SOURCE = struct(
    f("name", TEXT, default=""),
    f("optional", TRUTH, "*"),
)

SECRET_ENV_SOURCE = struct(
    f("name", TEXT, default=""),
    f("optional", TRUTH, "*"),
)

ENV_FROM_SOURCE = struct(
    f("prefix", TEXT),
    f("configMapRef", CONFIG_MAP_ENV_SOURCE, "*"),
    f("secretRef", SECRET_ENV_SOURCE, "*"),
)

CONFIG_MAP_KEY_SELECTOR = struct(
    f("name", TEXT, default=""),
    f("key", TEXT, "!k"),
    f("optional", TRUTH, "*"),
)

SECRET_KEY_SELECTOR = struct(
    f("name", TEXT, default=""),
    f("key", TEXT, "!k"),
    f("optional", TRUTH, "*"),
)

FILE_KEY_SELECTOR = struct(
    f("volumeName", TEXT, "!k"),
    f("path", TEXT, "!k"),
    f("key", TEXT, "!k"),
    f("optional", TRUTH, "*", default=False),
)

ENV_VAR_SOURCE = struct(
    f("fieldRef", OBJECT_FIELD_SELECTOR, "*"),
    f("resourceFieldRef", RESOURCE_FIELD_SELECTOR, "*"),
    f("configMapKeyRef", CONFIG_MAP_KEY_SELECTOR, "*"),
    f("secretKeyRef", SECRET_KEY_SELECTOR, "*"),
    f("fileKeyRef", FILE_KEY_SELECTOR, "*"),
)

ENV_VAR = struct(
    f("name", TEXT, "!k"),
    f("value", TEXT),
    f("valueFrom", ENV_VAR_SOURCE, "*"),
)

RESOURCE_CLAIM = struct(
    f("name", TEXT, "!k"),
    f("request", TEXT),
)

RESOURCE_REQUIREMENTS = struct(
    f("limits", Table(QUANTITY)),
    f("requests", Table(QUANTITY)),
    f("claims", Listing(RESOURCE_CLAIM, keys=("name",))),
)

CONTAINER_RESIZE_POLICY = struct(
    f("resourceName", TEXT, "!k"),
    f("restartPolicy", TEXT, "!k"),
)

CONTAINER_RESTART_RULE_ON_EXIT_CODES = struct(
    f("operator", TEXT, "!"),
    f("values", Listing(INT32, unique=True)),
)

CONTAINER_RESTART_RULE = struct(
    f("action", TEXT, "!"),
    f("exitCodes", CONTAINER_RESTART_RULE_ON_EXIT_CODES, "*"),
)

VOLUME_MOUNT = struct(
    f("name", TEXT, "!k"),
    f("readOnly", TRUTH),
    f("recursiveReadOnly", TEXT, "*"),
    f("mountPath", TEXT, "!k"),
    f("subPath", TEXT),
    f("mountPropagation", TEXT, "*"),
    f("subPathExpr", TEXT),
)

VOLUME_DEVICE = struct(
    f("name", TEXT, "!k"),
    f("devicePath", TEXT, "!k"),
)

EXEC_ACTION = struct(
    f("command", Listing(TEXT)),
)

HTTP_HEADER = struct(
    f("name", TEXT, "!k"),
    f("value", TEXT, "!k"),
)

HTTP_GET_ACTION = struct(
    f("path", TEXT),
    f("port", PORT, "!k"),
    f("host", TEXT),
    f("scheme", TEXT),
    f("httpHeaders", Listing(HTTP_HEADER)),
)

TCP_SOCKET_ACTION = struct(
    f("port", PORT, "!k"),
    f("host", TEXT),
)

GRPC_ACTION = struct(
    f("port", INT32, "!k"),
    f("service", TEXT, "*k", default=""),
)

PROBE = struct(
    f("exec", EXEC_ACTION, "*"),
    f("httpGet", HTTP_GET_ACTION, "*"),
    f("tcpSocket", TCP_SOCKET_ACTION, "*"),
    f("grpc", GRPC_ACTION, "*"),
    f("initialDelaySeconds", INT32),
    f("timeoutSeconds", INT32),
    f("periodSeconds", INT32),
    f("successThreshold", INT32),
    f("failureThreshold", INT32),
    f("terminationGracePeriodSeconds", INT64, "*"),
)

SLEEP_ACTION = struct(
    f("seconds", INT64, "!k"),
)

LIFECYCLE_HANDLER = struct(
    f("exec", EXEC_ACTION, "*"),
    f("httpGet", HTTP_GET_ACTION, "*"),
    f("tcpSocket", TCP_SOCKET_ACTION, "*"),
    f("sleep", SLEEP_ACTION, "*"),
)

LIFECYCLE = struct(
    f("postStart", LIFECYCLE_HANDLER, "*"),
    f("preStop", LIFECYCLE_HANDLER, "*"),
    f("stopSignal", TEXT, "*"),
)

CAPABILITIES = struct(
    f("add", Listing(TEXT)),
    f("drop", Listing(TEXT)),
)

SE_LINUX_OPTIONS = struct(
    f("user", TEXT),
    f("role", TEXT),
    f("type", TEXT),
    f("level", TEXT),
)

WINDOWS_SECURITY_CONTEXT_OPTIONS = struct(
    f("gmsaCredentialSpecName", TEXT, "*"),
    f("gmsaCredentialSpec", TEXT, "*"),
    f("runAsUserName", TEXT, "*"),
    f("hostProcess", TRUTH, "*"),
)

SECCOMP_PROFILE = struct(
    f("type", TEXT, "!k"),
    f("localhostProfile", TEXT, "*"),
)

APP_ARMOR_PROFILE = struct(
    f("type", TEXT, "!k"),
    f("localhostProfile", TEXT, "*"),
)

SECURITY_CONTEXT = struct(
    f("capabilities", CAPABILITIES, "*"),
    f("privileged", TRUTH, "*"),
    f("seLinuxOptions", SE_LINUX_OPTIONS, "*"),
    f("windowsOptions", WINDOWS_SECURITY_CONTEXT_OPTIONS, "*"),
    f("runAsUser", INT64, "*"),
    f("runAsGroup", INT64, "*"),
    f("runAsNonRoot", TRUTH, "*"),
    f("readOnlyRootFilesystem", TRUTH, "*"),
    f("allowPrivilegeEscalation", TRUTH, "*"),
    f("procMount", TEXT, "*"),
    f("seccompProfile", SECCOMP_PROFILE, "*"),
    f("appArmorProfile", APP_ARMOR_PROFILE, "*"),
)

CONTAINER = struct(
    f("name", TEXT, "!k"),
    f("image", TEXT),
    f("command", Listing(TEXT)),
    f("args", Listing(TEXT)),
    f("workingDir", TEXT),
    f("ports", Listing(CONTAINER_PORT, keys=("containerPort", "protocol"))),
    f("envFrom", Listing(ENV_FROM_SOURCE)),
    f("env", Listing(ENV_VAR, keys=("name",))),
    f("resources", RESOURCE_REQUIREMENTS),
    f("resizePolicy", Listing(CONTAINER_RESIZE_POLICY)),
    f("restartPolicy", TEXT, "*"),
    f("restartPolicyRules", Listing(CONTAINER_RESTART_RULE)),
    f("volumeMounts", Listing(VOLUME_MOUNT, keys=("mountPath",))),
    f("volumeDevices", Listing(VOLUME_DEVICE, keys=("devicePath",))),
    f("livenessProbe", PROBE, "*"),
    f("readinessProbe", PROBE, "*"),
    f("startupProbe", PROBE, "*"),
    f("lifecycle", LIFECYCLE, "*"),
    f("terminationMessagePath", TEXT),
    f("terminationMessagePolicy", TEXT),
    f("imagePullPolicy", TEXT),
    f("securityContext", SECURITY_CONTEXT, "*"),
    f("stdin", TRUTH),
    f("stdinOnce", TRUTH),
    f("tty", TRUTH),
)

EPHEMERAL_CONTAINER = struct(
    f("name", TEXT, "!k"),
    f("image", TEXT),
    f("command", Listing(TEXT)),
    f("args", Listing(TEXT)),
    f("workingDir", TEXT),
    f("ports", Listing(CONTAINER_PORT, keys=("containerPort", "protocol"))),
    f("envFrom", Listing(ENV_FROM_SOURCE)),
    f("env", Listing(ENV_VAR, keys=("name",))),
    f("resources", RESOURCE_REQUIREMENTS),
    f("resizePolicy", Listing(CONTAINER_RESIZE_POLICY)),
    f("restartPolicy", TEXT, "*"),
    f("restartPolicyRules", Listing(CONTAINER_RESTART_RULE)),
    f("volumeMounts", Listing(VOLUME_MOUNT, keys=("mountPath",))),
    f("volumeDevices", Listing(VOLUME_DEVICE, keys=("devicePath",))),
    f("livenessProbe", PROBE, "*"),
    f("readinessProbe", PROBE, "*"),
    f("startupProbe", PROBE, "*"),
    f("lifecycle", LIFECYCLE, "*"),
    f("terminationMessagePath", TEXT),
    f("terminationMessagePolicy", TEXT),
    f("imagePullPolicy", TEXT),
    f("securityContext", SECURITY_CONTEXT, "*"),
    f("stdin", TRUTH),
    f("stdinOnce", TRUTH),
    f("tty", TRUTH),
    f("targetContainerName", TEXT),
)
