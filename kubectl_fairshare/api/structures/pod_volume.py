"""The volumes of a pod, as the Workload API knows them (core/v1)."""

from kubectl_fairshare.api.structures.object_meta import TEMPLATE_META
from kubectl_fairshare.api.structures.selector import LABEL_SELECTOR
from kubectl_fairshare.api.structures.structure import INT32, INT64, QUANTITY, TEXT, TRUTH, Listing, Table, f, struct

HOST_PATH_VOLUME_SOURCE = struct(
    f("path", TEXT, "!k"),
    f("type", TEXT, "*"),
)

EMPTY_DIR_VOLUME_SOURCE = struct(
    f("medium", TEXT),
    f("sizeLimit", QUANTITY, "*"),
)

GCE_PERSISTENT_DISK_VOLUME_SOURCE = struct(
    f("pdName", TEXT, "!k"),
    f("fsType", TEXT),
    f("partition", INT32),
    f("readOnly", TRUTH),
)

AWS_ELASTIC_BLOCK_STORE_VOLUME_SOURCE = struct(
    f("volumeID", TEXT, "!k"),
    f("fsType", TEXT),
    f("partition", INT32),
    f("readOnly", TRUTH),
)

GIT_REPO_VOLUME_SOURCE = struct(
    f("repository", TEXT, "!k"),
    f("revision", TEXT),
    f("directory", TEXT),
)

KEY_TO_PATH = struct(
    f("key", TEXT, "!k"),
    f("path", TEXT, "!k"),
    f("mode", INT32, "*"),
)

SECRET_VOLUME_SOURCE = struct(
    f("secretName", TEXT),
    f("items", Listing(KEY_TO_PATH)),
    f("defaultMode", INT32, "*"),
    f("optional", TRUTH, "*"),
)

NFS_VOLUME_SOURCE = struct(
    f("server", TEXT, "!k"),
    f("path", TEXT, "!k"),
    f("readOnly", TRUTH),
)

LOCAL_OBJECT_REFERENCE = struct(
    f("name", TEXT, default=""),
)

ISCSI_VOLUME_SOURCE = struct(
    f("targetPortal", TEXT, "!k"),
    f("iqn", TEXT, "!k"),
    f("lun", INT32, "!k"),
    f("iscsiInterface", TEXT, default="default"),
    f("fsType", TEXT),
    f("readOnly", TRUTH),
    f("portals", Listing(TEXT)),
    f("chapAuthDiscovery", TRUTH),
    f("chapAuthSession", TRUTH),
    f("secretRef", LOCAL_OBJECT_REFERENCE, "*"),
    f("initiatorName", TEXT, "*"),
)

GLUSTERFS_VOLUME_SOURCE = struct(
    f("endpoints", TEXT, "!k"),
    f("path", TEXT, "!k"),
    f("readOnly", TRUTH),
)

PERSISTENT_VOLUME_CLAIM_VOLUME_SOURCE = struct(
    f("claimName", TEXT, "!k"),
    f("readOnly", TRUTH),
)

RBD_VOLUME_SOURCE = struct(
    f("monitors", Listing(TEXT), "!k"),
    f("image", TEXT, "!k"),
    f("fsType", TEXT),
    f("pool", TEXT, default="rbd"),
    f("user", TEXT, default="admin"),
    f("keyring", TEXT, default="/etc/ceph/keyring"),
    f("secretRef", LOCAL_OBJECT_REFERENCE, "*"),
    f("readOnly", TRUTH),
)

FLEX_VOLUME_SOURCE = struct(
    f("driver", TEXT, "!k"),
    f("fsType", TEXT),
    f("secretRef", LOCAL_OBJECT_REFERENCE, "*"),
    f("readOnly", TRUTH),
    f("options", Table(TEXT)),
)

CINDER_VOLUME_SOURCE = struct(
    f("volumeID", TEXT, "!k"),
    f("fsType", TEXT),
    f("readOnly", TRUTH),
    f("secretRef", LOCAL_OBJECT_REFERENCE, "*"),
)

CEPH_FS_VOLUME_SOURCE = struct(
    f("monitors", Listing(TEXT), "!k"),
    f("path", TEXT),
    f("user", TEXT),
    f("secretFile", TEXT),
    f("secretRef", LOCAL_OBJECT_REFERENCE, "*"),
    f("readOnly", TRUTH),
)

FLOCKER_VOLUME_SOURCE = struct(
    f("datasetName", TEXT),
    f("datasetUUID", TEXT),
)

OBJECT_FIELD_SELECTOR = struct(
    f("apiVersion", TEXT),
    f("fieldPath", TEXT, "!k"),
)

RESOURCE_FIELD_SELECTOR = struct(
    f("containerName", TEXT),
    f("resource", TEXT, "!k"),
    f("divisor", QUANTITY),
)

DOWNWARD_API_VOLUME_FILE = struct(
    f("path", TEXT, "!k"),
    f("fieldRef", OBJECT_FIELD_SELECTOR, "*"),
    f("resourceFieldRef", RESOURCE_FIELD_SELECTOR, "*"),
    f("mode", INT32, "*"),
)

