"""The nodes that a pod does not get, each with its reason."""

from collections.abc import Mapping, Sequence
from typing import Final

from kubectl_fairshare.jobs.node_demand import BarredNodes, BarrierKind
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.report.text.figures import amount, count
from kubectl_fairshare.report.text.listing import rest, shown_items
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.view import View

_SHOWN: Final = 3


def node_reason_lines(reasons: Mapping[str, str], view: View, *, placed: bool) -> list[str]:
    """The reasons by node, a paragraph for each; ``placed``: the pod gets another node. No lines without a reason.

    Reasons that differ only in the node's name share one paragraph.
    """
    alike: dict[str, list[str]] = {}
    for name in sorted(reasons):
        alike.setdefault(reasons[name].replace(name, "\0"), []).append(name)
    texts = [_of_all(text.replace("\0", names[0]), len(names) - 1) for text, names in alike.items()]
    if not texts:
        return []
    lines = ["  other nodes" if placed else "  nodes"]
    for text in shown_items(texts, view):
        lines += paragraph(text, view, "    ", "      ")
    return [*lines, *rest(texts, view)]


def barred_clause(barred: BarredNodes) -> str:
    """The barrier that keeps the pod off nodes that could take it, with the first of them."""
    name, detail = barred.nodes[0], barred.first.detail
    clause = {
        BarrierKind.UNSCHEDULABLE: "is cordoned",
        BarrierKind.UNTOLERATED_TAINT: f"has a taint that the pod does not tolerate: {detail}",
        BarrierKind.AFFINITY_MISMATCH: "does not match the pod's node selector or affinity",
    }[barred.first.kind]
    if not barred.large:
        return f"{_of_all(f'{name} {clause}', len(barred.nodes) - 1)}, and no node is large enough"
    able = "has room" if barred.roomy else "is large enough"
    return _of_all(f"{name} {able}, but {clause}", len(barred.nodes) - 1)


def too_large_clause(lacking: Sequence[Mapping[str, tuple[int, int]]]) -> str:
    """That a pod is larger than every node; with the numbers of a resource of which each node has too little.

    ``lacking`` has for each node what the pod requests and what the node has in total, by resource.
    """
    clause = "no single node is large enough for it"
    everywhere = [r for r in (lacking[0] if lacking else ()) if all(r in node for node in lacking)]
    if not everywhere:
        return clause
    resource = everywhere[0]
    asked, most = lacking[0][resource][0], max(node[resource][1] for node in lacking)
    return f"{clause}: it needs {amount(resource, asked)} {resource}, the largest has {amount(resource, most)}"


def elsewhere_lines(nodes: Sequence[str], view: View) -> list[str]:
    """The other nodes to which a nominated pod may come: those with room once its victims are gone."""
    if not nodes:
        return []
    have = f"{some_of(nodes, _SHOWN)} {'has' if len(nodes) == 1 else 'have'} room, too"
    return paragraph(f"{have}: the pod can be placed there if it is tried again before its nomination is stored", view)


def _of_all(text: str, others: int) -> str:
    return f"{text} (also {count(others, 'other node')})" if others else text
