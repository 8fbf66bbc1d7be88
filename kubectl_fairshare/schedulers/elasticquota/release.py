"""The reproduced release of CapacityScheduling."""

from typing import Final

SCHEDULER: Final = "CapacityScheduling"
VERSION: Final = "903da7d"
"""The commit of scheduler-plugins."""
