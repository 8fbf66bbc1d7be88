"""Why a pod is where it is, in clauses: what binds of its quota, the commands to run next."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.schedulers.elasticquota.why.verdict import Reason, Why
from kubectl_fairshare.schedulers.elasticquota.words.plan_clauses import WORDS
from kubectl_fairshare.schedulers.kubescheduler.why_words import WhyWords, commands

_QUOTA: Final = (Reason.OVER_MAX, Reason.OVER_POOL)


def _binds(why: Why) -> str:
    if why.reason not in _QUOTA or why.plan is None or why.pod is None:
        return ""
    resources = ", ".join(excess.resource for excess in why.plan.attempt.gate.excesses)
    limit = f"max of {why.pod.namespace}" if why.reason is Reason.OVER_MAX else "sum of all min"
    return f"{limit}: {resources}"


WHY_WORDS: Final = WhyWords(WORDS, "CapacityScheduling", _binds)
"""How answers are said."""


def next_commands(why: Why) -> Iterator[str]:
    """The commands that a person would type next."""
    excesses = () if why.plan is None else why.plan.attempt.gate.excesses
    of_quota = [f"kubectl fairshare shares --resource {r}" for r in sorted({excess.resource for excess in excesses})]
    return commands(why, why.key or why.job, of_quota)
