"""What a repository says of its lint, once for everybody who runs it."""

from collections.abc import Mapping
from dataclasses import field

from kubectl_fairshare.finding import Severity
from kubectl_fairshare.model.values import dataclass


@dataclass(frozen=True, slots=True)
class PerPath:
    """Rules that are not wanted in the files that a glob matches, counted from the settings' directory."""

    path: str
    ignore: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Settings:
    """What is set; empty or None where nothing is said. Rules are named by words as the options take them.

    ``directory`` is where the settings stand; ``severity`` holds words in the order given: the later wins.
    """

    directory: str = ""
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: str | None = None
    complete: bool | None = None
    releases: Mapping[str, str] = field(default_factory=dict)
    baseline: str | None = None
    severity: Mapping[str, Severity] = field(default_factory=dict)
    per_path: tuple[PerPath, ...] = ()
