"""The ResourceQuotas that keep made-up pods from being created: pods that only their requests describe.

Waiting pods count like running ones, and an equal sum still fits.
Why not the status of a ResourceQuota alone: a made-up pod comes next to others that no status has counted, so what pods
add up to decides, and a status that differs is named.
Source:
https://github.com/kubernetes/kubernetes/blob/v1.35.0/staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go,
``CheckRequest``.
Tested in ``tests/unit/schedulers/kubescheduler/test_bounds.py``.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from kubectl_fairshare.answers.fidelity import REJECTED, Gap
from kubectl_fairshare.answers.holds import CreationRefusal
from kubectl_fairshare.jobs.resource_quotas import CreationQuota, bounds_pods, requested_refusals, requested_usage
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import Value, field, replace

Requests = Mapping[str, int]
"""What a pod requests, by resource, in 10⁻⁹."""
_LIMITS: Final = "limits."


class PodBounds(Value, frozen=True):
    """The ResourceQuotas by namespace. ``differing`` are bounds of which a status says another use than pods add up to.

    Requests decide the bounds on requests and on pods, of quotas that count all pods.
    """

    quotas: Mapping[str, tuple[CreationQuota, ...]] = field(default_factory=dict)
    differing: Mapping[str, tuple[Place, ...]] = field(default_factory=dict)

    def refusals(self, namespace: str, requests: Requests, others: Iterable[Requests]) -> tuple[CreationRefusal, ...]:
        """The bounds that keep a pod from being created next to the ``others`` of its namespace."""
        quotas = self._decided(namespace)
        return requested_refusals(quotas, requests, requested_usage(others)) if quotas else ()

    def copies(self, namespace: str, requests: Requests, others: Iterable[Requests], most: int) -> int:
        """How many such pods can be created, one after another; at most ``most``."""
        quotas = self._decided(namespace)
        used = requested_usage(others) if quotas else {}
        # One at a time: the API server admits pods one by one, and each counts before the next is created.
        for number in range(most if quotas else 0):
            if requested_refusals(quotas, requests, used):
                return number
            for name, amount in requested_usage([requests]).items():
                used[name] = used.get(name, 0) + amount
        return most

    def _decided(self, namespace: str) -> list[CreationQuota]:
        # Whether a scope counts a pod rests on its class, deadline and limits, which a made-up pod does not have.
        return [quota for quota in self.quotas.get(namespace, ()) if not quota.scopes]

    def gaps(self, namespace: str) -> tuple[Gap, ...]:
        """A gap that names the bounds which requests do not decide."""
        undecided = (place for quota in self.quotas.get(namespace, ()) for place in _undecided(quota))
        return _gaps((*undecided, *self.differing.get(namespace, ())))

    def compared(self, pods: Iterable[tuple[str, Requests]]) -> "PodBounds":
        """The same bounds, their status compared with the pods that there are, each with its namespace."""
        stated = {name: quotas for name, quotas in self.quotas.items() if any(quota.used for quota in quotas)}
        there: dict[str, list[Requests]] = {}
        for name, requests in pods if stated else ():
            there.setdefault(name, []).append(requests)
        of = {name: requested_usage(there.get(name, ())) for name in stated}
        places = {
            name: tuple(p for quota in each for p in _differing(quota, of[name])) for name, each in stated.items()
        }
        return replace(self, differing=places)

    def idle(self) -> "PodBounds":
        """The same bounds where no pods are."""
        return replace(self, differing={})


def pod_bounds(quotas: Iterable[CreationQuota]) -> PodBounds:
    """The bounds of all namespaces."""
    found: dict[str, tuple[CreationQuota, ...]] = {}
    for quota in quotas:
        found[quota.key.namespace] = (*found.get(quota.key.namespace, ()), quota)
    return PodBounds(found)


def rejected_gaps(refusals: Iterable[CreationRefusal]) -> tuple[Gap, ...]:
    """A gap that names the bounds which reject a pod, for a course of events that has it nonetheless."""
    return _gaps(tuple(refusal.place for refusal in refusals))


def _gaps(places: tuple[Place, ...]) -> tuple[Gap, ...]:
    return (Gap(REJECTED, places, touches=True),) if places else ()


def _undecided(quota: CreationQuota) -> Iterator[Place]:
    for name in quota.bounds:
        if bounds_pods(name) and (quota.scopes or name.startswith(_LIMITS)):
            yield Place(quota.key, (*quota.path, name))


def _differing(quota: CreationQuota, added: Mapping[str, int]) -> Iterator[Place]:
    for name in quota.bounds:
        counted = bounds_pods(name) and not (quota.scopes or name.startswith(_LIMITS))
        if counted and quota.used.get(name, added.get(name, 0)) != added.get(name, 0):
            yield Place(quota.key, (*quota.path, name))
