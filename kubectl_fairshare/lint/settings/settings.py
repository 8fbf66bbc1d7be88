"""A repository's own settings of lint, for everyone who runs it."""

from collections.abc import Mapping

from kubectl_fairshare.finding import Severity
from kubectl_fairshare.model.values import Value, field


class PerPath(Value, frozen=True):
    """Rules that are off in the files that a glob matches; globs are relative to the settings' directory."""

    path: str
    ignore: tuple[str, ...]


class LintSettings(Value, frozen=True):
    """The settings; empty or None if not set. Rules are named by words as the options take them.

    ``directory`` is the directory of the settings. ``severity`` holds words in the order of the file: the later one
    wins.
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
