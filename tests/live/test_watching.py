"""``--watch`` of a real API server: what is submitted between two pictures, and a server that goes away and returns."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live.stage.organisation import Organisation
from tests.live.stage.populated import crds, load, populate
from tests.live.stage.server import Server, missing, server, wait_until
from tests.screens import ROOT
from tests.terminal import Terminal

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(
        bool(missing("kube-apiserver", "etcd")),
        reason=f"not built: {missing('kube-apiserver', 'etcd')}; see .ci/assets/build",
    ),
]
MADE = Organisation(1)


@pytest.fixture(scope="module")
def living(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with Kueue's kinds and an organisation, without Kueue."""
    with server(tmp_path_factory.mktemp("watched")) as started:
        started.apply_crds(crds())
        started.api.create("/api/v1/namespaces", {"metadata": {"name": "kueue-system"}})
        populate(started.api, MADE)
        load(started.api, MADE, "first")
        yield started


def command(living: Server, words: str) -> list[str]:
    watched = ["--watch", "--interval", "1s", "--kubeconfig", str(living.kubeconfig)]
    return [sys.executable, "-m", "kubectl_fairshare", *words.split(), *watched]


def environment(living: Server) -> dict[str, str]:
    return {"PATH": "/usr/bin:/bin", "HOME": str(living.folder), "PYTHONPATH": str(ROOT)}


@pytest.mark.parametrize("words", ["why -A", "cycle", "shares --by localqueue"])
def test_what_is_submitted_between_two_pictures_is_marked(living: Server, tmp_path: Path, words: str) -> None:
    name = f"second-{words.partition(' ')[0]}"
    with Terminal(command(living, f"{words} --color never"), tmp_path, environment(living), (110, 90)) as terminal:
        before = terminal.until(lambda text: "no change since" in text, "the first picture")
        assert "▸" not in before
        load(living.api, MADE, name)
        shown = terminal.until(lambda text: "last change" in text, "the workload")
        marked = [line for line in shown.splitlines() if line.startswith("▸")]
        assert marked != []
        assert name in "\n".join(marked) or words.startswith("shares") or words == "cycle"
        terminal.press("\x03")
        assert terminal.ended() == 130


def test_a_server_that_goes_away_leaves_the_last_picture_and_comes_back(living: Server, tmp_path: Path) -> None:
    with Terminal(command(living, "why -A --color never"), tmp_path, environment(living), (110, 90)) as terminal:
        terminal.until(lambda text: "first" in text, "the first picture")
        living.stop()
        shown = terminal.until(lambda text: "out of date since" in text, "the failure")
        assert "error: " in shown
        assert "cannot reach the API server: connection refused" in shown
        assert "first" in shown
        asked = [line for line in shown.splitlines() if "next attempt at" in line]
        later = terminal.until(lambda text: "out of date since" in text and asked[0] not in text, "another try")
        assert asked[0].partition(";")[0] in later, "it is old since the first failure"
        living.start()
        load(living.api, MADE, "third")
        shown = terminal.until(lambda text: "third" in text, "the picture of the server that came back")
        assert "old since" not in shown
        assert [line for line in shown.splitlines() if line.startswith("▸") and "third" in line] != []


def test_documents_go_on_after_the_server_has_been_away(living: Server, tmp_path: Path) -> None:
    out, err = tmp_path / "out", tmp_path / "err"
    with out.open("wb") as to, err.open("wb") as beside:
        running = subprocess.Popen(
            command(living, "shares -o json"), cwd=tmp_path, env=environment(living), stdout=to, stderr=beside
        )
        try:
            wait_until(lambda: out.read_text().count("\n") == 1, "the first document")
            living.stop()
            wait_until(lambda: "is out of date since" in err.read_text(), "the failure")
            living.start()
            load(living.api, MADE, "fourth")
            wait_until(lambda: out.read_text().count("\n") >= 2, "the next document")
        finally:
            running.terminate()
            running.wait(20)
    documents = [json.loads(line) for line in out.read_text().splitlines()]
    assert [each["kind"] for each in documents] == ["Shares"] * len(documents)
    told = err.read_text()
    assert told.count("cannot reach the API server") == 1
    assert "note: answered again at" in told


def test_what_is_watched_is_only_read(living: Server) -> None:
    time.sleep(0.5)
    lines = (json.loads(line) for line in (living.folder / "audit.log").read_text().splitlines())
    verbs = {each["verb"] for each in lines if str(each.get("userAgent")).startswith("kubectl-fairshare/")}
    assert verbs <= {"get", "list"}
    assert verbs != set()
