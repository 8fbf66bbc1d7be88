"""ElasticQuota: its structure."""

from kubectl_fairshare.api.structures.object_meta import TYPE_AND_META
from kubectl_fairshare.api.structures.structure import QUANTITY, Table, f, struct

ELASTIC_QUOTA_SPEC = struct(
    f("min", Table(QUANTITY)),
    f("max", Table(QUANTITY)),
)

ELASTIC_QUOTA_STATUS = struct(
    f("used", Table(QUANTITY)),
)

ELASTIC_QUOTA = struct(
    *TYPE_AND_META,
    f("spec", ELASTIC_QUOTA_SPEC),
    f("status", ELASTIC_QUOTA_STATUS),
)
