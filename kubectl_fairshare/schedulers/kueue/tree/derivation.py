"""Every figure of a node as a step that rests on its terms, down to fields.

Source: KEP-79 (quota), KEP-1714 (shares); the sections of ``docs/laws.md`` named by each law.
Decides nothing: each step is a figure of ``accounting`` or of a share with the figures that it is made of, for ``shares
--explain``.
Tested in ``tests/unit/schedulers/kueue/tree/test_loans.py``.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from kubectl_fairshare.model.amounts import subtract
from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kueue.accounting import over_quota, taken
from kubectl_fairshare.schedulers.kueue.laws import Law, share_ratio
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.tree.forest import Forest, TreeNode
from kubectl_fairshare.schedulers.kueue.tree.ledger import borrowed_by_resource
from kubectl_fairshare.schedulers.kueue.tree.loans import lendings, loans, total_lent
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.trace import Fact, Operand, Step

_FIELDS = (("nominalQuota", "nominal"), ("borrowingLimit", "borrowing_limit"), ("lendingLimit", "lending_limit"))


class Derivation(Value, frozen=True):
    """Each figure of one node, derived term by term; steps rest on the facts that were read."""

    name: str
    kind: str
    steps: tuple[Step, ...]


def derive(state: State, node: int) -> Derivation:
    """All figures of one node: its share, and for each flavor-resource its quota, usage, and what it could take."""
    this = state.forest.nodes[node]
    steps: list[Step] = []
    lending = lendings(state, loans(state))
    for pair in sorted({*this.subtree, *state.ledger.usages(node)}):
        steps += [
            subtree_step(state.forest, node, pair),
            local_step(state.forest, node, pair),
            usage_step(state, node, pair),
            over_quota_step(state, node, pair),
            lent_step(state, node, pair, lending.get((node, pair), {})),
            available_step(state, node, pair),
            potential_step(state.forest, node, pair),
        ]
    if this.parent is not None:
        steps.append(share_step(state, node))
    return Derivation(this.name, "ClusterQueue" if this.is_queue else "Cohort", tuple(steps))


def quota_place(node: TreeNode, pair: FlavorResource, field: str) -> Place | None:
    """The field of a node's quota for a flavor-resource, None if the node has no such quota."""
    if node.spec is None or pair not in node.spec.paths:
        return None
    return Place(node.spec.key, quota_path(node.spec.paths[pair], field))


@lru_cache(maxsize=4096)
def quota_path(entry: FieldPath, field: str) -> FieldPath:
    """The path of a field of a quota: queues by the thousand have the same."""
    return (*entry, field)


def quota_facts(node: TreeNode, pair: FlavorResource, *fields: str) -> tuple[Fact, ...]:
    """The quota and limits of a node for a flavor-resource, as read."""
    quota = node.quotas.get(pair)
    if quota is None:
        return ()
    found = []
    for field, name in _FIELDS:
        value, place = getattr(quota, name), quota_place(node, pair, field)
        if field in fields and value is not None and place is not None:
            found.append(Fact(place, value))
    return tuple(found)


def _names(node: TreeNode, pair: FlavorResource) -> tuple[tuple[str, Operand], ...]:
    return (("node", node.name), ("flavor", pair.flavor), ("resource", pair.resource))


def subtree_step(forest: Forest, node: int, pair: FlavorResource) -> Step:
    """subtree(n) = nominal + Σ over children (subtree − local)."""
    this = forest.nodes[node]
    children = [c for c in this.children if pair in forest.nodes[c].subtree]
    operands: list[tuple[str, Operand]] = [*_names(this, pair), ("nominal", forest.quota(node, pair).nominal)]
    for child in children:
        lends = subtract(forest.subtree(child, pair), forest.local(child, pair))
        operands.append((f"lent by {forest.nodes[child].name}", lends))
    operands.append(("subtree", forest.subtree(node, pair)))
    below = tuple(local_step(forest, c, pair, whole=True) for c in children)
    return Step(Law.SUBTREE, tuple(operands), holds=True, rests_on=(*quota_facts(this, pair, "nominalQuota"), *below))


