"""How long a head that got nothing is known to get nothing, to the last unit."""

from kubectl_fairshare.schedulers.kueue.cycle.motion.vain_heads import VainHeads
from kubectl_fairshare.schedulers.kueue.cycle.nominate import nominate
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Mode
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue, Preemption, Quota
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.unit.schedulers.kueue.build import CPU, FAIR, GPU, cohort, holder, pending, queue, state

NOTHING = {GPU: Quota(0), CPU: Quota(0)}
ALL = {GPU: Quota(10), CPU: Quota(10)}


def tried(*held: Holder, head: Pending) -> tuple[VainHeads, State]:
    """The head of ``a``, which has no quota, next to ``b``, which has all and gives nothing back, is tried in vain."""
    a: ClusterQueue = queue("a", "co", NOTHING, preemption=Preemption("LowerPriority", "Any"))
    made = state(cohort("co"), a, queue("b", "co", ALL), *held, head, strategies=FAIR)
    vain = VainHeads()
    vain.keep(nominate(made, head), made)
    assert vain.again(head, made) is not None
    return vain, made


def test_a_head_is_tried_again_once_as_much_is_free_at_the_root_as_it_needs() -> None:
    """It asks for 8 of 10: with 2 used it fits, with 3 it does not."""
    one, two, head = holder("one", "b", 1), holder("two", "b", 2), pending("new", "a", 8)
    vain, before = tried(one, two, holder("three", "b", 2), head=head)

    nearly = before.after((two,), ())
    vain.note_change(nearly, (two,))
    assert vain.again(head, nearly) is not None
    assert nominate(nearly, head).mode is not Mode.FIT

    enough = nearly.after((one,), ())
    vain.note_change(enough, (one,))
    assert vain.again(head, enough) is None
    assert nominate(enough, head).mode is Mode.FIT


def test_a_head_is_tried_again_once_it_lacks_another_resource_too() -> None:
    """It needs 4 cpu: with 6 used they are there, with 7 its message says that they are not."""
    head = pending("new", "a", {"gpu": 8, "cpu": 4})
    vain, before = tried(holder("other", "b", {GPU: 5, CPU: 5}), head=head)
    for number, known in ((1, True), (2, False)):
        before = before.after((), (comes := holder(f"comes-{number}", "b", {CPU: 1}),))
        vain.note_change(before, (comes,))
        assert (vain.again(head, before) is not None) is known


def test_a_head_is_tried_again_once_something_has_ended_on_its_own_side() -> None:
    own, head = holder("own", "a", 1), pending("new", "a", 8)
    vain, before = tried(own, holder("other", "b", 8), head=head)
    after = before.after((own,), ())
    assert vain.again(head, after) is not None
    vain.note_change(after, (own,))
    assert vain.again(head, after) is None
