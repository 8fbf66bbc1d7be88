"""The release of Kueue that is reproduced."""

from typing import Final

NAME: Final = "kueue"
SCHEDULER: Final = "Kueue"
VERSION: Final = "v0.19"