def local_step(forest: Forest, node: int, pair: FlavorResource, *, whole: bool = False) -> Step:
    """local(n) = max(0, subtree − lendingLimit), 0 without lendingLimit; ``whole`` always cites the quota."""
    this = forest.nodes[node]
    operands: tuple[tuple[str, Operand], ...] = (
        *_names(this, pair),
        ("subtree", forest.subtree(node, pair)),
        ("lendingLimit", forest.quota(node, pair).lending_limit),
        ("local", forest.local(node, pair)),
    )
    cites = whole or forest.quota(node, pair).lending_limit is not None
    facts = quota_facts(this, pair, "nominalQuota", "lendingLimit") if cites else ()
    return Step(Law.LOCAL, operands, holds=True, rests_on=facts)


def usage_step(state: State, node: int, pair: FlavorResource) -> Step:
    """usage(queue) = Σ of its workloads; usage(cohort) = Σ over children max(0, usage − local)."""
    this = state.forest.nodes[node]
    operands = list(_names(this, pair))
    if this.is_queue:
        users = [h for h in state.holders.of(node) if h.usage.get(pair)]
        operands.append(("workloads", len(users)))
        rests: tuple[Step | Fact, ...] = tuple(
            Fact(Place(h.key, ("status", "admission")), h.usage[pair]) for h in users
        )
    else:
        takers = [c for c in this.children if _taken(state, c, pair)]
        operands += [(f"taken by {state.forest.nodes[c].name}", _taken(state, c, pair)) for c in takers]
        rests = tuple(_taken_step(state, c, pair) for c in takers if state.forest.local(c, pair))
    operands.append(("usage", state.ledger.usage(node, pair)))
    return Step(Law.USAGE, tuple(operands), holds=True, rests_on=rests)


def _taken(state: State, node: int, pair: FlavorResource) -> int:
    """taken(n), what a node takes from its cohort: max(0, usage − local)."""
    return taken(state.ledger.usage(node, pair), state.forest.local(node, pair))


def _taken_step(state: State, node: int, pair: FlavorResource) -> Step:
    operands: tuple[tuple[str, Operand], ...] = (
        *_names(state.forest.nodes[node], pair),
        ("usage", state.ledger.usage(node, pair)),
        ("local", state.forest.local(node, pair)),
        ("taken", _taken(state, node, pair)),
    )
    return Step(Law.TAKEN, operands, holds=True, rests_on=(local_step(state.forest, node, pair),))


def over_quota_step(state: State, node: int, pair: FlavorResource) -> Step:
    """borrowed(n) = max(0, usage − subtree)."""
    subtree, usage = state.forest.subtree(node, pair), state.ledger.usage(node, pair)
    figures: tuple[tuple[str, Operand], ...] = (("usage", usage), ("subtree", subtree))
    operands = (*_names(state.forest.nodes[node], pair), *figures, ("borrowed", over_quota(usage, subtree)))
    return Step(Law.OVER_QUOTA, operands, holds=usage > subtree)


def lent_step(state: State, node: int, pair: FlavorResource, lending: Mapping[str, int]) -> Step:
    """lent(n): the loans from the quota of this node and the nodes below, by convention."""
    operands = (*_names(state.forest.nodes[node], pair), *sorted(lending.items()), ("lent", total_lent(lending)))
    return Step(Law.LENT, operands, holds=bool(lending))


def available_step(state: State, node: int, pair: FlavorResource) -> Step:
    """available(n): the free local part plus what the parent can lend, within the borrowingLimit."""
    *below, root = state.forest.path(node)
    step = _available_step(state, root, pair, None)
    for n in reversed(below):
        step = _available_step(state, n, pair, step)
    return step


def _available_step(state: State, node: int, pair: FlavorResource, above: Step | None) -> Step:
    this, forest, ledger = state.forest.nodes[node], state.forest, state.ledger
    figures: list[tuple[str, Operand]] = [
        ("subtree", forest.subtree(node, pair)),
        ("local", forest.local(node, pair)),
        ("usage", ledger.usage(node, pair)),
    ]
    if above is not None:
        figures += [
            ("available above", above.operand("available")),
            ("borrowingLimit", forest.quota(node, pair).borrowing_limit),
        ]
    operands = (*_names(this, pair), *figures, ("available", ledger.available(node, pair)))
    return Step(Law.AVAILABLE, operands, holds=True, rests_on=_on_quotas(this, pair, above))


