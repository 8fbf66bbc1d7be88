"""A workload as options describe it, and all that is wrong with them at once."""

import pytest

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.described import WishReader, check_counts, free_name, pod_spec, priority_of
from kubectl_fairshare.schedulers.question import Wishes
from kubectl_fairshare.schedulers.recording import manifests_of


def snapshot(*names: str) -> Snapshot:
    pods = [{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": n, "namespace": "a"}, "spec": {}} for n in names]
    return assemble(manifests_of(pods, "test"), known_schedulers()).snapshot


def told(reader: WishReader) -> list[tuple[object, str]]:
    return [(problem.place, problem.message) for problem in reader.problems]


def test_the_name_is_one_that_no_object_has() -> None:
    assert free_name("a", snapshot(), "", "Pod") == "requested"
    assert free_name("a", snapshot("requested", "requested-2"), "", "Pod") == "requested-3"
    assert free_name("b", snapshot("requested"), "", "Pod") == "requested"


def test_a_pod_of_options() -> None:
    reader = WishReader()
    wishes = Wishes(
        request=("cpu=500m, nvidia.com/gpu=8",), node_selector=("zone=a",), toleration=("k=v:NoExecute", "t")
    )
    spec = pod_spec(reader, wishes)
    assert reader.problems == []
    assert spec["containers"][0]["resources"]["requests"] == {"cpu": "500m", "nvidia.com/gpu": "8"}
    assert spec["nodeSelector"] == {"zone": "a"}
    assert spec["tolerations"] == [
        {"key": "k", "operator": "Equal", "value": "v", "effect": "NoExecute"},
        {"key": "t", "operator": "Exists"},
    ]


@pytest.mark.parametrize(
    ("wishes", "place", "message"),
    [
        (Wishes(request=("cpu",)), "--request", "`cpu` is not a request"),
        (Wishes(request=("cpu=1", "cpu=2")), "--request", "`cpu` is given twice"),
        (Wishes(request=("cpu=many",)), "--request", "`many` of `cpu` is not a quantity"),
        (Wishes(request=("cpu=-1",)), "--request", "`-1` of `cpu` is negative"),
        (Wishes(node_selector=("zone",)), "--node-selector", "`zone` is not a label"),
        (Wishes(node_selector=("a b=c",)), "--node-selector", "`a b=c` is not a label"),
        (Wishes(node_selector=("a=c d",)), "--node-selector", "`a=c d` is not a label"),
        (Wishes(node_selector=("a=b,a=c",)), "--node-selector", "`a` is given twice"),
        (Wishes(toleration=("k e y",)), "--toleration", "`k e y` is not a toleration"),
        (Wishes(toleration=("k=-:NoExecute",)), "--toleration", "`k=-:NoExecute` is not a toleration"),
        (Wishes(toleration=("k:Sometimes",)), "--toleration", "`k:Sometimes` is not a toleration"),
    ],
)
def test_a_mistake_is_told_at_its_option(wishes: Wishes, place: str, message: str) -> None:
    reader = WishReader()
    pod_spec(reader, wishes)
    assert told(reader) == [(place, message)]


def test_all_mistakes_are_told_together() -> None:
    reader = WishReader()
    check_counts(reader, 0, None)
    check_counts(reader, 2, 3)
    pod_spec(reader, Wishes(request=("x",), toleration=(":NoSchedule",)))
    assert [place for place, _ in told(reader)] == ["--count", "--min-count", "--request", "--toleration"]


@pytest.mark.parametrize(
    ("wishes", "priority", "mistakes"),
    [
        (Wishes(), 7, []),
        (Wishes(priority=3), 3, []),
        (Wishes(priority_class="high"), 9, []),
        (Wishes(priority_class="hihg"), 0, ["no priority class `hihg` in the input"]),
        (Wishes(priority=3, priority_class="high"), 3, ["excludes `--priority-class`"]),
        (Wishes(priority=1 << 31), 1 << 31, [f"`{1 << 31}` is out of range"]),
    ],
)
def test_the_priority_is_a_number_or_that_of_a_class(wishes: Wishes, priority: int, mistakes: list[str]) -> None:
    reader = WishReader()
    assert priority_of(reader, wishes, 7, {"high": 9}) == priority
    assert [message for _, message in told(reader)] == mistakes
