"""The release of Kueue that is reproduced."""

from typing import Final

SCHEDULER: Final = "Kueue"
VERSION: Final = "v0.19"
