"""Whether a set of victims is fair."""

from kubectl_fairshare.schedulers.kai.model.objects import Phase
from kubectl_fairshare.schedulers.kai.reclaim.reclaim import (
    asker_of,
    can_reclaim,
    takes,
)
from kubectl_fairshare.schedulers.kai.reclaim.validator import Compared
from kubectl_fairshare.schedulers.kai.session.session import Session
from tests.unit.schedulers.kai.build import group, pod, queue, session


def families_at_odds(held: float) -> Session:
    """Of 8 GPUs x and y have a fair share of 4 each; the leaf below x, of quota 6, holds 4, that below y ``held``."""
    queues = [queue("x"), queue("xa", "x", quota=6), queue("y"), queue("ya", "y")]
    groups = [group("held", "xa"), group("one", "ya"), group("rest", "ya"), group("wait", "xa")]
    pods = [pod("held", 0, 4), pod("one", 0, 1), pod("rest", 0, held - 1), pod("wait", 0, 1, phase=Phase.PENDING)]
    return session(queues, groups, pods)


def test_a_side_above_its_share_must_stay_behind_its_sibling() -> None:
    for held, theirs, allowed in ((5, 1.0, False), (6, 1.25, False), (7, 1.5, True)):
        found = families_at_odds(held)
        asker = asker_of(found.jobs["wait"])
        assert can_reclaim(found, asker)
        verdict = takes(found, asker, {"one": found.jobs["one"].active})[1]
        last = verdict.compared[-1]
        assert isinstance(last, Compared)
        assert (last.queue, last.sibling, last.ours, last.theirs) == ("x", "y", 1.25, theirs)
        assert verdict.allowed is allowed
