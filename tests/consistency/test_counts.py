"""Running, pending and waiting are the same numbers in every answer about one state: for all states of ``testdata``."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.cli.agents.folders import Folders
from kubectl_fairshare.cli.agents.server import AgentServer
from tests.sampling import sampled
from tests.screens import ROOT, Screen

FOLDERS = sorted(path.name for path in (ROOT / "testdata").iterdir() if path.name not in {"conformance", "rules"})
"""All that are not recordings, or examples of single rules."""
TOTALS = re.compile(r"([\d,]+) running, ([\d,]+) pending")
Run = Callable[[str], Screen]


def states() -> Iterator[str]:
    """Every folder of manifests that is one state, and every file that is one alone."""
    for name in FOLDERS:
        top = ROOT / "testdata" / name
        for path in sorted(top.rglob("*")) if top.is_dir() else ():
            folder = path.is_dir() and any(each.suffix == ".yaml" for each in path.iterdir())
            if folder or path.name.endswith((".json.gz", ".yaml")):
                yield str(path.relative_to(ROOT))


def document(run: Run, command: str) -> Any:
    """What a command prints as JSON; None where it has no answer."""
    text = run(f"kubectl-fairshare {command}").stdout
    return json.loads(text) if text.startswith("{") else None


def totals(text: str) -> tuple[int, int] | None:
    found = TOTALS.search(" ".join(text.split()))
    return None if found is None else (int(found[1].replace(",", "")), int(found[2].replace(",", "")))


def of_queues(shares: Any) -> tuple[int, int]:
    """The sums over the roots."""
    roots = [queue for queue in shares["queues"] if not queue["parent"]]
    return sum(queue["running"] for queue in roots), sum(queue["pending"] for queue in roots)


def breaches(run: Run, state: str) -> Iterator[str]:
    """What contradicts another answer about the state."""
    shares = document(run, f"shares -q -f {state} -o json")
    waiting = document(run, f"why -q -f {state} -o json")
    if shares is None or waiting is None or not shares.get("queues"):  # several clusters: each has its own counts
        return
    screens = {name: run(f"kubectl-fairshare {name} -q -f {state}").stdout for name in ("shares", "why")}
    page = run(f"kubectl-fairshare report -q --no-lint -f {state}").stdout
    if not page:  # it is refused
        return
    known = (waiting["running"], waiting["pending"])
    for name, found in [*((name, totals(text)) for name, text in screens.items()), ("report", totals(page))]:
        if found != known:
            yield f"{state}: {name} has {found}, why -o json {known}"
    inside = of_queues(shares)
    if any(part > whole for part, whole in zip(inside, known, strict=True)):
        yield f"{state}: the queues have {inside}, all together {known}"
    if (shares["running"], shares["pending"]) != known:
        yield f"{state}: shares -o json has {shares['running']}, {shares['pending']}, why -o json {known}"
    listed = sum(len(group["workloads"]) for group in waiting["groups"])
    rows = len(run(f"kubectl-fairshare why -q -f {state} -o jsonl").stdout.splitlines())
    drawn = re.search(r">Waiting: ([\d,]+) workload", page)
    if not drawn or {listed, rows, int(drawn[1].replace(",", ""))} != {listed}:
        yield f"{state}: why lists {listed}, jsonl {rows}, the page {drawn and drawn[1]}"
    yield from breaches_of_cycle(run, state, known[1])
    yield from breaches_of_agents(run, state, {"shares": shares, "why": waiting})


def breaches_of_cycle(run: Run, state: str, pending: int) -> Iterator[str]:
    """What contradicts ``pending`` in the next cycle: its document, its screen and what it tells an agent."""
    cycle = document(run, f"cycle -q -f {state} -o json")
    if cycle is None:  # a scheduler without cycles of workloads
        return
    screen = " ".join(run(f"kubectl-fairshare cycle -q -f {state}").stdout.split())
    tried = re.search(r"([\d,]+) (?:workloads?|jobs?)? ?waiting", screen)
    if "jobs" in cycle:
        heads = len(cycle["jobs"])
        yield from breaches_of_session(run, state, cycle, pending)
    else:
        heads = sum(each["workloads"] for each in cycle["waiting"])
        if (found := heads + len(cycle["leftOut"])) != pending:
            yield f"{state}: cycle has {found} pending, why {pending}"
    if heads and (tried is None or int(tried[1].replace(",", "")) != heads):
        yield f"{state}: the screen of cycle has {tried and tried[1]} waiting, its document {heads}"
    yield from breaches_of_agents(run, state, {"cycle": cycle})


def breaches_of_agents(run: Run, state: str, documents: Mapping[str, Any]) -> Iterator[str]:
    """Where the whole answer of an agent is not the document of the command, or a brief one has other numbers."""
    server = AgentServer(Folders([str(ROOT / "testdata")]), None, 50_000_000)
    for name, known in documents.items():
        asked = {"filename": [str(ROOT / state)]}
        whole = server.call(name, {**asked, "detail": "full"})["document"]
        if counted(whole) != counted(known):
            yield f"{state}: an agent's {name} has {counted(whole)}, the command {counted(known)}"
        brief = server.call(name, asked)
        if counted(brief["document"]) != counted(known):
            yield f"{state}: an agent's brief {name} has {counted(brief['document'])}, the command {counted(known)}"
        last = " ".join(run(f"kubectl-fairshare {name} -q -f {state}").stdout.split()).rpartition("⇒ ")[2]
        if SAID[name](last) != SAID[name](brief["verdict"]):
            yield f"{state}: an agent's {name} says {brief['verdict']!r}, the screen {last!r}"


def by_verdict(text: str) -> Mapping[str, int]:
    """How many workloads have each verdict: parts of one verdict are added up."""
    found = Counter[str]()
    known = text.partition("; the first")[0]
    for number, word in re.findall(r"(?:^|[;,] )([\d,]+) (never|not now|unmanaged|unknown|waiting)", known):
        found[word] += int(number.replace(",", ""))
    return found


SAID: Mapping[str, Callable[[str], object]] = {
    "shares": totals,
    "why": by_verdict,
    "cycle": lambda text: text.partition(" · ")[0],
}
"""What the verdict of an agent and the last line of the screen have in common."""


def breaches_of_session(run: Run, state: str, cycle: Any, pending: int) -> Iterator[str]:
    """KAI's session takes only jobs that it can try: those that it leaves out are none that ``why`` says it admits."""
    listed = [json.loads(line) for line in run(f"kubectl-fairshare why -q -f {state} -o jsonl").stdout.splitlines()]
    known = {(each["namespace"], each["name"]): each["verdict"] for each in listed}
    tried = {(each["job"]["namespace"], each["job"]["name"]) for each in cycle["jobs"]}
    if tried - known.keys():
        yield f"{state}: cycle tries {tried - known.keys()}, which why does not list"
    out = {known[name] for name in known.keys() - tried}
    if out - {"Never", "Unmanaged", "Waiting", "Unknown"} or (not out and len(tried) != pending):
        yield f"{state}: cycle has {len(tried)} pending, why {pending}; those left out are {out}"


def counted(document: Any) -> tuple[object, ...]:
    """The totals of a document; those that it has."""
    return tuple((document or {}).get(name) for name in ("running", "pending"))


SAMPLE = ("testdata/why/fair.json.gz", "testdata/demo/org", "testdata/demo/kai", "testdata/elasticquota/waiting.yaml")


@pytest.mark.parametrize("state", sampled([*SAMPLE, "testdata/demo/koordinator", "testdata/kai/why"], 6))
def test_every_answer_counts_alike(state: str, run: Run) -> None:
    assert list(breaches(run, state)) == []


@pytest.mark.slow
def test_every_answer_about_every_state_of_testdata_counts_the_same(run: Run) -> None:
    known = list(states())
    assert len(known) > 50
    assert [breach for state in known for breach in breaches(run, state)] == []


def test_the_states_are_there() -> None:
    assert {*SAMPLE} <= {*states()}
    assert all(Path(ROOT, each).exists() for each in states())
