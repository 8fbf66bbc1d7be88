"""A Code Quality report as GitLab reads it."""

from kubectl_fairshare.finding import Severity
from kubectl_fairshare.lint.formats.gitlab import gitlab_report
from tests.unit.lint.formats.findings import UNREAD, made, placed


def test_a_finding_has_what_gitlab_asks_for() -> None:
    assert gitlab_report([placed()], ()) == [
        {
            "description": "`lendingLimit` is 4 more than there is to lend (12 or less)",
            "check_name": "K027 lending-limit-above-nominal",
            "fingerprint": "f00d",
            "severity": "critical",
            "location": {"path": "org/speech.yaml", "lines": {"begin": 18}},
        }
    ]


def test_severities_are_among_gitlabs() -> None:
    found = gitlab_report([placed(of=made(severity=severity)) for severity in Severity], UNREAD)
    assert [each["severity"] for each in found] == ["critical", "major", "info", *["blocker"] * 3]


def test_an_object_from_a_template_is_blamed_on_the_template() -> None:
    (found,) = gitlab_report([placed(source="<stdin>", template="chart/templates/q.yaml")], ())
    assert found["location"] == {"path": "chart/templates/q.yaml", "lines": {"begin": 1}}
    assert found["description"].startswith("<stdin>:18:23: ")


def test_fingerprints_of_what_could_not_be_read_differ() -> None:
    prints = [each["fingerprint"] for each in gitlab_report([], UNREAD)]
    assert len(set(prints)) == len(UNREAD)
