"""One sentence for each law of CapacityScheduling: what it says of the operands of a step.

Clauses in lower case without a final period; an operand that a step does not carry prints as ``?``.
"""

from collections.abc import Callable, Mapping
from typing import Final

from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.report.text import figures
from kubectl_fairshare.report.text.figures import count
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.trace import Operand, Step


@dataclass(frozen=True, slots=True)
class _Operands:
    """The operands of a step by name, as text."""

    by_name: Mapping[str, Operand]
    holds: bool

    def __getitem__(self, name: str) -> str:
        value = self.by_name.get(name)
        return "?" if value is None else str(value)

    def has(self, name: str) -> bool:
        """Whether the step carries the operand."""
        return self.by_name.get(name) not in (None, "")

    def amount(self, name: str) -> str:
        """An amount of the step's resource."""
        value = self.by_name.get(name)
        return figures.amount(self["resource"], value) if isinstance(value, int) else "?"

    def number(self, name: str, one: str) -> str:
        """A number of things."""
        value = self.by_name.get(name)
        return count(value, one) if isinstance(value, int) else f"? {one}s"

    @property
    def in_resource(self) -> str:
        """``in nvidia.com/gpu``, where the step has a resource."""
        return f" in {self['resource']}" if self.has("resource") else ""

    def sum(self, left: str, right: str, bound: str) -> str:
        """``wanted 2 + used 3 = 5 > 4``: the inequality in amounts of the step's resource."""
        a, b = self.by_name.get("wanted"), self.by_name.get("used")
        if not isinstance(a, int) or not isinstance(b, int):
            return f"{left} and {right} against {bound}"
        whole, sign = figures.amount(self["resource"], a + b), "≤" if self.holds else ">"
        return (
            f"{left} {self.amount('wanted')} + {right} {self.amount('used')} = {whole} {sign} "
            f"{self.amount('bound')} {bound}"
        )


def sentence(step: Step) -> str:
    """What the step says, in one clause."""
    return SENTENCES[Law(step.law)](_Operands(dict(step.operands), step.holds))


def _over_max(o: _Operands) -> str:
    return f"{o['resource']}: {o.sum('wanted', 'used', 'max of ' + o['namespace'])}"


def _pool(o: _Operands) -> str:
    return f"{o['resource']}: {o.sum('wanted', 'used by all quotas', 'sum of all min')}"


def _over_min(o: _Operands) -> str:
    a, b = o.by_name.get("wanted"), o.by_name.get("used")
    if not isinstance(a, int) or not isinstance(b, int):
        return f"{o['namespace']} is beyond its min with the pod, so it may take from its own pods alone"
    whole = figures.amount(o["resource"], a + b)
    return (
        f"with the pod {o['namespace']} uses {whole} {o['resource']}, more than its min {o.amount('bound')}: "
        "it may take from its own lower priorities alone"
    )


def _peer(o: _Operands) -> str:
    place = f"{o['pod']} has a place kept on {o['node']}"
    if not o.holds:
        return f"{place} and does not count here"
    return f"{place} and counts against the {'max and the ' if o.by_name.get('in quota') else ''}sum of all min"


def _lack(o: _Operands) -> str:
    return (
        f"{o['node']} has {o.amount('bound')} {o['resource']}, {o.amount('used')} of it taken: "
        f"no room for {o.amount('wanted')}"
    )


def _beyond_node(o: _Operands) -> str:
    return f"{o['node']} has {o.amount('bound')} {o['resource']} in all, fewer than {o.amount('wanted')}"


def _too_many(o: _Operands) -> str:
    return f"{o['node']} holds {o['used']} pods and takes no more than {o['bound']}"


def _affinity(o: _Operands) -> str:
    return f"{o['node']} is not {o['detail']}" if o.has("detail") else f"node affinity excludes {o['node']}"


def _leaving(o: _Operands) -> str:
    return f"{o['leaving']}, which makes room on its node, is still leaving"


def _borrower(o: _Operands) -> str:
    return (
        f"{o['namespace']} borrows: it uses {o.amount('used')} {o['resource']} and its min is {o.amount('bound')}"
        if o.has("resource")
        else f"{o['namespace']} borrows"
    )


def _lower(o: _Operands) -> str:
    return f"its priority {o['priority']} is lower"


def _quota_needs(o: _Operands) -> str:
    return (
        f"the quotas would be exceeded with it, in {o['resource']}" if o.has("resource") else "the quotas need it gone"
    )


