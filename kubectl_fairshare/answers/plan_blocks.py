"""What plans and reasons of all schedulers say in one way, as blocks: limits, victims, who stays, what would help.

Tested in ``tests/unit/cli/test_plan_cases.py``.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final

from kubectl_fairshare.answers.answer import Answer, BindingLimit, Maker, Spared, TriedChange, Victim
from kubectl_fairshare.answers.blocks import Block, Group, Items, Remark, Table, unfolded
from kubectl_fairshare.answers.held_amounts import HOLDS, held_cells, held_text
from kubectl_fairshare.answers.holds import Hold
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.tables import Column, Row
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.trace import Fact, fact_text

MAKERS: Final = {
    Maker.OWNER: "job owner",
    Maker.NAMESPACE_ADMIN: "namespace admin",
    Maker.ADMIN: "cluster admin",
}
"""Who can make a change, for people."""


def binding_blocks(limits: Sequence[BindingLimit]) -> Group:
    """Each limit that binds, by how much, and its place."""
    return [block for limit in limits for block in _binding(limit)]


def _binding(limit: BindingLimit) -> Iterator[Block]:
    yield Remark(f"binds: {limit.clause}", place=None if limit.note else limit.place)
    reach = "could ever reach" if limit.ever else "can reach now"
    room = f"{reach} {limit.reachable.text}" if limit.reachable.value >= 0 else "above the limit already"
    yield Remark(f"needs {limit.needed.text}, {room}: {limit.short.text} too few", first="    ")
    if limit.note:
        yield Remark(limit.note, place=limit.place, first="    ")


def victim_blocks(answer: Answer[Any]) -> Group:
    """The victims in order, each with its rule; then candidates that are not needed."""
    title, held = held_cells([victim.frees for victim in answer.victims], answer.pooled)
    columns = (Column("#"), *_columns("VICTIM", answer.held_in[0], title))
    rows = [
        Row((str(i), *_cells(victim, text)), below=victim.because)
        for i, (victim, text) in enumerate(zip(answer.victims, held, strict=True), 1)
    ]
    returned = [name_of(each.key) for each in answer.spared if each.put_back]
    return [*_long_table(columns, rows), Items("  not needed as victims: ", returned, long=True)]


def spared_groups(answer: Answer[Any]) -> Iterator[Group]:
    """Candidates that are not preempted, and queues without candidates; nothing if no victim would help."""
    if answer.computed is Outcome.NEVER:
        return
    spared = [each for each in answer.spared if not each.put_back]
    title, held = held_cells([each.holds for each in spared], answer.pooled)
    candidates = [Row(_cells(each, text), below=each.because) for each, text in zip(spared, held, strict=True)]
    yield _long_table(_columns("NOT PREEMPTED", answer.held_in[1], title), candidates)
    title, held = held_cells([each.holds for each in answer.unasked], answer.pooled)
    queues = [Row((each.queue, text, each.because)) for each, text in zip(answer.unasked, held, strict=True)]
    because = Column("BECAUSE", right=False, folds=True)
    yield _long_table((Column("NO VICTIMS IN", right=False), Column(title), because), queues)


def _long_table(columns: Sequence[Column], rows: Sequence[Row]) -> Group:
    return [Table(columns, rows, "  ", long=True)] if rows else []


def _columns(title: str, held_in: str, holds: str = HOLDS) -> tuple[Column, ...]:
    return (
        Column(title, right=False),
        Column(held_in, right=False, kept=False, folds=True),
        Column("PRIORITY"),
        Column(holds),
        Column("RULE", right=False, kept=False, folds=True),
    )


def victim_cells(of: Victim, pooled: Collection[str] = ()) -> tuple[str, str, str, str, str]:
    """Name, queue, priority, what it holds, and the rule that lets it be taken."""
    return _cells(of, held_text(of.frees, pooled))


def _cells(of: Victim | Spared, holds: str) -> tuple[str, str, str, str, str]:
    return name_of(of.key), of.queue, str(of.priority), holds, of.rule


def name_of(key: ObjectKey) -> str:
    """``namespace/name``."""
    return f"{key.namespace}/{key.name}"


def remedy_blocks(remedies: Sequence[TriedChange]) -> Group:
    """Changes that would help, and who can make each; each was simulated."""
    return cited_list("would help (each was tried)", ((remedy_text(each), each.place) for each in remedies))


def remedy_text(remedy: TriedChange) -> str:
    """The change, what it leads to, and who can make it."""
    return f"{remedy.change}: {remedy.result} ({MAKERS[remedy.maker]})"


def hold_blocks(holds: Sequence[Hold]) -> Group:
    """What holds the workload besides quotas, each with its field."""
    return cited_list("what else holds it", ((hold.sentence, hold.place) for hold in holds))


def fact_blocks(facts: Iterable[Fact], label: str = "") -> Group:
    """Fields that were read, each at its place; ``label`` opens every sentence."""
    return [Remark(f"{label}{fact_text(fact)}", place=fact.place) for fact in facts]


def cited_list(label: str, sentences: Iterable[tuple[str, Place | None]]) -> Group:
    """Sentences with their places below a title; nothing without one."""
    found = [Remark(text, place=place, first="     ", more="       ") for text, place in sentences]
    return [unfolded(label), *found] if found else []
