"""SARIF 2.1.0 as its model has it, with what code scanning looks for."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel
from sarif_pydantic import Sarif

from kubectl_fairshare.finding import Severity
from kubectl_fairshare.lint.findings.placed import Replacement
from kubectl_fairshare.lint.formats.sarif import sarif_logs, uri
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.model.values import replace
from tests.unit.lint.formats.findings import HOSTILE, UNREAD, made, placed

RULES = (made(), made("K059", "cohort-misnamed", Severity.WARNING), made("K077", "selector-key", Severity.INFO))
FOUND = [placed(of=rule, fingerprint=rule.id) for rule in RULES]
NOT_IN_THE_MODEL = {"runs.columnKind", "runs.invocations.toolExecutionNotifications"}
"""Properties that SARIF 2.1.0 has and the model, which takes any, does not know."""


FIX = {
    0: [
        Replacement(Location("org/speech.yaml", 18, 23), Location("org/speech.yaml", 18, 25), "12"),
        Replacement(Location("org/other.yaml", 3, 1), Location("org/other.yaml", 4, 1), ""),
    ]
}


def log(found: Any = FOUND, unread: Any = (), fixes: Any = FIX) -> Any:
    return json.loads(json.dumps(sarif_logs(found, RULES, unread, fixes)[0]))


def unknown(node: object, path: str = "") -> Iterator[str]:
    """The properties in a document that the model does not know."""
    if isinstance(node, BaseModel):
        yield from (f"{path}{name}" for name in node.model_extra or {})
        for name in type(node).model_fields:
            yield from unknown(getattr(node, name), f"{path}{name}.")
    elif isinstance(node, list):
        for item in node:
            yield from unknown(item, path)


@pytest.mark.parametrize("unread", [(), UNREAD])
def test_it_is_sarif(unread: Any) -> None:
    assert set(unknown(Sarif.model_validate(log(unread=unread)))) <= NOT_IN_THE_MODEL | {"$schema", "schema"}


def test_an_unknown_property_would_be_noticed() -> None:
    document = log()
    document["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLin"] = 1
    assert set(unknown(Sarif.model_validate(document))) - NOT_IN_THE_MODEL - {"$schema", "schema"} != set()


def test_a_rule_has_no_property_with_keys_of_our_own_catalogue() -> None:
    rules = log()["runs"][0]["tool"]["driver"]["rules"]
    assert {name for rule in rules for name in rule["properties"]} == {"tags"}


def test_rules_bring_their_help_and_their_level() -> None:
    rules = log()["runs"][0]["tool"]["driver"]["rules"]
    assert [(r["id"], r["defaultConfiguration"]["level"]) for r in rules] == [
        ("K027", "error"),
        ("K059", "warning"),
        ("K077", "note"),
    ]
    assert rules[0]["help"]["text"] == "Kueue refuses it. Nothing is lent.\n\nTake the limit away."
    assert rules[0]["help"]["markdown"].startswith("# K027 lending-limit-above-nominal\n")


def test_a_run_has_the_rules_of_its_results_alone() -> None:
    run = log(FOUND[1:2])["runs"][0]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["K059"]
    assert [result["ruleIndex"] for result in run["results"]] == [0]


@pytest.mark.parametrize(("units", "runs"), [(1, [1]), (20, [20]), (21, [20, 1]), (45, [20, 20, 5])])
def test_a_file_has_as_many_runs_as_code_scanning_takes(units: int, runs: list[int]) -> None:
    names = [f"clusters/{number}" for number in range(units)]
    found = [replace(each, unit=names[0], also_in=tuple(names[1:])) for each in FOUND]
    logs = json.loads(json.dumps(sarif_logs(found, RULES, (), {}, names)))
    assert [len(each["runs"]) for each in logs] == runs
    for run in (run for each in logs for run in each["runs"]):
        assert len(run["results"]) == 3
        assert len(run["tool"]["driver"]["rules"]) == 3
        assert units == 1 or run["results"][0]["properties"]["units"] == names


def test_results_point_at_their_rule() -> None:
    run = log()["runs"][0]
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


def test_a_result_says_where_what_and_what_else() -> None:
    result = log()["runs"][0]["results"][0]
    (location,) = result["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "org/speech.yaml"},
        "region": {"startLine": 18, "startColumn": 23, "endColumn": 25, "snippet": {"text": "16"}},
    }
    assert location["logicalLocations"][0]["fullyQualifiedName"].startswith(
        "ClusterQueue speech spec.resourceGroups[0]"
    )
    (related,) = result["relatedLocations"]
    assert related["message"]["text"] == "defined here"
    assert result["properties"]["evidence"] == {"nominalQuota": "12", "lendingLimit": "16"}
    assert result["partialFingerprints"]["primaryLocationLineHash"] == "K027"


def test_a_fix_is_a_replacement_in_each_of_its_files() -> None:
    first, *others = log()["runs"][0]["results"]
    assert not any("fixes" in result for result in others)
    (fix,) = first["fixes"]
    assert fix["description"] == {"text": "12 or less"}
    assert fix["properties"] == {"safe": True}
    assert fix["artifactChanges"] == [
        {
            "artifactLocation": {"uri": "org/speech.yaml"},
            "replacements": [
                {
                    "deletedRegion": {"startLine": 18, "startColumn": 23, "endLine": 18, "endColumn": 25},
                    "insertedContent": {"text": "12"},
                }
            ],
        },
        {
            "artifactLocation": {"uri": "org/other.yaml"},
            "replacements": [
                {"deletedRegion": {"startLine": 3, "startColumn": 1, "endLine": 4, "endColumn": 1}},
            ],
        },
    ]


def test_standard_input_is_not_fixed() -> None:
    (result,) = log([placed(source="<stdin>")])["runs"][0]["results"]
    assert "fixes" not in result


def test_an_object_from_a_template_is_blamed_on_the_template() -> None:
    (result,) = log([placed(source="<stdin>", template="chart/templates/q.yaml")])["runs"][0]["results"]
    (location,) = result["locations"]
    assert location["physicalLocation"] == {"artifactLocation": {"uri": "chart/templates/q.yaml"}}


@pytest.mark.parametrize(
    ("holder", "expected"), [("base/queues.yaml", "base/queues.yaml"), ("a generator or a remote base", "overlay")]
)
def test_what_kubectl_built_has_the_file_that_holds_it_or_its_kustomization(holder: str, expected: str) -> None:
    built = "kustomize overlay"
    found = replace(
        placed(source=built, template=holder), related=(("the quota", Location(built, 3, 9)),), related_files=(holder,)
    )
    (result,) = log([found])["runs"][0]["results"]
    places = [*result["locations"], *result["relatedLocations"]]
    assert [place["physicalLocation"] for place in places] == [{"artifactLocation": {"uri": expected}}] * 2


def test_what_could_not_be_read_is_told_by_the_tool() -> None:
    (invocation,) = log([], UNREAD)["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    assert [each["message"]["text"] for each in invocation["toolExecutionNotifications"]] == [
        problem.message for problem in UNREAD
    ]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("org/a.yaml", "org/a.yaml"),
        ("/srv/a b.yaml", "file:///srv/a%20b.yaml"),
        ("<stdin>", "%3Cstdin%3E"),
        ("é#?.yaml", "%C3%A9%23%3F.yaml"),
    ],
)
def test_paths_become_uris(path: str, expected: str) -> None:
    assert uri(path) == expected


def test_messages_are_plain_text() -> None:
    (result,) = log([placed(HOSTILE)])["runs"][0]["results"]
    assert "\x1b" not in result["message"]["text"]
    assert "\x00" not in result["message"]["text"]


LIMITS = {
    "runs per file": 20,
    "results per run": 25_000,
    "rules per run": 25_000,
    "locations per result": 1_000,
    "tags per rule": 20,
}
"""What code scanning takes; it refuses a file with more. Of the results of a run it shows 5,000, the most severe first.

