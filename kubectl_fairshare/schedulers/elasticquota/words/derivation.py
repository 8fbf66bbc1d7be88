"""The derivation of one quota's figures."""

from collections.abc import Iterator

from kubectl_fairshare.answers.blocks import Block, Layout, Remark, unfolded
from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.answers.number_text import amount
from kubectl_fairshare.answers.shares_view import SharesView
from kubectl_fairshare.schedulers.elasticquota.documents.shares import DERIVATION
from kubectl_fairshare.schedulers.elasticquota.explain.derivation import QuotaDerivation, ResourceTerms, Terms
from kubectl_fairshare.schedulers.elasticquota.words.shares_layout import BOUNDED


def derivation_view(of: QuotaDerivation) -> SharesView:
    """The answer to ``shares --explain``: a group for each resource."""
    name = f"ElasticQuota {of.namespace}/{of.name}"
    layout = Layout((), [[*_resource(terms)] for terms in of.resources], [unfolded(name, indent="")])
    document = WrittenAnswer(DERIVATION, of)
    return SharesView("--explain", f"{name}, term by term", "strong", of.fidelity, layout, document)


def _resource(terms: ResourceTerms) -> Iterator[Block]:
    figures = terms.figures

    def text(value: int) -> str:
        return amount(terms.resource, value)

    bound = text(figures.max) if figures.max is not None else "none"
    how = BOUNDED.get(figures.bounded)
    used, left = text(figures.used), text(figures.pool_headroom)
    pool, total = (sum(term.amount for term in part) for part in (terms.minima, terms.uses))
    reach = f"used {used} + left for all {left}"
    yield unfolded(terms.resource, indent="")
    yield Remark(f"min {text(figures.min)}", place=figures.min_place)
    words = "" if how is None else f": {how.format(resource=terms.resource)}"
    yield Remark(f"max {bound}{words}", place=figures.max_place)
    yield _sum(f"used {used}", terms.resource, terms.pods)
    if figures.borrowed:
        yield Remark(f"borrowed {text(figures.borrowed)} = used {used} - min {text(figures.min)}")
    if figures.lendable:
        yield Remark(f"lendable {text(figures.lendable)} = min {text(figures.min)} - used {used}")
    yield _sum(f"sum of all min {text(pool)}", terms.resource, terms.minima)
    yield _sum(f"used by all {text(total)}", terms.resource, terms.uses)
    yield Remark(f"left for all {left} = sum of all min {text(pool)} - used by all {text(total)}")
    whole = reach if figures.max is None else f"the smaller of max {bound} and {reach}"
    yield Remark(f"reachable {text(max(0, figures.reachable))} = {whole}")


def _sum(title: str, resource: str, terms: Terms) -> Remark:
    names = [f"{amount(resource, term.amount)} {term.name}" for term in terms]
    return Remark(f"{title} = " if names else title, names=names, between=" + ")
