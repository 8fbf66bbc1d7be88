"""What is free and used of each domain of each topology.

Tested in ``tests/unit/schedulers/kueue/explain/test_grounds.py``.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

from kubectl_fairshare.answers.blocks import Block, Layout, Remark, Table, Wide
from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.answers.number_text import amount, count
from kubectl_fairshare.answers.shares_view import SharesView
from kubectl_fairshare.answers.tables import Column, Row, Tone
from kubectl_fairshare.schedulers.kueue.documents.occupation import TOPOLOGIES, occupation_document
from kubectl_fairshare.schedulers.kueue.explain.occupation import DomainUse, Occupation, TopologyUse

_NO_DOMAIN = "no domain: no Node of the input has the labels of the flavor and its topology"


def occupation_view(found: Occupation) -> SharesView:
    """A table for each flavor with a topology; the document has hosts, too."""
    title = count(len(found.topologies), "flavor") + " with a topology"
    layout = Layout((title,), [[*_topology(each)] for each in found.topologies])
    tone: Tone = "good" if found.fidelity.settled else "wait"
    return SharesView(
        "--topology", title, tone, found.fidelity, layout, WrittenAnswer(TOPOLOGIES, occupation_document(found))
    )


def _topology(of: TopologyUse) -> Iterator[Block]:
    """The domains of one topology; without ``-o wide`` those above the lowest level, if there are any."""
    yield Remark(f"topology {of.topology}, flavor {of.flavor}", first="", more="  ")
    if not of.domains:
        yield Remark(_NO_DOMAIN, "dim")
        return
    deepest = len(of.levels) - 1
    shown = [domain for domain in of.domains if domain.depth < deepest or deepest == 0]
    hosts = len(of.domains) - len(shown)
    note = Remark(f"and {count(hosts, 'domain')} of level {of.levels[-1]} (-o wide)", "dim")
    yield Wide(lambda: [_table(of, of.domains)], [_table(of, shown), *([note] if hosts else ())])


def _table(of: TopologyUse, domains: Sequence[DomainUse]) -> Table:
    measures = [(f"USED {r}", f"FREE {r}") for r in of.resources]
    columns = (
        Column("DOMAIN", right=False),
        Column("LEVEL", right=False, rank=2),
        Column("NODES", rank=1),
        *map(Column, chain.from_iterable(measures)),
    )
    return Table(columns, [_row(of, domain) for domain in domains], "  ")


def _row(of: TopologyUse, domain: DomainUse) -> Row:
    amounts = [amount(r, value) for r in of.resources for value in (domain.used[r], domain.free[r])]
    return Row(("  " * domain.depth + domain.name, domain.level, str(domain.nodes), *amounts))
