"""Files of recorded cases, good and bad, and how agreement is counted."""

import gzip
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kubectl_fairshare.conformance.replays import REPLAYS, recording_named
from kubectl_fairshare.conformance.run import cases, run
from kubectl_fairshare.model.errors import FairshareError, UsageError
from kubectl_fairshare.schedulers.recording import Recording

USAGE: dict[str, Any] = {"now": "2026-01-01T00:00:00Z", "config": {}, "objects": []}
ENGINE = recording_named("kueue-saturated")


def case(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, **USAGE, **more}


def lines(path: Path, *given: object) -> Path:
    path.write_text("".join((each if isinstance(each, str) else json.dumps(each)) + "\n" for each in given))
    return path


def test_cases_come_in_order_gzipped_or_not(tmp_path: Path) -> None:
    plain = lines(tmp_path / "a.jsonl", {"name": "b"}, "", {"name": "a", "expected": {}})
    packed = tmp_path / "a.jsonl.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert [c["name"] for c in cases(plain)] == [c["name"] for c in cases(packed)] == ["b", "a"]


@pytest.mark.parametrize(
    ("line", "said", "column"),
    [
        (b'{"name":', "not JSON", 9),
        (b'{"name": b}', "not JSON", 10),
        (b'{"name": "\xff"}', "not JSON", 1),
        (b"[1]", "a case must have a `name`", 1),
        (b'{"name": 3}', "a case must have a `name`", 1),
        (b'{"name": "a", "expected": []}', "`expected` must be an object", 1),
    ],
)
def test_a_line_that_is_no_case_is_placed(tmp_path: Path, line: bytes, said: str, column: int) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"name": "a"}\n' + line + b"\n")
    with pytest.raises(FairshareError, match=said) as caught:
        list(cases(path))
    assert str(caught.value.problems[0].place) == f"{path}:2:{column}"


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(FairshareError, match="no such file"):
        list(cases(tmp_path / "none"))
    with pytest.raises(FairshareError, match="is a directory"):
        list(cases(tmp_path))
    broken = tmp_path / "broken.gz"
    broken.write_bytes(gzip.compress(b'{"name": "a"}\n' * 100)[:-9])
    with pytest.raises(FairshareError, match="damaged"):
        list(cases(broken))


def test_agreement_is_counted_by_the_tags_of_cases() -> None:
    def replay(of: Mapping[str, Any]) -> dict[str, Any]:
        return dict(ENGINE.replay(case(of["name"])))

    right = {"expected": replay(case("a"))}
    wrong = {"expected": {"usage": {"nowhere": 1}}}
    recorded = [case("a", **right, tags=["gang", "r:waits"]), case("b", **wrong, tags=["gang"]), case("c", **right)]
    assert run(ENGINE, recorded, most=3).tags == {"gang": (1, 2), "r:waits": (1, 1)}


def test_agreement_is_counted_by_field_and_case() -> None:
    recorded = [case("a", expected={"usage": {}}), case("b", expected={"usage": {"q": 1}}), case("c")]
    agreement = run(ENGINE, recorded, most=5)
    assert (agreement.agree, agreement.cases, agreement.fields) == (1, 2, {"usage": (1, 2)})
    assert [(f.case, f.difference.path, f.difference.wanted) for f in agreement.first] == [("b", "usage/q", 1)]


def test_only_the_first_differences_are_kept() -> None:
    recorded = [case(str(i), expected={"usage": {"p": 1, "q": 1}}) for i in range(3)]
    agreement = run(ENGINE, recorded, most=3)
    assert [f.case for f in agreement.first] == ["0", "0", "1"]
    assert agreement.differences == 6


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ({"name": "a"}, "could not be replayed (KeyError"),
        (case("a", config=3), "could not be replayed (AttributeError"),
        (case("a", objects=[{"kind": "Cohort"}]), "an object has no metadata"),
        (
            case("a", objects=[{"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Cohort", "metadata": {}, "spec": 1}]),
            "spec",
        ),
    ],
)
def test_a_case_that_cannot_be_replayed_differs_and_the_run_goes_on(broken: Mapping[str, Any], said: str) -> None:
    emitted: list[bytes] = []
    agreement = run(ENGINE, [broken, case("b", expected={"usage": {}})], 5, emitted.append)
    assert (agreement.agree, agreement.cases) == (1, 2)
    assert agreement.fields["error"] == (0, 1)
    assert said in str(agreement.first[0].difference.got)
    first, second = map(json.loads, emitted)
    assert said in first.pop("error")
    assert (first, second) == ({"name": "a", "expected": {}}, {"name": "b", "expected": {"usage": {}}})


