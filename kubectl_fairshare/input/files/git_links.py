"""Symbolic links of a revision: where a path of the repository leads. Nothing of the machine is followed.

Tested in ``tests/unit/input/files/test_git_links.py``.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from kubectl_fairshare.model.values import Value, field

MOST: Final = 40
"""Links that one path may lead through. Source: Linux, ``path_resolution(7)``."""
LONGEST: Final = 4096
"""The bytes of a link."""


class TreeLinks(Value, frozen=True):
    """The links of a revision, by their paths from the top of the repository on, each with what it says."""

    texts: Mapping[str, str] = field(default_factory=dict)

    def real(self, path: str) -> str | None:
        """The path with links followed, empty for the top; None if it leads out of the repository, or in circles."""
        return self._followed(path)[0]

    def leads_out(self, path: str) -> bool:
        """Whether the path leads out of the repository."""
        return self._followed(path)[1]

    def _followed(self, path: str) -> tuple[str | None, bool]:
        left = deque(path.split("/"))
        at: list[str] = []
        followed = 0
        while left:
            part = left.popleft()
            if part == "..":
                if not at:
                    return None, True
                at.pop()
            elif part not in ("", "."):
                text = self.texts.get("/".join([*at, part]))
                if text is None:
                    at.append(part)
                    continue
                followed += 1
                if followed > MOST or text.startswith("/"):
                    return None, text.startswith("/")
                left.extendleft(reversed(text.split("/")))
        return "/".join(at), False

    def reached(self, path: str) -> Iterator[str]:
        """The real paths to which links in a folder lead, and those in what these lead to."""
        covered = [path]
        for folder in covered:
            for link in self.texts:
                if _is_within(link, folder) and (real := self.real(link)) is not None and not _any(real, covered):
                    covered.append(real)
                    yield real


def _any(path: str, folders: Iterable[str]) -> bool:
    return any(_is_within(path, folder) for folder in folders)


def _is_within(path: str, folder: str) -> bool:
    return not folder or path == folder or path.startswith(f"{folder}/")
