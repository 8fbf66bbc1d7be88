"""Every field of a pod's spec: modelled, a gap, or of no account, for the schedulers that decide by its filters.

A new field of Kubernetes belongs to one of the three; ``test_pod_fields.py`` notices it.
"""

from typing import Any

MODELLED = {
    *("containers", "initContainers", "nodeName", "nodeSelector", "overhead", "preemptionPolicy", "priority"),
    *("priorityClassName", "resources", "runtimeClassName", "schedulerName", "schedulingGates", "tolerations"),
}
TERM = {"labelSelector": {"matchLabels": {"app": "x"}}, "topologyKey": "kubernetes.io/hostname"}
REQUIRED = {"requiredDuringSchedulingIgnoredDuringExecution": [TERM]}
SPREAD = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {}}
GAPS: dict[str, list[Any]] = {
    "affinity": [{"podAffinity": REQUIRED}, {"podAntiAffinity": REQUIRED}],
    "hostNetwork": [True],
    "resourceClaims": [[{"name": "gpu", "resourceClaimName": "g"}]],
    "schedulingGroup": [{"podGroupName": "g"}],
    "topologySpreadConstraints": [[SPREAD]],
    "volumes": [
        [{"name": "v", kind: {"x": "y"}}]
        for kind in (
            "persistentVolumeClaim",
            "ephemeral",
            "gcePersistentDisk",
            "awsElasticBlockStore",
            "azureFile",
            "iscsi",
            "rbd",
        )
    ],
}
IDLE: dict[str, Any] = {
    "activeDeadlineSeconds": 5,
    "automountServiceAccountToken": False,
    "dnsConfig": {"nameservers": ["192.0.2.1"]},
    "dnsPolicy": "Default",
    "enableServiceLinks": False,
    "ephemeralContainers": [{"name": "debug", "image": "example.com/i"}],
    "hostAliases": [{"ip": "192.0.2.1", "hostnames": ["x"]}],
    "hostIPC": True,
    "hostPID": True,
    "hostUsers": False,
    "hostname": "x",
    "hostnameOverride": "x",
    "imagePullSecrets": [{"name": "x"}],
    "os": {"name": "linux"},
    "readinessGates": [{"conditionType": "example.com/x"}],
    "restartPolicy": "Never",
    "securityContext": {"runAsUser": 1},
    "serviceAccount": "x",
    "serviceAccountName": "x",
    "setHostnameAsFQDN": True,
    "shareProcessNamespace": True,
    "subdomain": "x",
    "terminationGracePeriodSeconds": 5,
}
