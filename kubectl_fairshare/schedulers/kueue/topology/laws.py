"""The rules of topology-aware scheduling by name; ``docs/laws.md`` states each in words.

Source: KEP-2724.
Decides nothing: the names of the laws.
"""

from enum import StrEnum


class TopologyLaw(StrEnum):
    """One rule of placement by topology; the value is the anchor of its section in ``docs/laws.md``."""

    # why a flavor is passed over
    NOT_ASKED = "kueue-topology-not-asked"
    UNSUPPORTED = "kueue-topology-unsupported"
    UNKNOWN = "kueue-topology-unknown"
    LEVEL_MISSING = "kueue-topology-level-missing"
    # why a pod set gets no flavor after all
    NO_FLAVOR_ASSIGNED = "kueue-topology-no-flavor-assigned"
    SEVERAL_FLAVORS = "kueue-topology-several-flavors"
    # why pods have no place
    SLICE_SIZE_MISSING = "kueue-topology-slice-size-missing"
    LEVEL_UNSPECIFIED = "kueue-topology-level-unspecified"
    LEVEL_NOT_FOUND = "kueue-topology-level-not-found"
    SLICE_ABOVE_LEVEL = "kueue-topology-slice-above-level"
    LAYER_ORDER = "kueue-topology-layer-order"
    LAYER_SIZE = "kueue-topology-layer-size"
    EMPTY = "kueue-topology-empty"
    TOO_FEW = "kueue-topology-too-few"
    NO_DOMAIN = "kueue-topology-no-domain"
    NO_REQUEST = "kueue-topology-no-request"
    UPDATE_CONFLICT = "kueue-topology-update-conflict"
    STALE_DOMAIN = "kueue-topology-stale-domain"
    NO_REPLACEMENT = "kueue-topology-no-replacement"
    LOST_NODE = "kueue-topology-lost-node"
