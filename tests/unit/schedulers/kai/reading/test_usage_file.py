"""Past usage from a file and from a server, and how a shard has it counted."""

import io
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from kubectl_fairshare.input.http.prometheus_client import Server
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import Location, ObjectKey, Origin, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.kai.model.objects import Resources
from kubectl_fairshare.schedulers.kai.model.usage import CRON, SECOND, TUMBLING, UsageParams
from kubectl_fairshare.schedulers.kai.reading.prometheus import usage_from
from kubectl_fairshare.schedulers.kai.reading.usage_file import UsageFile, params_of, read_usage
from tests.meta.repository import ROOT
from tests.unit.input.prometheus_server import Answer, Asked, prometheus, said, vector

DAY = 86400 * SECOND
NOW = 1785931200 * SECOND


def usage(text: str) -> UsageFile:
    return read_usage("-", io.BytesIO(text.encode()), 1 << 20)


def schema() -> Any:
    return json.loads((ROOT / "schemas" / "fairshare" / "v1alpha1" / "usage.json").read_text())


def test_a_file_tells_fractions_and_where_they_stand(tmp_path: Path) -> None:
    path = tmp_path / "usage.yaml"
    path.write_text("# last week\nteam: {gpu: 0.5, cpu: 0.25}\nother: {}\nidle:\n  memory: 0\n", encoding="utf-8")
    found = read_usage(str(path), None, 1000)
    assert found.fractions == {"team": {"gpu": 0.5, "cpu": 0.25}, "other": {}, "idle": {"memory": 0.0}}
    key = ObjectKey("fairshare.dev", "Usage", "", str(path))
    assert found.places["team", "cpu"] == Place(key, ("team", "cpu"))
    assert found.location("idle", "memory") == Location(str(path), 5, 11)


@pytest.mark.parametrize("text", ["", "---\n", "{}", '{"a": {"gpu": 0.1}}', "a:\nb: {gpu: null}\n"])
def test_json_and_emptiness_are_taken(text: str) -> None:
    assert all(set(amounts) <= {"gpu"} for amounts in usage(text).fractions.values())


WRONG = [
    ("- a", (1, 1), "the whole must be a mapping"),
    ("a: 1", (1, 4), "`a` must be a mapping, not `1`"),
    ("a: [0.3]", (1, 4), "`a` must be a mapping, not a list"),
    ("a: {gpus: 0.3}", (1, 5), "unknown resource `gpus`"),
    ("b: {}\na:\n  gpu: -0.1\n", (3, 8), "`a.gpu` must be a number from 0 to 1,000,000,000, not `-0.1`"),
    ("a: {gpu: half}", (1, 10), "not `half`"),
    ("a: {gpu: true}", (1, 10), "not `true`"),
    ("a: {cpu: 1e400}", (1, 10), "must be a number"),
    ("a: {cpu: .nan}", (1, 10), "JSON cannot represent"),
    ('{"a": {"cpu": 1' + "0" * 400 + "}}", (1, 15), "must be a number"),
]


@pytest.mark.parametrize(("text", "place", "message"), WRONG)
def test_what_is_no_usage_is_told_at_its_line(text: str, place: tuple[int, int], message: str) -> None:
    with pytest.raises(FairshareError) as caught:
        usage(text)
    (problem,) = caught.value.problems
    assert message in problem.message
    assert problem.place == Location("<stdin>", *place)
    assert problem.help


def test_all_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(FairshareError) as caught:
        usage("a: {gpu: x, gpus: 1}\nb: 3\n")
    assert len(caught.value.problems) == 3


@pytest.mark.parametrize("text", ["a: {}\n---\nb: {}\n", "a: {", "a: {}\na: {}\n"])
def test_what_is_no_single_document_is_refused(text: str) -> None:
    with pytest.raises(FairshareError):
        usage(text)


@pytest.mark.parametrize(
    ("data", "fits"),
    [
        ({"a": {"gpu": 0.3}, "b": {}, "c": None}, True),
        (None, True),
        ([], False),
        ({"a": 1}, False),
        ({"a": {"gpus": 1}}, False),
        ({"a": {"gpu": -1}}, False),
        ({"a": {"gpu": "x"}}, False),
    ],
)
def test_the_schema_takes_what_the_program_takes(data: Any, fits: bool) -> None:
    assert jsonschema.Draft202012Validator(schema()).is_valid(data) is fits


def shard(**params: Any) -> Manifest:
    spec = {"usageDBConfig": {"clientType": "prometheus", "usageParams": params}}
    return Manifest(ObjectKey("kai.scheduler", "SchedulingShard", "", "s"), "v1", {"spec": spec}, Origin("in", 0))


