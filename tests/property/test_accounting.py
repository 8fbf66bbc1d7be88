"""The accounting laws: usage, available, potential and shares are what counting from scratch says, always."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.schedulers.kueue.laws import Share
from kubectl_fairshare.schedulers.kueue.model.objects import Quota
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Usage
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger, open_ledger
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.property.asking import state_of_case
from tests.property.changing import quantity_text, with_field
from tests.property.effort import examples
from tests.property.generate import NOW, cases, histories
from tests.property.obvious import tree
from tests.property.obvious.world import Workload, World, read_world

Manifest = dict[str, Any]
History = list[tuple[str, int, str, dict[tuple[str, str], int]]]
Answers = list[tuple[int, FlavorResource, int, int, int]]


def ledgers(state: State, history: History) -> Iterator[Ledger]:
    """The ledger after each step of a history; queues in a cycle have no node and keep no account."""
    ledger = state.ledger
    for step, _, name, amounts in history:
        queue = state.forest.queue_ids.get(name)
        if queue is not None:
            ledger = ledger.plus(queue, pairs(amounts)) if step == "add" else ledger.minus(queue, pairs(amounts))
            yield ledger


def pairs(amounts: dict[tuple[str, str], int]) -> Usage:
    """Amounts by flavor-resource as the engine names them."""
    return {FlavorResource(*pair): amount for pair, amount in amounts.items()}


def answers(ledger: Ledger) -> Answers:
    """Every figure that a ledger and its forest give."""
    nodes = ledger.forest.nodes
    known = sorted({pair for n in nodes for pair in (*n.subtree, *ledger.usages(n.id))})
    return [
        (n.id, pair, ledger.usage(n.id, pair), ledger.available(n.id, pair), ledger.forest.potential(n.id, pair))
        for n in nodes
        for pair in known
    ]


def shares(ledger: Ledger) -> list[Share]:
    """The share of every node."""
    return [ledger.share(n.id) for n in ledger.forest.nodes]


def held_at_the_end(world: World, history: History) -> World:
    """The world in which whatever was added and not removed is held by running workloads."""
    now = datetime.fromisoformat(NOW)
    for step, number, queue, amounts in history:
        key = f"held{number}"
        if step == "add":
            world.running[key] = Workload(key, "team-a", key, 0, now, queue, [], True, False, now, amounts)
        else:
            del world.running[key]
    return world


@examples(150)
@given(cases(), st.data())
def test_figures_are_those_of_the_formulas_after_any_history(case: Manifest, data: st.DataObject) -> None:
    state, history = state_of_case(case), data.draw(histories(case))
    ledger = [state.ledger, *ledgers(state, history)][-1]
    world = held_at_the_end(read_world(case), history)
    obvious = tree.initial_state(world)

    for node in state.forest.nodes:
        at = ("ClusterQueue" if node.is_queue else "Cohort", node.name)
        for pair in node.subtree:
            assert ledger.usage(node.id, pair) == tree.usage(obvious, at, pair)
            assert ledger.available(node.id, pair) == tree.available(obvious, at, pair)
            assert state.forest.potential(node.id, pair) == tree.potential(world, at, pair)
        share = tree.share(obvious, at)
        assert ledger.share(node.id).order == share.rank()
        assert (ledger.share(node.id).dominant, ledger.share(node.id).borrowing) == (share.resource, share.borrowing)


@examples(100)
@given(cases(), st.data())
def test_a_ledger_made_step_by_step_is_the_one_opened_with_the_sums(case: Manifest, data: st.DataObject) -> None:
    state = state_of_case(case)
    for ledger in ledgers(state, data.draw(histories(case))):
        queues = {n.id: dict(ledger.usages(n.id)) for n in state.forest.nodes if n.is_queue}
        fresh = open_ledger(state.forest, queues)

        assert answers(ledger) == answers(fresh)
        assert shares(ledger) == shares(fresh)


@examples(100)
@given(cases(), st.data())
def test_a_ledger_never_changes(case: Manifest, data: st.DataObject) -> None:
    state = state_of_case(case)
    seen = [(state.ledger, answers(state.ledger))]
    seen.extend((ledger, answers(ledger)) for ledger in ledgers(state, data.draw(histories(case))))

    for ledger, before in seen:
        shares(ledger)
        assert answers(ledger) == before


@examples(100)
@given(cases(), st.data(), st.sampled_from([10**4, 10**12, 10**17]))
def test_added_then_removed_is_as_before(case: Manifest, data: st.DataObject, scale: int) -> None:
    state = state_of_case(case)
    for queue, node in sorted(state.forest.queue_ids.items()):
        known = sorted(state.forest.nodes[node].subtree)
        amounts = data.draw(st.dictionaries(st.sampled_from(known), st.integers(0, scale)), label=queue)
        again = state.ledger.plus(node, amounts).minus(node, amounts)

        assert all(used < UNLIMITED for _, _, used, _, _ in answers(again))
        assert answers(again) == answers(state.ledger)
        assert shares(again) == shares(state.ledger)


@examples(100)
@given(cases(), st.data())
def test_a_quota_or_weight_changed_in_thought_is_as_if_read_so(case: Manifest, data: st.DataObject) -> None:
    state = state_of_case(case)
    node = data.draw(st.sampled_from(state.forest.nodes or [None]))
    if node is None or node.spec is None:
        return
    for pair, quota in sorted(node.quotas.items()):
        more = Quota(quota.nominal + 700, _raised(quota.borrowing_limit, 300), _raised(quota.lending_limit, 500))
        for field, amount in (
            ("nominalQuota", more.nominal),
            ("borrowingLimit", more.borrowing_limit),
            ("lendingLimit", more.lending_limit),
        ):
            text = None if amount is None else quantity_text(pair.resource, amount)
            case = with_field(case, node.spec.key, (*node.spec.paths[pair], field), text)
        state = state.with_quota(node.id, pair, more)
    case = with_field(case, node.spec.key, ("spec", "fairSharing", "weight"), "2500m")
    thought, read = state.with_weight(node.id, 2.5).ledger, state_of_case(case).ledger

    assert answers(thought) == answers(read)
    assert shares(thought) == shares(read)


def _raised(limit: int | None, more: int) -> int | None:
    return None if limit is None else limit + more
