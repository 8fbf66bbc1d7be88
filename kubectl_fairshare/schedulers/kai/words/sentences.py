"""One sentence for each of KAI's laws. An operand that a step does not carry prints as ``?``."""

from collections.abc import Callable, Mapping
from typing import Final

from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES
from kubectl_fairshare.schedulers.kai.model.usage import span_text
from kubectl_fairshare.schedulers.kai.words.screens import figures as kai_figures
from kubectl_fairshare.trace import Operand, Step


@dataclass(frozen=True, slots=True)
class _Operands:
    """The operands of a step by name, as text."""

    by_name: Mapping[str, Operand]
    holds: bool

    def __getitem__(self, name: str) -> str:
        value = self.by_name.get(name)
        if value is None:
            return "?"
        return kai_figures.number(value) if isinstance(value, float) else str(value)

    def amount(self, name: str) -> str:
        """An amount of the step's resource, with its unit; −1 is unlimited."""
        value, resource = self.by_name.get(name), self["resource"]
        if not isinstance(value, (int, float)) or resource not in RESOURCES:
            return self[name]
        return kai_figures.bound_with_unit(resource, float(value))

    def plain(self, name: str) -> str:
        """An amount of the step's resource without its unit."""
        value, resource = self.by_name.get(name), self["resource"]
        if not isinstance(value, (int, float)) or resource not in RESOURCES:
            return self[name]
        return kai_figures.bound(resource, float(value))

    def pods(self, name: str = "pods") -> str:
        """How many pods there are."""
        return "1 pod" if self[name] == "1" else f"{self[name]} pods"

    def span(self, name: str) -> str:
        """A span of time."""
        value = self.by_name.get(name)
        return span_text(value) if isinstance(value, int) else "?"


def sentence(step: Step) -> str:
    """What the step says, in one clause."""
    law = Law(step.law)
    return SENTENCES[law](_Operands(dict(step.operands), step.holds))


def _verdict(o: _Operands, held: str) -> str:
    sign = "≤" if o.holds else ">"
    return f"{held} {o.plain('held')} + {o.plain('asked')} asked {sign} {o.amount('bound')}"


def _round(o: _Operands) -> str:
    weight = f"weight {o['weight']} of {o['weights']} is n = {o['normal']}"
    part = f"n + k·(n − usage) = {o['normal']} + {o['k']}·({o['normal']} − {o['usage']}), at least 0, is {o['part']}"
    return _given(o, weight, part)


def _proposal_round(o: _Operands) -> str:
    weight = f"weight {o['weight']} of {o['weights']} is W' = {o['normal']}"
    part = f"P = max(W' − U', 0) = max({o['normal']} − {o['usage']}, 0) = {o['part']} of ΣP = {o['parts']}"
    if o.by_name.get("part") == o.by_name.get("normal") and o.by_name.get("usage"):
        part = f"max(W' − U', 0) leaves nothing to any queue, and U' is W': P = W' = {o['part']} of ΣP = {o['parts']}"
    return _given(o, weight, part)


def _given(o: _Operands, weight: str, part: str) -> str:
    """What a queue's part of a round gives it."""
    fair = f"{o.plain('amount')} × {o['part']} ÷ {o['parts']} = {o.amount('fair')}"
    if o.holds:
        given = f"it still asks for {o.plain('asked')} and gets it"
    else:
        given = f"cut to a whole unit: {o.plain('given')}"
        given += f", {o['record']} noted" if o["record"] != "?" else ""
    return f"round {o['number']} of priority {o['priority']}: {weight}; {part}; {fair}; {given}"


def _quota(o: _Operands) -> str:
    deserved = "quota unlimited, so all" if o["quota"] == "−1" else f"quota {o.plain('quota')}"
    limited = "" if o["limit"] == "−1" else f", at most its limit {o.plain('limit')}"
    asks = f"what it asks for, {o.plain('request')}{limited}"
    rest = o.by_name.get("left")
    left = f"left for rounds: {o.amount('left')}"
    if isinstance(rest, float) and rest <= 0:
        left = "quotas leave nothing for rounds"
    return f"by quota: the smaller of {deserved} and {asks}: {o.plain('given')}; {left}"


def _share(o: _Operands) -> str:
    terms = f"{o.plain('quota')} by quota + {o.plain('rounds')} over quota"
    return f"fair share of {o['queue']}: {terms} = {o.amount('share')}"


