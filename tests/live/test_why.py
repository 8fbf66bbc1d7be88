"""``why`` of every Job on a living cluster has the verdict that is known, and cites what binds; so has a snapshot.

Every situation is made anew with random names and sizes, with and without fair sharing. FAIRSHARE_LIVE_ROUNDS says how
many times (once unless told).
"""

import io
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from kubectl_fairshare.cli.main import main
from tests.live.stage import situations, situations_beside_quota, situations_of_quota
from tests.live.stage.kueue import manager
from tests.live.stage.server import Api, Object, Server, missing, server
from tests.live.stage.stage import Row, Stage

ROUNDS: Final = int(os.environ.get("FAIRSHARE_LIVE_ROUNDS", "1"))
ALL: Final = (*situations.SITUATIONS, *situations_beside_quota.SITUATIONS, *situations_of_quota.SITUATIONS)
BUSY: Final = ("strict_fifo", "preempting", "ahead_by_priority", "behind_one_that_never_fits", "behind_a_preemption")
"""Those whose heads Kueue looks at again and again, without a pause: they are made late."""
CYCLES: Final = ("cycle", "cycle_above", "own_parent")
"""Those that may have Kueue's scheduler stop for all queues: they are made when all others are."""
AT_ONCE: Final = 3
TRIES: Final = 5
SETTLES: Final = 2.0

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(
        bool(missing("kube-apiserver", "etcd", "kueue-manager")),
        reason=f"not built: {missing('kube-apiserver', 'etcd', 'kueue-manager')}; see .ci/assets/build",
    ),
]


@pytest.fixture(scope="module", params=[True, False], ids=["fair", "classical"])
def living(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with server(tmp_path_factory.mktemp("living")) as started, manager(started, fair=request.param, verbosity=1):
        yield started


@pytest.fixture(scope="module")
def made(living: Server) -> list[tuple[str, str, Row]]:
    """Situation, namespace and row of every Job, all on one cluster that has come to rest."""

    def make(asked: tuple[int, Callable[[Stage], list[Row]]]) -> list[tuple[str, str, Row]]:
        number, situation = asked
        with closing(Api(living.port)) as api:
            stage = Stage(api, f"{number} {situation.__name__}")
            return [(situation.__name__, stage.namespace, row) for row in situation(stage)]

    def phase(situation: Callable[[Stage], list[Row]]) -> int:
        return (situation.__name__ in BUSY) + 2 * (situation.__name__ in CYCLES)

    found: list[tuple[str, str, Row]] = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for now in range(3):
            todo = [(number, each) for each in ALL if phase(each) == now for number in range(ROUNDS)]
            found += [each for rows in pool.map(make, todo) for each in rows]
    time.sleep(SETTLES)
    return found


def asked(words: str) -> Any:
    """The document that the program prints."""
    empty, out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(3))
    code = main([*words.split(), "-o", "json"], empty, out, err)
    assert code == 0, err.buffer.getvalue().decode()
    return json.loads(out.buffer.getvalue())


def differences(document: Object, row: Row) -> Iterator[str]:
    """In what an answer is not what is known."""
    if document["verdict"] != row.verdict:
        yield f"is {document['verdict']} ({document['sentence']})"
    if row.where not in json.dumps(document["evidence"]):
        yield f"does not cite {row.where}"
    eviction = document["eviction"] or {}
    told = {
        "holder": [h["workload"]["job"] for h in document["heldBy"]],
        "victim": [h["workload"]["job"] for h in document["leaving"]],
        "ahead": [(document["head"] or {}).get("job")],
        "reason": [document["reason"]],
        "preemptor": [(eviction.get("preemptor") or {}).get("job")],
    }
    steps = (step["operands"].get("resource") for step in document["proof"]["steps"])
    for part, name in row.more.items():
        jobs = {str(job).rpartition("/")[2] for job in told.get(part, ())}
        names = jobs if part in told else {*(b["resource"] for b in document["bindings"]), *steps}
        if name not in names:
            yield f"does not tell of the {part} {name}, but of {sorted(map(str, names))}"
    comparison = document["comparison"]
    if comparison is not None and comparison["agreement"] == "Differs" and not row.untold:
        yield f"would have Kueue write {comparison['computed']['message']!r}"


