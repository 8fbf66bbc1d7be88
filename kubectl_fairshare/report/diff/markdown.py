"""A change of policy as the text of a pull request: verdict, blast radius, what could go wrong, rollback."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kubectl_fairshare.answers.diff import Diff, RepositoryDiff
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.report.diff import words
from kubectl_fairshare.report.markdown import plain
from kubectl_fairshare.report.text.clean import printable
from kubectl_fairshare.report.text.figures import count

_MOST: Final = 20
"""Rows of a table in a pull request."""


def markdown(diff: Diff) -> str:
    """The whole answer, as GitHub's and GitLab's Markdown."""
    return "\n\n".join(_parts(diff)) + "\n"


def repository_markdown(of: RepositoryDiff) -> str:
    """The answer for each unit that differs, below the verdict of all of them."""
    mark = "❌" if of.failed or of.unread else "✅" if of.is_empty else "⚠️"
    parts = [f"## {mark} {plain(words.repository_verdict(of))}"]
    parts += [f"- not compared: {plain(each)}" for each in of.unread]
    same = [name for part in of.parts if part.diff.is_empty for name in part.units]
    parts += [f"No change: {_names(same)}."] if same else []
    for part in of.parts:
        if not part.diff.is_empty:
            parts += [f"## {plain(words.unit_title(part))}", *_parts(part.diff)]
    return "\n\n".join(parts) + "\n"


def _parts(diff: Diff) -> list[str]:
    return [_verdict(diff), *_blast_radius(diff), *_wrong(diff), *_rights(diff), *_changed(diff), *_rollback(diff)]


def _verdict(diff: Diff) -> str:
    mark = "❌" if diff.failed else "✅" if diff.is_empty else "⚠️" if _is_risky(diff) else "ℹ️"
    gates = f" Gates that fail: {', '.join(f'`{gate.value}`' for gate in diff.failed)}." if diff.failed else ""
    title = f"### {mark} {words.verdict(diff)}\n\n"
    compared = (
        f"`{_code(diff.versions.before)}` → `{_code(diff.versions.after)}`, decided as {diff.fidelity.scheduler} does"
    )
    return f"{title}{compared} ({diff.fidelity.version}).{gates}"


def _is_risky(diff: Diff) -> bool:
    """Whether a queue has less, something can go wrong, or is not decided."""
    return bool(words.blast_radius(diff).losing or [*_hazards(diff)] or diff.undecided)


def _blast_radius(diff: Diff) -> Iterator[str]:
    blast = words.blast_radius(diff)
    if not blast.queues and not blast.namespaces:
        return
    holds = ", ".join(f"{each.text} {each.resource}" for each in blast.amounts)
    work = f"{count(blast.workloads, 'workload')}, {count(blast.pods, 'pod')}, {plain(holds)}"
    rows = [
        ("queues", _names(blast.queues)),
        ("running work at risk", work if blast.workloads else "none"),
        ("namespaces with work at risk or decided otherwise", _names(blast.namespaces)),
    ]
    yield "#### Blast radius\n\n" + "\n".join(f"- {title}: {text}" for title, text in rows)


def _wrong(diff: Diff) -> Iterator[str]:
    """What could go wrong, each with the line that proves it, and what is not decided."""
    if items := list(_hazards(diff)):
        yield "#### What could go wrong\n\n" + _listed(items)
    if diff.undecided:
        yield "#### Not decided\n\n" + _listed(f"- {plain(each.about)}: {plain(each.why)}" for each in diff.undecided)


def _hazards(diff: Diff) -> Iterator[str]:
    """Running work at risk, work that does not get in any more, and new findings; work with the same fate together."""
    cause = next((words.field_place(each) for each in diff.fields if words.field_place(each)), "")
    yield from (_item(words.risk_sentence(risk), cause) for risk in diff.at_risk)
    fates: dict[tuple[str, str], list[ObjectKey]] = {}
    for each in (*diff.lost, *(never for never in diff.never if never not in diff.lost)):
        binds = each.after.causes if each.after is not None else ()
        clause = f": {binds[0].clause}" if binds else ""
        fate = words.outcome_sentence(each) + clause, words.place(binds[0].at) if binds else cause
        fates.setdefault(fate, []).append(each.key)
    yield from (_item(f"{words.names_in_short(keys)}: {what}", where) for (what, where), keys in fates.items())
    yield from (_item(f"{each.rule} {each.message}", words.place(each.at)) for each in diff.new_findings)


def _item(sentence: str, where: str) -> str:
    return f"- {plain(sentence)}" + (f" (`{_code(where)}`)" if where else "")


def _rights(diff: Diff) -> Iterator[str]:
    if not diff.figures:
        return
    rows = []
    for each in diff.figures:
        resource = f"{each.row.resource} in {each.row.pool}" if each.row.pool else each.row.resource
        figures = (f"{words.arrow(each, figure)} {words.trend(each, figure)}".strip() for figure in words.FIGURES)
        rows.append((words.name(each.row.queue), resource, *figures))
    yield "#### Rights\n\n" + _table(("queue", "resource", "guaranteed", "entitled, all busy", "most ever"), rows)


def _changed(diff: Diff) -> Iterator[str]:
    rows = [
        (str(each.object), each.field or "(object)", *words.values(each), words.field_place(each))
        for each in diff.fields
    ]
    rewritten = f"{count(diff.rewritten, 'field')} written in another way, without effect." if diff.rewritten else ""
    if rows:
        table = _table(("object", "field", "was", "now", "where"), rows)
        yield f"<details><summary>{count(len(rows), 'changed field')}</summary>\n\n{table}\n\n{rewritten}\n</details>"
    elif rewritten:
        yield rewritten


def _rollback(diff: Diff) -> Iterator[str]:
    if diff.is_empty:
        return
    back = words.verdict(diff.mirrored())
    yield (
        "#### Rollback\n\n"
        f"Revert the commit and sync. The change back: {plain(back)}. "
        "Workloads that were preempted meanwhile wait in their queues and start again."
    )


def _names(texts: Sequence[str]) -> str:
    """How many there are, and their names."""
    shown = ", ".join(f"`{_code(text)}`" for text in texts[:_MOST]) + (" …" if len(texts) > _MOST else "")
    return f"{len(texts)}: {shown}" if texts else "none"


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(titles)} |", f"|{' --- |' * len(titles)}"]
    lines += [f"| {' | '.join(map(plain, row))} |" for row in rows[:_MOST]]
    if len(rows) > _MOST:
        lines.append(f"\n… and {len(rows) - _MOST} more.")
    return "\n".join(lines)


def _listed(items: Iterable[str]) -> str:
    lines = list(items)
    more = [f"- … and {len(lines) - _MOST} more"] if len(lines) > _MOST else []
    return "\n".join([*lines[:_MOST], *more])


def _code(text: str) -> str:
    return printable(text).replace("`", "ˋ").replace("|", "\\|")
