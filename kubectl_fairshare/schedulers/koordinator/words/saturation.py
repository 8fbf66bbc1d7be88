"""What each quota may use when all request without end."""

from kubectl_fairshare.answers.blocks import Layout, Remark, Table
from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.answers.number_text import NOTHING, amount, scarce, split_text
from kubectl_fairshare.answers.shares_view import SharesView
from kubectl_fairshare.answers.tables import Column, Row, Tone
from kubectl_fairshare.model.demand import OPTION, UNLIMITED, Demand
from kubectl_fairshare.schedulers.koordinator.documents.shares import SATURATION, saturation_document
from kubectl_fairshare.schedulers.koordinator.explain.saturation import SaturatedQuota, SaturatedQuotas
from kubectl_fairshare.schedulers.koordinator.words.amounts import listing

_NOTE = "The runtime of each quota {}. Children divide what their parent has."


def _verdict(of: SaturatedQuotas) -> str:
    """How much of the scarce resource each quota may use."""
    resource = scarce(of.resources)
    parts = (
        (q.name, q.runtime[resource], amount(resource, q.runtime[resource])) for q in of.quotas if _is_leaf(q, resource)
    )
    return split_text(_condition(of.demand), parts, resource)


def _is_leaf(quota: SaturatedQuota, resource: str) -> bool:
    return quota.leaf and resource in quota.runtime


def _condition(demand: Demand) -> str:
    named = ", ".join(text for text in demand.texts if text != UNLIMITED)
    if not demand.unlimited:
        return f"with {named}, the others as now"
    return f"when all are busy, with {named}" if named else "when all are busy"


def _assumed(demand: Demand) -> str:
    if not demand.queues:
        return "if every quota requests its max"
    others = "all others request their max" if demand.unlimited else "all others request what they do now"
    return f"with the requests of `{OPTION}`; {others}"


def saturation_view(of: SaturatedQuotas) -> SharesView:
    """The answer to ``shares --saturated``: a table with every quota."""
    pods = (f"pods of {listing(of.size)}",) if of.size else ()
    columns = (
        Column("QUOTA", right=False),
        *(Column(resource) for resource in of.resources),
        *((Column("PODS"),) if of.size else ()),
    )
    quotas = Table(columns, [Row(_cells(of, quota)) for quota in of.quotas])
    note = Remark(_NOTE.format(_assumed(of.demand)), "dim", first="", more="")
    layout = Layout(pods, ([quotas], [note]))
    tone: Tone = "good" if of.fidelity.settled else "wait"
    document = WrittenAnswer(SATURATION, saturation_document(of))
    return SharesView("--demand", _verdict(of), tone, of.fidelity, layout, document, verdict=True)


def _cells(of: SaturatedQuotas, quota: SaturatedQuota) -> tuple[str, ...]:
    texts = [amount(r, quota.runtime[r]) if r in quota.runtime else NOTHING for r in of.resources]
    if of.size:
        texts.append(NOTHING if quota.pods is None or not quota.leaf else str(quota.pods))
    return f"{'  ' * quota.depth}{quota.name}", *texts
