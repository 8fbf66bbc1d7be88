"""What Koordinator's webhook for pods rejects in a pod that no API server has yet.

Tested in ``tests/unit/schedulers/koordinator/test_pod_webhook.py``.
"""

from collections.abc import Iterator

from kubectl_fairshare.answers.fidelity import INVALID_OBJECT, Gap
from kubectl_fairshare.jobs.fields import root_of
from kubectl_fairshare.jobs.pod_surroundings import Surroundings, completed_spec
from kubectl_fairshare.jobs.pod_templates import TemplatePod
from kubectl_fairshare.jobs.requests import spec_requests
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.koordinator.admission.pod_webhook import EXEMPT, ReviewedPod, pod_complaints
from kubectl_fairshare.schedulers.koordinator.model.objects import KoordinatorState, Pod


def webhook_gaps(
    state: KoordinatorState, around: Surroundings, waiting: TemplatePod[Pod], maker: Manifest
) -> Iterator[Gap]:
    """A gap for each reason to reject the next pod of ``maker``. Raises ``FairshareError`` for another type."""
    namespace, gates = waiting.key.namespace, state.gates
    if waiting.pod.created or not gates.validates_pods or EXEMPT in around.context.namespace_labels.get(namespace, ()):
        return
    for rules, runs in (("devices", gates.validates_devices), ("required labels", gates.validates_labels)):
        if runs:
            yield Gap("PodWebhook", (), touches=True, subject=rules)
    if "ColocationProfile" in state.unmodelled:  # it may change the fields before
        return
    metadata = root_of(maker).at(*map(str, waiting.written.path), "metadata")
    requests = spec_requests(completed_spec(waiting.spec, namespace, around))
    labels, annotations = (metadata.at(name).texts() for name in ("labels", "annotations"))
    what = "its pods" if waiting.written.path else "it"
    for why in pod_complaints(ReviewedPod(waiting.pod.priority, requests, labels, annotations)):
        subject = f"{maker.key}: Koordinator's webhook rejects {what}: {why}"
        yield Gap(INVALID_OBJECT, (), touches=True, subject=subject)
