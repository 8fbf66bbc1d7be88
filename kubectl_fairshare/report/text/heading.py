"""The first line of every answer, and what the engine leaves out."""

from collections.abc import Sequence
from typing import Final

from kubectl_fairshare.answers.fidelity import UNREAD, Fidelity, Gap
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.report.text.paragraph import ended, paragraph
from kubectl_fairshare.report.text.table import folded
from kubectl_fairshare.report.text.view import View

_FEATURES: Final = {
    "DynamicResourceAllocation": "the devices that its resourceClaims ask for",
    "ElasticVictimOrder": "that KAI orders victims anew after each pod above a minimum: others may lose pods instead",
    "GangScheduling": "its scheduling group, whose pods are placed together",
    "HostPorts": "whether its host ports are free",
    "InterPodAffinity": "its affinity to other pods",
    "KindUnread": "not all of kind {0} may be read",
    "KoordinatorQuota": "ElasticQuotas of scheduling.sigs.k8s.io, which are Koordinator's",
    "NoNodes": "no nodes are in the input, so this is the half of the answer that quotas give",
    "PluginPresumed": "scheduler {0} is taken to run CapacityScheduling, though it placed no pod of any quota",
    "PodAntiAffinity": "pods that keep others off their nodes (podAntiAffinity)",
    "PodDeleting": "it is being deleted, and the scheduler places no such pod",
    "PodTopologySpread": "its topologySpreadConstraints",
    "ProfileAltered": "what the profile of scheduler {0} adds to the default plugins, or takes from them",
    "ProfileWithoutPlugin": "scheduler {0} has no profile with CapacityScheduling",
    "RuntimeClassScheduling": "on which nodes its RuntimeClass lets it run",
    "SchedulingGates": "its schedulingGates: it is not considered before they are removed",
    "SeveralQuotas": "namespace {0} has several ElasticQuotas, and chance decides which of them counts",
    "Volumes": "where its volumes are",
    "AdmissionCheckStateUnknown": "the state of AdmissionCheck {0} is not in the input",
    "AdmissionFairSharing": "admission fair sharing (queues ordered by past usage)",
    "ConcurrentAdmission": "concurrent admission",
    "DynamicResourceClaims": "devices of resourceClaims (DRA)",
    "MultiKueue": "what MultiKueue does with it once it has quota here",
    "NamespacePresumed": "namespace {0} is not in the input and taken as existing",
    "PluginDisabled": "scheduling without the plugin {0}, which the shard disables",
    "QueueCycle": "what KAI does about queues in a circle (its walk to the root has no end)",
    "TopologyAwareScheduling": "topology-aware scheduling (where on the nodes the pods fit)",
    "WaitForPodsReady.blockAdmission": "waitForPodsReady.blockAdmission (one admission at a time)",
}


def heading(parts: Sequence[str], fidelity: Fidelity, view: View) -> str:
    """``Kueue v0.19 · …``, and at the right end whether the answer is exact; on several lines where it is too long."""
    text = " · ".join((f"{fidelity.scheduler} {fidelity.version}", *parts))
    verdict, tone = ("exact", "good") if fidelity.exact else ("not exact", "wait")
    return "\n".join(ended(folded(text, view.width, "  "), verdict, tone, view))


def gap_lines(fidelity: Fidelity, view: View) -> list[str]:
    """A line for each feature that is not modelled: whether it can touch the answer, and where it is asked for."""
    lines = []
    for gap in fidelity.gaps:
        lacking = "not known" if gap.feature == UNREAD else "not modelled"
        text = f"{lacking if gap.touches else f'{lacking}, cannot touch this'}: {feature(gap)}"
        cited = [c for c in map(view.cite, gap.places) if c]
        if cited:
            text += f" ({some_of(cited, 2)})"
        tone = "wait" if gap.touches else "dim"
        lines += paragraph(text, view, "", "  ", tone)
    return lines


def feature(gap: Gap) -> str:
    """What is not modelled, in words; a setting that has none is named as it is."""
    return _FEATURES.get(gap.feature, gap.feature).format(gap.subject)
