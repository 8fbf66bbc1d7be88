"""The pod sets of a Workload, as pod templates.

Tested in ``tests/unit/schedulers/kueue/jobs/test_job_scenarios.py``, by the scenarios of ``testdata/jobs``.
"""

from collections.abc import Mapping

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import MAIN, PodTemplate


def of_workload(root: Field) -> tuple[PodTemplate, ...]:
    """The pod sets of a Workload in its v1beta2 form."""
    reclaimed = {
        entry.at("name").text(MAIN): entry.at("count").natural(0)
        for entry in root.at("status", "reclaimablePods").entries()
    }
    return tuple(_pod_set(entry, reclaimed) for entry in root.at("spec", "podSets").entries())


def _pod_set(pod_set: Field, reclaimed: Mapping[str, int]) -> PodTemplate:
    name = pod_set.at("name").text(MAIN)
    least, topology = pod_set.at("minCount"), pod_set.at("topologyRequest")
    return PodTemplate(
        name,
        pod_set.at("count").natural(1),
        pod_set.at("template", "spec"),
        min_count=None if least.value is None else least.natural(1),
        reclaimable=reclaimed.get(name, 0),
        group=topology.at("podSetGroupName").text() or None,
        topology=topology.mapping(),
    )
