"""KAI's Config decides which ConfigMap has defaults, and which pods KAI's pod grouper sees."""

from pathlib import Path

import pytest

from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace
from tests.unit.schedulers.kai.inputs import NODES, Asked, Run, config, doubts, job, pod, queues, running, subjects
from tests.unit.schedulers.kai.reading.test_state import manifest, state

STATE = queues(4) + NODES
NAMESPACE = "\n---\n{apiVersion: v1, kind: Namespace, metadata: {name: ml, labels: {kai: yes}}}\n"


@pytest.fixture
def ask(run: Run, tmp_path: Path) -> Asked:
    return Asked(run, tmp_path)


def map_of(name: str, types: str) -> Manifest:
    made = manifest("ConfigMap", name, data={"types": types})
    return replace(made, key=made.key._replace(namespace="ns"))


@pytest.mark.parametrize(
    ("args", "found"),
    [
        ({"defaultPrioritiesConfigMapName": "d", "defaultPrioritiesConfigMapNamespace": ""}, {}),
        ({"defaultPrioritiesConfigMapName": "d"}, {}),
        (
            {"defaultPrioritiesConfigMapName": "d", "defaultPrioritiesConfigMapNamespace": "ns"},
            {"Job.batch": "Preemptible"},
        ),
        ({"defaultPrioritiesConfigMapName": "e", "defaultPrioritiesConfigMapNamespace": "ns"}, {}),
        ({"defaultPrioritiesConfigMapName": "wrong", "defaultPrioritiesConfigMapNamespace": "ns"}, {}),
        ({"defaultPrioritiesConfigMapName": "f", "defaultPrioritiesConfigMapNamespace": "ns"}, {}),
        ({}, {}),
    ],
)
def test_defaults_of_kinds_are_in_the_config_map_that_the_config_names(
    args: dict[str, str], found: dict[str, str]
) -> None:
    types = '[{"typeName": "Job", "group": "batch", "priorityName": "build", "preemptibility": "Preemptible"}]'
    maps = [map_of("d", types), map_of("e", "typeName"), map_of("wrong", types.replace('"batch"', "1"))]
    settings = manifest("Config", "kai-config", {"podGrouper": {"args": args}})
    defaults = state(manifest("Queue", "q"), settings, *maps).defaults
    assert {kind: default.preemptibility for kind, default in defaults.items()} == found
    assert state(manifest("Queue", "q"), *maps).defaults == {}


def test_pods_of_other_namespaces_are_not_grouped(ask: Asked) -> None:
    selecting = STATE + config("{global: {namespaceLabelSelector: {kai: 'yes'}}}")
    for new in (job(), pod()):
        assert ask.plan(selecting + NAMESPACE.replace("yes", "'yes'"), new) == ("Admitted", True, ())
        assert ask.plan(selecting + NAMESPACE.replace("yes", "'no'"), new)[:2] == ("Never", True)
        found = ask("plan", selecting, new)
        assert (found["outcome"], doubts(found)) == ("Unknown", ("Grouping",))
        assert "ml is not in the input" in subjects(found)[0]


def test_pods_without_the_label_of_the_config_are_not_grouped(ask: Asked) -> None:
    selecting = STATE + config("{global: {podLabelSelector: {kai: 'yes'}}}")
    assert ask.plan(selecting, pod())[:2] == ("Never", True)
    assert ask.plan(selecting, pod(labels=", kai: 'yes'")) == ("Admitted", True, ())
    assert ask.plan(selecting, job(labels=", kai: 'yes'"))[:2] == ("Never", True)


def test_defaults_that_the_input_lacks_leave_new_jobs_open(ask: Asked) -> None:
    args = "{defaultPrioritiesConfigMapName: d, defaultPrioritiesConfigMapNamespace: kai}"
    naming = STATE + config(f"{{podGrouper: {{args: {args}}}, admission: {{gpuSharing: true}}}}")
    there = "\n---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: d, namespace: kai}, data: {types: '[]'}}\n"
    assert ask.plan(naming, job()) == ("Unknown", False, ("NotInInput",))
    assert ask.plan(naming + there, job()) == ("Admitted", True, ())
    assert ask.plan(naming, job(), "--complete") == ("Admitted", True, ())
    sure = job(labels=", kai.scheduler/preemptibility: preemptible")
    assert ask.plan(naming, sure) == ("Admitted", True, ())
    full = naming + running(8)
    assert ask.plan(full, sure) == ("Unknown", False, ("NotInInput",)), "its priority may be another"
    high = "\n---\n{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 60}\n"
    named = job(labels=", kai.scheduler/preemptibility: preemptible, priorityClassName: high")
    assert ask.plan(full + high, named)[1:] == (True, ())
