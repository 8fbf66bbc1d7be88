"""A sentence for each law of Koordinator's quotas."""

from collections.abc import Callable, Mapping
from typing import Final

from kubectl_fairshare.answers.number_text import amount
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.trace import Operand, Step


class _Operands(Value, frozen=True):
    """The operands of one step by name, as text; a missing one prints as ``?``."""

    by_name: Mapping[str, Operand]

    def __getitem__(self, name: str) -> str:
        value = self.by_name.get(name)
        return "?" if value is None else str(value)

    def value(self, name: str) -> int:
        """An amount, 0 without one."""
        value = self.by_name.get(name)
        return value if isinstance(value, int) else 0

    def amount(self, name: str) -> str:
        """An amount of the step's resource."""
        return amount(self["resource"], self.value(name))


def sentence(step: Step) -> str:
    """What a step says, in one clause."""
    return SENTENCES[Law(step.law)](_Operands(dict(step.operands)))


def _sum(o: _Operands) -> str:
    """The inequality of a test: requested and used against the limit."""
    whole = o.value("wanted") + o.value("used")
    sign, total = ">" if whole > o.value("limit") else "≤", amount(o["resource"], whole)
    return (
        f"{o.amount('wanted')} requested + {o.amount('used')} used = {total} {sign} {o.amount('limit')} {o['resource']}"
    )


def _runtime(o: _Operands) -> str:
    return f"{_sum(o)} (runtime of {o['quota']})"


def _min(o: _Operands) -> str:
    return f"not preemptible, so min limits it: {_sum(o)} (min of {o['quota']})"


def _default(o: _Operands) -> str:
    """What the default quota limits: it has no runtime, and its max counts only without runtime quotas."""
    return "whose max limits it" if o.by_name.get("limited") else "which limits nothing"


def _unlimited(o: _Operands) -> str:
    if "resource" not in o.by_name:
        return f"nothing that it requests is limited by {o['quota']}"
    why = "the max of its parent does not list it" if o.by_name["listed"] else "its max does not list it"
    return f"{o['quota']} does not limit {o['resource']}: {why}"


def _lack(o: _Operands) -> str:
    free = amount(o["resource"], o.value("allocatable") - o.value("used"))
    return f"{o['node']} has {free} {o['resource']} free, {o.amount('requested')} requested"


def _beyond(o: _Operands) -> str:
    return f"{o['node']} has only {o.amount('allocatable')} {o['resource']}, {o.amount('requested')} requested"


def _figure(words: str) -> Callable[[_Operands], str]:
    return lambda o: f"{o['node']}: {words} {o['figure']}, the best has {o['best']}"


def _constant(text: str) -> Callable[[_Operands], str]:
    return lambda _: text


SENTENCES: Final[Mapping[Law, Callable[[_Operands], str]]] = {
    Law.NAMED: lambda o: f"its label names quota {o['quota']}",
    Law.OF_NAMESPACE: lambda o: f"namespace {o['namespace']} has a quota of its own name",
    Law.LISTED: lambda o: f"quota {o['quota']} lists namespace {o['namespace']}",
    Law.BY_DEFAULT: lambda o: f"no quota names it, so it belongs to the default quota, {_default(o)}",
    Law.UNKNOWN_NAME: lambda o: (
        f"its label names quota {o['wished']}, which does not exist: it belongs to the default quota, {_default(o)}"
    ),
    Law.NO_QUOTA: _constant("it names no known quota, and the default quota is disabled: no quota limits it"),
    Law.SCALED_MIN: lambda o: f"the min of {o['quota']} is scaled",
    Law.STARTS_AT_MIN: lambda o: f"{o['quota']} requests more than its min and starts at it",
    Law.REQUEST_IS_LESS: lambda o: f"{o['quota']} requests less than its min and gets its request",
    Law.KEEPS_MIN: lambda o: f"{o['quota']} does not lend and keeps its min",
    Law.SURPLUS: lambda o: f"{o['quota']} gets its part of the surplus by weight",
    Law.UNLIMITED: _unlimited,
    Law.WITHIN_RUNTIME: _runtime,
    Law.OVER_RUNTIME: _runtime,
    Law.WITHIN_MIN: _min,
    Law.OVER_MIN: _min,
    Law.PARENT_WITHIN: _runtime,
    Law.PARENT_OVER: lambda o: f"a quota above it: {_runtime(o)}",
    Law.PARENT_UNKNOWN: lambda o: f"the scheduler fails: there is no quota {o['quota']}",
    Law.FITS: lambda o: f"{o['node']} has room",
    Law.UNSCHEDULABLE: lambda o: f"{o['node']} is cordoned",
    Law.UNTOLERATED_TAINT: lambda o: f"{o['node']} has a taint that the pod does not tolerate: {o['detail']}",
    Law.AFFINITY_MISMATCH: lambda o: f"{o['node']} does not match the pod's node selector or affinity",
    Law.TOO_MANY_PODS: lambda o: f"{o['node']} has the maximum of {o['allocatable']} pods",
    Law.INSUFFICIENT: _lack,
    Law.EXCEEDS_NODE: _beyond,
    Law.MAY_PREEMPT: _constant("it may preempt"),
    Law.NEVER_PREEMPTS: _constant("its preemptionPolicy is Never, so it preempts nothing"),
    Law.VICTIMS_LEAVING: lambda o: f"it waits for {o['leaving']}, which is terminating on its nominated node",
    Law.OWN_LOWER: _constant("lower priority in the same quota"),
    Law.UNQUOTED_LOWER: _constant("lower priority, both without a quota"),
    Law.NOT_LOWER: _constant("its priority is not lower"),
    Law.OTHER_QUOTA: _constant("it belongs to another quota, and a pod preempts only its own"),
    Law.NOT_PREEMPTIBLE: _constant("it is labelled as not preemptible"),
    Law.DEFAULT_SPARED: _constant("it belongs to the default quota, whose pods ElasticQuota never preempts"),
    Law.ACROSS_QUOTAS: _constant("DefaultPreemption may evict it for a pod of any quota, where nodes are full"),
    Law.NODE_NEEDS: _constant("the node has no room for both pods"),
    Law.QUOTA_NEEDS: lambda o: f"the quota has no room for both pods: {o['exceeded']}",
    Law.PUT_BACK: _constant("the pod fits without its eviction"),
    Law.NO_VICTIMS: lambda o: f"{o['node']} has no pod of the same quota with a lower priority",
    Law.DOES_NOT_FIT: lambda o: f"{o['node']} has no room even without them",
    Law.REMOVED_TWICE: lambda o: f"{o['node']}: the scheduler removes the same pod twice and fails with an error",
    Law.ALL_SPARED: lambda o: f"{o['node']}: no eviction is needed there, and the scheduler fails with an error",
    Law.FEWEST_VIOLATIONS: _figure("breaks disruption budgets:"),
    Law.LOWEST_PRIORITY: _figure("its most important victim has priority"),
    Law.LOWEST_SUM: _figure("the priorities of its victims, each plus 2³¹, add up to"),
    Law.FEWEST_VICTIMS: _figure("victims:"),
    Law.LATEST_START: lambda o: f"{o['node']}: its most important victims started earlier",
    Law.CHOICE_TIE: lambda o: f"{o['nodes']} are equal by every criterion: the scheduler may choose any of them",
    Law.IN_VAIN: _constant("its victims are evicted in vain: the quota still rejects the pod"),
    Law.REVOKED: lambda o: f"{o['pod']} may be evicted, because its quota uses more than its runtime",
}
