"""Names of objects that only an API server completes."""

from typing import Final

UNKNOWN: Final = "xxxxx"
"""A placeholder for the five characters that an API server appends to a ``generateName``."""