def _idle_node(o: _Operands) -> str:
    if o["most"] == "?":
        return f"pod {o['pod']} fits on no ready node as it is now"
    return f"pod {o['pod']} asks for {o.plain('asked')}, and no ready node has more than {o.amount('most')} idle"


def _placement(o: _Operands) -> str:
    if not o.holds:
        return "no nodes take all its pods as they are now"
    if o["waiting"] == "0":
        return f"nodes take {o.pods('bound')}"
    later = f"{o.pods('waiting')} once others have left"
    return f"nodes take {later}" if o["bound"] == "0" else f"nodes take {o.pods('bound')}, and {later}"


def _side(o: _Operands) -> str:
    return f"{o['victim']}, the side compared with {o['asker']}, holds {o.plain('held')}"


def _min_runtime(o: _Operands) -> str:
    source = f"queue {o['source']}" if o["source"] else "the shard"
    return f"{o['job']} is safe for {o.span('span')} after its start, says {source}"


def _sibling(o: _Operands) -> str:
    sign = "<" if o.holds else "≥"
    return (
        f"{o['queue']} would be at {o['ours']} of its fair share, times {o['multiplier']} "
        f"{sign} {o['theirs']} of {o['sibling']} once its victims are gone"
    )


SENTENCES: Final[Mapping[Law, Callable[[_Operands], str]]] = {
    Law.TOTAL: lambda o: f"the cluster has {o.amount('amount')} to divide",
    Law.PARENT_SHARE: lambda o: f"{o['parent']} has {o.amount('amount')} to divide, its own fair share",
    Law.QUOTA_PASS: _quota,
    Law.ROUND: _round,
    Law.PROPOSAL_ROUND: _proposal_round,
    Law.USAGE: lambda o: (
        f"usage of {o['queue']}: {o['used']} of the {o['offered']} that the cluster had, each added up over the "
        f"window, is {o['usage']}"
    ),
    Law.REMAINDER: lambda o: f"a last unit for {o['record']} noted: {o.amount('given')}",
    Law.FAIR_SHARE: _share,
    Law.TRIED_ONCE: lambda _: "its schedulingBackoff lets KAI try it once, and KAI has tried it",
    Law.QUEUE_UNKNOWN: lambda o: f"queue {o['queue']} does not exist, or has no way to the root",
    Law.QUEUE_NOT_LEAF: lambda o: f"queue {o['queue']} has {o['children']} below it, and jobs run in leaf queues only",
    Law.GANG_NOT_READY: lambda o: f"it has {o.pods()}, and needs {o['minimum']} that are not gated",
    Law.LIMIT: lambda o: f"limit of {o['queue']}: {_verdict(o, 'held')}",
    Law.NON_PREEMPTIBLE_QUOTA: lambda o: f"quota of {o['queue']} for what cannot be preempted: {_verdict(o, 'held')}",
    Law.IDLE: lambda o: (
        f"{o.plain('asked')} asked, {o.amount('idle')} idle on ready nodes in all"
        if o.holds
        else f"{o.plain('asked')} asked, only {o.amount('idle')} idle on ready nodes"
    ),
    Law.IDLE_NODE: _idle_node,
    Law.PLACEMENT: _placement,
    Law.PREEMPTION_DELAY: lambda o: (
        f"it cannot preempt or reclaim before its preemptionDelay of {o.span('delay')} is over"
    ),
    Law.WITHIN_SHARE: lambda o: f"fair share of {o['queue']}: {_verdict(o, 'holds')}",
    Law.WITHIN_QUOTA: lambda o: f"quota of {o['queue']}, as it cannot be preempted: {_verdict(o, 'holds')}",
    Law.OVER_SHARE: lambda o: f"{_side(o)}, {'above' if o.holds else 'not above'} the {o.amount('bound')} that it may",
    Law.OVER_QUOTA: lambda o: f"{_side(o)}, {'above' if o.holds else 'not above'} its quota {o.amount('bound')}",
    Law.MIN_RUNTIME: _min_runtime,
    Law.ELASTIC_MINIMUM: lambda o: f"{o['job']} is safe, and would fall below its minimum of {o['minimum']} pods",
    Law.SIBLING: _sibling,
    Law.IN_QUEUE_PRIORITY: lambda o: f"{o['job']} of the same queue has a lower priority, {o['priority']}",
}
