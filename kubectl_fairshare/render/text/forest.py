"""The cohort forest as lines of a tree."""

from collections.abc import Callable, Iterator, Sequence

from kubectl_fairshare.engines.kueue.report import NodeReport


def branches(
    nodes: Sequence[NodeReport], keep: Callable[[NodeReport], bool] = lambda _: True
) -> Iterator[tuple[str, NodeReport]]:
    """Every node that is kept, with its name behind the branches that lead to it; roots stand without any.

    A node is kept together with its ancestors, so ``keep`` must hold for a parent where it does for a child.
    """
    for root in nodes:
        if keep(root):
            yield label(root), root
            yield from _below(root, "", keep)


def _below(node: NodeReport, indent: str, keep: Callable[[NodeReport], bool]) -> Iterator[tuple[str, NodeReport]]:
    children = [c for c in node.children if keep(c)]
    for child in children:
        last = child is children[-1]
        yield f"{indent}{'└─ ' if last else '├─ '}{label(child)}", child
        yield from _below(child, indent + ("   " if last else "│  "), keep)


def label(node: NodeReport) -> str:
    """The node's name, and what is unusual about it."""
    if node.inactive is not None:
        return f"{node.name} (inactive: {', '.join(node.inactive.reasons)})"
    return node.name if node.declared else f"{node.name} (implicit)"


def walk(nodes: Sequence[NodeReport]) -> Iterator[NodeReport]:
    """Every node, parents before their children."""
    for node in nodes:
        yield node
        yield from walk(node.children)
