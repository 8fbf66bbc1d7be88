"""One sentence for each of KAI's laws. A missing operand prints as ``?``."""

from collections.abc import Callable, Mapping
from typing import Final

from kubectl_fairshare.answers.ages import length_text
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES
from kubectl_fairshare.schedulers.kai.words.screens import figures as kai_figures
from kubectl_fairshare.trace import Operand, Step

_POOLLESS: Final = "jobs without a node pool label"
_ALONE: Final = {
    "allocate": "be admitted now",
    "consolidation": "get in by moving others",
    "reclaim": "get in by reclaiming",
    "preempt": "get in by preempting",
}
"""What each action does for a job."""


class _Operands(Value, frozen=True):
    """The operands of one step by name, as text."""

    by_name: Mapping[str, Operand]
    holds: bool

    def __getitem__(self, name: str) -> str:
        value = self.by_name.get(name)
        if value is None:
            return "?"
        return kai_figures.number(value) if isinstance(value, float) else str(value)

    def amount(self, name: str) -> str:
        """An amount of the step's resource, with unit; −1 is unlimited."""
        value, resource = self.by_name.get(name), self["resource"]
        if not isinstance(value, (int, float)) or resource not in RESOURCES:
            return self[name]
        return kai_figures.bound_with_unit(resource, float(value))

    def plain(self, name: str) -> str:
        """An amount of the step's resource, without unit."""
        value, resource = self.by_name.get(name), self["resource"]
        if not isinstance(value, (int, float)) or resource not in RESOURCES:
            return self[name]
        return kai_figures.bound(resource, float(value))

    def pods(self, name: str = "pods") -> str:
        """A number of pods: ``1 pod``, ``2 pods``."""
        return "1 pod" if self[name] == "1" else f"{self[name]} pods"

    def children(self) -> str:
        """The number of child queues."""
        return "it has 1 child queue" if self["children"] == "1" else f"it has {self['children']} child queues"

    def span(self, name: str) -> str:
        """A duration."""
        value = self.by_name.get(name)
        return length_text(value) if isinstance(value, int) else "?"


def sentence(step: Step) -> str:
    """The step in one clause."""
    law = Law(step.law)
    return SENTENCES[law](_Operands(dict(step.operands), step.holds))


def _sum(o: _Operands) -> str:
    sign = "≤" if o.holds else ">"
    return f"{o.plain('held')} held + {o.plain('asked')} requested {sign} {o.amount('bound')}"


def _round(o: _Operands) -> str:
    weight = f"weight {o['weight']} of {o['weights']} is n = {o['normal']}"
    part = f"n + k·(n − usage) = {o['normal']} + {o['k']}·({o['normal']} − {o['usage']}), at least 0, is {o['part']}"
    return _gain(o, weight, part)


def _proposal_round(o: _Operands) -> str:
    weight = f"weight {o['weight']} of {o['weights']} is W' = {o['normal']}"
    part = f"P = max(W' − U', 0) = max({o['normal']} − {o['usage']}, 0) = {o['part']} of ΣP = {o['parts']}"
    if o.by_name.get("part") == o.by_name.get("normal") and o.by_name.get("usage"):
        part = f"max(W' − U', 0) leaves nothing to any queue, and U' is W': P = W' = {o['part']} of ΣP = {o['parts']}"
    return _gain(o, weight, part)


def _gain(o: _Operands, weight: str, part: str) -> str:
    """What a queue gets in one round."""
    fair = f"{o.plain('amount')} × {o['part']} ÷ {o['parts']} = {o.amount('fair')}"
    if o.holds:
        given = f"capped at its open request: {o.plain('asked')}"
    else:
        given = f"cut to a whole unit: {o.plain('given')}"
        given += f", remainder {o['record']}" if o["record"] != "?" else ""
    return f"round {o['number']} of priority {o['priority']}: {weight}; {part}; {fair}; {given}"


def _quota(o: _Operands) -> str:
    quota = "quota unlimited" if o["quota"] == "−1" else f"quota {o.plain('quota')}"
    limit = "" if o["limit"] == "−1" else f", limit {o.plain('limit')}"
    rest = o.by_name.get("left")
    left = f"left for rounds: {o.amount('left')}"
    if isinstance(rest, float) and rest <= 0:
        left = "nothing is left for rounds"
    return f"by quota: min({quota}, request {o.plain('request')}{limit}) = {o.plain('given')}; {left}"


def _share(o: _Operands) -> str:
    terms = f"{o.plain('quota')} by quota + {o.plain('rounds')} by rounds"
    return f"fair share of {o['queue']}: {terms} = {o.amount('share')}"


def _idle_node(o: _Operands) -> str:
    if o["most"] == "?":
        return f"pod {o['pod']} fits on no ready node now"
    return f"pod {o['pod']} requests {o.plain('asked')}, and no ready node has more than {o.amount('most')} idle"


def _no_shard(o: _Operands) -> str:
    served = f"its node pool {o['pool']}" if o["pool"] else _POOLLESS
    only = "" if o["shards"] == "0" else f", only {o['pools'] or _POOLLESS}"
    return f"no SchedulingShard serves {served}{only}"


