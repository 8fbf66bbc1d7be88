"""Where no order of a map is noted to matter, every run of KAI gives the same; where one is, the runs part there."""

from collections.abc import Sequence
from typing import Any, Final

import pytest

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kai.conformance.decisions import state_of
from kubectl_fairshare.schedulers.kai.explain.backlog import Played, play
from kubectl_fairshare.schedulers.kai.explain.conditions import GroupCondition, condition
from kubectl_fairshare.schedulers.kai.model.objects import KaiState
from kubectl_fairshare.schedulers.kai.session.session import open_session
from kubectl_fairshare.schedulers.kai.solver.cycle import Fork, standing_pods
from kubectl_fairshare.schedulers.kai.solver.ground import first_layer, walking
from kubectl_fairshare.schedulers.recording import manifests_of
from tests.conformance.test_kai_plan import recorded
from tests.consistency.states import states

_RUNS: Final = 5


def _drawn() -> list[KaiState]:
    found = [assemble(manifests_of(each.objects, "drawn"), known_schedulers()) for each in states("kai", "maps", 60)]
    return [each.snapshot.part(KaiState) for each in found] + [state_of(case) for case in recorded()[::4]]


def _steps(played: Played, most: int | None = None) -> Sequence[Any]:
    """Which job each action tried, in order, and with what success."""
    return [(one.action, one.job, one.done, one.ghost, one.delayed) for one in played.tried[:most]]


def _said(played: Played) -> dict[str, GroupCondition]:
    return {name: condition(played.layer, played.tried, name) for name in played.layer.ground.gangs}


@pytest.mark.slow
def test_runs_part_only_where_an_order_of_a_map_is_noted_to_matter() -> None:
    alike, parted = 0, 0
    for state in _drawn():
        first = first_layer(open_session(state))
        found = play(Fork(first))
        others = [play(Fork(walking(first, number))) for number in range(1, 1 + _RUNS)]
        if found.fork is None:
            alike += 1
            assert {tuple(_steps(each)) for each in others} == {tuple(_steps(found))}
            assert all(_said(each) == _said(found) for each in others)
            assert all(standing_pods(each.layer) == standing_pods(found.layer) for each in others)
            continue
        most = len(found.fork.tried)
        assert {tuple(_steps(each, most)) for each in others} == {tuple(_steps(found, most))}
        parted += any(standing_pods(each.layer) != standing_pods(found.layer) for each in others)
    assert alike >= 20
    assert parted