DOWNWARD_API_VOLUME_SOURCE = struct(
    f("items", Listing(DOWNWARD_API_VOLUME_FILE)),
    f("defaultMode", INT32, "*"),
)

FC_VOLUME_SOURCE = struct(
    f("targetWWNs", Listing(TEXT)),
    f("lun", INT32, "*"),
    f("fsType", TEXT),
    f("readOnly", TRUTH),
    f("wwids", Listing(TEXT)),
)

AZURE_FILE_VOLUME_SOURCE = struct(
    f("secretName", TEXT, "!k"),
    f("shareName", TEXT, "!k"),
    f("readOnly", TRUTH),
)

CONFIG_MAP_VOLUME_SOURCE = struct(
    f("name", TEXT, default=""),
    f("items", Listing(KEY_TO_PATH)),
    f("defaultMode", INT32, "*"),
    f("optional", TRUTH, "*"),
)

VSPHERE_VIRTUAL_DISK_VOLUME_SOURCE = struct(
    f("volumePath", TEXT, "!k"),
    f("fsType", TEXT),
    f("storagePolicyName", TEXT),
    f("storagePolicyID", TEXT),
)

QUOBYTE_VOLUME_SOURCE = struct(
    f("registry", TEXT, "!k"),
    f("volume", TEXT, "!k"),
    f("readOnly", TRUTH),
    f("user", TEXT),
    f("group", TEXT),
    f("tenant", TEXT),
)

AZURE_DISK_VOLUME_SOURCE = struct(
    f("diskName", TEXT, "!k"),
    f("diskURI", TEXT, "!k"),
    f("cachingMode", TEXT, "*"),
    f("fsType", TEXT, "*", default="ext4"),
    f("readOnly", TRUTH, "*", default=False),
    f("kind", TEXT, "*"),
)

PHOTON_PERSISTENT_DISK_VOLUME_SOURCE = struct(
    f("pdID", TEXT, "!k"),
    f("fsType", TEXT),
)

SECRET_PROJECTION = struct(
    f("name", TEXT, default=""),
    f("items", Listing(KEY_TO_PATH)),
    f("optional", TRUTH, "*"),
)

DOWNWARD_API_PROJECTION = struct(
    f("items", Listing(DOWNWARD_API_VOLUME_FILE)),
)

CONFIG_MAP_PROJECTION = struct(
    f("name", TEXT, default=""),
    f("items", Listing(KEY_TO_PATH)),
    f("optional", TRUTH, "*"),
)

SERVICE_ACCOUNT_TOKEN_PROJECTION = struct(
    f("audience", TEXT),
    f("expirationSeconds", INT64, "*"),
    f("path", TEXT, "!k"),
)

CLUSTER_TRUST_BUNDLE_PROJECTION = struct(
    f("name", TEXT, "*"),
    f("signerName", TEXT, "*"),
    f("labelSelector", LABEL_SELECTOR, "*"),
    f("optional", TRUTH, "*"),
    f("path", TEXT, "!k"),
)

POD_CERTIFICATE_PROJECTION = struct(
    f("signerName", TEXT, "!"),
    f("keyType", TEXT, "!"),
    f("maxExpirationSeconds", INT32, "*"),
    f("credentialBundlePath", TEXT),
    f("keyPath", TEXT),
    f("certificateChainPath", TEXT),
    f("userAnnotations", Table(TEXT)),
)

VOLUME_PROJECTION = struct(
    f("secret", SECRET_PROJECTION, "*"),
    f("downwardAPI", DOWNWARD_API_PROJECTION, "*"),
    f("configMap", CONFIG_MAP_PROJECTION, "*"),
    f("serviceAccountToken", SERVICE_ACCOUNT_TOKEN_PROJECTION, "*"),
    f("clusterTrustBundle", CLUSTER_TRUST_BUNDLE_PROJECTION, "*"),
    f("podCertificate", POD_CERTIFICATE_PROJECTION, "*"),
)

PROJECTED_VOLUME_SOURCE = struct(
    f("sources", Listing(VOLUME_PROJECTION), "k"),
    f("defaultMode", INT32, "*"),
)

PORTWORX_VOLUME_SOURCE = struct(
    f("volumeID", TEXT, "!k"),
    f("fsType", TEXT),
    f("readOnly", TRUTH),
)

SCALE_IO_VOLUME_SOURCE = struct(
    f("gateway", TEXT, "!k"),
    f("system", TEXT, "!k"),
    f("secretRef", LOCAL_OBJECT_REFERENCE, "!*k"),
    f("sslEnabled", TRUTH),
    f("protectionDomain", TEXT),
    f("storagePool", TEXT),
    f("storageMode", TEXT, default="ThinProvisioned"),
    f("volumeName", TEXT),
    f("fsType", TEXT, default="xfs"),
    f("readOnly", TRUTH),
)

