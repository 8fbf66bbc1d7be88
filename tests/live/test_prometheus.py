"""Past usage from a real Prometheus server is what the model of it says, sample by sample."""

import io
import json
import subprocess
import urllib.error
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from kubectl_fairshare.cli.main import main
from kubectl_fairshare.input.http.prometheus_client import Client, Server
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, Resources
from kubectl_fairshare.schedulers.kai.model.usage import CRON, SECOND, TUMBLING, Counted, UsageParams, query_of
from kubectl_fairshare.schedulers.kai.reading.prometheus import usage_from
from tests.live.stage.prometheus import Filled, filled, prometheus
from tests.live.stage.server import missing, wait_until

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(bool(missing("prometheus")), reason=f"not there: {missing('prometheus')}; see .ci/assets/build"),
]
MINUTE: Final = 60 * SECOND
END: Final = nanoseconds("2026-08-05T12:00:30Z")
"""Half a minute after the last sample, so that no sample lies on the edge of a window."""
MINUTES: Final = 180
HOLDS: Final = {"red": ((0, 90, 8.0), (90, 181, 0.0)), "blue": ((0, 150, 2.0), (150, 181, 6.0))}
CAPACITY: Final = ((0, 100, 16.0), (100, 181, 8.0))
"""What each queue held and what there was, from which minute to which; a node leaves at minute 100."""
SCALE: Final = {"gpu": 1.0, "cpu": 4.0, "memory": 1e9}
ALLOCATED: Final = {
    "gpu": "kai_queue_allocated_gpus",
    "cpu": "kai_queue_allocated_cpu_cores",
    "memory": "kai_queue_allocated_memory_bytes",
}
NAMES: Final = {"gpu": "nvidia_com_gpu", "cpu": "cpu", "memory": "memory"}


def amount(course: tuple[tuple[int, int, float], ...], minute: int) -> float:
    return next(value for first, last, value in course if first <= minute < last)


def samples(minute: int) -> Iterator[tuple[dict[str, str], float]]:
    """What KAI and kube-state-metrics tell at one minute; there are two nodes of the same size."""
    for resource, scale in SCALE.items():
        for queue, course in HOLDS.items():
            labels = {"__name__": ALLOCATED[resource], "queue_name": queue, "job": "kai"}
            yield labels, scale * amount(course, minute)
        for node in ("n1", "n2"):
            labels = {"__name__": "kube_node_status_capacity", "resource": NAMES[resource], "node": node}
            yield labels, scale * amount(CAPACITY, minute) / 2
    for pod, held in (("old", 1.0), ("new", 3.0)):
        yield {"__name__": "restarted", "queue_name": "red", "pod": pod}, held


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Filled]:
    """A server that knows three hours."""
    with filled(tmp_path_factory.mktemp("prometheus")) as running:
        last = END // SECOND - 30
        for minute in range(MINUTES + 1):
            running.write(last - (MINUTES - minute) * 60, samples(minute))
        yield running


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")


def counted(server: Filled, params: UsageParams, now: int = END) -> Counted:
    told = usage_from(Server(server.url), params, now)
    assert told.notes == ()
    assert told.counted is not None
    return told.counted


def expected(queue: str, minutes: range, half_life: float = 0.0) -> float:
    """The model: every sample of the window, halved for each half-life of its age; minutes are counted back."""
    used = offered = 0.0
    for back in minutes:
        factor = 0.5 ** ((back * 60 + 30) / half_life) if half_life else 1.0
        used += amount(HOLDS[queue], MINUTES - back) * factor
        offered += amount(CAPACITY, MINUTES - back) * factor
    return used / offered


def same(found: Resources, fraction: float) -> bool:
    return found == pytest.approx((fraction, fraction, fraction), rel=1e-9)


@pytest.mark.parametrize("hours", [1, 2])
def test_a_sliding_window_is_the_samples_of_it_by_the_capacity(server: Filled, hours: int) -> None:
    found = counted(server, UsageParams(window=hours * 60 * MINUTE))
    assert found.as_kai
    for queue in HOLDS:
        assert same(found.fractions[queue], expected(queue, range(hours * 60)))
    assert found.offered.gpu == sum(amount(CAPACITY, MINUTES - back) for back in range(hours * 60))


def test_a_window_beyond_the_first_sample_counts_what_there_is(server: Filled) -> None:
    found = counted(server, UsageParams())
    assert same(found.fractions["red"], expected("red", range(MINUTES + 1)))


