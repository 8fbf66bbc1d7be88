"""Cohorts without a Cohort object: valid, but often a misspelling."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Edit, Finding, Related, Remedy, Replace, Severity
from kubectl_fairshare.lint.protocol import info_rule, warning_rule
from kubectl_fairshare.lint.words.names import Names
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.rules.cohorts.trees import membership_place, unknown_cohorts
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.tree.forest import TreeNode


def implicit(given: KueueGiven) -> Iterator[tuple[TreeNode, tuple[TreeNode, ...]]]:
    """The cohorts that are named but not declared, with their members: cohorts, then queues, by name."""
    nodes, unknown = given.forest.nodes, unknown_cohorts(given)
    for node in nodes:
        if node.spec is None and node.name not in unknown:
            yield node, tuple(nodes[i] for i in (*node.cohorts, *node.queues))


def lonely(given: KueueGiven, node: TreeNode) -> bool:
    """Whether the node is the only member of a cohort that is not declared."""
    if node.parent is None:
        return False
    parent = given.forest.nodes[node.parent]
    alone = len(parent.queues) + len(parent.cohorts) == 1
    return alone and parent.spec is None


@warning_rule("K059")
def cohort_misnamed(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each undeclared cohort that is probably a mistake, at its first member."""
    meant = slips(given)
    for node, members in implicit(given):
        if node.name in meant:
            yield _slip(given, node, members, meant[node.name])
        elif len(members) == 1:
            member = members[0]
            yield Finding(
                membership_place(member),
                f"cohort `{node.name}` has one member and no Cohort object, so its member cannot borrow",
                Remedy("correct the name of the cohort, or leave it out"),
                evidence=(("members", "1"),),
                elsewhere=f"members of cohort {node.name}",
                severity=Severity.INFO,  # a cohort may get its second member later
            )


def slips(given: KueueGiven) -> dict[str, str]:
    """The undeclared cohorts with a name that is nearly that of another, which is declared or has more members."""
    found = list(implicit(given))
    if not found:
        return {}
    weight = {node.name: _weight(given, node) for node in given.forest.nodes if not node.is_queue}
    known = Names(weight)
    meant: dict[str, str] = {}
    for node, _ in found:
        near = [name for name in known.near(node.name) if (weight[name], name) > (weight[node.name], node.name)]
        if near:
            meant[node.name] = near[0]
    return meant


def _weight(given: KueueGiven, node: TreeNode) -> tuple[bool, int]:
    """How likely a cohort's name is correct: declared first, then by the number of members."""
    declared = node.spec is not None or given.is_written("Cohort", node.name)
    return declared, len(node.queues) + len(node.cohorts)


def _slip(given: KueueGiven, node: TreeNode, members: tuple[TreeNode, ...], meant: str) -> Finding:
    edits: tuple[Edit, ...] = tuple(Replace(membership_place(member), meant) for member in members)
    nodes = given.forest.nodes
    other = nodes[given.forest.cohort_ids[meant]]
    if other.spec is not None:
        related = Related("defined here", Place(other.spec.key, ("metadata", "name")))
    else:
        related = Related("named here", membership_place(nodes[(*other.cohorts, *other.queues)[0]]))
    return Finding(
        membership_place(members[0]),
        f"there is no Cohort `{node.name}`; `{meant}` is nearly the same name",
        Remedy(f"write `{meant}` if you mean that", edits),
        evidence=(
            (f"members of {node.name}", str(len(members))),
            (f"members of {meant}", str(len(other.queues) + len(other.cohorts))),
        ),
        related=(related,),
        elsewhere=f"Cohort {node.name}",
    )


@info_rule("K060", advice=True)
def cohort_not_declared(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each undeclared cohort with several members, at its first member."""
    for node, members in implicit(given):
        if len(members) > 1:
            yield Finding(
                membership_place(members[0]),
                f"cohort `{node.name}` has {len(members)} members and no Cohort object",
                Remedy("declare the Cohort"),
                evidence=(("members", str(len(members))),),
                elsewhere=f"Cohort {node.name}",
            )
