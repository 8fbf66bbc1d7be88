"""A limit that binds, in words."""

from kubectl_fairshare.answers.number_text import amount
from kubectl_fairshare.schedulers.kueue.explain.decision import Binding, Limit
from kubectl_fairshare.schedulers.kueue.words.figures import pair_text


def limit_clause(of: Binding) -> str:
    """The limit that binds, its amount, and the node that has it."""
    value = amount(of.pair.resource, of.value)
    if of.kind is Limit.DOMAIN:
        return f"{of.node} of topology {of.node_kind} has room for {value} {pair_text(of.pair)}"
    whole = of.kind is Limit.NOMINAL and of.node_kind == "Cohort"
    if whole:
        return f"quota {value} {pair_text(of.pair)} of {of.node_kind} {of.node} and all below it"
    return f"{of.kind} {value} {pair_text(of.pair)} of {of.node_kind} {of.node}"
