"""What all schedulers say in one way: the nodes that a pod does not get, and what a cluster recorded."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.answers.ages import when
from kubectl_fairshare.answers.blocks import Block, Entries, Group, Remark, Wide, unfolded
from kubectl_fairshare.answers.number_text import amount, count
from kubectl_fairshare.jobs.events import Condition, Note
from kubectl_fairshare.jobs.node_demand import BarredNodes, BarrierKind
from kubectl_fairshare.jobs.pod_record import PodRecord
from kubectl_fairshare.model.phrases import some_of

_SHOWN: Final = 3


def node_reason_blocks(reasons: Mapping[str, str], *, placed: bool) -> Group:
    """The reasons by node, a paragraph for each; ``placed``: the pod gets another node. No lines without a reason.

    Reasons that differ only in the node's name share one paragraph.
    """
    alike: dict[str, list[str]] = {}
    for name in sorted(reasons):
        alike.setdefault(reasons[name].replace(name, "\0"), []).append(name)
    texts = [_of_all(text.replace("\0", names[0]), len(names) - 1) for text, names in alike.items()]
    label = unfolded("other nodes" if placed else "nodes")
    return [label, Entries(texts, lambda text: [Remark(text, first="    ", more="      ")])] if texts else []


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


def elsewhere_blocks(nodes: Sequence[str]) -> Group:
    """The other nodes to which a nominated pod may come: those with room once its victims are gone."""
    if not nodes:
        return []
    have = f"{some_of(nodes, _SHOWN)} {'has' if len(nodes) == 1 else 'have'} room, too"
    return [Remark(f"{have}: the pod can be placed there if it is tried again before its nomination is stored")]


def _of_all(text: str, others: int) -> str:
    return f"{text} (also {count(others, 'other node')})" if others else text


def pod_record_blocks(record: PodRecord | None, now: int | None) -> Group:
    """Conditions, the nominated node, and the Events that repeat no condition, the newest first; nothing without."""
    if record is None:
        return []
    said = {condition.message for condition in record.conditions}
    events = [event for event in record.events if event.message not in said][::-1]
    found = [*_conditions(record, now), *_notes(events, now)]
    return [unfolded("the cluster recorded"), *found] if found else []


def _conditions(record: PodRecord, now: int | None) -> Iterator[Block]:
    for condition in record.conditions:
        if condition.status == "False" or condition.type == "PodScheduled":
            yield from condition_blocks(condition, now)
    if record.nominated:
        yield Remark(f"nominatedNodeName: {record.nominated}", first="    ", more="      ")


def condition_blocks(of: Condition, now: int | None) -> Iterator[Block]:
    """A condition with its moment and its place, then its message."""
    reason = f" {of.reason}" if of.reason else ""
    text = f"{of.type}={of.status}{reason}, {when(of.moment, now)}"
    yield Remark(text, place=of.place, first="    ", more="      ")
    if of.message:
        yield Remark(of.message, first="      ", more="      ")


def event_blocks(notes: Sequence[Note], now: int | None) -> Group:
    """The Events, the latest first; a narrow screen has their number only."""
    number = unfolded(f"{count(len(notes), 'event')} (-o wide shows them)", "dim", "    ")
    return (
        [Wide(lambda: [unfolded("events", indent="    "), *_notes(notes[::-1], now, " ")], [number])] if notes else []
    )


def _notes(notes: Sequence[Note], now: int | None, indent: str = "") -> Group:
    first, more = f"    {indent}", f"      {indent}"
    return [Entries(notes, lambda note: [Remark(_note_text(note, now), first=first, more=more)])] if notes else []


def _note_text(of: Note, now: int | None) -> str:
    times = f" ×{of.count}" if of.count > 1 else ""
    return f"{when(of.moment, now)} {of.reason}{times}: {of.message}"
