"""Words for a verdict, and for the workload that an answer is about."""

from typing import Final

from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.explain.decision import Binding
from kubectl_fairshare.schedulers.kueue.jobs.names import shown_name
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.why.verdict import Reason, Why
from kubectl_fairshare.schedulers.kueue.why.waits import TAKEN
from kubectl_fairshare.schedulers.kueue.words.screens.plan import FILTERS, against_flavors
from kubectl_fairshare.schedulers.kueue.words.sentences import refusal_clause, sentence
from kubectl_fairshare.trace import Fact, Step

_LIMITS: Final = (Law.EXCEEDS_POTENTIAL, Law.EXCEEDS_AVAILABLE)


def reason_clause(why: Why) -> str:
    """The dominant reason in one clause."""
    if why.head is not None:
        return sentence(_with_head(why.because, shown_name(why.head.key, why.jobs)))
    earlier = [part.place.object for part in why.because.rests_on if isinstance(part, Fact)]
    if why.because.law in TAKEN and earlier:
        first, more = shown_name(earlier[0], why.jobs), len(earlier) > 1
        taken = f"{first} is ahead and takes the quota"
        if why.because.law is Law.TAKEN_FIRST:
            taken = f"{first} {'and others go first and take' if more else 'goes first and takes'} what it needs"
        return (
            f"{taken}; or this one is first: Kueue leaves that to chance"
            if "tied" in dict(why.because.operands)
            else taken
        )
    clause = sentence(why.because) if why.asking is None else refusal_clause(why.because, why.asking)
    if why.because.law is Law.NO_FLAVOR:
        return f"{clause}{_first_filter(why.because)}"
    if why.plan is None or why.because.law not in _LIMITS:
        return clause
    return f"{clause}{against_flavors(why.plan, FILTERS)}"


def _first_filter(because: Step) -> str:
    """What the first of several flavors refuses."""
    refused = [step for step in because.rests_on if isinstance(step, Step)]
    if not refused:
        return ""
    flavors = len({step.operand("flavor") for step in refused})
    name = f"{refused[0].operand('flavor')}: " if flavors > 1 else ""
    return f": {name}{sentence(refused[0])}"


def _with_head(because: Step, head: str) -> Step:
    """The reason, with the head by the name of its job."""
    return replace(because, operands=tuple((n, head if n == "head" else v) for n, v in because.operands))


def subject(why: Why) -> ObjectKey:
    """The object that was asked about: a job, or a Workload. Raises ``LookupError`` if the answer has neither."""
    if why.job is not None:
        return why.job
    if why.workload is not None:
        return why.workload
    raise LookupError("an answer without a subject")


def deciding(why: Why) -> tuple[Binding, ...]:
    """The limits behind the dominant reason, the one that it names first; the head's limits if the head blocks."""
    if why.head is not None:
        return why.head_bindings
    if why.then is not None:
        return why.then.bindings
    if why.plan is None or why.because.law not in _LIMITS:
        return ()
    flavor, resource = (str(why.because.operand(name)) for name in ("flavor", "resource"))
    ever = why.because.law is Law.EXCEEDS_POTENTIAL
    binds = sorted(why.plan.bindings, key=lambda b: (b.ever is not ever, b.pair != (flavor, resource), b.pair))
    return tuple(binds)


def is_settled(why: Why) -> bool:
    """Whether the workload waits for no other: it runs, has finished, is deactivated, or Kueue ignores it."""
    return why.verdict in (Verdict.RUNNING, Verdict.FINISHED, Verdict.UNMANAGED) or why.reason is Reason.DEACTIVATED
