"""An overlay replaces, adds and takes away, and says so when it can't."""

import io
from pathlib import Path

import pytest

from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.input.overlay import overlay
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.model.errors import UsageError
from kubectl_fairshare.schedulers import known_schedulers
from tests.unit.input.text.texts import read_text, write

BASE = """\
{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: other}}
---
{apiVersion: kueue.x-k8s.io/v1beta1, kind: ClusterQueue, metadata: {name: team-queue}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: team-queue}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: lq, namespace: ns}}
---
{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}}
"""
NONE = Reading((), read_text("{kind: List}").texts)


def names(reading: Reading) -> list[str]:
    return [str(manifest.key) for manifest in reading.manifests]


def test_objects_are_replaced_and_added_with_their_own_places(tmp_path: Path) -> None:
    change = "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: team-queue}, spec: {}}\n"
    new = "{apiVersion: v1, kind: ConfigMap, metadata: {name: new}}\n"
    path = write(tmp_path / "c.yaml", f"{new}---\n{change}")
    base = read_text(BASE)
    laid = overlay(base, read([str(path)], schedulers=known_schedulers()), [], schedulers=known_schedulers())
    assert len(base.versions) == 1
    assert laid.versions == ()
    assert names(laid) == sorted([*names(base), "ConfigMap default/new"], key=names(laid).index)
    (queue,) = [m for m in laid.manifests if m.key.kind == "ClusterQueue"]
    assert queue.data["spec"] == {}
    assert str(laid.texts.locate(queue.origin, ("spec",))) == f"{path}:3:94"
    assert str(laid.texts.locate(laid.manifests[0].origin)) == "<stdin>:1:1"
    assert [m.key for m in laid.manifests] == sorted(m.key for m in laid.manifests)


@pytest.mark.parametrize(
    ("deletion", "gone"),
    [
        ("cq/team-queue", "ClusterQueue team-queue"),
        ("ClusterQueue/team-queue", "ClusterQueue team-queue"),
        ("clusterqueues/team-queue", "ClusterQueue team-queue"),
        ("clusterqueues.kueue.x-k8s.io/team-queue", "ClusterQueue team-queue"),
        ("lq/lq", "LocalQueue ns/lq"),
        ("queue/ns/lq", "LocalQueue ns/lq"),
        ("configmap/other/a", "ConfigMap other/a"),
        ("priorityclasses/high", "PriorityClass high"),
        ("pc/high", "PriorityClass high"),
    ],
)
def test_objects_are_taken_away(deletion: str, gone: str) -> None:
    base = read_text(BASE)
    laid = overlay(base, NONE, [deletion], schedulers=known_schedulers())
    assert set(names(base)) - set(names(laid)) == {gone}


@pytest.mark.parametrize(
    ("deletion", "message", "remedy"),
    [
        ("cm/a", "`cm/a` matches several objects", "choose one: `configmap/default/a`, `configmap/other/a`"),
        ("cq/teem-queue", "no object `cq/teem-queue` in the input", "did you mean `clusterqueue/team-queue`?"),
        ("lq/other/lq", "no object `lq/other/lq` in the input", "did you mean `localqueue/ns/lq`?"),
        (
            "clusterque/team-queue",
            "no object `clusterque/team-queue` in the input",
            "did you mean `clusterqueue/team-queue`?",
        ),
        ("zebra", "no object `zebra` in the input", "write `KIND/NAME`, or `KIND/NAMESPACE/NAME`"),
        ("cq.example.com/team-queue", "no object `cq.example.com/team-queue` in the input", None),
        ("cq/n/m/team-queue", "no object `cq/n/m/team-queue` in the input", None),
    ],
)
def test_what_can_not_be_taken_away_is_told(deletion: str, message: str, remedy: str | None) -> None:
    with pytest.raises(UsageError) as caught:
        overlay(read_text(BASE), NONE, [deletion, "lq/lq"], schedulers=known_schedulers())
    (problem,) = caught.value.problems
    assert problem.message == message
    assert remedy in (None, problem.help)


def test_a_change_to_an_object_that_is_taken_away_brings_it_back() -> None:
    change = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {x: z}}"
    laid = overlay(
        read_text(BASE),
        read(["-"], stdin=io.BytesIO(change.encode()), schedulers=known_schedulers()),
        ["cm/default/a"],
        schedulers=known_schedulers(),
    )
    assert laid.manifests[0].data["data"] == {"x": "z"}
