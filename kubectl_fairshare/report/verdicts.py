"""Words and tones for the verdicts of ``why``. Tested in ``tests/unit/report/test_why.py``."""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.answers.tables import Tone

VERDICT_WORDS: Final = {
    Verdict.RUNNING: "running",
    Verdict.FINISHED: "finished",
    Verdict.NEVER: "never",
    Verdict.NOT_NOW: "not now",
    Verdict.WAITING: "waiting",
    Verdict.UNMANAGED: "unmanaged",
    Verdict.UNKNOWN: "unknown",
}
VERDICT_TONES: Final[Mapping[Verdict, Tone]] = {
    Verdict.RUNNING: "good",
    Verdict.FINISHED: "dim",
    Verdict.NEVER: "never",
    Verdict.NOT_NOW: "wait",
    Verdict.WAITING: "wait",
    Verdict.UNMANAGED: "never",
    Verdict.UNKNOWN: "wait",
}
