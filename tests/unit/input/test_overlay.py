"""An overlay replaces, adds and takes away, and says so when it can't."""

import io
from pathlib import Path

import pytest

from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.input.overlay import overlay
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.values import replace
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


OWNED = """\
{apiVersion: v1, kind: Namespace, metadata: {name: ns}}
---
{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: set, namespace: ns, uid: s}}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: job
  namespace: ns
  uid: j
  ownerReferences: [{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: set, uid: s}]
---
{apiVersion: v1, kind: Node, metadata: {name: one, uid: o}}
---
apiVersion: v1
kind: Pod
metadata:
  name: pod
  namespace: ns
  ownerReferences: [{apiVersion: batch/v1, kind: Job, name: job, uid: j}]
---
apiVersion: v1
kind: Pod
metadata:
  name: shared
  namespace: ns
  ownerReferences:
  - {apiVersion: batch/v1, kind: Job, name: job, uid: j}
  - {apiVersion: v1, kind: Node, name: one, uid: o}
---
apiVersion: v1
kind: Pod
metadata:
  name: older
  namespace: ns
  ownerReferences: [{apiVersion: batch/v1, kind: Job, name: job, uid: another}]
---
apiVersion: v1
kind: Pod
metadata:
  name: elsewhere
  namespace: other
  ownerReferences: [{apiVersion: batch/v1, kind: Job, name: job, uid: j}]
---
apiVersion: v1
kind: Pod
metadata:
  name: odd
  namespace: ns
  ownerReferences: [{apiVersion: 1, kind: [], name: job}, x]
---
{apiVersion: v1, kind: Pod, metadata: {name: placed, namespace: other}, spec: {nodeName: one}}
"""


@pytest.mark.parametrize(
    ("deletions", "also_gone"),
    [
        (["jobset/set"], ["Job ns/job", "Pod ns/pod"]),
        (["job/job"], ["Pod ns/pod"]),
        (["job/job", "node/one"], ["Pod ns/pod", "Pod ns/shared", "Pod other/placed"]),
        (["node/one"], ["Pod other/placed"]),
        (["pod/pod"], []),
        (
            ["namespace/ns"],
            ["Job ns/job", "JobSet ns/set", "Pod ns/odd", "Pod ns/older", "Pod ns/pod", "Pod ns/shared"],
        ),
    ],
)
def test_what_a_deleted_object_owns_goes_with_it(deletions: list[str], also_gone: list[str]) -> None:
    base = read_text(OWNED)
    laid = overlay(base, NONE, deletions, schedulers=known_schedulers())
    gone = set(names(base)) - set(names(laid))
    assert len(gone) == len(deletions) + len(also_gone)
    assert gone.issuperset(also_gone)
    assert {str(key) for key in laid.deleted} == gone
    told = "these go with what is deleted, as on a server: "
    assert [note.message.startswith(told) for note in laid.notes] == [True] * bool(also_gone)


def test_an_owned_object_that_a_change_gives_stays() -> None:
    change = "{apiVersion: v1, kind: Pod, metadata: {name: pod, namespace: ns}}"
    changes = read(["-"], stdin=io.BytesIO(change.encode()), schedulers=known_schedulers())
    laid = overlay(read_text(OWNED), changes, ["job/job"], schedulers=known_schedulers())
    assert "Pod ns/pod" in names(laid)
    assert laid.notes == ()


def test_a_long_chain_of_owners_and_a_ring_take_no_time_and_go_as_a_whole() -> None:
    def owned(name: int, owner: int) -> str:
        reference = f"{{apiVersion: v1, kind: Pod, name: p{owner}}}"
        return f"{{apiVersion: v1, kind: Pod, metadata: {{name: p{name}, ownerReferences: [{reference}]}}}}\n"

    chain = read_text("---\n".join(owned(number, number + 1) for number in range(400)))
    assert names(overlay(chain, NONE, ["pod/p399"], schedulers=known_schedulers())) == []
    ring = read_text("---\n".join(owned(number, (number + 1) % 3) for number in range(3)))
    assert names(overlay(ring, NONE, ["pod/p1"], schedulers=known_schedulers())) == []


def test_what_was_deleted_stays_deleted_until_a_later_change_brings_it_back() -> None:
    known = known_schedulers()
    first = overlay(read_text(OWNED), NONE, ["job/job"], schedulers=known)
    second = overlay(first, NONE, ["node/one"], schedulers=known)
    assert {key.kind for key in second.deleted} == {"Job", "Pod", "Node"}
    change = "{apiVersion: batch/v1, kind: Job, metadata: {name: job, namespace: ns}}"
    third = overlay(second, read(["-"], stdin=io.BytesIO(change.encode()), schedulers=known), [], schedulers=known)
    assert {key.kind for key in third.deleted} == {"Pod", "Node"}


def test_notes_on_the_input_are_kept() -> None:
    note = Problem("read in spite of a mistake")
    base = replace(read_text(OWNED), notes=(note,))
    assert overlay(base, NONE, ["pod/pod"], schedulers=known_schedulers()).notes == (note,)
