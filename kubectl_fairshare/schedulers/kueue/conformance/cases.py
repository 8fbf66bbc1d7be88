"""Recorded cases of Kueue as snapshots."""

import json

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.model.objects import FINAL_SHARE, INITIAL_SHARE
from kubectl_fairshare.schedulers.kueue.reading.configuration import admission_sharing
from kubectl_fairshare.schedulers.kueue.reading.state import with_configuration
from kubectl_fairshare.schedulers.kueue.reading.written_settings import DATA_KEY, GROUP, KIND
from kubectl_fairshare.schedulers.kueue.reads import READS
from kubectl_fairshare.schedulers.kueue.release import NAME
from kubectl_fairshare.schedulers.recording import accepted_form, manifests_of


def _releases(case: JsonObject) -> dict[str, str]:
    named = case["config"].get("release")
    return {} if named is None else {NAME: str(named)}


def _settings(case: JsonObject) -> list[JsonObject]:
    """The transformations of a case without a manager's Configuration."""
    rules = case["config"].get("transformations")
    if not rules or any(each["kind"] == "ConfigMap" for each in case["objects"]):
        return []
    written = {"apiVersion": f"{GROUP}/v1beta2", "kind": KIND, "resources": {"transformations": rules}}
    metadata = {"name": "kueue-manager-config", "namespace": "kueue-system"}
    return [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {DATA_KEY: json.dumps(written)}}]


def case_snapshot(case: JsonObject) -> Snapshot:
    """The snapshot of a case; ``config.fairSharing`` is the scheduler's own, not the file's."""
    fair = case["config"].get("fairSharing")
    strategies = None
    if fair is not None:
        strategies = tuple(fair.get("preemptionStrategies") or (FINAL_SHARE, INITIAL_SHARE))
    manifests = manifests_of(map(accepted_form, [*case["objects"], *_settings(case)]), case["name"])
    snapshot = assemble(manifests, KnownSchedulers((READS,)), releases=_releases(case)).snapshot
    written, gates = case["config"].get("admissionFairSharing"), ("AdmissionFairSharing",)
    return with_configuration(
        snapshot,
        lambda found: replace(
            found, strategies=strategies, admission_sharing=admission_sharing(written, gates, found.release)
        ),
    )
