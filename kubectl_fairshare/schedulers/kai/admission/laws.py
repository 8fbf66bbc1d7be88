"""Names of the laws that KAI's webhooks enforce; causes carry them."""

from typing import Final

RESOURCES: Final = "L1"
PARENT: Final = "L2"
PARENT_RESOURCES: Final = "L3"
MIN_RUNTIME: Final = "L19"
POD_GROUP: Final = "kai-pod-group"
