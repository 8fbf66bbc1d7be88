"""Which slice of an elastic job a workload replaces."""

import json
from typing import Any

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kueue.flavors.slices import old_slice
from kubectl_fairshare.schedulers.kueue.tree.state import State, state_of
from kubectl_fairshare.schedulers.recording import manifests_of
from tests.conformance.scenarios import FOLDER, scenario, snapshot
from tests.screens import shown


def elastic() -> State:
    return state_of(snapshot(scenario(FOLDER / "elastic-scale-up.yaml").given))


def test_the_slice_is_the_one_that_the_annotation_names() -> None:
    state = elastic()
    (new,) = state.kueue.pending
    found = old_slice(state, state.forest.queue_ids["q"], new)
    assert found is not None
    assert found.holder.key.name == "run"
    assert found.requests_of("main") == {"cpu": 2000}
    assert found.requests_of("other") == {}
    assert found.at(1) is None


def test_a_workload_that_replaces_nothing_or_what_holds_nothing_has_no_old_slice() -> None:
    state = elastic()
    (new,) = state.kueue.pending
    queue = state.forest.queue_ids["q"]
    assert old_slice(state, queue, replace(new, replaces=None)) is None
    assert old_slice(state, queue, replace(new, replaces=new.key)) is None


def test_a_slice_in_another_queue_is_not_replaced() -> None:
    objects: list[Any] = [manifest.data for manifest in elastic().snapshot.manifests.values()]
    other = next(o for o in objects if o["kind"] == "ClusterQueue")
    objects.append({**other, "metadata": {"name": "other"}})
    state = state_of(assemble(manifests_of(objects, "test"), known_schedulers()).snapshot)
    (new,) = state.kueue.pending
    assert old_slice(state, state.forest.queue_ids["other"], new) is None


def test_a_flavor_of_another_slice_is_passed_over_for_one_reason_whatever_it_serves() -> None:
    """``mergeFlavorAttempts`` makes the reasons of an attempt a set; the message of the pod set lists all."""
    path = "testdata/reports/kueue-slice-reasons"
    screen = shown(f"kubectl-fairshare plan -f {path}/state.yaml -w {path}/ask.yaml -o json")
    (pod_set,) = json.loads(screen.stdout)["podSets"]
    text = "could not assign b flavor since the original workload is assigned: a"
    (attempt,) = (each for each in pod_set["attempts"] if each["flavor"] == "b")
    assert [each["message"] for each in attempt["reasons"]] == [text]
    assert pod_set["message"].count(text) == 2
