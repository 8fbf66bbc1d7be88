"""The reproduced release of KAI-Scheduler."""

from typing import Final

SCHEDULER: Final = "KAI"
VERSION: Final = "v0.17"
