"""Whether the quotas admit a pod, before any node is tried; with the scheduler's message.

Counter-example to testing only what the pod requests: a quota that is over its runtime in memory rejects a pod that
asks for cpu alone, as all that the quota uses is compared; a parent in the same state does not.
Source: https://github.com/koordinator-sh/koordinator/blob/v1.8.0/pkg/scheduler/plugins/elasticquota/plugin.go,
``PreFilter``; ``plugin_helper.go``, ``checkQuotaRecursive``.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.amounts import NOTHING, Amounts, beyond, masked, plus, whole
from kubectl_fairshare.schedulers.koordinator.model.names import ROOT
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.quotas.highest import highest_limit
from kubectl_fairshare.schedulers.koordinator.quotas.membership import PodQuota
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.limits import ExceededLimit

_MOST: Final = "the most that {0} can ever use"


class GateStatus(StrEnum):
    """The quotas' verdict on a pod, in the scheduler's words."""

    SUCCESS = "Success"
    UNSCHEDULABLE = "Unschedulable"
    SKIP = "Skip"
    ERROR = "Error"


class QuotaTest(Value, frozen=True):
    """One test: what is used, with the request, against a limit; ``exceeded`` are the resources above it, sorted.

    ``quota`` is the quota tested, ``topology`` the quotas from it down to the pod's, for a parent.
    """

    law: Law
    quota: str
    request: Amounts
    used: Amounts
    limit: Amounts
    exceeded: tuple[str, ...] = ()
    topology: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether the pod passes."""
        return not self.exceeded and self.law is not Law.PARENT_UNKNOWN


class QuotaGate(Value, frozen=True):
    """The quotas' verdict: the pod's quota, its request there, and the tests in order, up to the first that fails."""

    status: GateStatus
    member: PodQuota
    request: Amounts = field(default_factory=dict)
    tests: tuple[QuotaTest, ...] = ()

    @property
    def quota(self) -> str:
        """The name of the pod's quota; empty for none."""
        return self.member.quota

    @property
    def refusal(self) -> QuotaTest | None:
        """The test that fails."""
        return self.tests[-1] if self.tests and not self.tests[-1].holds else None

    @property
    def admits(self) -> bool:
        """Whether the pod may be placed."""
        return self.status in (GateStatus.SUCCESS, GateStatus.SKIP)


def quota_gate(state: State, pod: Pod) -> QuotaGate:
    """Whether the quotas admit the pod."""
    member = state.members.of(pod)
    if not member.quota:
        return QuotaGate(GateStatus.SKIP, member)
    group, sums = state.quotas[member.quota], state.sums(member.quota)
    # What max does not list is neither counted nor limited.
    request = masked(pod.charge, group.max)
    tests = [runtime_test(member.quota, request, sums.used, state.limit(member.quota))]
    if tests[-1].holds and not pod.preemptible:
        # Against the min as it is written: only the division scales it.
        tests.append(firm_test(member.quota, request, sums.firm_used, group.min))
    if tests[-1].holds and state.source.arguments.checks_parents:
        tests += _parent_tests(state, member.quota, request)
    if tests[-1].law is Law.PARENT_UNKNOWN:
        status = GateStatus.ERROR
    else:
        status = GateStatus.SUCCESS if tests[-1].holds else GateStatus.UNSCHEDULABLE
    return QuotaGate(status, member, request, tuple(tests))


def may_admit(state: State, pod: Pod) -> bool:
    """Whether the quotas may admit the pod one day: its request alone is within the most that each limit can be."""
    quota = state.members.of(pod).quota
    if quota and state.source.arguments.checks_parents and quota in state.figures(quota).tree.orphans:
        return False
    return next(exceeded_limits(state, pod), None) is None


def exceeded_limits(state: State, pod: Pod) -> Iterator[ExceededLimit]:
    """The limits below the pod's request alone, each at the most that it can be."""
    quota = state.members.of(pod).quota
    if not quota:
        return
    group, tree = state.quotas[quota], state.figures(quota).tree
    request = masked(pod.charge, group.max)
    limits = [(_MOST.format(quota), highest_limit(state, quota))]
    # This limit does not move with requests, so the most that it can be is what it is.
    limits += [] if pod.preemptible else [(f"min of {quota}, for pods that are not preemptible", group.min)]
    if state.source.arguments.checks_parents:
        above = (name for name in tree.ancestors(quota) if name != ROOT)
        limits += [(_MOST.format(name), highest_limit(state, name)) for name in above]
    for words, limit in limits:
        for resource in beyond(request, limit):
            wanted, bound = (whole(resource, of.get(resource, 0)) for of in (request, limit))
            yield ExceededLimit(resource, wanted, bound, words)


def runtime_test(quota: str, request: Amounts, used: Amounts, limit: Amounts) -> QuotaTest:
    """The quota stays within its runtime, in every resource that it uses or that the pod requests."""
    exceeded = beyond(plus(used, request), limit)
    return QuotaTest(Law.OVER_RUNTIME if exceeded else Law.WITHIN_RUNTIME, quota, request, used, limit, exceeded)


def firm_test(quota: str, request: Amounts, used: Amounts, least: Amounts) -> QuotaTest:
    """Pods that are not preemptible stay within min, which is not scaled."""
    exceeded = beyond(plus(used, request), least)
    return QuotaTest(Law.OVER_MIN if exceeded else Law.WITHIN_MIN, quota, request, used, least, exceeded)


def _parent_tests(state: State, quota: str, request: Amounts) -> list[QuotaTest]:
    """Each quota above stays within its runtime, in the resources that the pod requests; up to the first refusal."""
    figures = state.figures(quota)
    found: list[QuotaTest] = []
    topology: tuple[str, ...] = (quota,)
    name = figures.tree.quotas[quota].parent
    while name != ROOT and (not found or found[-1].holds):
        topology = (name, *topology)
        if name not in figures.tree.quotas:
            found.append(QuotaTest(Law.PARENT_UNKNOWN, name, request, NOTHING, NOTHING, topology=topology))
            break
        used, limit = figures.sums[name].used, state.limit(name)
        # In the pod's resources only, unlike the test of its own quota.
        exceeded = beyond(masked(plus(request, used), request), limit)
        law = Law.PARENT_OVER if exceeded else Law.PARENT_WITHIN
        found.append(QuotaTest(law, name, request, used, limit, exceeded, topology))
        name = figures.tree.quotas[name].parent
    return found
