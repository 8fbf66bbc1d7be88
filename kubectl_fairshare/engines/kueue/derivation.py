"""Every figure of a node as a step that rests on the terms it was made of, down to fields.

Source: KEP-79 (quota), KEP-1714 (shares); the sections of ``docs/laws.md`` named by each law.
"""

from collections.abc import Iterable

from kubectl_fairshare.engines.kueue.forest import Forest, Node
from kubectl_fairshare.engines.kueue.laws import Law
from kubectl_fairshare.engines.kueue.ledger import borrowed_by_resource
from kubectl_fairshare.engines.kueue.report import Derivation
from kubectl_fairshare.engines.kueue.state import State
from kubectl_fairshare.model.amounts import subtract
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.workload import FlavorResource
from kubectl_fairshare.trace import Fact, Operand, Step

_FIELDS = (("nominalQuota", "nominal"), ("borrowingLimit", "borrowing_limit"), ("lendingLimit", "lending_limit"))


def derive(state: State, node: int) -> Derivation:
    """All figures of one node: for each flavor-resource what it may use, uses and could take; its share."""
    this = state.forest.nodes[node]
    steps: list[Step] = []
    for pair in sorted({*this.subtree, *state.ledger.usages(node)}):
        steps += [
            subtree_step(state.forest, node, pair),
            local_step(state.forest, node, pair),
            usage_step(state, node, pair),
            available_step(state, node, pair),
            potential_step(state.forest, node, pair),
        ]
    if this.parent is not None:
        steps.append(share_step(state, node))
    return Derivation(this.name, "ClusterQueue" if this.is_queue else "Cohort", tuple(steps))


def quota_place(node: Node, pair: FlavorResource, field: str) -> Place | None:
    """Where a node's quota for a flavor-resource stands, None when it gives none."""
    if node.spec is None or pair not in node.spec.paths:
        return None
    return Place(node.spec.key, (*node.spec.paths[pair], field))


def quota_facts(node: Node, pair: FlavorResource, *fields: str) -> tuple[Fact, ...]:
    """The quota and limits that a node gives for a flavor-resource, as read."""
    quota = node.quotas.get(pair)
    if quota is None:
        return ()
    found = []
    for field, name in _FIELDS:
        value, place = getattr(quota, name), quota_place(node, pair, field)
        if field in fields and value is not None and place is not None:
            found.append(Fact(place, value))
    return tuple(found)


def _names(node: Node, pair: FlavorResource) -> tuple[tuple[str, Operand], ...]:
    return (("node", node.name), ("flavor", pair.flavor), ("resource", pair.resource))


def subtree_step(forest: Forest, node: int, pair: FlavorResource) -> Step:
    """subtree(n) = nominal + Σ over children (subtree − local)."""
    this = forest.nodes[node]
    children = [c for c in (*this.cohorts, *this.queues) if pair in forest.nodes[c].subtree]
    operands: list[tuple[str, Operand]] = [*_names(this, pair), ("nominal", forest.quota(node, pair).nominal)]
    for child in children:
        lends = subtract(forest.subtree(child, pair), forest.local(child, pair))
        operands.append((f"lent by {forest.nodes[child].name}", lends))
    operands.append(("subtree", forest.subtree(node, pair)))
    below = tuple(_lends_step(forest, c, pair) for c in children)
    return Step(Law.SUBTREE, tuple(operands), holds=True, rests_on=(*quota_facts(this, pair, "nominalQuota"), *below))


def _lends_step(forest: Forest, node: int, pair: FlavorResource) -> Step:
    return local_step(forest, node, pair)


def local_step(forest: Forest, node: int, pair: FlavorResource) -> Step:
    """local(n) = max(0, subtree − lendingLimit), 0 without lendingLimit."""
    this = forest.nodes[node]
    operands: tuple[tuple[str, Operand], ...] = (
        *_names(this, pair),
        ("subtree", forest.subtree(node, pair)),
        ("lendingLimit", forest.quota(node, pair).lending_limit),
        ("local", forest.local(node, pair)),
    )
    return Step(Law.LOCAL, operands, holds=True, rests_on=quota_facts(this, pair, "nominalQuota", "lendingLimit"))


