"""What it costs that a release chooses the laws: reads of its fields, against the time of whole answers."""

import timeit
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import process_time
from typing import Any

import pytest

from kubectl_fairshare.schedulers.kueue.cycle.cycle import run_cycle
from kubectl_fairshare.schedulers.kueue.explain.planning import plan
from kubectl_fairshare.schedulers.kueue.release import KueueRelease
from kubectl_fairshare.schedulers.kueue.release.decisions import DECISIONS
from kubectl_fairshare.schedulers.kueue.tree.state import state_of
from tests.bench.organisation import Organisation
from tests.bench.test_work import EASY, LARGE, SMALL, job, loaded
from tests.sampling import sampled

MOST = 1.02
"""The time of an answer, to that without the reads of laws."""
LAWS = frozenset(law.field for law in DECISIONS)
READS = 20_000


@contextmanager
def counting() -> Iterator[list[str]]:
    """The laws that are read while it is entered, one by one."""
    read: list[str] = []
    plain = object.__getattribute__

    def noted(release: KueueRelease, name: str) -> Any:
        if name in LAWS:
            read.append(name)
        return plain(release, name)

    KueueRelease.__getattribute__ = noted  # type: ignore[method-assign, assignment]
    try:
        yield read
    finally:
        del KueueRelease.__getattribute__


def answers(tmp_path: Any) -> dict[str, Callable[[], object]]:
    """Answers about an organisation: from reading its objects to a decision; each is asked of a fresh state."""
    organisation = Organisation(SMALL)
    assembled, heads = loaded(organisation, tmp_path), loaded(organisation, tmp_path, heads=True)
    few, many = (job(organisation, assembled, pods, tmp_path) for pods in (EASY, LARGE))
    return {
        "reading": lambda: state_of(loaded(organisation, tmp_path).snapshot),
        "an easy plan": lambda: plan(state_of(assembled.snapshot), few),
        "a large plan": lambda: plan(state_of(assembled.snapshot), many),
        "a cycle": lambda: run_cycle(state_of(heads.snapshot)),
    }


def seconds(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(["reading", "an easy plan", "a large plan", "a cycle"], 4, first=1))
def test_reads_of_laws_take_at_most_two_hundredths_of_an_answer(name: str, tmp_path: Any) -> None:
    """As ``search.release.law``, where most are made, each timed beside the answer on the same machine."""
    work = answers(tmp_path)[name]
    with counting() as read:
        work()
    state = state_of(loaded(Organisation(SMALL), tmp_path).snapshot)
    holder = {"holder": state.configuration}
    reads = timeit.repeat("holder.release.hopeless_last", globals=holder, number=READS, repeat=9)
    each, whole = min(reads) / READS, min(seconds(work) for _ in range(5))
    assert read, "no law was read: the count sees nothing"
    assert whole / (whole - len(read) * each) <= MOST, f"{len(read)} reads of {sorted({*read})} in {whole:.3f} s"
