"""The quota of a pod: by its label, its namespace's own quota, an annotation that lists the namespace, or the default.

Example: a pod of namespace ``dev`` has the label of a quota that does not exist. It counts in the default quota, and
not in the quota ``dev`` of its own namespace.
Source: https://github.com/koordinator-sh/koordinator/blob/v1.8.0/pkg/scheduler/plugins/elasticquota/plugin_helper.go,
``getPodAssociateQuotaNameAndTreeID`` and ``GetQuotaName``.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.names import DEFAULT, QUOTA_NAME
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod, QuotaGroup


class PodQuota(NamedTuple):
    """A pod's quota and the law that gives it; an empty name for none. ``wished`` is a label that names no quota."""

    quota: str
    law: Law
    wished: str = ""


class Membership(Value, frozen=True):
    """What decides a pod's quota: the known names, the namespaces with a quota of their own name, the listed ones.

    ``listed`` has all quotas that list a namespace, sorted: the first counts here, any one of them in the scheduler.
    Both have quotas that are being deleted, which take pods from other ones and are not known.
    """

    known: frozenset[str]
    own: frozenset[str]
    listed: Mapping[str, tuple[str, ...]]
    no_default: bool = False

    def of(self, pod: Pod) -> PodQuota:
        """The quota of a pod."""
        return self.of_labels(pod.labels, pod.key.namespace)

    def of_labels(self, labels: Mapping[str, str], namespace: str) -> PodQuota:
        """The quota of a pod with these labels."""
        wished = labels.get(QUOTA_NAME, "")
        if wished in self.known:
            return PodQuota(wished, Law.NAMED)
        if self.no_default:
            return PodQuota("", Law.NO_QUOTA, wished)
        # A label that names no quota is not ignored: the namespace is not asked about any more.
        if wished:
            return PodQuota(DEFAULT, Law.UNKNOWN_NAME, wished)
        found = self._of_namespace(namespace)
        # A quota that is being deleted still takes the pods of its namespace, and they then count in the default one.
        return found if found.quota in self.known else PodQuota(DEFAULT, Law.BY_DEFAULT)

    def _of_namespace(self, namespace: str) -> PodQuota:
        if namespace in self.own:
            return PodQuota(namespace, Law.OF_NAMESPACE)
        if namespace in self.listed:
            return PodQuota(self.listed[namespace][0], Law.LISTED)
        return PodQuota(DEFAULT, Law.BY_DEFAULT)


def membership(known: Iterable[str], quotas: Iterable[QuotaGroup], *, no_default: bool) -> Membership:
    """The membership with these quotas, of which several may have one name."""
    listed: dict[str, set[str]] = {}
    own: set[str] = set()
    for quota in quotas:
        if quota.key.namespace == quota.name:
            own.add(quota.name)
        for namespace in quota.namespaces:
            listed.setdefault(namespace, set()).add(quota.name)
    return Membership(frozenset(known), frozenset(own), {n: tuple(sorted(q)) for n, q in listed.items()}, no_default)