def _kept_out(o: _Operands) -> str:
    return f"{o['node']}: with {o.number('taken', 'pod')} gone the pod would still not fit"


def _still_exceeded(o: _Operands) -> str:
    return f"{o['node']}: with {o.number('taken', 'pod')} gone the quotas would still be exceeded{o.in_resource}"


def _figure(what: str) -> Callable[[_Operands], str]:
    return lambda o: f"{o['node']}: {what} {o['figure']}, the best has {o['best']}"


RULES: Final[Mapping[Law, str]] = {
    Law.OWN_LOWER: "own lower priority",
    Law.BORROWER: "borrower",
    Law.UNQUOTED_LOWER: "lower priority",
}
"""The short names of the laws by which a pod is taken."""
SENTENCES: Final[Mapping[Law, Callable[[_Operands], str]]] = {
    Law.NO_QUOTA: lambda o: f"namespace {o['namespace']} has no ElasticQuota, so no quota is in the way",
    Law.WITHIN_MAX: _over_max,
    Law.OVER_MAX: _over_max,
    Law.WITHIN_POOL: _pool,
    Law.OVER_POOL: _pool,
    Law.PEER_COUNTS: _peer,
    Law.PEER_IGNORED: _peer,
    Law.FITS: lambda o: f"{o['node']} takes it as things are",
    Law.UNSCHEDULABLE: lambda o: f"{o['node']} is unschedulable",
    Law.UNTOLERATED_TAINT: lambda o: f"the taint {o['detail']} of {o['node']} is not tolerated",
    Law.AFFINITY_MISMATCH: _affinity,
    Law.TOO_MANY_PODS: _too_many,
    Law.INSUFFICIENT: _lack,
    Law.EXCEEDS_NODE: _beyond_node,
    Law.MAY_PREEMPT: lambda _: "it may preempt",
    Law.NEVER_PREEMPTS: lambda _: "its preemptionPolicy is Never, so it may not preempt",
    Law.VICTIMS_LEAVING: _leaving,
    Law.WITHIN_MIN: lambda o: (
        f"with the pod {o['namespace']} stays within its min: it may take from borrowers of other namespaces, "
        "whatever their priority, and not from its own"
    ),
    Law.OVER_MIN: _over_min,
    Law.OWN_LOWER: _lower,
    Law.BORROWER: _borrower,
    Law.UNQUOTED_LOWER: _lower,
    Law.NOT_LOWER: lambda _: "its priority is not lower",
    Law.OWN_KEPT: lambda _: "of the same namespace, which is within its min and takes from others alone",
    Law.OTHERS_KEPT: lambda _: "of another namespace, and the pod takes its own beyond its min",
    Law.NOT_BORROWING: lambda _: "its namespace is within its min at that moment",
    Law.OUTSIDE_QUOTAS: lambda _: "its namespace has no quota, and quotas take nothing from there",
    Law.INSIDE_QUOTAS: lambda _: "its namespace has a quota, and pods without one take nothing from there",
    Law.NODE_NEEDS: lambda _: "the node has no room for both",
    Law.QUOTA_NEEDS: _quota_needs,
    Law.PUT_BACK: lambda _: "the pod fits without it going",
    Law.NO_VICTIMS: lambda o: f"{o['node']} has no pod that may be taken",
    Law.DOES_NOT_FIT: _kept_out,
    Law.QUOTA_STILL_EXCEEDED: _still_exceeded,
    Law.DOUBLE_REMOVAL: lambda o: f"{o['node']}: the scheduler removes a pod twice there, and gives up with an error",
    Law.NOBODY_LEFT: lambda o: f"{o['node']}: all pods are put back, and the scheduler gives up with an error",
    Law.FEWEST_VIOLATIONS: _figure("breaks disruption budgets:"),
    Law.LOWEST_PRIORITY: _figure("its most important victim has priority"),
    Law.LOWEST_SUM: _figure("the priorities of its victims, each raised by 2³¹, sum up to"),
    Law.FEWEST_VICTIMS: _figure("victims:"),
    Law.LATEST_START: lambda o: f"{o['node']}: its most important victims started earlier",
    Law.CHOICE_TIE: lambda o: f"{o['nodes']} are equal in everything that counts: the scheduler takes any of them",
    Law.ORDER_TIE: lambda o: f"{o['pods']} are equally important: which of them leave is not defined",
    Law.SINGLE_NODE: lambda _: "all nodes together could give it; the scheduler takes victims from one node alone",
}
