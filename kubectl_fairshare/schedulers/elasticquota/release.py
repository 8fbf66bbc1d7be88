"""The release of CapacityScheduling that is reproduced."""

from typing import Final

SCHEDULER: Final = "CapacityScheduling"
VERSION: Final = "903da7d"
"""The commit of scheduler-plugins."""
