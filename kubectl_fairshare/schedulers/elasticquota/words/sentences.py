"""One sentence for each law of CapacityScheduling, with the operands of a step.

Clauses are lower case without a final period; a missing operand prints as ``?``.
"""

from collections.abc import Callable, Mapping
from typing import Final

from kubectl_fairshare.answers import number_text
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.trace import Operand, Step


class _Operands(Value, frozen=True):
    """The operands of one step by name, as text."""

    by_name: Mapping[str, Operand]
    holds: bool

    def __getitem__(self, name: str) -> str:
        value = self.by_name.get(name)
        return "?" if value is None else str(value)

    def has(self, name: str) -> bool:
        """Whether the step has the operand."""
        return self.by_name.get(name) not in (None, "")

    def amount(self, name: str) -> str:
        """An amount of the step's resource."""
        value = self.by_name.get(name)
        return number_text.amount(self["resource"], value) if isinstance(value, int) else "?"

    def number(self, name: str, one: str) -> str:
        """A number of things, with the noun in singular or plural."""
        value = self.by_name.get(name)
        return count(value, one) if isinstance(value, int) else f"? {one}s"

    @property
    def in_resource(self) -> str:
        """``in nvidia.com/gpu``; empty for a step without a resource."""
        return f" in {self['resource']}" if self.has("resource") else ""

    def sum(self, left: str, right: str, bound: str) -> str:
        """``2 requested + 3 used = 5 > 4 (max of research)``: the inequality in amounts of the step's resource."""
        a, b = self.by_name.get("wanted"), self.by_name.get("used")
        if not isinstance(a, int) or not isinstance(b, int):
            return f"{left} + {right}, compared with {bound}"
        whole, sign = number_text.amount(self["resource"], a + b), "≤" if self.holds else ">"
        return (
            f"{self.amount('wanted')} {left} + {self.amount('used')} {right} = {whole} {sign} "
            f"{self.amount('bound')} ({bound})"
        )


def sentence(step: Step) -> str:
    """The step in one clause."""
    return SENTENCES[Law(step.law)](_Operands(dict(step.operands), step.holds))


def _over_max(o: _Operands) -> str:
    return f"{o['resource']}: {o.sum('requested', 'used', 'max of ' + o['namespace'])}"


def _pool(o: _Operands) -> str:
    return f"{o['resource']}: {o.sum('requested', 'used by all quotas', 'sum of all min')}"


def _over_min(o: _Operands) -> str:
    a, b = o.by_name.get("wanted"), o.by_name.get("used")
    if not isinstance(a, int) or not isinstance(b, int):
        return f"the pod takes {o['namespace']} above its min, so it can preempt only pods of {o['namespace']}"
    whole = number_text.amount(o["resource"], a + b)
    return (
        f"with this pod {o['namespace']} uses {whole} {o['resource']}, more than its min {o.amount('bound')}: "
        f"it can preempt only lower-priority pods of {o['namespace']}"
    )


def _peer(o: _Operands) -> str:
    place = f"{o['pod']} is nominated to {o['node']}"
    if not o.holds:
        return f"{place} and does not count here"
    return f"{place} and counts towards the {'max and the ' if o.by_name.get('in quota') else ''}sum of all min"


def _lack(o: _Operands) -> str:
    return (
        f"{o['node']} has {o.amount('bound')} {o['resource']}, {o.amount('used')} of it in use: "
        f"no room for {o.amount('wanted')}"
    )


def _beyond_node(o: _Operands) -> str:
    return f"{o['node']} has {o.amount('bound')} {o['resource']} in total, less than {o.amount('wanted')}"


def _too_many(o: _Operands) -> str:
    return f"{o['node']} runs {o['used']} pods and allows {o['bound']}"


def _affinity(o: _Operands) -> str:
    return f"{o['node']} is not {o['detail']}" if o.has("detail") else f"node affinity excludes {o['node']}"


def _leaving(o: _Operands) -> str:
    return f"{o['leaving']}, preempted for it, is still terminating"


def _borrower(o: _Operands) -> str:
    return (
        f"{o['namespace']} borrows: it uses {o.amount('used')} {o['resource']}, and its min is {o.amount('bound')}"
        if o.has("resource")
        else f"{o['namespace']} borrows"
    )


def _lower(o: _Operands) -> str:
    return f"its priority {o['priority']} is lower"


def _quota_needs(o: _Operands) -> str:
    return (
        f"with it, the quotas would be exceeded in {o['resource']}"
        if o.has("resource")
        else "the quotas need its amounts"
    )