@pytest.mark.parametrize("half_life", [600, 3600])
def test_a_sample_counts_half_for_each_half_life_of_its_age(server: Filled, half_life: int) -> None:
    params = UsageParams(window=120 * MINUTE, half_life=half_life * SECOND)
    found = counted(server, params)
    for queue in HOLDS:
        assert same(found.fractions[queue], expected(queue, range(120), half_life))


def test_a_coarser_resolution_takes_fewer_samples(server: Filled) -> None:
    found = counted(server, UsageParams(window=60 * MINUTE, resolution=10 * MINUTE))
    assert same(found.fractions["blue"], expected("blue", range(0, 60, 10)))


def test_tumbling_and_cron_windows_count_since_their_last_start(server: Filled) -> None:
    start = END - 40 * MINUTE
    tumbling = UsageParams(window=100 * MINUTE, kind=TUMBLING, start=start - 300 * MINUTE)
    cron = UsageParams(kind=CRON, cron="20 11 * * *")
    assert counted(server, tumbling).since == start
    assert same(counted(server, tumbling).fractions["blue"], expected("blue", range(40)))
    assert counted(server, cron).since == nanoseconds("2026-08-05T11:20:00Z")
    assert same(counted(server, cron).fractions["blue"], expected("blue", range(41)))
    assert not counted(server, cron).as_kai


def test_a_window_that_starts_now_is_empty(server: Filled) -> None:
    told = usage_from(Server(server.url), UsageParams(kind=TUMBLING, start=END), END)
    assert told.counted is None
    assert "the window is empty" in told.notes[0].message


def asked(server: Filled, path: str, **form: object) -> tuple[int, Any]:
    try:
        return 200, json.loads(server.get(f"/api/v1/{path}?{urllib.parse.urlencode(form)}"))
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.loads(error.read())


def test_kais_own_query_for_a_tumbling_window_is_refused(server: Filled) -> None:
    query, end = "sum_over_time(kai_queue_allocated_gpus)", END // SECOND
    code, answer = asked(server, "query_range", query=query, start=end - 3600, end=end, step=60)
    assert code == 400
    assert "expected type range vector" in answer["error"]


def test_kais_own_text_of_a_query_gives_the_same(server: Filled) -> None:
    now = END // SECOND
    theirs = f"sum_over_time((((kai_queue_allocated_gpus) * (0.5^(({now} - time()) / 3600.000000))))[2h:1m0s])"
    ours = query_of("kai_queue_allocated_gpus", UsageParams(window=120 * MINUTE, half_life=60 * MINUTE), END)
    told = [asked(server, "query", query=query, time=now)[1]["data"]["result"] for query in (theirs, ours)]
    values = [{one["metric"]["queue_name"]: one["value"] for one in result} for result in told]
    assert values[0] == values[1]
    assert set(values[0]) == set(HOLDS)


def test_no_capacity_of_one_resource_means_no_usage_at_all(server: Filled) -> None:
    capacity = dict(UsageParams().capacity) | {"gpu": "sum(nothing_of_this_name)"}
    told = usage_from(Server(server.url), UsageParams(capacity=capacity), END)
    assert told.counted is None
    assert "no capacity of gpu" in told.notes[0].message


def test_several_series_of_a_queue_and_of_the_capacity_are_told(server: Filled) -> None:
    allocation = dict(UsageParams().allocation) | {"gpu": "restarted"}
    capacity = dict(UsageParams().capacity) | {"cpu": 'kube_node_status_capacity{resource="cpu"}'}
    told = usage_from(Server(server.url), UsageParams(allocation=allocation, capacity=capacity), END)
    assert [note.message.partition(" has ")[0] for note in told.notes] == ["the capacity of cpu", "usage of `red`"]
    assert told.counted is not None
    assert told.counted.used["red"].gpu in {1.0 * (MINUTES + 1), 3.0 * (MINUTES + 1)}


@pytest.mark.parametrize("metric", ["1 +", "sum(", "kai_queue_allocated_gpus[5m]"])
def test_a_query_that_the_server_refuses_is_a_problem(server: Filled, metric: str) -> None:
    broken = UsageParams(allocation=dict.fromkeys(RESOURCES, metric))
    with pytest.raises(FairshareError, match="Prometheus refuses the query"):
        usage_from(Server(server.url), broken, END)