def test_a_shard_says_how_usage_is_counted() -> None:
    extra = {"gpuAllocationMetric": "m", "cpuCapacityMetric": "c", "queryResolution": "30s", "usageQueryTimeout": "1m"}
    found = params_of(shard(windowSize="2d", halfLifePeriod="1h", extraParams=extra))
    assert (found.window, found.half_life, found.resolution, found.timeout) == (
        2 * DAY,
        DAY // 24,
        30 * SECOND,
        60 * SECOND,
    )
    assert (found.allocation["gpu"], found.capacity["cpu"]) == ("m", "c")
    assert found.allocation["cpu"] == "kai_queue_allocated_cpu_cores"
    cron = params_of(shard(windowType="cron", cronString="0 0 * * 1"))
    assert (cron.kind, cron.cron) == (CRON, "0 0 * * 1")
    tumbling = params_of(shard(windowType="tumbling", tumblingWindowStartTime="2026-08-01T00:00:00Z"))
    assert (tumbling.kind, tumbling.start) == (TUMBLING, 1785542400 * SECOND)


def test_what_a_shard_leaves_out_is_kais_default() -> None:
    assert params_of(shard()) == UsageParams()
    assert params_of(shard(halfLifePeriod="-1h", extraParams={"queryResolution": "often"})) == UsageParams()
    assert params_of(None) == UsageParams(configured=False)


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"windowSize": "1.5d"}, ("windowSize",)),
        ({"halfLifePeriod": "1d"}, ("halfLifePeriod",)),
        ({"tumblingWindowStartTime": "today"}, ("tumblingWindowStartTime",)),
        ({"windowType": "rolling"}, ("windowType",)),
        ({"windowType": "tumbling"}, ("tumblingWindowStartTime",)),
        (
            {"windowType": "tumbling", "windowSize": "0", "tumblingWindowStartTime": "2026-08-01T00:00:00Z"},
            ("windowSize",),
        ),
        ({"windowType": "cron"}, ("cronString",)),
        ({"windowType": "cron", "cronString": "0 0 30 2 *"}, ("cronString",)),
        ({"extraParams": {"usageQueryTimeout": "0s"}}, ("extraParams", "usageQueryTimeout")),
        ({"windowType": 3}, ("windowType",)),
    ],
)
def test_what_keeps_kai_from_counting_is_told_at_its_field(params: dict[str, Any], field: tuple[str, ...]) -> None:
    with pytest.raises(FairshareError) as caught:
        params_of(shard(**params))
    (problem,) = caught.value.problems
    assert isinstance(problem.place, Place)
    assert problem.place.path == ("spec", "usageDBConfig", "usageParams", *field)


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")


def answering(**by_metric: Any) -> Answer:
    """Answers a query by the metric that it is about; any other with what two queues held, or a capacity of 8."""

    def answer(asked: Asked, handler: Any) -> None:
        known = next((body for metric, body in by_metric.items() if metric in asked.query), None)
        if known is None and "capacity" in asked.query:
            known = vector(({}, "8"))
        said(known or vector(({"queue_name": "a"}, "2"), ({"queue_name": "b"}, "4")))(asked, handler)

    return answer


def test_a_server_is_asked_for_capacities_first_and_usage_is_a_part_of_them() -> None:
    with prometheus(answering(allocated_gpus=vector(({"queue_name": "c"}, "8")))) as running:
        told = usage_from(Server(running.url), UsageParams(), NOW)
    assert told.notes == ()
    assert told.counted is not None
    assert told.counted.fractions == {
        "a": Resources(0.25, 0.25, 0.0),
        "b": Resources(0.5, 0.5, 0.0),
        "c": Resources(0.0, 0.0, 1.0),
    }
    words = ("nvidia_com_gpu", '"cpu"', '"memory"', "allocated_gpus", "allocated_cpu_cores", "allocated_memory_bytes")
    assert all(word in asked.query for word, asked in zip(words, running.asked, strict=True))


def test_without_the_capacity_of_one_resource_no_usage_counts() -> None:
    with prometheus(answering(nvidia_com_gpu=vector())) as running:
        told = usage_from(Server(running.url), UsageParams(), NOW)
    assert told.counted is None
    assert "no capacity of gpu" in told.notes[0].message


def test_a_capacity_of_nothing_is_told() -> None:
    with prometheus(answering(nvidia_com_gpu=vector(({}, "0")))) as running:
        told = usage_from(Server(running.url), UsageParams(), NOW)
    assert "capacity of gpu is 0" in told.notes[0].message
    assert told.counted is not None
    assert told.counted.fractions["a"].gpu == 0


def test_that_no_queue_held_anything_is_told() -> None:
    with prometheus(answering(allocated=vector())) as running:
        told = usage_from(Server(running.url), UsageParams(), NOW)
    assert "no queue held anything" in told.notes[0].message


@pytest.mark.parametrize("value", ["NaN", "+Inf"])
def test_a_sum_that_is_no_number_is_a_problem(value: str) -> None:
    with (
        prometheus(answering(allocated_gpus=vector(({"queue_name": "a"}, value)))) as running,
        pytest.raises(FairshareError, match="a sum of a is not a number"),
    ):
        usage_from(Server(running.url), UsageParams(), NOW)


def test_an_empty_window_asks_nothing() -> None:
    with prometheus(answering()) as running:
        told = usage_from(Server(running.url), UsageParams(window=0), NOW)
    assert told.counted is None
    assert running.asked == []
