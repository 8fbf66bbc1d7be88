"""A repository as teams build it, ten commits with one mistake each, and what ``diff`` must say of each."""

import subprocess
from pathlib import Path
from typing import Final, NamedTuple

from tests.meta.repository import ROOT

DATA: Final = ROOT / "testdata" / "gitops"
STATE: Final = DATA / "state.yaml"
GATES: Final = "running-at-risk,pending-lost,never,undecided"


class Expected(NamedTuple):
    """The exit code with the gates of the hook, what every format shows, and what is an error before any answer.

    ``linted`` is what lint says.
    """

    code: int
    shows: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    linted: tuple[str, ...] = ()


REFUSED: Final = "the API server rejects ClusterQueue"
EXPECTED: Final = {
    "01-negative-nominal": Expected(3, errors=("base/chat.yaml:20:29", REFUSED, "nominalQuota: negative")),
    "02-borrowing-without-cohort": Expected(3, errors=("base/ranking.yaml:6:3", "borrowingLimit needs a cohort")),
    "03-cohort-cycle": Expected(1, ("3 can never run any more", "K041", "company")),
    "04-localqueue-to-missing-queue": Expected(
        1, ("4 not decided", "speech/asr-2", "ClusterQueue speach"), linted=("warning[K050]", "write `speech`")
    ),
    "05-flavor-typo": Expected(
        1, ("vision", "a1oo", "2 not decided", "vision/sweep-3"), linted=("warning[K051]", "write `a100`")
    ),
    "06-lending-above-nominal": Expected(3, errors=("base/ranking.yaml:22:29", "lendingLimit: above nominalQuota")),
    "07-wrong-api-version": Expected(3, errors=("base/chat.yaml:1:13", "v1beta3", "`kueue.x-k8s.io/v1beta2`")),
    "08-resource-group-twice": Expected(3, errors=("base/vision.yaml:27:26", "`nvidia.com/gpu` is covered twice")),
    "09-quota-cut-under-running-work": Expected(
        1, ("2 running workloads may be preempted", "vision", "16 → 4", "pretrain", "sweep-1")
    ),
    "10-priority-class-renamed": Expected(
        0, ("1 new finding", "K058", "research", "apps/train.yaml"), linted=("warning[K058]", "write `research-prio`")
    ),
}

LINTED: Final = {
    "01-negative-nominal": (1, "K016"),
    "02-borrowing-without-cohort": (1, "K010"),
    "03-cohort-cycle": (1, "K041"),
    "04-localqueue-to-missing-queue": (1, "K050"),
    "05-flavor-typo": (1, "K051"),
    "06-lending-above-nominal": (1, "K027"),
    "07-wrong-api-version": (1, "K001"),
    "08-resource-group-twice": (1, "K013"),
    "09-quota-cut-under-running-work": (0, ""),
    "10-priority-class-renamed": (1, "K058"),
}
"""The exit code of ``lint . --complete``, and the rule that finds the mistake; empty where none can."""


def repository(folder: Path, change: str = "") -> Path:
    """The repository at ``folder``, committed on ``main``; with a change in its work tree."""
    import shutil

    shutil.copytree(DATA / "repository", folder)
    git(folder, "init", "-q", "--initial-branch=main")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "as it is")
    if change:
        git(folder, "apply", str(DATA / "changes" / f"{change}.diff"))
    return folder


def git(folder: Path, *words: str) -> None:
    """Runs git."""
    own = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *own, *words], check=True, cwd=folder, capture_output=True)