def potential_step(forest: Forest, node: int, pair: FlavorResource) -> Step:
    """potential(n): local plus potential(parent), capped at subtree + borrowingLimit."""
    *below, root = forest.path(node)
    step = _potential_step(forest, root, pair, None)
    for n in reversed(below):
        step = _potential_step(forest, n, pair, step)
    return step


def _potential_step(forest: Forest, node: int, pair: FlavorResource, above: Step | None) -> Step:
    this = forest.nodes[node]
    figures: list[tuple[str, Operand]] = [
        ("subtree", forest.subtree(node, pair)),
        ("local", forest.local(node, pair)),
    ]
    if above is not None:
        figures += [
            ("potential above", above.operand("potential")),
            ("borrowingLimit", forest.quota(node, pair).borrowing_limit),
        ]
    operands = (*_names(this, pair), *figures, ("potential", forest.potential(node, pair)))
    return Step(Law.POTENTIAL, operands, holds=True, rests_on=_on_quotas(this, pair, above))


def _on_quotas(this: TreeNode, pair: FlavorResource, above: Step | None) -> tuple[Step | Fact, ...]:
    facts = quota_facts(this, pair, "nominalQuota", "borrowingLimit", "lendingLimit")
    return facts if above is None else (*facts, above)


def share_step(state: State, node: int) -> Step:
    """The share: the largest borrowed · 1000 / lendable over resources, divided by the weight."""
    this, ledger = state.forest.nodes[node], state.ledger
    share = ledger.share(node)
    borrowed = borrowed_by_resource(this.subtree, ledger.usages(node))
    facts = weight_facts(state, this)
    operands: tuple[tuple[str, Operand], ...] = (
        ("node", this.name),
        ("dominant", share.dominant),
        ("weight", this.weight),
        ("default", not facts),
        ("share", float("inf") if share.rank else share.value),
        ("borrowing", share.borrowing),
    )
    return Step(Law.SHARE, operands, holds=True, rests_on=(*facts, *_ratio_steps(state, this, borrowed)))


def weight_facts(state: State, node: TreeNode) -> tuple[Fact, ...]:
    """The field of the weight; empty for the default."""
    path: FieldPath = ("spec", "fairSharing", "weight")
    if node.spec is None or not _is_given(state, node.spec.key, path):
        return ()
    return (Fact(Place(node.spec.key, path), node.weight),)


def _is_given(state: State, key: ObjectKey, path: FieldPath) -> bool:
    """Whether the object has the field."""
    manifest = state.snapshot.manifests.get(key)
    at: object = None if manifest is None else manifest.data
    for name in path:
        at = at.get(name) if isinstance(at, dict) and isinstance(name, str) else None
    return at is not None


def _ratio_steps(state: State, node: TreeNode, borrowed: dict[str, int]) -> Iterable[Step]:
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
        counted = lendable if state.forest.exact_shares else float(lendable)
        ratio = share_ratio(borrowed[resource], counted) if lendable > 0 else None
        lends = _lendable_step(state.forest, parent, resource, lendable)
        operands = (*terms, ("borrowed", borrowed[resource]), ("lendable", lendable), ("ratio", ratio))
        yield Step(Law.BORROWED, operands, holds=lendable > 0, rests_on=(lends,))


def _lendable_step(forest: Forest, cohort: TreeNode, resource: str, lendable: int) -> Step:
    """lendable(resource): Σ potential(cohort) over the root's pairs with that resource."""
    pairs = sorted(p for p in forest.nodes[forest.root(cohort.id)].subtree if p.resource == resource)
    terms: tuple[tuple[str, Operand], ...] = tuple(
        (f"potential in {p.flavor}", forest.potential(cohort.id, p)) for p in pairs
    )
    operands: tuple[tuple[str, Operand], ...] = (
        ("node", cohort.name),
        ("resource", resource),
        *terms,
        ("lendable", lendable),
    )
    return Step(
        Law.LENDABLE, operands, holds=lendable > 0, rests_on=tuple(potential_step(forest, cohort.id, p) for p in pairs)
    )
