"""Findings as SARIF 2.1.0, the format of code scanning. Source: OASIS, SARIF Version 2.1.0."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from kubectl_fairshare import __version__
from kubectl_fairshare.finding import Severity
from kubectl_fairshare.lint.findings.placed import Placed, Replacement, is_on_disk
from kubectl_fairshare.lint.formats import file_to_fix, wording
from kubectl_fairshare.lint.formats.rule_page import as_sentence, rule_markdown
from kubectl_fairshare.lint.protocol import Rule
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import field_text
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.report.text.clean import printable

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
MOST_RUNS: Final = 20
"""Runs of one file that code scanning takes. Source: docs.github.com, SARIF support for code scanning, limits."""
MOST_RESULTS: Final = 25_000
"""Results of one run that it takes; it shows the 5,000 of the highest severity. Source: as above."""
MOST_LOCATIONS: Final = 1_000
"""Places of one result that it takes. Source: as above."""
_UNRESERVED: Final = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/")
_BRACKETS: Final = re.compile(r"[\[\]]")
Node = dict[str, Any]


def sarif_logs(
    placed: Sequence[Placed],
    rules: Sequence[Rule],
    unread: Sequence[Problem],
    fixes: Mapping[int, Sequence[Replacement]],
    units: Sequence[str] = (),
) -> list[Node]:
    """A run for each unit, or one for all that name theirs, in as few files as code scanning takes.

    A run has the rules of its findings; unread files are tool notifications. ``fixes`` are by the number of their
    finding. The category of a unit's run is its name. If there are more findings than a run may have, the most severe
    are kept, and a notification counts the others.
    """
    numbered = list(enumerate(placed))
    runs = [
        _run([n for n in numbered if not unit or unit in n[1].units], rules, unread, fixes, unit)
        for unit in units or ("",)
    ]
    parts = (runs[start : start + MOST_RUNS] for start in range(0, len(runs), MOST_RUNS))
    return [{"$schema": _SCHEMA, "version": "2.1.0", "runs": part} for part in parts]


def _run(
    placed: Sequence[tuple[int, Placed]],
    rules: Sequence[Rule],
    unread: Sequence[Problem],
    fixes: Mapping[int, Sequence[Replacement]],
    unit: str,
) -> Node:
    placed, left = _most_severe(placed)
    found = {each.reported.rule.id for _, each in placed}
    rules = [rule for rule in rules if rule.id in found]
    indices = {rule.id: index for index, rule in enumerate(rules)}
    driver = {"name": "kubectl-fairshare", "semanticVersion": __version__, "rules": [_rule(r) for r in rules]}
    notifications = [*map(_notification, unread), *([_left_out(left)] if left else [])]
    return {
        "tool": {"driver": driver},
        **({"automationDetails": {"id": f"fairshare/{unit}/"}} if unit else {}),
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": not unread, "toolExecutionNotifications": notifications}],
        "results": [_result(p, indices, fixes.get(n, ())) for n, p in placed],
    }


def _most_severe(placed: Sequence[tuple[int, Placed]]) -> tuple[Sequence[tuple[int, Placed]], int]:
    """As many findings as a run may have, in their order, and how many others there are."""
    if len(placed) <= MOST_RESULTS:
        return placed, 0
    ranked = sorted(placed, key=lambda each: each[1].reported.severity.rank)
    return sorted(ranked[:MOST_RESULTS], key=lambda each: each[0]), len(placed) - MOST_RESULTS


def _left_out(number: int) -> Node:
    text = (
        f"{number:,} findings, none more severe than those here, are left out: code scanning takes {MOST_RESULTS:,} "
        "of a run; lint a part of the files, or ask for fewer rules with --select"
    )
    return {"level": "warning", "message": {"text": text}}


def _rule(rule: Rule) -> Node:
    return {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": as_sentence(rule.summary)},
        "fullDescription": {"text": as_sentence(rule.why)},
        "help": {"text": f"{as_sentence(rule.why)}\n\n{as_sentence(rule.remedy)}", "markdown": rule_markdown(rule)},
        "defaultConfiguration": {"level": _LEVELS[rule.severity], "enabled": not rule.advice},
        "properties": {"tags": ["quota", *(["advice"] if rule.advice else [])]},
    }


def _result(placed: Placed, indices: dict[str, int], fix: Sequence[Replacement]) -> Node:
    reported = placed.reported
    finding = reported.finding
    result: Node = {
        "ruleId": reported.rule.id,
        "level": _LEVELS[reported.severity],
        "message": {"text": _unlinked(wording.paragraph(placed))},
        "locations": [{**_place(placed), "logicalLocations": [_logical(placed)]}],
        "partialFingerprints": {"primaryLocationLineHash": placed.fingerprint, "fairshare/v1": placed.fingerprint},
    }
    if reported.rule.id in indices:
        result["ruleIndex"] = indices[reported.rule.id]
    if placed.related:
        files = placed.related_files or ("",) * len(placed.related)
        result["relatedLocations"] = [
            {"id": number, **_physical_location(where, file), "message": {"text": _unlinked(printable(text))}}
            for number, ((text, where), file) in enumerate(zip(placed.related, files, strict=True), 1)
        ][: MOST_LOCATIONS - 1]
    if fix and file_to_fix.stands_in_file(placed):
        result["fixes"] = [_fix(placed, fix)]
    properties: Node = {"evidence": dict(finding.evidence)} if finding.evidence else {}
    properties |= {"releases": list(placed.releases)} if placed.releases else {}
    properties |= {"units": list(placed.units)} if placed.also_in else {}
    if properties:
        result["properties"] = properties
    return result


def _unlinked(text: str) -> str:
    """A message without links; brackets that make none stay, as those of field paths. Source: SARIF 2.1.0, 3.11.6."""
    return _BRACKETS.sub(r"\\\g<0>", text) if "](" in text else text


def _fix(placed: Placed, fix: Sequence[Replacement]) -> Node:
    sources = dict.fromkeys(each.start.source for each in fix)
    return {
        "description": {"text": wording.remedy(placed)},
        "artifactChanges": [
            {
                "artifactLocation": {"uri": uri(source)},
                "replacements": [_replacement(each) for each in fix if each.start.source == source],
            }
            for source in sources
        ],
        "properties": {"safe": placed.reported.finding.remedy.safe},
    }


def _replacement(each: Replacement) -> Node:
    start, end = each.start, each.end
    deleted = {"startLine": start.line, "startColumn": start.column, "endLine": end.line, "endColumn": end.column}
    return {"deletedRegion": deleted, **({"insertedContent": {"text": each.text}} if each.text else {})}


def _place(placed: Placed) -> Node:
    where = placed.location
    if not where.line:
        return {}
    if not file_to_fix.stands_in_file(placed) and file_to_fix.path(placed) != where.source:
        return {"physicalLocation": {"artifactLocation": {"uri": uri(file_to_fix.path(placed))}}}
    region = {"startLine": where.line, "startColumn": where.column, "endColumn": placed.end}
    return {"physicalLocation": {**_artifact(where), "region": {**region, "snippet": {"text": _snippet(placed)}}}}


def _snippet(placed: Placed) -> str:
    start = placed.location.column - placed.excerpt_column
    return placed.excerpt[start : placed.end - placed.excerpt_column]


def _logical(placed: Placed) -> Node:
    at = placed.reported.finding.place
    return {"name": field_text(at.path) or str(at.object), "fullyQualifiedName": str(at), "kind": "member"}


def _physical_location(where: Location, file: str) -> Node:
    """The place in a file, or the ``file`` behind text that is not on disk; empty for an object of a cluster."""
    holder = "" if is_on_disk(where.source) else file_to_fix.held_in(where.source, file)
    if holder not in ("", where.source):
        return {"physicalLocation": {"artifactLocation": {"uri": uri(holder)}}}
    return {"physicalLocation": _physical(where)} if where.line else {}


def _physical(where: Location) -> Node:
    return {**_artifact(where), "region": {"startLine": where.line, "startColumn": where.column}}


def _artifact(where: Location) -> Node:
    return {"artifactLocation": {"uri": uri(where.source)}}


def _notification(problem: Problem) -> Node:
    found: Node = {"level": "error", "message": {"text": _unlinked(printable(problem.message))}}
    place = problem.place
    if isinstance(place, Location):
        found["locations"] = [{"physicalLocation": _physical(place)}]
    elif isinstance(place, str):
        found["locations"] = [{"physicalLocation": {"artifactLocation": {"uri": uri(place)}}}]
    return found


def uri(path: str) -> str:
    """A path as a relative reference, or as a file URI if it is absolute."""
    text = path.replace("\\", "/")
    quoted = "".join(chr(b) if b in _UNRESERVED else f"%{b:02X}" for b in text.encode("utf-8", "surrogateescape"))
    return f"file://{quoted}" if quoted.startswith("/") else quoted
