"""``diff`` over the last commits that touch queues, in repositories of others: what a pull request of each would say.

``python -m tests.strangers.commits REPOSITORY…``, each a work tree or a git directory, of which a copy is asked. The
files in question are all that ever defined, or patched, a queue or a quota: a repository may have fewer such commits.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tests.strangers.gitops import GATES
from tests.strangers.running import ROOT

_KINDS: Final = "ClusterQueue|LocalQueue|Cohort|ResourceFlavor|ElasticQuota|ElasticQuotaTree"
_DEFINED: Final = rf"^(- )?kind: *({_KINDS})\b|^apiVersion: *(scheduling\.run\.ai|scheduling\.koordinator)"
"""A line of an object that divides a cluster."""
_PATHS: Final = ("*.yaml", "*.yml", "*.json")
_MOST: Final = 10
LONGEST: Final = 600
"""Seconds for one commit."""


class Asked(NamedTuple):
    """One commit: the exit code, how many units were answered, of which not exactly, seconds, and why some were not."""

    commit: str
    code: int
    units: int
    undecided: int
    seconds: float
    processor: float
    why: tuple[str, ...]


def asked_commits(repository: Path, most: int = _MOST) -> Iterator[Asked]:
    """``diff git:COMMIT~1 .`` at each of the last commits that touch queues, with the gates of the hook."""
    with tempfile.TemporaryDirectory(prefix="fairshare-commits-") as folder:
        _git(Path.cwd(), "clone", "-q", "--shared", "--no-checkout", str(repository), folder)
        copy = Path(folder)
        for commit in queue_commits(copy, most):
            _git(copy, "checkout", "-q", "--force", "--detach", commit, wanted=False)  # large files may not be there
            yield _asked(copy, commit)


def queue_commits(repository: Path, most: int = _MOST) -> list[str]:
    """The last commits that touch a file which ever had a line of a queue; those with a parent, and no merges."""
    history = ("log", "--no-merges", "--format=", "--name-only", "-E", "-G", _DEFINED)
    ever = _git(repository, *history, "--", *_PATHS, wanted=False)  # a copy may lack large files, and git stops there
    now = _git(repository, "grep", "-l", "-E", _DEFINED, "HEAD", "--", *_PATHS, wanted=False)
    paths = sorted({*ever.splitlines(), *(line.removeprefix("HEAD:") for line in now.splitlines())} - {""})
    if not paths:
        return []
    listed = _git(repository, "log", "--no-merges", "--min-parents=1", f"-{most}", "--format=%h", "--", *paths)
    return listed.split()


def uses(repository: Path) -> list[str]:
    """What a repository is built with, of kustomize, Helm and ApplicationSets."""
    names = _git(repository, "ls-tree", "-r", "--name-only", "HEAD").splitlines()
    files = {os.path.basename(name) for name in names}
    sets = _git(repository, "grep", "-l", "kind: ApplicationSet", "HEAD", "--", *_PATHS, wanted=False)
    signs = {
        "kustomize": not files.isdisjoint({"kustomization.yaml", "kustomization.yml"}),
        "Helm": "Chart.yaml" in files,
        "ApplicationSets": bool(sets),
    }
    return [name for name, there in signs.items() if there]


def _asked(copy: Path, commit: str) -> Asked:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    words = ("diff", f"git:{commit}~1", ".", "--fail-on", GATES, "-o", "json")
    call = [sys.executable, "-m", "kubectl_fairshare", *words]
    start, spent = time.monotonic(), _processor()
    try:
        ended = subprocess.run(
            call, cwd=copy, env=environment, capture_output=True, text=True, timeout=LONGEST, check=False
        )
    except subprocess.TimeoutExpired:
        return Asked(commit, -1, 0, 0, float(LONGEST), 0.0, (f"over {LONGEST} s",))
    document = json.loads(ended.stdout) if ended.stdout.strip() else {}
    errors = [line for line in ended.stderr.splitlines() if line.startswith(("error: ", "Traceback"))]
    items = document.get("items", [document] if document else [])
    return Asked(
        commit,
        ended.returncode,
        sum(len(item.get("units", [""])) for item in items),
        sum(bool(item.get("diff", item)["undecided"]) for item in items),
        time.monotonic() - start,
        _processor() - spent,
        tuple(dict.fromkeys(errors)),
    )


def _processor() -> float:
    """The processor time of all programs that ended, in seconds."""
    found = os.times()
    return found.children_user + found.children_system


def _git(folder: Path, *words: str, wanted: bool = True) -> str:
    """What git prints; without ``wanted`` it may find nothing."""
    return subprocess.run(["git", *words], cwd=folder, check=wanted, capture_output=True, text=True).stdout


def lines_of(repository: Path, asked: Sequence[Asked], *, verbose: bool) -> Iterator[str]:
    """A row of the table; ``verbose`` adds a line for each commit, and why some were not answered."""
    codes = Counter(each.code for each in asked)
    exits = ", ".join(f"{code}×{number}" for code, number in sorted(codes.items()))
    answered = sum(bool(each.units) for each in asked)
    seconds = [each.seconds for each in asked] or [0.0]
    parts = (", ".join(uses(repository)), str(len(asked)), str(answered), exits)
    spent = max((each.processor for each in asked), default=0.0)
    yield f"| {_name(repository)} | {' | '.join(parts)} | {min(seconds):.0f} to {max(seconds):.0f} | {spent:.0f} |"
    for each in asked if verbose else ():
        of = f"{each.units} units, {each.undecided} not exact"
        yield f"    {each.commit} exit {each.code}: {of}, {each.seconds:.1f} s, {each.processor:.1f} s of a processor"
        yield from (f"        {line}" for line in each.why)


def _name(repository: Path) -> str:
    return repository.name if repository.name != "repo" else repository.parent.name.replace("+", "/")


def main(words: Iterable[str] | None = None) -> int:
    """0 if each commit of each repository was answered, or said why not; 1 after a traceback."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--most", type=int, default=_MOST, help="commits of each repository")
    parser.add_argument("--verbose", action="store_true", help="a line for each commit")
    given = parser.parse_args(None if words is None else list(words))
    title = (
        "repository",
        "built with",
        "commits on queue files",
        "answered",
        "exit code×commits",
        "seconds",
        "processor",
    )
    sys.stdout.write(f"| {' | '.join(title)} |\n|{' --- |' * len(title)}\n")
    crashed = False
    for repository in given.repositories:
        asked = list(asked_commits(repository.resolve(), given.most))
        crashed = crashed or any("Traceback" in line for each in asked for line in each.why)
        sys.stdout.write("\n".join(lines_of(repository, asked, verbose=given.verbose)) + "\n")
        sys.stdout.flush()
    return int(crashed)


if __name__ == "__main__":
    sys.exit(main())