def test_an_unknown_engine_is_a_wrong_call() -> None:
    with pytest.raises(UsageError) as caught:
        recording_named("kueue-satturated")
    assert caught.value.problems[0].help == "did you mean `kueue-saturated`?"


@pytest.mark.parametrize("engine", REPLAYS.values(), ids=REPLAYS)
def test_every_engine_has_a_replay(engine: Recording) -> None:
    assert callable(engine.replay)
    assert engine.fields


def test_an_answer_that_ties_allow_agrees_and_is_emitted() -> None:
    """One GPU and two equal queues: either may hold it."""
    quota = {"flavors": [{"name": "any", "resources": [{"name": "nvidia.com/gpu", "nominalQuota": 1}]}]}
    version = "kueue.x-k8s.io/v1beta2"
    objects: list[dict[str, Any]] = [
        {"apiVersion": version, "kind": "ResourceFlavor", "metadata": {"name": "any"}},
        {
            "apiVersion": version,
            "kind": "Cohort",
            "metadata": {"name": "all"},
            "spec": {"resourceGroups": [{"coveredResources": ["nvidia.com/gpu"], **quota}]},
        },
    ]
    none = {"name": "any", "resources": [{"name": "nvidia.com/gpu", "nominalQuota": 0}]}
    group = {"coveredResources": ["nvidia.com/gpu"], "flavors": [none]}
    container = {"name": "c", "resources": {"requests": {"nvidia.com/gpu": 1}}}
    for name in ("a", "b"):
        spec = {"cohortName": "all", "namespaceSelector": {}, "resourceGroups": [group]}
        pods = [{"name": "main", "count": 1, "template": {"spec": {"containers": [container]}}}]
        objects += [
            {"apiVersion": version, "kind": "ClusterQueue", "metadata": {"name": name}, "spec": spec},
            {
                "apiVersion": version,
                "kind": "LocalQueue",
                "metadata": {"name": name, "namespace": "ns"},
                "spec": {"clusterQueue": name},
            },
            {
                "apiVersion": version,
                "kind": "Workload",
                "metadata": {"name": name, "namespace": "ns", "creationTimestamp": "2026-01-01T00:00:00Z"},
                "spec": {"queueName": name, "podSets": pods},
            },
        ]
    objects.append({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "ns"}})
    emitted: list[bytes] = []
    given = case("tie", objects=objects) | {"expected": {"usage": {"a": 0, "b": 1}}}
    wrong = case("wrong", objects=objects) | {"expected": {"usage": {"a": 1, "b": 1}}}
    found = run(ENGINE, [given, wrong], 5, emitted.append)
    assert (found.cases, found.agree, found.by_chance) == (2, 1, 1)
    line = json.loads(emitted[0])
    assert line["expected"] == {"usage": {"a": 1, "b": 0}}
    assert line["possible"] == [{"usage": {"a": 1, "b": 0}}, {"usage": {"a": 0, "b": 1}}]


@pytest.mark.parametrize(("apart", "agree"), [(frozenset({"plans"}), 1), (frozenset[str](), 0)])
def test_what_is_drawn_anew_for_each_member_is_compared_for_each(
    monkeypatch: pytest.MonkeyPatch, apart: frozenset[str], agree: int
) -> None:
    """No listed answer has all three as they were drawn, and each of them has one of the three."""
    possible = [{"plans": [*plans], "cycle": "x"} for plans in ("abb", "aab", "aba", "baa")]
    stub = SimpleNamespace(replay=lambda _: {**possible[1], "possible": possible})
    monkeypatch.setitem(sys.modules, "tests.drawn", stub)
    engine = Recording("tests.drawn", ("plans", "cycle"), frozenset(), apart=apart)
    drawn = case("drawn") | {"expected": {"plans": [*"bbb"], "cycle": "x"}}
    other = case("other") | {"expected": {"plans": [*"bbb"], "cycle": "y"}}
    found = run(engine, [drawn, other], 5)
    assert (found.cases, found.agree, found.by_chance) == (2, agree, agree)
