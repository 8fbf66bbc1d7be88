"""What a scheduler brings is all that lint needs: a fourth one is a value, and nothing in lint changes."""

import io
from collections.abc import Iterable, Iterator

from kubectl_fairshare.input.assemble import Assembled
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.lint.examine import examine
from kubectl_fairshare.lint.given import Given, given_as, worked_out_once
from kubectl_fairshare.lint.house import Judged, LintedHouse, Releases, as_written, house_of
from kubectl_fairshare.lint.registry import ANY, all_rules, rule_called
from kubectl_fairshare.lint.run import run
from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.schedulers import known_schedulers, lint_houses
from tests.unit.lint.fourth.given import GROUP, FourthGiven

RULES = "tests.unit.lint.fourth.rules"
QUEUE = f"apiVersion: {GROUP}/v1\nkind: Queue\nmetadata: {{name: a}}\nspec: {{}}\n"


def seen(given: Given) -> FourthGiven:
    return given_as(given, FourthGiven)


def judged(manifests: Iterable[Manifest], _: Assembled) -> Iterator[Judged]:
    return (Judged(each, None, each.data) for each in manifests if each.key.group == GROUP)


def below_text(_: Manifest, path: FieldPath) -> FieldPath:
    return ("text", *path)


FOURTH = LintedHouse(
    "fourth",
    RULES,
    seen,
    words=("fourth.example.com",),
    groups=frozenset({GROUP}),
    judged=judged,
    as_written=below_text,
    releases=Releases("Fourth", Release(1, 3), "--fourth-version", "fourth-version", "fourthVersion"),
)


def reading(text: str) -> Reading:
    return read(["-"], stdin=io.BytesIO(text.encode()), schedulers=known_schedulers())


def given(text: str) -> Given:
    return examine(reading(text), (*lint_houses(), FOURTH))


def test_its_rules_run_on_what_it_makes_of_the_input() -> None:
    (reported,) = run(all_rules((FOURTH,)), given(QUEUE))
    assert (reported.rule.id, reported.rule.name, reported.rule.scheduler) == ("F001", "queue-there", "Fourth")
    assert (str(reported.severity), reported.finding.message) == ("warning", "1 queues")


def test_a_rule_knows_its_releases() -> None:
    rule = rule_called("queue-there", (FOURTH,))
    assert rule is not None
    assert [rule.holds_for(Release(1, minor)) for minor in (1, 2, 3)] == [False, True, True]


def test_an_input_without_its_words_does_not_load_its_rules() -> None:
    text = "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n"
    house = LintedHouse("fifth", RULES, seen, words=("fourth.example.com",), groups=frozenset({GROUP}))
    found = examine(reading(text), (house,))
    assert found.concerned == ()
    run(all_rules(lint_houses()), found)
    assert "rules" not in vars(house)


def test_the_table_of_each_house_has_what_its_functions_say() -> None:
    for house in (ANY, *lint_houses(), FOURTH):
        known = [(r.id, r.name, r.severity, r.advice, r.since, r.until, r.scheduler) for r in house.rules]
        written = [house.written(r.id) for r in house.rules]
        assert known == [(r.id, r.name, r.severity, r.advice, r.since, r.until, r.scheduler) for r in written]
        assert [row[0] for row in house.rows()] == [r.id for r in house.rules], "run .ci/rules.py"


def test_a_field_stands_where_its_house_says() -> None:
    (manifest,) = reading(QUEUE).manifests
    assert house_of(manifest, lint_houses()) is None
    assert house_of(manifest, (*lint_houses(), FOURTH)) is FOURTH
    assert as_written(manifest, ("spec",), lint_houses()) == ("spec",)
    assert as_written(manifest, ("spec",), (FOURTH,)) == ("text", "spec")


def test_what_rules_work_out_is_worked_out_once_for_each_input() -> None:
    counted: list[Given] = []

    @worked_out_once
    def work(given: Given) -> int:
        counted.append(given)
        return len(counted)

    first, second = (examine(Reading((), Texts()), lint_houses()) for _ in range(2))
    assert [work(first), work(first), work(second), work(first)] == [1, 1, 2, 1]
    assert [id(each) for each in counted] == [id(first), id(second)]
