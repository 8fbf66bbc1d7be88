"""A list of what waits is the same whether it is known which are shown; and it keeps no play to answer."""

import gc

import pytest

from kubectl_fairshare.answers.standing import WhyAnswer
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.waiting import SORTS, Listing
from kubectl_fairshare.schedulers import known_schedulers, scheduler_named
from kubectl_fairshare.schedulers.kueue.cycle.play import Play
from kubectl_fairshare.schedulers.kueue.words.listing import KueueOutline
from kubectl_fairshare.schedulers.question import WhyQuestion
from tests.bench.large import write

QUEUES = 115
OUTLINED = ("scheduler", "verdict", "reason", "fidelity", "key", "job", "queue", "priority", "needs", "short", "since")
"""What orders, groups, filters and sums up a list."""


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    folder = tmp_path_factory.mktemp("waiting")
    write(folder, QUEUES)
    reading = read((str(folder / "state.json"),), known_schedulers())
    return assemble(reading.manifests, known_schedulers()).snapshot


def answers(snapshot: Snapshot, listing: Listing | None) -> tuple[WhyAnswer, ...]:  # type: ignore[type-arg]
    return scheduler_named("kueue").why(snapshot, WhyQuestion(shown=None if listing is None else listing.shown))


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("limit", [1, 7])
def test_a_list_is_the_same_where_it_is_known_which_are_shown(waiting: Snapshot, sort: str, limit: int) -> None:
    listing = Listing(sort=sort, limit=limit)
    all_whole, some_whole = answers(waiting, None), answers(waiting, listing)
    assert len(all_whole) > limit
    assert listing.shown(some_whole) == listing.shown(all_whole)
    for whole, other in zip(listing.chosen(all_whole), listing.chosen(some_whole), strict=True):
        assert [getattr(whole, name) for name in OUTLINED] == [getattr(other, name) for name in OUTLINED]
        assert (whole.detail.binds, whole.detail.rank) == (other.detail.binds, other.detail.rank)


def test_an_outline_finds_the_rest_again(waiting: Snapshot) -> None:
    listing = Listing(limit=1)
    pairs = [*zip(answers(waiting, None), answers(waiting, listing), strict=True)]
    outlines = [(whole, other.detail) for whole, other in pairs if isinstance(other.detail, KueueOutline)]
    assert len(outlines) == len(pairs) - 1 > 9
    for whole, outline in outlines:
        assert outline.row() == whole.detail.row()
        assert outline.groups(None) == whole.detail.groups(None)
        assert outline.document() == whole.detail.document()
        assert outline.listed() == whole.detail.listed()


def test_an_outline_keeps_nothing_of_the_decision(waiting: Snapshot) -> None:
    for answer in answers(waiting, Listing(limit=1)):
        if isinstance(answer.detail, KueueOutline):
            assert answer == replace(answer, facts=(), parts=(), holds=(), binding=(), held=(), possible=())


def test_a_play_ends_with_its_answer(waiting: Snapshot) -> None:
    """Without a look for cycles of objects: ten thousand heads leave tens of megabytes."""
    gc.collect()
    gc.disable()
    try:
        before = {id(each) for each in gc.get_objects() if isinstance(each, Play)}
        assert answers(waiting, None)
        assert all(id(each) in before for each in gc.get_objects() if isinstance(each, Play))
    finally:
        gc.enable()
