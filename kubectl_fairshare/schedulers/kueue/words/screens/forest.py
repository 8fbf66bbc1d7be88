"""The cohort forest as lines of a tree."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from kubectl_fairshare.schedulers.kueue.tree.report import NodeReport

_DEEPEST: Final = 12


def branches(
    nodes: Sequence[NodeReport], keep: Callable[[NodeReport], bool] = lambda _: True
) -> Iterator[tuple[str, NodeReport]]:
    """Every node that is kept, with its name behind the branches that lead to it; roots stand without any.

    A node is kept together with its ancestors, so ``keep`` must hold for a parent where it does for a child.
    Branches grow no further than to a depth of _DEEPEST; from there on the depth stands before the name.
    """
    to_come = [("", "", 0, root) for root in reversed(nodes) if keep(root)]
    while to_come:
        branch, indent, depth, node = to_come.pop()
        yield f"{branch}{f'({depth}) ' if depth > _DEEPEST else ''}{label(node)}", node
        kept = [child for child in node.children if keep(child)]
        for child in reversed(kept):
            last = child is kept[-1]
            further = indent + ("   " if last else "│  ") if depth < _DEEPEST else indent
            to_come.append((f"{indent}{'└─ ' if last else '├─ '}", further, depth + 1, child))


def label(node: NodeReport) -> str:
    """The node's name, and what is unusual about it."""
    if node.inactive is not None:
        return f"{node.name} (inactive: {', '.join(node.inactive.reasons)})"
    return node.name if node.declared else f"{node.name} (implicit)"


def walk(nodes: Sequence[NodeReport]) -> Iterator[NodeReport]:
    """Every node, parents before their children."""
    to_come = list(reversed(nodes))
    while to_come:
        node = to_come.pop()
        yield node
        to_come.extend(reversed(node.children))


def with_parents(nodes: Sequence[NodeReport]) -> Iterator[tuple[NodeReport, str]]:
    """Every node with the name of its parent, empty for a root; parents before their children."""
    to_come = [(root, "") for root in reversed(nodes)]
    while to_come:
        node, parent = to_come.pop()
        yield node, parent
        to_come.extend((child, node.name) for child in reversed(node.children))
