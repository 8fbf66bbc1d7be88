"""SchedulingShards: the actions that run, and the settings that are not modelled."""

from typing import Any

import pytest

from kubectl_fairshare.schedulers.kai.model.objects import Shard
from kubectl_fairshare.schedulers.kai.reading.shards import shard_of
from kubectl_fairshare.schedulers.recording import accepted_form, manifests_of


def shard(**spec: Any) -> Shard:
    made = {"apiVersion": "kai.scheduler/v1", "kind": "SchedulingShard", "metadata": {"name": "default"}, "spec": spec}
    return shard_of(next(iter(manifests_of([accepted_form(made)], "scene"))))


@pytest.mark.parametrize(
    ("spec", "actions"),
    [
        ({}, ("allocate", "consolidation", "reclaim", "preempt")),
        ({"placementStrategy": {"gpu": "spread"}}, ("allocate", "reclaim", "preempt")),
        ({"actions": {"consolidation": {"enabled": False}}}, ("allocate", "reclaim", "preempt")),
        ({"actions": {"preempt": {"priority": 450}}}, ("allocate", "preempt", "consolidation", "reclaim")),
        ({"actions": {"reclaim": {"priority": 400}}}, ("allocate", "consolidation", "reclaim", "preempt")),
        (
            {"placementStrategy": {"cpu": "spread"}, "actions": {"consolidation": {"enabled": True}}},
            ("allocate", "consolidation", "reclaim", "preempt"),
        ),
    ],
)
def test_actions_run_by_priority_and_then_by_name(spec: dict[str, Any], actions: tuple[str, ...]) -> None:
    assert shard(**spec).actions == actions


@pytest.mark.parametrize(
    ("spec", "fields"),
    [
        ({"plugins": {"proportion": {"arguments": {"kValue": "2"}}, "minruntime": {"enabled": False}}}, []),
        ({"plugins": {"snapshot": {"enabled": False}, "podaffinity": {"enabled": True}}}, []),
        ({"plugins": {"podaffinity": {"enabled": False}}}, ["plugins.podaffinity.enabled"]),
        (
            {"plugins": {"proportion": {"arguments": {"queuePriorityInQuotaReclaim": "true"}}}},
            ["plugins.proportion.arguments.queuePriorityInQuotaReclaim"],
        ),
        ({"plugins": {"gpupack": {"priority": 5}}}, ["plugins.gpupack.priority"]),
        ({"plugins": {"numa": {}}}, ["plugins.numa"]),
        ({"plugins": {"numa": {"enabled": False}}}, []),
        ({"actions": {"myaction": {}, "stalegangeviction": {"enabled": False}}}, ["actions.myaction"]),
        ({"args": {"restrict-node-scheduling": "true", "v": "5"}}, ["args.restrict-node-scheduling"]),
        ({"args": {"restrict-node-scheduling": "false"}}, []),
    ],
)
def test_settings_that_are_not_modelled_are_known_by_their_fields(spec: dict[str, Any], fields: list[str]) -> None:
    assert [".".join(path[1:]) for path in shard(**spec).unmodelled] == fields


@pytest.mark.parametrize(
    ("arguments", "scattered"),
    [
        (None, (True, True)),
        ({}, (False, False)),
        ({"foo": "bar"}, (False, False)),
        ({"cpu": "spread"}, (False, True)),
        ({"gpu": "spread", "cpu": "binpack"}, (True, False)),
    ],
)
def test_arguments_for_the_placement_on_nodes_replace_the_strategies(arguments: Any, scattered: Any) -> None:
    plugin = {} if arguments is None else {"arguments": arguments}
    found = shard(placementStrategy={"gpu": "spread", "cpu": "spread"}, plugins={"nodeplacement": plugin})
    assert (found.scatter_gpu, found.scatter_cpu) == scattered
    assert (found.spread_gpu, found.unmodelled) == (True, ())
