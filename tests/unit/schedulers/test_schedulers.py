"""The list of schedulers: which of them an input concerns, and which answers."""

from typing import Any

import pytest

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.model.errors import UsageError
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers import ALL, chosen_scheduler, every_scheduler, holding, known_schedulers, lint_houses
from kubectl_fairshare.schedulers.recording import manifests_of

QUOTA = {"apiVersion": "scheduling.x-k8s.io/v1alpha1", "kind": "ElasticQuota"}
QUEUE = {"apiVersion": "scheduling.run.ai/v2", "kind": "Queue"}


def snapshot(*objects: dict[str, Any]) -> Snapshot:
    named = [{**each, "metadata": {"name": "one", "namespace": "a"}, "spec": {}} for each in objects]
    return assemble(manifests_of(named, "test"), known_schedulers()).snapshot


def test_every_name_has_a_house_that_says_the_same() -> None:
    assert tuple(each.name for each in every_scheduler()) == ALL
    assert tuple(each.name for each in known_schedulers()) == ALL
    assert tuple(each.name for each in lint_houses()) == ALL


def test_the_schedulers_of_an_input_are_in_the_order_of_the_list() -> None:
    assert [each.name for each in holding(snapshot(QUOTA, QUEUE))] == ["kai", "elasticquota"]
    assert [each.name for each in holding(snapshot(QUOTA))] == ["elasticquota"]


def test_an_input_without_quotas_is_the_first_ones() -> None:
    assert [each.name for each in holding(snapshot())] == [ALL[0]]


def test_the_wished_scheduler_answers_if_the_input_has_its_quotas() -> None:
    both = snapshot(QUOTA, QUEUE)
    assert chosen_scheduler(both, None).name == "kai"
    assert chosen_scheduler(both, "elasticquota").name == "elasticquota"
    with pytest.raises(UsageError, match="no quotas of `kueue`"):
        chosen_scheduler(both, "kueue")
