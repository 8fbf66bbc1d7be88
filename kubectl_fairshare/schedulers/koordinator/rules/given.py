"""The input of Koordinator's rules."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.jobs.kinds import CARRIERS
from kubectl_fairshare.jobs.pod_surroundings import WRONG_SHAPE
from kubectl_fairshare.jobs.pod_templates import end_of, pod_of
from kubectl_fairshare.lint.given import Examined, Given
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.json import mapping
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.quantity_text import QuantitySyntaxError
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.admission.filling import PlaceInTree, filled_trees
from kubectl_fairshare.schedulers.koordinator.admission.topology import (
    WebhookQuota,
    WebhookTopology,
    pod_name,
    topology_of,
    webhook_quota,
)
from kubectl_fairshare.schedulers.koordinator.jobs.pods import pod_reader
from kubectl_fairshare.schedulers.koordinator.model.names import GROUP, KIND, ROOT, TREE
from kubectl_fairshare.schedulers.koordinator.model.objects import KoordinatorState, Pod
from kubectl_fairshare.schedulers.koordinator.quotas.membership import PodQuota
from kubectl_fairshare.schedulers.koordinator.quotas.state import State, all_quotas, membership_of, state_of
from kubectl_fairshare.schedulers.koordinator.quotas.trees import cycles


class AskingPod(NamedTuple):
    """A pod, or the next pod of a template. ``at`` leads to its ``metadata`` and ``spec``."""

    pod: Pod
    at: Place

    def label(self, name: str) -> Place:
        """A label of it."""
        return Place(self.at.object, (*self.at.path, "metadata", "labels", name))

    @property
    def containers(self) -> Place:
        """Its containers."""
        return Place(self.at.object, (*self.at.path, "spec", "containers"))


class KoordinatorGiven(Given, frozen=True, eq=False, dict=True):
    """Everything that was read, with Koordinator's quotas and the settings of their scheduler."""

    @property
    def state(self) -> KoordinatorState:
        """Koordinator's part of the snapshot: accepted objects only."""
        return self.snapshot.part(KoordinatorState)

    @property
    def written(self) -> Sequence[Examined]:
        """All of its ElasticQuotas, including rejected ones, by namespace and name."""
        return self.of(KIND, GROUP)

    @cached_property
    def refused(self) -> frozenset[str]:
        """The names of the quotas that the API server rejects: nothing else of them is known."""
        return frozenset(each.key.name for each in self.written if each.stored is None)

    @cached_property
    def webhook_quotas(self) -> tuple[WebhookQuota, ...]:
        """The quotas that the API server's schema accepts, as the webhook validates them: with their trees."""
        trees = self._filled_trees
        return tuple(
            replace(quota, labels={**quota.labels, TREE: tree}) if (tree := trees.get(quota.name)) else quota
            for quota in self._accepted
        )

    @cached_property
    def treeless(self) -> frozenset[str]:
        """The names of the quotas whose tree is not known, as it is that of a quota that is missing or rejected."""
        return frozenset(name for name, tree in self._filled_trees.items() if tree is None)

    @cached_property
    def _filled_trees(self) -> Mapping[str, str | None]:
        places = {quota.name: PlaceInTree(quota.parent, quota.tree) for quota in self._accepted}
        new = {each.key.name for each in self.written if not each.manifest.stored and each.key.name in places}
        return filled_trees(places, new)

    @cached_property
    def _accepted(self) -> tuple[WebhookQuota, ...]:
        found = []
        for each in self.written:
            if each.stored is not None:
                try:
                    found.append(webhook_quota(each.key, each.stored))
                except QuantitySyntaxError:
                    continue
        return tuple(found)

    @cached_property
    def topology(self) -> WebhookTopology:
        """All quotas and pods, as the webhook would know them once all are created."""
        pods = [pod_name(m.key, m.data) for m in self.manifests("Pod")]
        return topology_of(self.webhook_quotas, pods, self.state.gates)

    @cached_property
    def cycles(self) -> tuple[tuple[str, ...], ...]:
        """The cycles of quotas that are their own ancestors."""
        return tuple(cycles(all_quotas(self.state))) if self.state.quotas else ()

    @cached_property
    def looping(self) -> frozenset[str]:
        """The quotas that are their own ancestors."""
        return frozenset(name for cycle in self.cycles for name in cycle)

    @cached_property
    def engine(self) -> State | None:
        """The state as the scheduler sees it; None without quotas, for quotas on which it loops, and if one is refused.

        Every figure rests on all quotas.
        """
        return None if self.cycles or self.refused or not self.state.quotas else state_of(self.state)

    @cached_property
    def members(self) -> Mapping[ObjectKey, PodQuota]:
        """The quota of every pod."""
        members = membership_of(self.state, all_quotas(self.state))
        return {pod.key: members.of(pod) for pod in self.state.pods}

    def pods_of(self, quota: str) -> list[Pod]:
        """The pods of a quota."""
        return [pod for pod in self.state.pods if self.members[pod.key].quota == quota]

    @cached_property
    def asking(self) -> tuple[AskingPod, ...]:
        """The pods, and the next pods of templates that no other object of the input made and that have not ended."""
        found = [AskingPod(pod, Place(pod.key)) for pod in self.state.pods]
        manifests = self.snapshot.manifests
        reader = pod_reader(manifests.values(), self.snapshot.part(PodContext))
        for manifest in manifests.values() if self.state.quotas else ():
            if (manifest.key.group, manifest.key.kind) in CARRIERS and not _is_made_or_over(manifest):
                try:
                    template = pod_of(manifest, reader.read)
                except (FairshareError, *WRONG_SHAPE):  # rules of the schema report what is wrong with it
                    continue
                found.append(AskingPod(template.pod, template.written))
        return tuple(found)

    @cached_property
    def asking_by_quota(self) -> Mapping[str, Sequence[AskingPod]]:
        """Those pods by the quota that they belong to."""
        members, found = membership_of(self.state, all_quotas(self.state)), dict[str, list[AskingPod]]()
        for each in self.asking:
            found.setdefault(members.of(each.pod).quota, []).append(each)
        return found

    @property
    def real(self) -> list[str]:
        """The names of the quotas of the input, without root."""
        return [name for name in self.state.quotas if name != ROOT]


def _is_made_or_over(manifest: Manifest) -> bool:
    """Whether another object made this one, or it has ended."""
    return bool(mapping(manifest.data, "metadata").get("ownerReferences")) or end_of(manifest) is not None


def labelled(manifest_key: ObjectKey, label: str) -> Place:
    """A label of an object."""
    return Place(manifest_key, ("metadata", "labels", label))
