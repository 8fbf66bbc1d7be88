"""How long a head is known to get what it got, to the last unit."""

import pytest

from kubectl_fairshare.schedulers.kueue.cycle.motion.lasting import LastingNominations
from kubectl_fairshare.schedulers.kueue.cycle.nominate import nominate
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Mode
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue, Preemption, Quota
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.unit.schedulers.kueue.build import CPU, FAIR, GPU, cohort, holder, pending, queue, state

NOTHING = {GPU: Quota(0), CPU: Quota(0)}
ALL = {GPU: Quota(10), CPU: Quota(10)}


HOW = pytest.mark.parametrize("how", [None, FAIR], ids=["classical", "fair"])


def tried(*held: Holder, head: Pending, how: tuple[str, ...] | None) -> tuple[LastingNominations, State]:
    """The head of ``a``, which has no quota, next to ``b``, which has all and gives nothing back, is tried in vain."""
    a: ClusterQueue = queue("a", "co", NOTHING, preemption=Preemption("LowerPriority", "Any"))
    made = state(cohort("co"), a, queue("b", "co", ALL), *held, head, strategies=how)
    lasting = LastingNominations()
    lasting.keep(nominate(made, head), made)
    assert lasting.again(head, made) is not None
    return lasting, made


@HOW
def test_a_head_is_tried_again_once_as_much_is_free_at_the_root_as_it_needs(how: tuple[str, ...] | None) -> None:
    """It asks for 8 of 10: with 2 used it fits, with 3 it does not."""
    one, two, head = holder("one", "b", 1), holder("two", "b", 2), pending("new", "a", 8)
    lasting, before = tried(one, two, holder("three", "b", 2), head=head, how=how)

    nearly = before.after((two,), ())
    lasting.note_change(nearly, (two,))
    assert lasting.again(head, nearly) is not None
    assert nominate(nearly, head).mode is not Mode.FIT

    enough = nearly.after((one,), ())
    lasting.note_change(enough, (one,))
    assert lasting.again(head, enough) is None
    assert nominate(enough, head).mode is Mode.FIT


@HOW
def test_a_head_is_tried_again_once_it_lacks_another_resource_too(how: tuple[str, ...] | None) -> None:
    """It needs 4 cpu: with 6 used they are there, with 7 its message says that they are not."""
    head = pending("new", "a", {"gpu": 8, "cpu": 4})
    lasting, before = tried(holder("other", "b", {GPU: 5, CPU: 5}), head=head, how=how)
    for number, known in ((1, True), (2, False)):
        before = before.after((), (comes := holder(f"comes-{number}", "b", {CPU: 1}),))
        lasting.note_change(before, (comes,))
        assert (lasting.again(head, before) is not None) is known


@HOW
def test_a_head_is_tried_again_once_something_has_ended_on_its_own_side(how: tuple[str, ...] | None) -> None:
    own, head = holder("own", "a", 1), pending("new", "a", 8)
    lasting, before = tried(own, holder("other", "b", 8), head=head, how=how)
    after = before.after((own,), ())
    assert lasting.again(head, after) is not None
    lasting.note_change(after, (own,))
    assert lasting.again(head, after) is None


@HOW
def test_a_head_gets_what_it_got_before_once_the_same_is_free_again(how: tuple[str, ...] | None) -> None:
    """It fits while 2 of 10 are free for it, does not while another has taken them, and fits again."""
    two, head = holder("two", "b", 2), pending("new", "a", 2)
    lasting, full = tried(holder("eight", "b", 8), two, head=head, how=how)
    free = full.after((two,), ())
    lasting.note_change(free, (two,))
    assert lasting.again(head, free) is None
    fits = nominate(free, head)
    assert fits.mode is Mode.FIT
    lasting.keep(fits, free)

    full = free.after((), (comes := holder("comes", "b", 2),))
    lasting.note_change(full, (comes,))
    in_vain = lasting.again(head, full)
    assert in_vain is not None
    assert in_vain.mode is not Mode.FIT
    free = full.after((comes,), ())
    lasting.note_change(free, (comes,))
    assert lasting.again(head, free) is fits


def test_classical_candidates_of_other_sides_keep_a_head_from_being_known_to_fail() -> None:
    """``b`` holds more than its quota now: ``a`` takes its own back as soon as the priorities of ``b`` let it."""
    quotas = {GPU: Quota(10), CPU: Quota(0)}
    a: ClusterQueue = queue("a", "co", quotas, preemption=Preemption("Never", "LowerPriority"))
    head, high = pending("new", "a", 5, priority=50), holder("high", "b", 10, priority=100)
    made = state(cohort("co"), a, queue("b", "co", {GPU: Quota(0), CPU: Quota(0)}), high, head)
    lasting = LastingNominations()
    lasting.keep(nominate(made, head), made)
    low = holder("low", "b", 10)
    after = made.after((high,), (low,))
    lasting.note_change(after, (high, low))
    assert lasting.again(head, after) is None
    assert nominate(made, head).leaving == ()
    assert nominate(after, head).leaving != ()