STORAGE_OS_VOLUME_SOURCE = struct(
    f("volumeName", TEXT),
    f("volumeNamespace", TEXT),
    f("fsType", TEXT),
    f("readOnly", TRUTH),
    f("secretRef", LOCAL_OBJECT_REFERENCE, "*"),
)

CSI_VOLUME_SOURCE = struct(
    f("driver", TEXT, "!k"),
    f("readOnly", TRUTH, "*"),
    f("fsType", TEXT, "*"),
    f("volumeAttributes", Table(TEXT)),
    f("nodePublishSecretRef", LOCAL_OBJECT_REFERENCE, "*"),
)

VOLUME_RESOURCE_REQUIREMENTS = struct(
    f("limits", Table(QUANTITY)),
    f("requests", Table(QUANTITY)),
)

TYPED_LOCAL_OBJECT_REFERENCE = struct(
    f("apiGroup", TEXT, "*k"),
    f("kind", TEXT, "!k"),
    f("name", TEXT, "!k"),
)

TYPED_OBJECT_REFERENCE = struct(
    f("apiGroup", TEXT, "*k"),
    f("kind", TEXT, "!k"),
    f("name", TEXT, "!k"),
    f("namespace", TEXT, "*"),
)

PERSISTENT_VOLUME_CLAIM_SPEC = struct(
    f("accessModes", Listing(TEXT)),
    f("selector", LABEL_SELECTOR, "*"),
    f("resources", VOLUME_RESOURCE_REQUIREMENTS),
    f("volumeName", TEXT),
    f("storageClassName", TEXT, "*"),
    f("volumeMode", TEXT, "*"),
    f("dataSource", TYPED_LOCAL_OBJECT_REFERENCE, "*"),
    f("dataSourceRef", TYPED_OBJECT_REFERENCE, "*"),
    f("volumeAttributesClassName", TEXT, "*"),
)

PERSISTENT_VOLUME_CLAIM_TEMPLATE = struct(
    f("metadata", TEMPLATE_META),
    f("spec", PERSISTENT_VOLUME_CLAIM_SPEC, "!k"),
)

EPHEMERAL_VOLUME_SOURCE = struct(
    f("volumeClaimTemplate", PERSISTENT_VOLUME_CLAIM_TEMPLATE, "*"),
)

IMAGE_VOLUME_SOURCE = struct(
    f("reference", TEXT),
    f("pullPolicy", TEXT),
)

VOLUME = struct(
    f("name", TEXT, "!k"),
    f("hostPath", HOST_PATH_VOLUME_SOURCE, "*"),
    f("emptyDir", EMPTY_DIR_VOLUME_SOURCE, "*"),
    f("gcePersistentDisk", GCE_PERSISTENT_DISK_VOLUME_SOURCE, "*"),
    f("awsElasticBlockStore", AWS_ELASTIC_BLOCK_STORE_VOLUME_SOURCE, "*"),
    f("gitRepo", GIT_REPO_VOLUME_SOURCE, "*"),
    f("secret", SECRET_VOLUME_SOURCE, "*"),
    f("nfs", NFS_VOLUME_SOURCE, "*"),
    f("iscsi", ISCSI_VOLUME_SOURCE, "*"),
    f("glusterfs", GLUSTERFS_VOLUME_SOURCE, "*"),
    f("persistentVolumeClaim", PERSISTENT_VOLUME_CLAIM_VOLUME_SOURCE, "*"),
    f("rbd", RBD_VOLUME_SOURCE, "*"),
    f("flexVolume", FLEX_VOLUME_SOURCE, "*"),
    f("cinder", CINDER_VOLUME_SOURCE, "*"),
    f("cephfs", CEPH_FS_VOLUME_SOURCE, "*"),
    f("flocker", FLOCKER_VOLUME_SOURCE, "*"),
    f("downwardAPI", DOWNWARD_API_VOLUME_SOURCE, "*"),
    f("fc", FC_VOLUME_SOURCE, "*"),
    f("azureFile", AZURE_FILE_VOLUME_SOURCE, "*"),
    f("configMap", CONFIG_MAP_VOLUME_SOURCE, "*"),
    f("vsphereVolume", VSPHERE_VIRTUAL_DISK_VOLUME_SOURCE, "*"),
    f("quobyte", QUOBYTE_VOLUME_SOURCE, "*"),
    f("azureDisk", AZURE_DISK_VOLUME_SOURCE, "*"),
    f("photonPersistentDisk", PHOTON_PERSISTENT_DISK_VOLUME_SOURCE, "*"),
    f("projected", PROJECTED_VOLUME_SOURCE, "*"),
    f("portworxVolume", PORTWORX_VOLUME_SOURCE, "*"),
    f("scaleIO", SCALE_IO_VOLUME_SOURCE, "*"),
    f("storageos", STORAGE_OS_VOLUME_SOURCE, "*"),
    f("csi", CSI_VOLUME_SOURCE, "*"),
    f("ephemeral", EPHEMERAL_VOLUME_SOURCE, "*"),
    f("image", IMAGE_VOLUME_SOURCE, "*"),
)