def usage_step(state: State, node: int, pair: FlavorResource) -> Step:
    """usage(queue) = Σ of its workloads; usage(cohort) = Σ over children max(0, usage − local)."""
    this = state.forest.nodes[node]
    operands = list(_names(this, pair))
    if this.is_queue:
        users = [h for h in state.holders.of(node) if h.usage.get(pair)]
        operands.append(("workloads", len(users)))
        facts = tuple(Fact(Place(h.key, ("status", "admission")), h.usage[pair]) for h in users)
    else:
        facts = ()
        for child in (*this.cohorts, *this.queues):
            passed = max(0, subtract(state.ledger.usage(child, pair), state.forest.local(child, pair)))
            if passed:
                operands.append((f"taken by {state.forest.nodes[child].name}", passed))
    operands.append(("usage", state.ledger.usage(node, pair)))
    return Step(Law.USAGE, tuple(operands), holds=True, rests_on=facts)


def available_step(state: State, node: int, pair: FlavorResource) -> Step:
    """available(n): free local part plus what the parent can give, within the borrowingLimit."""
    this, forest, ledger = state.forest.nodes[node], state.forest, state.ledger
    figures: list[tuple[str, Operand]] = [
        ("subtree", forest.subtree(node, pair)),
        ("local", forest.local(node, pair)),
        ("usage", ledger.usage(node, pair)),
    ]
    above: tuple[Step, ...] = ()
    if this.parent is not None:
        above = (available_step(state, this.parent, pair),)
        figures += [
            ("available above", ledger.available(this.parent, pair)),
            ("borrowingLimit", forest.quota(node, pair).borrowing_limit),
        ]
    operands = (*_names(this, pair), *figures, ("available", ledger.available(node, pair)))
    facts = quota_facts(this, pair, "nominalQuota", "borrowingLimit", "lendingLimit")
    return Step(Law.AVAILABLE, operands, holds=True, rests_on=(*facts, *above))


def potential_step(forest: Forest, node: int, pair: FlavorResource) -> Step:
    """potential(n): local plus potential(parent), capped at subtree + borrowingLimit."""
    this = forest.nodes[node]
    figures: list[tuple[str, Operand]] = [
        ("subtree", forest.subtree(node, pair)),
        ("local", forest.local(node, pair)),
    ]
    above: tuple[Step, ...] = ()
    if this.parent is not None:
        above = (potential_step(forest, this.parent, pair),)
        figures += [
            ("potential above", forest.potential(this.parent, pair)),
            ("borrowingLimit", forest.quota(node, pair).borrowing_limit),
        ]
    operands = (*_names(this, pair), *figures, ("potential", forest.potential(node, pair)))
    facts = quota_facts(this, pair, "nominalQuota", "borrowingLimit", "lendingLimit")
    return Step(Law.POTENTIAL, operands, holds=True, rests_on=(*facts, *above))


def share_step(state: State, node: int) -> Step:
    """The share: the largest borrowed · 1000 / lendable over resources, divided by the weight."""
    this, ledger = state.forest.nodes[node], state.ledger
    share = ledger.share(node)
    borrowed = borrowed_by_resource(this.subtree, ledger.usages(node))
    operands: tuple[tuple[str, Operand], ...] = (
        ("node", this.name),
        ("dominant", share.dominant),
        ("weight", this.weight),
        ("share", float("inf") if share.rank else share.value),
        ("borrowing", share.borrowing),
    )
    facts: tuple[Fact, ...] = ()
    if this.spec is not None:
        facts = (Fact(Place(this.spec.key, ("spec", "fairSharing", "weight")), this.weight),)
    return Step(Law.SHARE, operands, holds=True, rests_on=(*facts, *_ratio_steps(state, this, borrowed)))


def _ratio_steps(state: State, node: Node, borrowed: dict[str, int]) -> Iterable[Step]:
    if node.parent is None:
        return
    parent = state.forest.nodes[node.parent]
    for resource in sorted(borrowed):
        lendable = state.forest.lendable(node.parent, resource)
        terms: list[tuple[str, Operand]] = [("node", node.name), ("resource", resource)]
        for pair in sorted(node.subtree):
            over = subtract(state.ledger.usage(node.id, pair), node.subtree[pair])
            if pair.resource == resource and over > 0:
                terms.append((f"borrowed in {pair.flavor}", over))
        ratio = float(borrowed[resource]) * 1000.0 / float(lendable) if lendable > 0 else None
        lends = Step(
            Law.LENDABLE, (("node", parent.name), ("resource", resource), ("lendable", lendable)), holds=lendable > 0
        )
        operands = (*terms, ("borrowed", borrowed[resource]), ("lendable", lendable), ("ratio", ratio))
        yield Step(Law.BORROWED, operands, holds=lendable > 0, rests_on=(lends,))
