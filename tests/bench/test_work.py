"""How much is done for an answer, counted in calls: unlike time, that is the same on every machine."""

import sys
from collections import Counter
from types import FrameType
from typing import Any

import orjson
import pytest

from kubectl_fairshare.input.assemble import Assembled, assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kueue.cycle.cycle import run_cycle
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination, nominate
from kubectl_fairshare.schedulers.kueue.jobs import pending_of
from kubectl_fairshare.schedulers.kueue.jobs.context import Context
from kubectl_fairshare.schedulers.kueue.laws import Preemptor
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.preemption.fair_targets import fair_targets
from kubectl_fairshare.schedulers.kueue.preemption.replay import Replay
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger
from kubectl_fairshare.schedulers.kueue.tree.state import State, state_of
from tests.bench.organisation import ASKING, Organisation, Size, asking, listed
from tests.screens import shown

SMALL = Size(queues=100, cohorts=10, running=1_000, departments=3)
EASY, LARGE = 6, 100  # pods


class Calls:
    """Counts the calls of Python functions while it is entered, in all and by name."""

    def __init__(self) -> None:
        self.by_name: Counter[str] = Counter()

    def __enter__(self) -> "Calls":
        sys.setprofile(self._note)
        return self

    def __exit__(self, *error: object) -> None:
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, argument: Any) -> None:
        del argument
        if event == "call":
            self.by_name[frame.f_code.co_qualname] += 1

    @property
    def all(self) -> int:
        """How many calls there were."""
        return self.by_name.total()

    @property
    def ledgers(self) -> int:
        """How many ledgers were made."""
        return self.by_name[Ledger.__init__.__qualname__]


def loaded(organisation: Organisation, tmp_path: Any, *, heads: bool = False) -> Assembled:
    path = tmp_path / "state.json"
    path.write_bytes(listed(organisation.objects(heads=heads)))
    return assemble(read((str(path),), schedulers=known_schedulers()).manifests, known_schedulers())


def job(organisation: Organisation, assembled: Assembled, pods: int, tmp_path: Any) -> Pending:
    path = tmp_path / "job.json"
    path.write_bytes(orjson.dumps(asking(organisation, pods)))
    (manifest,) = read((str(path),), schedulers=known_schedulers()).manifests
    return pending_of(manifest, assembled.snapshot.part(Context))


def counted(state: State, workload: Pending) -> tuple[Nomination, Calls]:
    with Calls() as calls:
        nomination = nominate(state, workload)
    return nomination, calls


def looked_at(nomination: Nomination) -> int:
    return max(len(search.trials) for _, _, search in nomination.simulations)


@pytest.mark.slow
def test_an_easy_plan_costs_no_more_in_a_larger_tree(tmp_path: Any) -> None:
    figures = []
    for factor in (1, 4):
        organisation = Organisation(SMALL.times(factor))
        assembled = loaded(organisation, tmp_path)
        workload = job(organisation, assembled, EASY, tmp_path)
        figures.append(counted(state_of(assembled.snapshot), workload))
    (small, few), (large, many) = figures
    assert small.search is not None
    assert small.search.targets
    assert looked_at(large) <= looked_at(small) + 2
    assert many.ledgers <= few.ledgers * 1.5
    assert many.all < few.all * 1.5  # four times the queues; of them only the children of those visited count


def test_each_ledger_is_made_once_for_all_searches(tmp_path: Any) -> None:
    organisation = Organisation(SMALL)
    assembled = loaded(organisation, tmp_path)
    workload = job(organisation, assembled, LARGE, tmp_path)
    nomination, calls = counted(state_of(assembled.snapshot), workload)
    searches = [search for _, _, search in nomination.simulations]
    assert len(searches) == 6
    assert calls.ledgers < sum(len(search.trials) for search in searches) / 2


@pytest.mark.parametrize("seed", range(3))
def test_searches_that_share_their_ways_find_what_each_finds_alone(seed: int, tmp_path: Any) -> None:
    organisation = Organisation(SMALL, seed)
    assembled = loaded(organisation, tmp_path)
    state = state_of(assembled.snapshot)
    queue = state.forest.queue_ids[ASKING]
    shared = Replay()
    for pair in sorted(state.forest.nodes[queue].quotas):
        for devices in (5, 60, 800):
            amount = devices * state.forest.quota(queue, pair).nominal // 64
            asker = Preemptor(queue, 0, 0, frozenset((pair,)), {pair: amount})
            assert fair_targets(state, asker, shared) == fair_targets(state, asker, Replay())


def test_a_state_that_is_asked_again_knows_its_shares(tmp_path: Any) -> None:
    organisation = Organisation(SMALL)
    assembled = loaded(organisation, tmp_path)
    workload = job(organisation, assembled, EASY, tmp_path)
    state = state_of(assembled.snapshot)
    first, calls = counted(state, workload)
    second, again = counted(state, workload)
    assert first == second
    assert again.all < calls.all


@pytest.mark.slow
def test_a_cycle_grows_with_its_heads(tmp_path: Any) -> None:
    calls = []
    for factor in (1, 2):
        state = state_of(loaded(Organisation(SMALL.times(factor)), tmp_path, heads=True).snapshot)
        with Calls() as counted_calls:
            round_ = run_cycle(state)
        assert len(round_.entries) == SMALL.times(factor).queues
        calls.append(counted_calls.all)
    assert calls[1] < calls[0] * 2 * 1.5


@pytest.mark.slow
def test_a_demand_beyond_all_that_may_be_asked_is_given_up(tmp_path: Any) -> None:
    organisation = Organisation(SMALL.times(4))
    assembled = loaded(organisation, tmp_path)
    workload = job(organisation, assembled, 4_800, tmp_path)
    nomination = nominate(state_of(assembled.snapshot), workload)
    searches = [search for _, _, search in nomination.simulations]
    assert searches
    assert all(search.examined.hopeless for search in searches)
    assert looked_at(nomination) < SMALL.times(4).running / 10


@pytest.mark.parametrize("heads", [False, True])
def test_the_organisation_is_the_same_every_time(heads: bool) -> None:
    once, again = (listed(Organisation(SMALL).objects(heads=heads)) for _ in range(2))
    assert once == again


def test_why_of_all_looks_for_queues_that_are_missing_once_for_a_state(tmp_path: Any) -> None:
    """Each of the plans asks for them: searched for anew, they cost more than the plans."""
    organisation = Organisation(Size(queues=20, cohorts=4, running=100, departments=2))
    path = tmp_path / "state.json"
    path.write_bytes(listed(organisation.objects(heads=True)))
    with Calls() as calls:
        screen = shown(f"kubectl-fairshare why -A -f {path}")
    assert screen.code == 0
    plans, searches = calls.by_name[nominate.__qualname__], calls.by_name[KueueState._named_queues.__qualname__]
    assert plans > 10
    assert 0 < searches < plans
