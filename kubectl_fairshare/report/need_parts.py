"""Where each request comes from: its parts, with their fields, if it is not simply what containers write.

Tested in ``tests/unit/cli/commands/test_need_parts.py``.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from kubectl_fairshare.answers.blocks import Block, Entries, Group, Remark, unfolded
from kubectl_fairshare.answers.needs import PartKind, PartSource, RequestTerm
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.model.quantity import nano_text

_NAMED: Final = {
    PartKind.CONTAINER: "container {0}",
    PartKind.INIT_CONTAINER: "init container {0}",
    PartKind.SIDECAR: "sidecar {0}",
    PartKind.POD: "the pod as a whole",
    PartKind.OVERHEAD: "overhead of RuntimeClass {0}",
    PartKind.TRANSFORMATION: "transformation of {0}",
    PartKind.DEVICES: "devices of ResourceClaimTemplate {0}",
}


def need_blocks(of: Sequence[RequestTerm]) -> Group:
    """The parts of every request that is not simply the sum of what containers request; they come by resource."""
    groups = [[*group] for _, group in groupby(of, key=lambda part: (part.resource, part.pods))]
    shown = [group for group in groups if not all(part.as_written for part in group)]
    return [unfolded("where the requests come from"), Entries(shown, lambda of: [*_request(of)])] if shown else []


def _request(of: Sequence[RequestTerm]) -> Iterator[Block]:
    first = of[0]
    total = nano_text(first.resource, sum(part.nano for part in of))
    where = f" of {first.pods}" if first.pods else ""
    pods = f"{count(first.count, 'pod')}{where} with {total} each" if first.count != 1 else f"one pod{where}: {total}"
    yield Remark(f"{first.resource}: {pods}", first="     ", more="       ")
    for part in of:
        text = f"{nano_text(part.resource, part.nano)} {part_clause(part)}"
        yield Remark(text, place=part.place, first="       ", more="         ")


def part_clause(of: RequestTerm) -> str:
    """What a part is, and who states its amount."""
    named = _NAMED[of.kind].format(of.name) if of.name or of.kind is not PartKind.OVERHEAD else "overhead of the pod"
    if of.source is PartSource.LIMIT:
        return f"{named}: its limit, as it has no request"
    if of.source is PartSource.LIMIT_RANGE:
        range_ = of.place.object
        return f"{named}: default of LimitRange {range_.namespace}/{range_.name}"
    return f"{named}: {of.note}" if of.note else named
