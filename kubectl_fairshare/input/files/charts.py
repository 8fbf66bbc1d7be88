"""Helm charts among the files of a folder: on demand, the user's own helm renders each with the chart's own values.

A chart below ``charts/`` belongs to the chart above it. A library chart renders nothing. Source: helm.sh, the layout of
a chart, and ``helm template``.
"""

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from errno import EFBIG
from typing import Final, NamedTuple

from kubectl_fairshare.input.files.opening import opened, small_file
from kubectl_fairshare.input.files.paths import outside, shown_path
from kubectl_fairshare.input.files.programs import STRANGERS_MEMORY, has, output_of
from kubectl_fairshare.input.files.raw_bytes import Budget
from kubectl_fairshare.input.files.roots import is_within, root_of
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.phrases import some_of

_FILE: Final = "Chart.yaml"
_RENDERED: Final = ("templates", "charts", "crds")
_SETTINGS: Final = (_FILE, "Chart.lock", "requirements.yaml", "requirements.lock")
_REQUIRED: Final = ("requirements.yaml",)
_VALUES: Final = "values"
_IGNORED: Final = ".helmignore"
_PREFIX: Final = "helm template"
_LIBRARY: Final = re.compile(rb"^type:[ \t]*[\"']?library\b", re.MULTILINE)
_NAME: Final = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_KIND: Final = re.compile(rb"^[ \t]*(?:-[ \t]+)?kind:[ \t]*[\"']?([A-Z][A-Za-z]+)", re.MULTILINE)
"""The kind of an object in a template, which need not be YAML."""
_BETWEEN: Final = re.compile(rb"^---", re.MULTILINE)
_CONTROL: Final = re.compile(rb"\{\{-?\s*(?:if|else|end|with|range|define|block|/\*|\$\w+\s*:?=)")
_ACTION: Final = re.compile(rb"\{\{-?\s*")
_DEPENDENCIES: Final = re.compile(rb"^dependencies:", re.MULTILINE)
_LARGEST: Final = 1 << 20
"""The bytes that the description of a chart may have."""
_LONGEST: Final = 53
"""The most letters of a release's name, in Helm."""
_SECONDS: Final = 60.0
_KEPT: Final = ("PATH", "SYSTEMROOT", "LANG", "LC_ALL", "TMPDIR")
"""The variables that helm gets."""
_HOMES: Final = (
    *("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "HELM_CONFIG_HOME", "HELM_DATA_HOME"),
    *("HELM_CACHE_HOME", "HELM_PLUGINS"),
)
"""What it gets new and empty."""
_SHOWN: Final = 3
"""Charts that a note names."""
_LOGGED: Final = re.compile(r"^Error: (.*?)\s*(?:Use --debug flag.*)?\Z", re.DOTALL | re.MULTILINE)
_ASK: Final = "if you trust its templates, add `--helm`, or render it: `helm template {} | kubectl fairshare … -f -`"
_INSTALL: Final = "install helm, or render it: `helm template {} | kubectl fairshare … -f -`"


def charts_among(paths: Iterable[str]) -> Mapping[str, list[str]]:
    """The charts that no other one contains, by folder, each with those of the files that Helm reads itself."""
    every = list(paths)
    folders = {os.path.dirname(path) or "." for path in every if os.path.basename(path) == _FILE}
    found: dict[str, list[str]] = {
        folder: []
        for folder in sorted(folders)
        if any(path.startswith(_below(folder, _RENDERED[0])) for path in every)
        and not _is_within_another(folder, folders)
    }
    for path in every if found else ():
        for folder, files in found.items():
            if any(path.startswith(_below(folder, part)) for part in _RENDERED) or _is_setting(path, folder):
                files.append(path)
    return found


def templates_among(found: Mapping[str, list[str]]) -> frozenset[str]:
    """The templates of charts, by the names of their sources."""
    files = (path for each in found.values() for path in each)
    return frozenset(shown_path(path) for path in files if _RENDERED[0] in path.split(os.sep))


def settings_among(found: Mapping[str, list[str]]) -> frozenset[str]:
    """The files that describe charts, by the names of their sources."""
    files = (path for each in found.values() for path in each)
    return frozenset(shown_path(path) for path in files if os.path.basename(path) in _SETTINGS)


def kinds_in(name: str, data: bytes) -> set[str] | None:
    """The kinds of which a file of a chart that is not rendered makes objects; None if it may be any.

    It may where a document does not spell its kind, and where other charts belong to the chart.
    """
    if os.path.basename(name) in _SETTINGS:
        return None if os.path.basename(name) in _REQUIRED or _DEPENDENCIES.search(data) else set()
    found: set[str] = set()
    for document in _BETWEEN.split(data):
        kinds = {kind.decode() for kind in _KIND.findall(document)}
        if not kinds and len(_ACTION.findall(document)) > len(_CONTROL.findall(document)):
            return None
        found |= kinds
    return found


class ChartFile(NamedTuple):
    """A file of a chart, by its path there. ``data`` is a digest of one that is large, and of a link where it leads to:
    then it is not ``whole``.
    """

    path: str
    data: bytes
    whole: bool

    @property
    def folder(self) -> str:
        """The first folder of the path, or the file in the chart's own folder."""
        return self.path.partition(os.sep)[0]

    @property
    def is_template(self) -> bool:
        """Whether it is filled in."""
        return self.folder == _RENDERED[0]

    @property
    def is_used(self) -> bool:
        """Whether Helm reads it, whatever the templates say."""
        return self.folder in _RENDERED or self.path in (*_SETTINGS, _IGNORED) or self.is_values

    @property
    def is_values(self) -> bool:
        """Whether it may be values of the chart, or says how these look."""
        return self.path == self.folder and self.path.startswith(_VALUES)

    @property
    def is_dependency(self) -> bool:
        """Whether it is of a chart that the chart uses, or says that there is one."""
        named = self.path == _FILE and _DEPENDENCIES.search(self.data) is not None
        return self.folder == _RENDERED[1] or self.path in _SETTINGS[1:] or named


def files_of(folder: str) -> Iterator[ChartFile]:
    """The files of a chart, by their paths there, in order; links are not followed."""
    for top, below, names in os.walk(folder):
        below.sort()
        for path in (os.path.join(top, name) for name in sorted((*names, *below))):
            shown = os.path.relpath(path, folder)
            if os.path.islink(path):
                yield ChartFile(shown, b" -> " + os.fsencode(os.readlink(path)), whole=False)
            elif not os.path.isdir(path):
                yield _file_of(path, shown)


def _file_of(path: str, shown: str) -> ChartFile:
    try:
        return ChartFile(shown, small_file(path, _LARGEST), whole=True)
    except OSError as error:
        if error.errno != EFBIG:
            return ChartFile(shown, str(error).encode(), whole=False)
    with opened(path) as stream:
        return ChartFile(shown, hashlib.file_digest(stream, "sha256").digest(), whole=False)


def is_library(folder: str) -> bool:
    """Whether a chart only defines templates for others."""
    try:
        return _LIBRARY.search(small_file(os.path.join(folder, _FILE), _LARGEST)) is not None
    except OSError:
        return False


def has_helm() -> bool:
    """Whether the user has helm."""
    return has("helm")


def unrendered(folders: Iterable[str], *, wanted: bool) -> list[Problem]:
    """The notes on charts that nothing renders here: one for each of a few, one for all of many.

    ``wanted``: helm may be started, but is not installed.
    """
    shown = list(map(shown_path, folders))
    why, remedy = ("helm is not installed", _INSTALL) if wanted else ("helm is not started for it", _ASK)
    if len(shown) <= _SHOWN:
        return [Problem(f"Helm chart, not rendered: {why}", each, remedy.format(each)) for each in shown]
    message = f"{len(shown)} Helm charts, not rendered: {why}"
    return [Problem(message, some_of(shown, _SHOWN), remedy.format("CHART"))]


def name_of(folder: str) -> str:
    """The name of the source that a chart becomes."""
    return f"{_PREFIX} {shown_path(folder)}"


def chart_of(source: str) -> str:
    """The folder of the chart that a source was rendered from; empty for another source."""
    return source.removeprefix(f"{_PREFIX} ") if source.startswith(f"{_PREFIX} ") else ""


def render(folder: str, budget: Budget) -> bytes:
    """What ``helm template`` prints for the chart. Raises ``FairshareError`` if that fails or is too much.

    helm gets nothing of the user's: no plugins, repositories or credentials, no kubeconfig, no other variable.
    """
    import tempfile

    name = name_of(folder)
    if path := leading_out(folder):
        raise FairshareError(outside(path, root_of(folder)))

    def failed(said: str) -> Problem:
        logged = _LOGGED.search(said)
        reason = " ".join((logged[1] if logged else said).split())
        return Problem(f"Helm chart, not rendered: {reason}", shown_path(folder), f"check with `{name}`")

    base = os.path.basename(os.path.abspath(folder))
    release = base if _NAME.fullmatch(base) and len(base) <= _LONGEST else "release-name"
    command = ["helm", "template", "--skip-tests", "--", release, os.path.join(".", folder)]
    with tempfile.TemporaryDirectory(prefix="fairshare-helm-") as home:
        given = {each: os.environ[each] for each in _KEPT if each in os.environ}
        environment = {**given, "KUBECONFIG": os.devnull, **{each: os.path.join(home, each) for each in _HOMES}}
        remedy = _INSTALL.format(shown_path(folder))
        most = STRANGERS_MEMORY
        return output_of(command, name, budget, remedy, failed, _SECONDS, environment=environment, memory=most)


def leading_out(folder: str) -> str:
    """The first link in a chart that leads out of its root: helm would follow it. Empty if there is none."""
    root = root_of(folder)
    for at, folders, files in os.walk(folder):
        for name in sorted((*folders, *files)):
            path = os.path.join(at, name)
            if os.path.islink(path) and not is_within(path, root):
                return path
    return ""


def file_of(source: str, template: str) -> str:
    """The file of a template that a document of ``source`` names, whose first part is the chart's name."""
    folder, (_, _, within) = chart_of(source), template.partition("/")
    return os.path.normpath(os.path.join(folder, within)) if folder and within else template


def _is_within_another(folder: str, folders: Iterable[str]) -> bool:
    return any(folder.startswith(_below(other, "charts")) for other in folders if other != folder)


def _is_setting(path: str, folder: str) -> bool:
    """Whether a file describes the chart, or has values for it."""
    above, name = os.path.split(path)
    return (above or ".") == folder and (name in _SETTINGS or name.startswith(_VALUES))


def _below(folder: str, part: str) -> str:
    return os.path.join(part if folder == "." else os.path.join(folder, part), "")