SHARD: Final = """
apiVersion: kai.scheduler/v1
kind: SchedulingShard
metadata: {name: default}
spec:
  kValue: 1
  usageDBConfig:
    clientType: prometheus
    connectionString: http://prometheus:9090
    usageParams: {windowSize: 2h, halfLifePeriod: 1h}
---
apiVersion: v1
kind: Node
metadata: {name: node}
status: {allocatable: {nvidia.com/gpu: "16"}, conditions: [{type: Ready, status: "True"}]}
"""
QUEUE: Final = """
---
apiVersion: scheduling.run.ai/v2
kind: Queue
metadata: {name: NAME, creationTimestamp: "2026-01-01T00:00:00Z"}
spec: {resources: {gpu: {quota: 0, limit: -1, overQuotaWeight: 1}}}
"""


def printed(*arguments: str) -> str:
    empty, out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(3))
    code = main(list(arguments), empty, out, err)
    err.seek(0)
    assert (code, err.read()) == (0, "")
    out.seek(0)
    return out.read()


@pytest.mark.parametrize("formula", ["kai", "proposal"])
def test_shares_rest_on_what_the_server_tells(server: Filled, tmp_path: Path, formula: str) -> None:
    path = tmp_path / "kai.yaml"
    path.write_text(SHARD + "".join(QUEUE.replace("NAME", queue) for queue in HOLDS), encoding="utf-8")
    command = ["shares", "-f", str(path), "--demand", "unlimited", "--prometheus", server.url]
    command += ["--now", "2026-08-05T12:00:30Z", "--time-aware", formula]
    answer = json.loads(printed(*command, "-o", "json"))
    parts = {}
    for queue in HOLDS:
        left = 0.5 - expected(queue, range(120), 3600)
        parts[queue] = max(0.5 + left, 0) if formula == "kai" else max(left, 0)
    shares = {one["name"]: one["resources"][2]["fairShare"] for one in answer["queues"]}
    assert sum(shares.values()) == 16
    for queue, share in shares.items():
        assert abs(share - 16 * parts[queue] / sum(parts.values())) < 1
    assert answer["usage"]["window"]["type"] == "sliding"
    explained = " ".join(printed(*command, "--explain", "red").split())
    assert "sliding 2h until 2026-08-05T12:00:30Z, half-life 1h, a sample every 1m" in explained


BCRYPT: Final = "$2b$04$abcdefghijklmnopqrstuuFmEfrkTQnczNzw475xE2VhDrK1uwJiC"
"""The word ``right`` as Prometheus keeps passwords."""


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Path]]:
    """A server behind TLS and a password, and its certificate."""
    folder = tmp_path_factory.mktemp("guarded")
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    named = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *named]
    subprocess.run([*command, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    web = {
        "tls_server_config": {"cert_file": str(certificate), "key_file": str(key)},
        "basic_auth_users": {"anna": BCRYPT},
    }
    (folder / "web.json").write_text(json.dumps(web), encoding="utf-8")
    with prometheus(folder, f"--web.config.file={folder / 'web.json'}") as port:
        yield port, certificate


def test_a_guarded_server_lets_in_who_knows_the_certificate_and_the_password(guarded: tuple[int, Path]) -> None:
    port, certificate = guarded
    known = Server(f"https://anna:right@127.0.0.1:{port}", ca=str(certificate))

    def answers() -> bool:
        try:
            return [s.value for s in Client(known, 5).vector("vector(7)", END)] == [7.0]
        except FairshareError:
            return False

    wait_until(answers, "the guarded server answers")
    insecure = Server(f"https://anna:right@127.0.0.1:{port}", insecure=True)
    assert len(Client(insecure, 5).vector("vector(7)", END)) == 1


@pytest.mark.parametrize(
    ("scheme", "login", "trusted", "message"),
    [
        ("https", "anna:right@", False, "certificate is not trusted"),
        ("https", "anna:wrong@", True, "requires authentication"),
        ("https", "", True, "requires authentication"),
        ("http", "", True, "HTTP 400"),
    ],
)
def test_a_guarded_server_keeps_others_out(
    guarded: tuple[int, Path], scheme: str, login: str, trusted: bool, message: str
) -> None:
    port, certificate = guarded
    server = Server(f"{scheme}://{login}127.0.0.1:{port}", ca=str(certificate) if trusted else None)
    with pytest.raises(FairshareError, match=message):
        Client(server, 5).vector("vector(7)", END)
