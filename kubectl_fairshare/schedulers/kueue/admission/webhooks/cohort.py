"""Kueue's webhook for Cohorts, in their Go view (v1beta2)."""

from collections.abc import Iterator

from kubectl_fairshare.api.causes import Cause
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.schedulers.kueue.admission.webhooks.quota import QuotaRules, group_causes, weight_causes


def causes(view: JsonObject, _old: JsonObject | None) -> Iterator[Cause]:
    """What is wrong with the object. A Cohort can lend more than its own quota: its children's."""
    spec = view.get("spec", {})
    yield from weight_causes(spec.get("fairSharing"), ("spec", "fairSharing"))
    rules = QuotaRules("parent", bool(spec.get("parentName")), False)
    yield from group_causes(spec.get("resourceGroups", []), rules, ("spec", "resourceGroups"))
