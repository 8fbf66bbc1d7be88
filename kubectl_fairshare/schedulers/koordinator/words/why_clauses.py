"""Why a pod is where it is, in clauses: what binds of its quota, the commands to run next."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final

from kubectl_fairshare.schedulers.koordinator.why.verdict import Reason, Why
from kubectl_fairshare.schedulers.koordinator.words.plan_clauses import WORDS
from kubectl_fairshare.schedulers.kubescheduler.why_words import WhyWords, commands

_REFUSED: Final[Mapping[StrEnum, str]] = {
    Reason.OVER_RUNTIME: "too little {1} left of the runtime of {0}",
    Reason.OVER_MIN: "too little {1} left of the min of {0}, which bounds non-preemptible pods",
    Reason.PARENT_OVER: "too little {1} left of the runtime of {0}",
}


def _binds(why: Why) -> str:
    if why.reason not in _REFUSED or why.plan is None:
        return ""
    if why.plan.beyond:
        return ", ".join(f"{each.limit}: {each.resource}" for each in why.plan.beyond)
    refusal = why.plan.attempt.gate.refusal
    return "" if refusal is None else _REFUSED[why.reason].format(refusal.quota, ", ".join(refusal.exceeded))


WHY_WORDS: Final = WhyWords(WORDS, "the plugin ElasticQuota", _binds)
"""How answers are said."""


def next_commands(why: Why) -> Iterator[str]:
    """The commands that a person would type next."""
    refusal = None if why.plan is None else why.plan.attempt.gate.refusal
    of_quota = []
    if refusal is not None and refusal.exceeded:
        of_quota = [f"--explain {refusal.quota}", f"--resource {refusal.exceeded[0]}"]
    return commands(why, why.key or why.job, [f"kubectl fairshare shares {option}" for option in of_quota])