def _placement(o: _Operands) -> str:
    if not o.holds:
        return "no nodes fit all its pods now"
    if o["waiting"] == "0":
        return f"nodes have room for {o.pods('bound')}"
    later = f"{o.pods('waiting')} after evictions"
    return (
        f"nodes have room for {later}" if o["bound"] == "0" else f"nodes have room for {o.pods('bound')}, and {later}"
    )


def _refused(o: _Operands) -> str:
    others = ", others have too little room" if o.by_name.get("short") else ""
    return f"nodes with room refuse it: {o['nodes']}{others}"


def _behind(o: _Operands) -> str:
    alone = f"if no other job waited, it would {_ALONE.get(o['alone'], 'get in')}"
    if o["depth"] != "0":
        jobs = "1 job" if o["depth"] == "1" else f"{o['depth']} jobs"
        return f"the cycle tries only {jobs} of its queue (queueDepthPerAction), and others come first; {alone}"
    if o["number"] == "0":
        return f"other jobs that wait change the order of queues; {alone}"
    return f"{o['jobs']} {'gets' if o['number'] == '1' else 'get'} in first; {alone}"


def _side(o: _Operands) -> str:
    return f"{o['victim']} (compared with {o['asker']}) holds {o.plain('held')}"


def _min_runtime(o: _Operands) -> str:
    source = f"queue {o['source']}" if o["source"] else "the shard"
    return f"{o['job']} is protected for {o.span('span')} after its start, by the minimum runtime of {source}"


def _sibling(o: _Operands) -> str:
    sign = "<" if o.holds else "≥"
    return (
        f"after the evictions {o['queue']} would hold {o['ours']} of its fair share, × {o['multiplier']} "
        f"{sign} {o['theirs']} of {o['sibling']}"
    )


SENTENCES: Final[Mapping[Law, Callable[[_Operands], str]]] = {
    Law.TOTAL: lambda o: f"the cluster has {o.amount('amount')} to divide",
    Law.PARENT_SHARE: lambda o: f"{o['parent']} has {o.amount('amount')} to divide: its own fair share",
    Law.QUOTA_PASS: _quota,
    Law.ROUND: _round,
    Law.PROPOSAL_ROUND: _proposal_round,
    Law.USAGE: lambda o: (
        f"usage of {o['queue']} = {o['used']} used ÷ {o['offered']} offered by the cluster, both summed over the "
        f"window = {o['usage']}"
    ),
    Law.REMAINDER: lambda o: f"one more unit, for the remainder {o['record']}: {o.amount('given')}",
    Law.FAIR_SHARE: _share,
    Law.NOT_GROUPED: lambda o: f"it gets no PodGroup: {o['reason']}",
    Law.NO_SHARD: _no_shard,
    Law.TRIED_ONCE: lambda _: "its schedulingBackoff allows one attempt, and KAI has made it",
    Law.QUEUE_UNKNOWN: lambda o: (
        f"queue {o['queue']} does not exist, or its parents do not lead to a root queue"
        if o["complete"]
        else f"queue {o['queue']}, or a queue above it, is not in the input"
    ),
    Law.QUEUE_NOT_LEAF: lambda o: f"queue {o['queue']} is not a leaf: {o.children()}",
    Law.GANG_NOT_READY: lambda o: (
        f"it needs {o.pods('minimum')} without scheduling gates; it has {o.pods()}, gated ones included"
        if o["pods"]
        else f"it needs {o.pods('minimum')}, and the input has none"
    ),
    Law.LIMIT: lambda o: f"limit of {o['queue']}: {_sum(o)}",
    Law.NON_PREEMPTIBLE_QUOTA: lambda o: f"quota of {o['queue']} for non-preemptible jobs: {_sum(o)}",
    Law.IDLE: lambda o: f"{o.amount('asked')} requested, {o.plain('idle')} idle on ready nodes",
    Law.IDLE_NODE: _idle_node,
    Law.PLACEMENT: _placement,
    Law.REFUSED: _refused,
    Law.BEHIND: _behind,
    Law.PREEMPTION_DELAY: lambda o: (
        f"its preemptionDelay of {o.span('delay')} is not over, so it cannot preempt or reclaim yet"
    ),
    Law.WITHIN_SHARE: lambda o: f"fair share of {o['queue']}: {_sum(o)}",
    Law.WITHIN_QUOTA: lambda o: f"quota of {o['queue']}, as the job is non-preemptible: {_sum(o)}",
    Law.OVER_SHARE: lambda o: f"{_side(o)} and {'may keep only' if o.holds else 'may keep'} {o.amount('bound')}",
    Law.OVER_QUOTA: lambda o: f"{_side(o)}, {'more' if o.holds else 'not more'} than its quota of {o.amount('bound')}",
    Law.MIN_RUNTIME: _min_runtime,
    Law.ELASTIC_MINIMUM: lambda o: f"{o['job']} is protected and would fall below its minimum of {o.pods('minimum')}",
    Law.SIBLING: _sibling,
    Law.IN_QUEUE_PRIORITY: lambda o: f"{o['job']} is in the same queue and has a lower priority, {o['priority']}",
}
