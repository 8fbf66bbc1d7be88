"""Compares what the cluster recorded for a workload with the computed answer: do they agree, and which is newer."""

from enum import StrEnum
from typing import Final

from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.why.verdict import Why
from kubectl_fairshare.schedulers.kueue.words.condition import QuotaReservedCondition, condition


class RecordAgreement(StrEnum):
    """How the record compares with the computed answer.

    UNSEEN: Kueue has recorded nothing. NOT_SINCE_EVICTION: Kueue has not considered the workload since its eviction.
    OLDER: the record is older than the last change in the tree.
    """

    SAME = "Same"
    UNSEEN = "Unseen"
    NOT_SINCE_EVICTION = "NotSinceEviction"
    OLDER = "RecordIsOlder"
    DIFFERS = "Differs"


_UNSEEN: Final = "PendingEvaluation"


class RecordComparison(Value, frozen=True, rename="camel"):
    """Whether record and computed answer agree, as a value and as a clause, and what Kueue would write now."""

    agreement: RecordAgreement
    clause: str = field(name="sentence")
    computed: QuotaReservedCondition


def comparison(why: Why) -> RecordComparison | None:
    """The recorded QuotaReserved, compared with what Kueue would write now; None if there is nothing to compare."""
    if why.plan is None or why.workload is None:
        return None
    computed = condition(why.then or why.plan)
    reserved = why.record.condition("QuotaReserved")
    if reserved is None:
        return RecordComparison(RecordAgreement.UNSEEN, f"Kueue has written nothing yet{_because(why)}", computed)
    messages = (computed.message, *computed.other_messages)
    if reserved.status == computed.status and reserved.message in messages:
        return RecordComparison(RecordAgreement.SAME, "matches the computed answer", computed)
    if reserved.reason == _UNSEEN:
        return RecordComparison(RecordAgreement.UNSEEN, f"Kueue has not considered it yet{_because(why)}", computed)
    if why.because.law is Law.WORKLOAD_INACTIVE and why.eviction is not None:
        clause = "the record is from the deactivation: Kueue has not considered it since"
        return RecordComparison(RecordAgreement.NOT_SINCE_EVICTION, clause, computed)
    if why.eviction is not None and why.eviction.message == reserved.message.removeprefix("Previously: "):
        clause = f"Kueue has not considered it since the eviction{_because(why)}: the computed answer is newer"
        return RecordComparison(RecordAgreement.NOT_SINCE_EVICTION, clause, computed)
    if why.moved is not None:
        did = {"QuotaReserved": "got quota", "Finished": "finished", "Evicted": "was evicted and left"}
        event, moment = did[why.moved.event], moment_text(why.moved.moment)
        is_older = "is older" if why.moved.moment > (reserved.moment or 0) else "may be older"
        clause = f"the record {is_older}: {_name(why)} {event} at {moment}, and the computed answer includes that"
        return RecordComparison(RecordAgreement.OLDER, clause, computed)
    clause = (
        "the record differs from the computed answer, and no workload of its tree came or went since: another object "
        "changed, or the input lacks one"
    )
    return RecordComparison(RecordAgreement.DIFFERS, clause, computed)


def _name(why: Why) -> str:
    moved = why.moved
    return "" if moved is None else f"{moved.workload.namespace}/{moved.workload.name}"


def _because(why: Why) -> str:
    if why.because.law is Law.BEHIND_HEAD:
        return ", because it considers only the head of a StrictFIFO queue"
    if why.because.law is Law.BEHIND_PREEMPTOR:
        return ", because it first finishes the preemption for another workload"
    return ", because its backoff has not ended" if why.because.law is Law.BACKOFF else ""
