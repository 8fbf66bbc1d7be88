"""The pages show what the program prints: screens, pictures, and command lines that it accepts.

A ``console`` block whose command reads the demo is printed again; every other command line is parsed by the program.
"""

import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import chdir
from pathlib import Path

import click
import pytest

from tests.sampling import sampled
from tests.screens import ROOT, shown

PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "reference").glob("[!c]*.md")),
]
BLOCK = re.compile(r"^```console\n(\$ kubectl[ -]fairshare [^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
IN_THE_DEMO = re.compile(r"-f (?:org|capacity|kai|koordinator|turns\.yaml|testdata/churn/cluster\.yaml)(?: |$)")
LINE = re.compile(r"kubectl[ -]fairshare ((?:[^`\n|>#\\]|\\\n)+)")
CODE = re.compile(r"^ *```\w*\n(.*?)^ *```$|`([^`]+)`", re.MULTILINE | re.DOTALL)
_PASSAGE = 25
"""So many words in a row are a passage that a reader would notice twice."""
DEMO = ROOT / "testdata" / "demo"
ASKING = ("capacity", "cycle", "plan", "shares", "test", "why")
FILE = re.compile(r"(?:/|\.(?:ya?ml|json|gz))$")
WRITTEN = [*PAGES, *(ROOT / "docs" / "decisions").glob("*.md")]
WRITTEN += [
    *(ROOT / "docs" / "rules").glob("*.md"),
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    ROOT / "SECURITY.md",
]
PICTURES = {
    "why": "why sweep-3 -n vision -f org",
    "plan": "plan -f org -w jobs/finetune.yaml",
    "shares": "shares -f org --flavor a100",
}


def screens(page: Path) -> list[str]:
    """The commands of a page that are run in the demo's folder."""
    found = [opening.removeprefix("$ ") for opening, _ in BLOCK.findall(page.read_text(encoding="utf-8"))]
    return [command for command in found if IN_THE_DEMO.search(command)]


def test_the_main_commands_are_shown() -> None:
    assert {command.split()[2] for page in PAGES for command in screens(page)} >= {
        *("shares", "plan", "why", "cycle", "lint", "simulate")
    }


@pytest.mark.parametrize("page", [p for p in PAGES if screens(p)], ids=lambda p: p.stem)
@pytest.mark.usefixtures("run")
def test_a_page_shows_what_is_printed(golden: Callable[[str, str], None], page: Path) -> None:
    name = f"../../{page.relative_to(ROOT).as_posix()}"
    golden(name, BLOCK.sub(_printed_again, page.read_text(encoding="utf-8")))


def _printed_again(block: re.Match[str]) -> str:
    """The block with what its command prints now; one that is not about the demo stays."""
    opening = block[1]
    command = opening.removeprefix("$ ")
    if not IN_THE_DEMO.search(command):
        return block[0]
    with chdir(ROOT if "testdata/" in command else DEMO):
        screen = shown(command)
    assert screen.stderr == ""
    assert screen.code in (0, 1, 4)
    return f"```console\n{opening}\n{screen.stdout}```"


def command_lines() -> Iterator[str]:
    """Every command line on the pages that has arguments, in a block or in a sentence; a sentence itself is none."""
    for page in WRITTEN:
        code = "\n".join(block or line for block, line in CODE.findall(page.read_text("utf-8")))
        for match in LINE.finditer(code):
            text = " ".join(match[1].replace("\\\n", " ").split()).strip(" .,)")
            whole = text.count('"') % 2 == 0 and text.count("'") % 2 == 0
            if len(text.split()) > 1 and "[OPTIONS]" not in text and "…" not in match[0] and whole:
                yield text


@pytest.mark.parametrize("text", sorted(set(command_lines())))
def test_a_command_line_on_a_page_is_one_that_the_program_takes(text: str) -> None:
    from kubectl_fairshare.cli.program import COMMANDS, program

    words = [word for word in shlex.split(text) if word != "$@"]  # the arguments of a script are any
    assert words[0] in COMMANDS
    root = click.Context(program, info_name="kubectl fairshare", **program.context_settings)
    command = program.get_command(root, words[0])
    assert command is not None
    command.make_context(words[0], words[1:], root)


def asked_of_the_demo() -> Iterator[str]:
    """The questions on the pages about ``org``, the demo's folder, and no file that the demo lacks."""
    for text in sorted(set(command_lines())):
        words = shlex.split(text)
        files = [word for word in words if FILE.search(word)]
        if words[0] in ASKING and {"org", "org/"} & {*words} and all((DEMO / word).exists() for word in files):
            yield text


@pytest.mark.parametrize("text", sampled(asked_of_the_demo(), 3, first=1))
@pytest.mark.usefixtures("run")
def test_a_question_about_the_demo_has_an_answer(text: str) -> None:
    with chdir(DEMO):
        screen = shown(f"kubectl-fairshare {text}")
    assert (screen.stderr, screen.code in (0, 1, 4)) == ("", True)


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.usefixtures("run")
def test_a_picture_is_what_the_program_prints(golden: Callable[[str, str], None], name: str) -> None:
    with chdir(DEMO):
        screen = shown(f"kubectl-fairshare {PICTURES[name]} -o svg")
    golden(f"../../docs/pictures/{name}.svg", screen.stdout)
    cells = float(screen.stdout.split('viewBox="0 0 ')[1].split(" ")[0]) / 12.2
    assert 80 <= cells <= 103, "100 columns, and the frame"
    assert f"kubectl&#160;fairshare&#160;{PICTURES[name]}".replace(" ", "&#160;") in screen.stdout.replace(
        " ", "&#160;"
    )


def test_readme_is_short_and_shows_three_pictures() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert len(text.splitlines()) < 200
    assert re.findall(r"\(docs/pictures/(\w+)\.svg\)", text) == list(PICTURES)


def test_readme_sets_an_answer_of_six_lines_against_the_message_of_the_scheduler() -> None:
    (answer,) = (found for opening, found in BLOCK.findall(PAGES[0].read_text("utf-8")) if " why " in opening)
    lines = answer.splitlines()
    assert len(lines) == 6
    assert max(map(len, lines)) <= 80
    assert "…" not in answer


@pytest.mark.parametrize("page", [p for p in PAGES if p.parent.name != "reference"], ids=lambda page: page.name)
def test_a_page_says_a_passage_once(page: Path) -> None:
    words = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL).split()
    passages = [" ".join(words[at : at + _PASSAGE]) for at in range(len(words) - _PASSAGE + 1)]
    prose = [each for each in passages if "|" not in each]
    assert [each for each, number in Counter(prose).items() if number > 1] == []


def test_every_page_is_in_the_navigation_of_the_site() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text("utf-8")
    assert [p.name for p in PAGES[1:] if p.relative_to(ROOT / "docs").as_posix() not in navigation] == []
