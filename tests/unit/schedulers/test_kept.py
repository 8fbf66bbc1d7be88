"""What is kept for a snapshot: made once, forgotten with it; and what answers of one page share by that."""

import gc
from pathlib import Path

import pytest

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.policy.overview import overview
from kubectl_fairshare.schedulers import chosen_scheduler, known_schedulers
from kubectl_fairshare.schedulers.kept import Kept
from tests.bench.test_work import Calls
from tests.sampling import sampled

PLAYS = {
    "testdata/demo/org": ("possible_courses", 1),
    "testdata/reports/kueue-backlog": ("possible_courses", 1),
    "testdata/reports/eq-backlog": ("PodTurns.__init__", 2),
    "testdata/reports/kai-backlog": ("SessionOrder.__init__", 1),
}
"""How often a page plays what the next cycles do with all that waits: a list and full answers, of one tree or pool."""


def read_state(folder: str) -> Snapshot:
    return assemble(read([folder], known_schedulers()).manifests, known_schedulers()).snapshot


def test_a_value_is_made_once_for_a_snapshot_and_a_term() -> None:
    kept, snapshot, made = Kept[list[int]](), Snapshot(), list[int]()

    def make(_: Snapshot) -> list[int]:
        made.append(len(made))
        return [len(made)]

    assert kept.of(snapshot, 1, make) is kept.of(snapshot, 1, make)
    assert kept.of(snapshot, 2, make) == [2]
    assert kept.of(Snapshot(), 2, make) == [3]


def test_what_is_kept_is_forgotten_with_its_snapshot() -> None:
    kept, snapshot = Kept[Snapshot](), Snapshot()
    own = kept.of(snapshot, None, lambda same: same)
    assert own == snapshot
    assert own is not snapshot
    del snapshot
    gc.collect()
    assert kept._last is None


@pytest.mark.parametrize("folder", sampled(PLAYS, 2, first=1))
def test_a_page_plays_what_waits_once_for_all_answers(folder: str) -> None:
    snapshot, (name, most) = read_state(folder), PLAYS[folder]
    scheduler = chosen_scheduler(snapshot, None)
    with Calls() as calls:
        page = overview(scheduler, snapshot, "here", helps=True)
    assert len(page.helped) > 1 or Path(folder).name == "org"
    assert 0 < calls.by_name[name] <= most
