"""Object metadata: what the API server reads of it, and what a pod template may carry."""

from kubectl_fairshare.api.structures.structure import INT64, TEXT, TIME, TRUTH, Listing, Struct, Table, f, struct

OWNER_REFERENCE = struct(
    f("apiVersion", TEXT, "k"),
    f("kind", TEXT, "k"),
    f("name", TEXT, "k"),
    f("uid", TEXT, "k"),
    f("controller", TRUTH, "*"),
    f("blockOwnerDeletion", TRUTH, "*"),
)

# managedFields are the server's own; they are taken off before metadata is read.
OBJECT_META = struct(
    f("name", TEXT),
    f("generateName", TEXT),
    f("namespace", TEXT),
    f("selfLink", TEXT),
    f("uid", TEXT),
    f("resourceVersion", TEXT),
    f("generation", INT64),
    f("creationTimestamp", TIME, "z"),
    f("deletionTimestamp", TIME, "*"),
    f("deletionGracePeriodSeconds", INT64, "*"),
    f("labels", Table(TEXT)),
    f("annotations", Table(TEXT)),
    f("ownerReferences", Listing(OWNER_REFERENCE)),
    f("finalizers", Listing(TEXT)),
)

TEMPLATE_META = struct(
    f("name", TEXT),
    f("namespace", TEXT),
    f("labels", Table(TEXT)),
    f("annotations", Table(TEXT)),
    f("finalizers", Listing(TEXT)),
)

# The first fields of every kind. The API server reads them apart from the schema.
TYPE_AND_META = (f("kind", TEXT), f("apiVersion", TEXT), f("metadata", OBJECT_META))
META_FIELDS = ("kind", "apiVersion", "metadata")


def is_kind(struct: Struct) -> bool:
    """Whether the structure is a kind of its own, with type and metadata."""
    return all(name in struct.fields for name in META_FIELDS)
