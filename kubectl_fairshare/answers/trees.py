"""Trees of queues, walked without calls that nest: a chain of cohorts may be thousands deep."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, Protocol, Self, TypeVar

_DEEPEST: Final = 12


class NestedQueue(Protocol):
    """A queue with those below it."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def children(self) -> Sequence[Self]:
        """The queues below it."""


N = TypeVar("N", bound=NestedQueue)


def walk(roots: Sequence[N]) -> Iterator[N]:
    """Every node, parents before their children."""
    return (node for node, _ in with_parents(roots))


def with_parents(roots: Sequence[N]) -> Iterator[tuple[N, str]]:
    """Every node with the name of its parent, empty for a root; parents before their children."""
    to_come = [(root, "") for root in reversed(roots)]
    while to_come:
        node, parent = to_come.pop()
        yield node, parent
        to_come.extend((child, node.name) for child in reversed(node.children))


def branches(
    roots: Sequence[N], keep: Callable[[N], bool] = lambda _: True, label: Callable[[N], str] = lambda node: node.name
) -> Iterator[tuple[str, N]]:
    """Every node that is kept, with its label after its branches; roots have no branches.

    The label is the name unless something else is asked for. A node is kept together with its ancestors, so ``keep``
    must hold for a parent where it does for a child.
    Branches grow to a depth of _DEEPEST; deeper nodes have their depth before the label.
    """
    to_come = [("", "", 0, root) for root in reversed(roots) if keep(root)]
    while to_come:
        branch, indent, depth, node = to_come.pop()
        yield f"{branch}{f'({depth}) ' if depth > _DEEPEST else ''}{label(node)}", node
        kept = [child for child in node.children if keep(child)]
        for child in reversed(kept):
            last = child is kept[-1]
            further = indent + ("   " if last else "│  ") if depth < _DEEPEST else indent
            to_come.append((f"{indent}{'└─ ' if last else '├─ '}", further, depth + 1, child))
