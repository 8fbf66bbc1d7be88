"""What the cluster recorded of a workload beside what is computed: whether they agree, and which is newer."""

from enum import StrEnum
from typing import Final

from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.why.verdict import Why
from kubectl_fairshare.schedulers.kueue.words.condition import Condition, condition


class Agreement(StrEnum):
    """SAME; UNSEEN: nothing is recorded; BEFORE_EVICTION: Kueue has not looked since; OLDER: the record is; DIFFERS."""

    SAME = "Same"
    UNSEEN = "Unseen"
    NOT_SINCE_EVICTION = "NotSinceEviction"
    OLDER = "RecordIsOlder"
    DIFFERS = "Differs"


_UNSEEN: Final = "PendingEvaluation"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether record and computation agree, in a word and in a clause, and what Kueue would write now."""

    agreement: Agreement
    clause: str
    computed: Condition


def comparison(why: Why) -> Comparison | None:
    """The record of QuotaReserved against what Kueue would write now; None where there is nothing to compare."""
    if why.plan is None or why.workload is None:
        return None
    computed = condition(why.plan)
    reserved = why.record.condition("QuotaReserved")
    if reserved is None:
        return Comparison(Agreement.UNSEEN, f"Kueue has written nothing yet{_because(why)}", computed)
    if reserved.status == computed.status and reserved.message == computed.message:
        return Comparison(Agreement.SAME, "says the same", computed)
    if reserved.reason == _UNSEEN:
        return Comparison(Agreement.UNSEEN, f"Kueue has not looked at it yet{_because(why)}", computed)
    if why.because.law is Law.WORKLOAD_INACTIVE and why.eviction is not None:
        clause = "is from when it was deactivated: Kueue does not look at it since"
        return Comparison(Agreement.NOT_SINCE_EVICTION, clause, computed)
    if why.eviction is not None and why.eviction.message == reserved.message.removeprefix("Previously: "):
        clause = f"Kueue has not looked at it since the eviction{_because(why)}: what is computed is newer"
        return Comparison(Agreement.NOT_SINCE_EVICTION, clause, computed)
    if why.moved is not None:
        did = {"QuotaReserved": "got quota", "Finished": "finished", "Evicted": "was evicted and left"}
        event, moment = did[why.moved.event], moment_text(why.moved.moment)
        is_older = "is older" if why.moved.moment > (reserved.moment or 0) else "is perhaps older"
        clause = f"{is_older}: {_name(why)} {event} at {moment}, and what is computed takes that in"
        return Comparison(Agreement.OLDER, clause, computed)
    clause = "differs, and no workload of its tree came or went since: another object changed, or is not in the input"
    return Comparison(Agreement.DIFFERS, clause, computed)


def _name(why: Why) -> str:
    moved = why.moved
    return "" if moved is None else f"{moved.workload.namespace}/{moved.workload.name}"


def _because(why: Why) -> str:
    if why.because.law is Law.BEHIND_HEAD:
        return ", as it looks at nobody behind the head of a StrictFIFO queue"
    if why.because.law is Law.BEHIND_PREEMPTOR:
        return ", as it first ends the preemption for another one"
    return ", as its backoff lasts" if why.because.law is Law.BACKOFF else ""