def answers(made: Sequence[tuple[str, str, Row]], given: str) -> Iterator[tuple[str, Object, Row]]:
    """What is said of every Job, all asked about at once."""
    subjects = " ".join(f"{namespace}/job/{row.name}" for _, namespace, row in made)
    documents = asked(f"why {subjects} {given}")["items"]
    for (situation, namespace, row), document in zip(made, documents, strict=True):
        assert document["subject"] == f"Job {namespace}/{row.name}"
        yield f"{situation} {namespace}/{row.name}", document, row


def test_every_verdict_is_the_known_one(
    living: Server, made: list[tuple[str, str, Row]], count: Callable[[str], None]
) -> None:
    found = [*answers(made, f"--kubeconfig {living.kubeconfig}")]
    wrong = [f"{name} {each}" for name, document, row in found for each in differences(document, row)]
    verdicts = Counter(row.verdict for _, _, row in made)
    count(f"{len(made)} Jobs asked about: {dict(verdicts)}, {len(wrong)} differences")
    assert not wrong, "\n".join(wrong)


def test_a_snapshot_answers_like_its_cluster(living: Server, made: list[tuple[str, str, Row]], tmp_path: Path) -> None:
    for given in ("-A", " ".join(f"{namespace}/job/{row.name}" for _, namespace, row in made)):
        for number in range(TRIES):  # the cluster may move on between the two
            kept = tmp_path / f"{number}.json.gz"
            words = ["snapshot", "--redact", "none", "--kubeconfig", str(living.kubeconfig), "-o", str(kept)]
            empty, out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(3))
            assert main(words, empty, out, err) == 0, err.buffer.getvalue().decode()
            live = without_places(asked(f"why {given} --kubeconfig {living.kubeconfig}"))
            then = without_places(asked(f"why {given} -f {kept}"))
            if then == live:
                break
            kept.unlink()
        else:
            parts = ("items", "groups") if given == "-A" else ("items",)
            pairs = [pair for part in parts for pair in zip(then.get(part, ()), live.get(part, ()), strict=False)]
            pytest.fail(str([pair for pair in pairs if pair[0] != pair[1]][:3]))


def without_places(document: Any) -> Any:
    """A document without places, which a cluster has none of, commands, which repeat options, and its moment."""
    if isinstance(document, dict):
        left = {name: without_places(value) for name, value in document.items()}
        return {name: value for name, value in left.items() if name not in ("source", "line", "column", "next", "asOf")}
    return [without_places(each) for each in document] if isinstance(document, list) else document


def test_pods_that_are_not_ready_keep_others_waiting_and_cost_the_quota(tmp_path: Path) -> None:
    again = {"backoffBaseSeconds": 600, "backoffMaxSeconds": 600, "backoffLimitCount": 1}
    blocking = {"timeout": "20s", "blockAdmission": True, "requeuingStrategy": again}
    with server(tmp_path) as started, manager(started, fair=True, verbosity=1, waitForPodsReady=blocking):
        stage = Stage(started.api, "pods that are not ready")
        mine = stage.queue(stage.groups([stage.flavor()], 8))
        first = stage.admitted(mine.local)
        second = stage.told(stage.job(mine.local))
        first_workload, given = stage.workload_name(first), f"-n {stage.namespace} --kubeconfig {started.kubeconfig}"
        waits = asked(f"why job/{second} {given}")
        assert (waits["verdict"], waits["reason"]) == ("Waiting", "WaitingForPodsReady")
        assert first_workload in json.dumps(waits["evidence"])
        stage.until(first, lambda w: "requeueAt" in w["status"].get("requeueState", {}))
        stage.until(first, situations.has("QuotaReserved", "False"))
        off = asked(f"why job/{first} {given}")
        found = stage.workload(first)
        assert found is not None
        assert (off["verdict"], off["reason"]) == ("Waiting", "Backoff")
        assert off["until"] == found["status"]["requeueState"]["requeueAt"]
        assert off["eviction"]["reason"] == "PodsReadyTimeout"
        stage.until(second, situations.has("Admitted"))
        once = {"status": {"requeueState": {"count": 1}}}
        stage.patch("workloads", f"{stage.workload_name(second)}/status", once, namespaced=True)
        stage.until(second, lambda w: w["spec"]["active"] is False)
        stage.until(second, situations.has("QuotaReserved", "False"))
        end = asked(f"why job/{second} {given}")
        assert (end["verdict"], end["reason"]) == ("Never", "Deactivated")
        assert "not ready in time" in end["sentence"]
