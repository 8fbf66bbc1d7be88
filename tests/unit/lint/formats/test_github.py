"""Workflow commands: one line each, with every character escaped that would end a value."""

from kubectl_fairshare.finding import Severity
from kubectl_fairshare.lint.formats.github import github_commands
from tests.unit.lint.formats.findings import HOSTILE, UNREAD, counts, made, placed


def commands(*findings: object, unread: object = ()) -> list[str]:
    return github_commands(findings, counts(*findings), unread).splitlines()  # type: ignore[arg-type]


def test_a_finding_is_an_annotation_of_its_line() -> None:
    command, tally = commands(placed())
    assert command == (
        "::error file=org/speech.yaml,line=18,endLine=18,col=23,endColumn=25,title=K027 lending-limit-above-nominal::"
        "`lendingLimit` is 4 more than there is to lend%0AnominalQuota: 12%0AlendingLimit: 16%0A"
        "org/flavors.yaml:3:9: defined here%0Ahelp: 12 or less"
    )
    assert tally == "1 error in 9 files (41 objects)"


def test_severities_have_their_commands() -> None:
    found = [commands(placed(of=made(severity=severity)))[0] for severity in Severity]
    assert [line.split(" ")[0] for line in found] == ["::error", "::warning", "::notice"]


def test_nothing_in_a_value_ends_it() -> None:
    command, _ = commands(placed(HOSTILE, source="a,b:c%d\n::error::.yaml"))
    head, _, text = command.removeprefix("::").partition("::")
    assert head.startswith("error file=a%2Cb%3Ac%25d%0A%3A%3Aerror%3A%3A.yaml,line=18,")
    assert text.startswith("a|b <script> `tick` %25, :: ")
    assert "\x1b" not in command


def test_an_object_from_a_template_is_blamed_on_the_template() -> None:
    command, _ = commands(placed(source="<stdin>", template="chart/templates/q.yaml"))
    assert command.startswith("::error file=chart/templates/q.yaml,title=K027 ")
    assert "::<stdin>:18:23: `lendingLimit`" in command


def test_what_could_not_be_read_is_an_error() -> None:
    assert commands(unread=UNREAD)[:-1] == [
        "::error file=org/broken.yaml,line=3,col=7,title=not read::not valid YAML",
        "::error file=org/secret.yaml,title=not read::permission denied",
        "::error title=not read::nothing to read",
    ]