def _kept_out(o: _Operands) -> str:
    return f"{o['node']}: after evicting {o.number('taken', 'pod')}, the pod still does not fit"


def _still_exceeded(o: _Operands) -> str:
    return f"{o['node']}: after evicting {o.number('taken', 'pod')}, the quotas are still exceeded{o.in_resource}"


def _figure(what: str) -> Callable[[_Operands], str]:
    return lambda o: f"{o['node']}: {what} {o['figure']}, the best node has {o['best']}"


RULES: Final[Mapping[Law, str]] = {
    Law.OWN_LOWER: "own lower priority",
    Law.BORROWER: "borrower",
    Law.UNQUOTED_LOWER: "lower priority",
}
"""The short names of the laws by which a pod is a victim."""
SENTENCES: Final[Mapping[Law, Callable[[_Operands], str]]] = {
    Law.NO_QUOTA: lambda o: f"namespace {o['namespace']} has no ElasticQuota, so no quota limits it",
    Law.WITHIN_MAX: _over_max,
    Law.OVER_MAX: _over_max,
    Law.WITHIN_POOL: _pool,
    Law.OVER_POOL: _pool,
    Law.PEER_COUNTS: _peer,
    Law.PEER_IGNORED: _peer,
    Law.FITS: lambda o: f"{o['node']} has room for it now",
    Law.UNSCHEDULABLE: lambda o: f"{o['node']} is cordoned",
    Law.UNTOLERATED_TAINT: lambda o: f"it does not tolerate the taint {o['detail']} of {o['node']}",
    Law.AFFINITY_MISMATCH: _affinity,
    Law.TOO_MANY_PODS: _too_many,
    Law.INSUFFICIENT: _lack,
    Law.EXCEEDS_NODE: _beyond_node,
    Law.MAY_PREEMPT: lambda _: "its preemptionPolicy allows preemption",
    Law.NEVER_PREEMPTS: lambda _: "its preemptionPolicy is Never, so it cannot preempt",
    Law.VICTIMS_LEAVING: _leaving,
    Law.WITHIN_MIN: lambda o: (
        f"with this pod {o['namespace']} stays within its min: it can preempt pods of any priority in namespaces that "
        f"borrow, and no pod of {o['namespace']}"
    ),
    Law.OVER_MIN: _over_min,
    Law.OWN_LOWER: _lower,
    Law.BORROWER: _borrower,
    Law.UNQUOTED_LOWER: _lower,
    Law.NOT_LOWER: lambda _: "its priority is not lower",
    Law.OWN_KEPT: lambda _: "same namespace, and within its min the pod preempts other namespaces only",
    Law.OTHERS_KEPT: lambda _: "another namespace, and above its min the pod preempts its own namespace only",
    Law.NOT_BORROWING: lambda _: "its namespace is within its min at this point",
    Law.OUTSIDE_QUOTAS: lambda _: "its namespace has no quota, so a pod with a quota cannot preempt it",
    Law.INSIDE_QUOTAS: lambda _: "its namespace has a quota, so a pod without a quota cannot preempt it",
    Law.NODE_NEEDS: lambda _: "the node has no room for both pods",
    Law.QUOTA_NEEDS: _quota_needs,
    Law.PUT_BACK: lambda _: "the pod fits without its eviction",
    Law.NO_VICTIMS: lambda o: f"{o['node']} has no pod that can be preempted",
    Law.DOES_NOT_FIT: _kept_out,
    Law.QUOTA_STILL_EXCEEDED: _still_exceeded,
    Law.REMOVED_TWICE: lambda o: f"{o['node']}: the scheduler removes the same pod twice and fails with an error",
    Law.ALL_SPARED: lambda o: f"{o['node']}: the scheduler spares every victim and fails with an error",
    Law.FEWEST_VIOLATIONS: _figure("breaks disruption budgets:"),
    Law.LOWEST_PRIORITY: _figure("its most important victim has priority"),
    Law.LOWEST_SUM: _figure("the priorities of its victims, each plus 2³¹, add up to"),
    Law.FEWEST_VICTIMS: _figure("victims:"),
    Law.LATEST_START: lambda o: f"{o['node']}: its most important victims started earlier",
    Law.CHOICE_TIE: lambda o: f"{o['nodes']} are equal by every criterion: the scheduler may choose any of them",
    Law.ORDER_TIE: lambda o: f"{o['pods']} are equally important: the scheduler may evict any of them",
    Law.SINGLE_NODE: lambda _: "all nodes together have room, but the scheduler evicts pods of one node only",
}
