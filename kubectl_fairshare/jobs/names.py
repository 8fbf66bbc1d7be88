"""Names of objects that only an API server can complete."""

from typing import Final

UNKNOWN: Final = "xxxxx"
"""Stands for the five characters that an API server appends to a ``generateName``."""
