"""Every fix of a rule mends its example, changes nothing else, and is not wanted twice."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from kubectl_fairshare.cli.commands.rule import newest_for
from kubectl_fairshare.cli.linting.fixing import Fixed, mend_in_memory
from kubectl_fairshare.cli.linting.lint_run import LintOptions, LintRun
from kubectl_fairshare.cli.linting.rule_choice import known_rules
from kubectl_fairshare.cli.linting.run import find
from kubectl_fairshare.cli.options.shared import Inputs
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.text.comments import comments
from kubectl_fairshare.input.text.decoding import decode
from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.lint.protocol import Rule
from tests.screens import stream
from tests.unit.lint.examples import BAD, EXAMPLES

STREAMS = Streams(stream(b""), stream(b""), stream(b""))


def lint(path: Path, rule: Rule, known: Mapping[str, bytes] | None = None) -> LintRun:
    options = LintOptions((rule.id,), releases=newest_for(rule))
    return find(Inputs(filename=(str(path),)), options, STREAMS, known=known)


def mended(path: Path, rule: Rule) -> Fixed:
    return mend_in_memory(lint(path, rule), lambda known: lint(path, rule, known), unsafe=True, barred={})


@cache
def fixable() -> list[Rule]:
    """The rules whose example is mended by edits. To find them takes seconds: not while tests are collected."""
    found = [rule for rule in known_rules() if (EXAMPLES / rule.id / BAD).exists()]
    return [rule for rule in found if _edited(lint(EXAMPLES / rule.id / BAD, rule).placed)]


def _edited(placed: tuple[Placed, ...]) -> list[Placed]:
    return [each for each in placed if each.reported.finding.remedy.edits]


def test_the_finding_is_gone_after_its_fix() -> None:
    for rule in fixable():
        found = mended(EXAMPLES / rule.id / BAD, rule)
        assert [problem.message for problem in found.left] == [], rule.id
        assert _edited(found.run.placed) == [], rule.id


def test_the_fix_leaves_comments_and_line_ends_alone(tmp_path: Path) -> None:
    path = tmp_path / BAD
    for rule in fixable():
        text = "\ufeff# first\n" + (EXAMPLES / rule.id / BAD).read_text() + "# last\n"
        path.write_bytes(text.replace("\n", "\r\n").encode())
        (data,) = mended(path, rule).contents.values()
        after = data.decode()
        assert after.startswith("\ufeff# first\r\n"), rule.id
        assert after.endswith("# last\r\n"), rule.id
        assert "\n" not in after.replace("\r\n", ""), rule.id
        assert len(list(comments(after))) == len(list(comments(text))), rule.id


def test_the_fix_works_in_json_too(tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    for rule in fixable():
        documents = decode(BAD, (EXAMPLES / rule.id / BAD).read_bytes())[1]
        items = [each for each in documents if each is not None]
        path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}, indent=2))
        found = mended(path, rule)
        assert [problem.message for problem in found.left] == [], rule.id
        assert _edited(found.run.placed) == [], rule.id
        (data,) = found.contents.values()
        assert json.loads(data)["items"] != items, rule.id


def test_some_rules_have_fixes() -> None:
    assert {"K004", "K012", "K027"} <= {rule.id for rule in fixable()}