Source: docs.github.com, "SARIF support for code scanning", the limits of objects in a file.
"""


@pytest.mark.slow
def test_a_file_stays_within_the_limits_of_code_scanning() -> None:
    many = [(RULES[2], LIMITS["results per run"]), (RULES[0], 1), (RULES[1], 5)]
    found = [placed(of=rule, fingerprint=str(n)) for rule, number in many for n in range(number)]
    found[-1] = replace(found[-1], related=found[-1].related[:1] * 2_000, related_files=())
    for log in (*sarif_logs(found, RULES, (), {}), *sarif_logs(FOUND, RULES, (), {}, [str(n) for n in range(25)])):
        assert len(log["runs"]) <= LIMITS["runs per file"]
        for run in log["runs"]:
            rules = run["tool"]["driver"]["rules"]
            assert len(run["results"]) <= LIMITS["results per run"]
            assert len(rules) <= LIMITS["rules per run"]
            assert all(len(rule["properties"]["tags"]) <= LIMITS["tags per rule"] for rule in rules)
            places = [len(each["locations"]) + len(each.get("relatedLocations", ())) for each in run["results"]]
            assert max(places, default=0) <= LIMITS["locations per result"]


@pytest.mark.slow
def test_of_too_many_findings_the_most_severe_are_kept_and_the_others_counted() -> None:
    most = LIMITS["results per run"]
    found = [placed(of=RULES[2], fingerprint=str(n)) for n in range(most)]
    found += [placed(of=rule, fingerprint=rule.id) for rule in (RULES[1], RULES[0])]
    (run,) = sarif_logs(found, RULES, (), {})[0]["runs"]
    levels = [each["level"] for each in run["results"]]
    assert (len(levels), levels[-2:], levels.count("note")) == (most, ["warning", "error"], most - 2)
    (said,) = run["invocations"][0]["toolExecutionNotifications"]
    assert said["level"] == "warning"
    assert said["message"]["text"].startswith("2 findings")
    assert run["invocations"][0]["executionSuccessful"]
    assert sarif_logs(found[2:], RULES, (), {})[0]["runs"][0]["invocations"][0]["toolExecutionNotifications"] == []
