"""Which limit keeps a request in ``a`` out: root ⊃ mid ⊃ a, and c beside mid."""

import gc
from weakref import ref

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.engine import KueueEngine
from kubectl_fairshare.schedulers.kueue.explain.decision import Binding, Limit
from kubectl_fairshare.schedulers.kueue.model.objects import Quota
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.unit.schedulers.kueue.build import CPU, cohort, holder, pending, queue, state

OTHER = FlavorResource("other", "cpu")


def tree(request: int, a: Quota, mid: Quota | None = None, c: Quota = Quota(3), held: int = 0) -> State:  # noqa: B008
    return state(
        *(cohort("root"), cohort("mid", "root", mid), queue("a", "mid", a), queue("c", "root", c)),
        *(holder("other", "c", held), pending("new", "a", request)),
    )


def binding(found: State) -> Binding:
    plan = KueueEngine().plan(found.snapshot, found.kueue.pending[0])
    (only,) = plan.bindings
    return only


@pytest.mark.parametrize(
    ("found", "node", "kind", "value", "short", "ever"),
    [
        # the whole quota of the tree
        (tree(5, Quota(4), c=Quota(3), held=3), "root", Limit.NOMINAL, 7, 1, False),
        (tree(9, Quota(4), c=Quota(3)), "root", Limit.NOMINAL, 7, 2, True),
        # a borrowingLimit on the way
        (tree(6, Quota(4, borrowing_limit=1)), "a", Limit.BORROWING_LIMIT, 1, 1, True),
        (tree(6, Quota(4), Quota(0, borrowing_limit=1)), "mid", Limit.BORROWING_LIMIT, 1, 1, True),
        # of two, the last that cuts on the way down
        (tree(6, Quota(4, borrowing_limit=1), Quota(0, borrowing_limit=2)), "a", Limit.BORROWING_LIMIT, 1, 1, True),
        (tree(6, Quota(4, borrowing_limit=2), Quota(0, borrowing_limit=1)), "mid", Limit.BORROWING_LIMIT, 1, 1, True),
        # a limit that would allow more than is there does not bind
        (tree(6, Quota(4, borrowing_limit=9), held=2), "root", Limit.NOMINAL, 7, 1, False),
        # somebody keeps to itself what is missing
        (tree(6, Quota(4), c=Quota(3, lending_limit=1)), "c", Limit.LENDING_LIMIT, 1, 1, True),
    ],
)
def test_what_binds(found: State, node: str, kind: Limit, value: int, short: int, *, ever: bool) -> None:
    it = binding(found)

    assert (it.node, it.kind, it.value, it.short, it.ever) == (node, kind, value, short, ever)


@pytest.mark.parametrize(
    ("found", "place"),
    [
        (tree(6, Quota(4, borrowing_limit=1)), "ClusterQueue a spec.resourceGroups[0][0].borrowingLimit"),
        (tree(6, Quota(4), Quota(0, borrowing_limit=1)), "Cohort mid spec.resourceGroups[0][0].borrowingLimit"),
        (tree(6, Quota(4), c=Quota(3, lending_limit=1)), "ClusterQueue c spec.resourceGroups[0][0].lendingLimit"),
        # a root without quota of its own has no field to point at; the asker's has
        (tree(9, Quota(4)), "ClusterQueue a spec.resourceGroups[0][0].nominalQuota"),
    ],
)
def test_where_it_stands(found: State, place: str) -> None:
    it = binding(found)

    assert isinstance(it.place, Place)
    assert str(it.place) == place


@pytest.mark.parametrize(
    ("mid", "root", "node", "amount"),
    [
        (None, None, "ClusterQueue a", 4),
        (None, Quota(2), "Cohort root", 2),
        (Quota(0, borrowing_limit=1), None, "Cohort mid", 1),
    ],
)
def test_the_amount_at_the_place(mid: Quota | None, root: Quota | None, node: str, amount: int) -> None:
    found = state(
        *(cohort("root", None, root), cohort("mid", "root", mid), queue("a", "mid", Quota(4)), queue("c", "root", 3)),
        pending("new", "a", 10),
    )

    it = binding(found)

    assert it.place is not None
    assert (str(it.place.object), it.amount_there) == (node, amount)


def test_nothing_binds_a_workload_that_gets_in() -> None:
    found = state(queue("a", None, {CPU: Quota(1), OTHER: Quota(9)}), pending("new", "a", {"cpu": 4}))

    plan = KueueEngine().plan(found.snapshot, found.kueue.pending[0])

    assert plan.computed is Outcome.ADMITTED
    assert plan.bindings == ()


def test_what_the_engine_knows_goes_with_the_snapshot() -> None:
    engine, snapshot = KueueEngine(), tree(5, Quota(4)).snapshot.with_part(())
    made = engine.state(snapshot)
    assert engine.state(snapshot) is made
    kept = ref(made.snapshot)
    del made, snapshot
    gc.collect()
    assert kept() is None
