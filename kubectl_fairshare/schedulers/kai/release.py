"""The release of KAI-Scheduler that is reproduced."""

from typing import Final

SCHEDULER: Final = "KAI"
VERSION: Final = "v0.17"
