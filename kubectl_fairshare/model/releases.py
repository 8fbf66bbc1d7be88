"""Releases of a scheduler, compared by their numbers."""

import re
from typing import Final, NamedTuple

_FORM: Final = r"v?([0-9]{1,4})\.([0-9]{1,4})(?:\.[0-9]{1,4})?"


class Release(NamedTuple):
    """A minor release; its patch releases decide in the same way."""

    major: int
    minor: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"

    @classmethod
    def parse(cls, text: str) -> "Release":
        """The release that ``0.19``, ``v0.19`` or ``0.19.2`` names; raises ``ValueError`` for anything else."""
        match = re.fullmatch(_FORM, text)
        if match is None:
            raise ValueError(f"`{text}` is not a release; write `0.19`")
        return cls(int(match[1]), int(match[2]))

    @classmethod
    def installed(cls, text: str) -> "Release | None":
        """The release in the tag of an image, which may end with more than its number; None if it names none."""
        try:
            return cls.parse(text.partition("-")[0])
        except ValueError:
            return None
