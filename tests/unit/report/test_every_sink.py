"""A hostile text changes no structure: one table of texts goes through every form of output.

Each form is parsed, as its reader would parse it, and compared with the form of harmless texts in the same places.
"""

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from markdown_it import MarkdownIt

from kubectl_fairshare.cli.completing.program import complete
from kubectl_fairshare.cli.main import main
from tests.sampling import sampled
from tests.screens import ROOT, stream, written

HOSTILE: Final = {
    "terminal": "q\x1b[31m\x1b]0;t\x07\r\b\x9b2J\u202e\u200b\ufeff\u2028q",
    "controls": "q\x9b31m\x9d0;t\x9c\x85\x7f\x1b]8;;https://evil.example\x1b\\q",
    "hidden": "q\u2066q\u2069\u061c\u200fq\u2060\u00adq",
    "newline": "q\nother: line\n- item\n\tq",
    "markdown": "q](https://evil.example) ![q](//evil.example/q.png) **q** `q | q\n# q @evil [q]: q",
    "actions": "q\n::error file=q::q%0A::set-output name=q::q",
    "runner": "::error file=q::q ##[error]q ##[stop-commands]q ::warning::q",
    "xml": "q]]><q a=\"q\" b='q'>&q;\x00\x0b\ufffe",
    "formula": "=1+q|' /C q'!A0",
    "formula of a number": "-1+q|' /C q'!A0",
    "formula of full width": "\uff1d1+q",
    "cells": 'q","q\r\n"q;q\tq',
    "html": "<script>q()</script><img src=q onerror=q><!-- q --><svg/onload=q>",
    "attribute": '" onload="q()" x=\'q\' style=q`q',
    "shell": "`q`;q&&q>q|q 'q\" \\q *~!$q",
    "sarif": "q [q](https://evil.example) {0} [q](1) \\[q",
    "json": '"}, {"q": null}, \\u0000',
    "yaml": "q: {q: !!python/object q, *q} # q",
}
"""Where each would do harm, if a form did not escape it."""
OURS: Final = re.compile(r"\x1b\[[0-9;]*m")
_RAW: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Signs that a terminal obeys even inside of a document."""
_HIDDEN: Final = re.compile("[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]")
"""Signs that turn the direction of writing, or show nothing."""
_COMMAND: Final = re.compile(r"^\s*::[^:]*::|##\[[^\]]*\]", re.MULTILINE)
"""What a runner of GitHub Actions takes for a command, the second form anywhere (actions/runner, ActionCommand.cs)."""


@dataclass
class Texts:
    """Texts for places, each in turn: those of the table, or harmless ones that are as wrong as names."""

    hostile: bool
    given: int = 0

    def __call__(self) -> str:
        self.given += 1
        every = list(HOSTILE.values())
        return every[self.given % len(every)] if self.hostile else f"Not Valid {self.given % len(every)}"


def answered(*arguments: object) -> tuple[str, str]:
    """What a call prints, and what it reports."""
    out, err = stream(b""), stream(b"")
    code = main([str(each) for each in arguments], None, out, err)
    assert code in (0, 1, 3, 4, 5), (code, written(err))
    return written(out), written(err)


def shape(value: Any) -> Any:
    """The types of a document's parts, whatever their order."""
    if isinstance(value, dict):
        return [(name, shape(held)) for name, held in sorted(value.items())]
    return sorted((shape(item) for item in value), key=repr) if isinstance(value, list) else type(value).__name__


def json_shape(text: str) -> Any:
    return shape(json.loads(text))


def yaml_shape(text: str) -> Any:
    return shape(yaml.load(text, yaml.CSafeLoader))


def table_shape(text: str) -> Any:
    rows = list(csv.reader(io.StringIO(text, newline="")))
    for cell in (cell.lstrip() for row in rows for cell in row):
        assert not cell.startswith(("=", "@", "\uff1d")), cell
        assert not cell.startswith(("+", "-")) or re.fullmatch(r"[-+][0-9.]*[A-Za-z%]*", cell), cell
    return [len(row) for row in rows]


def tree_shape(text: str) -> Any:
    return sorted((each.tag, *each.attrib) for each in ET.fromstring(text).iter())


def picture_shape(text: str) -> Any:
    """The tags of a picture with their attributes; a long text wraps into more lines, which are alike."""
    return sorted({(each.tag, *each.attrib) for each in ET.fromstring(text).iter()})


class Tags(HTMLParser):
    """Every tag of a page with the names of its attributes, and its comments."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Any] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, [name for name, _ in attrs]))

    def handle_comment(self, data: str) -> None:  # noqa: ARG002 -- a comment is one, whatever it says
        self.found.append("comment")


def page_shape(text: str) -> Any:
    tags = Tags()
    tags.feed(text)
    return tags.found


def markdown_shape(text: str) -> Any:
    """The tokens of GitHub's Markdown, but for where code begins and ends: quotes in a text may shift that."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    every = (inner for token in tokens for inner in (token, *(token.children or ())))
    return sorted(token.type for token in every if token.type not in ("text", "text_special", "code_inline"))


def commands_shape(text: str) -> Any:
    """The workflow commands; each line is one, but for the tally."""
    *lines, _ = text.splitlines()
    found = [re.fullmatch(r"::(error|warning|notice) ([^:]*)::.*", line) for line in lines]
    assert all(found), lines
    return sorted(
        match[1] + " ".join(each.partition("=")[0] for each in match[2].split(",")) for match in found if match
    )


def sarif_shape(text: str) -> Any:
    """Messages have no link: brackets in them are escaped (SARIF 2.1.0, section 3.11.6)."""
    document = json.loads(text)
    for result in document["runs"][0].get("results", ()):
        assert not re.search(r"(?<!\\)\[[^\]]*(?<!\\)\]\(", result["message"]["text"]), result["message"]["text"]
    return shape(document)


def screen_shape(text: str) -> Any:
    obeyed = [sign for sign in OURS.sub("", text) if not sign.isprintable() and sign != "\n"]
    assert not obeyed, obeyed


def lines_shape(text: str) -> Any:
    screen_shape(text)
    return len(text.splitlines())


SHAPES: Final[dict[str, Callable[[str], Any]]] = {
    "text": screen_shape,
    "wide": screen_shape,
    "concise": screen_shape,
    "name": lines_shape,
    "json": json_shape,
    "yaml": yaml_shape,
    "csv": table_shape,
    "svg": picture_shape,
    "html": page_shape,
    "markdown": markdown_shape,
    "junit": tree_shape,
    "github": commands_shape,
    "gitlab": json_shape,
    "sarif": sarif_shape,
}


def documents(*places: str) -> list[Any]:
    roots = [ROOT / "testdata" / place for place in places]
    files = sorted(file for root in roots for file in ((root,) if root.is_file() else root.rglob("*.yaml")))
    loaded = (each for file in files for each in yaml.load_all(file.read_text(encoding="utf-8"), yaml.CSafeLoader))
    return [each for each in loaded if isinstance(each, dict) and "metadata" in each]


def folder_of(path: Path, items: list[Any], texts: Texts) -> Path:
    """A folder with a file whose name is hostile."""
    path.mkdir(parents=True)
    names = (texts() for _ in HOSTILE)
    name = "".join(names).replace("/", "").replace("\x00", "")
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": items})
    (path / f"{name.encode('utf-8', 'replace').decode()[:90]}.json").write_text(text, encoding="utf-8")
    return path


def said(items: list[Any], texts: Texts) -> list[Any]:
    """The state with such texts where a cluster takes any: messages, annotations, names for people."""
    for each in items:
        each.setdefault("metadata", {}).setdefault("annotations", {})["example.com/note"] = texts()
        for condition in each.get("status", {}).get("conditions", ()):
            condition.update(message=texts(), reason=texts())
        if each["kind"] == "Queue":
            each["spec"]["displayName"] = texts()
    return items


def named(items: list[Any], texts: Texts) -> list[Any]:
    """Objects whose names, references, labels, values and fields are such texts."""
    for number, each in enumerate(items):
        each[texts()] = texts()
        spec = each.get("spec") or {}
        place = number % 4
        if place == 0:
            each.setdefault("metadata", {})["name"] = texts()
        elif place == 1:
            spec.update({field: texts() for field in ("cohortName", "clusterQueue", "queueName") if field in spec})
        elif place == 2:
            each.setdefault("metadata", {})["namespace"] = texts()
        else:
            spec[texts()] = {texts(): texts()}
            spec["queueingStrategy"] = texts()
    return items


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """Folders with hostile texts and, after each, one with harmless texts; by what is in them."""
    planting: dict[str, tuple[str, Callable[[list[Any], Texts], list[Any]]]] = {
        "kueue": ("demo/org", said),
        "kai": ("demo/kai", said),
        "names": ("demo/org", named),
        "names of kai": ("demo/kai", named),
        "names of koordinator": ("koordinator/tree.yaml", named),
        "names of elasticquota": ("elasticquota/cluster.yaml", named),
        "koordinator": ("koordinator/tree.yaml", said),
        "elasticquota": ("elasticquota/cluster.yaml", said),
    }
    return {
        name: [_folder(tmp_path_factory, *how, hostile=each) for each in (True, False)]
        for name, how in planting.items()
    }


def _folder(
    factory: pytest.TempPathFactory, place: str, plant: Callable[[list[Any], Texts], list[Any]], *, hostile: bool
) -> Path:
    texts = Texts(hostile)
    return folder_of(factory.mktemp("sinks") / "state", plant(documents(place), texts), texts)


def compare(form: str, answers: list[tuple[str, str]]) -> None:
    """Fails unless the answer to hostile texts is formed as the one to harmless texts."""
    (out, err), (harmless, _) = answers
    screen_shape(err)
    assert not _RAW.search(OURS.sub("", out)), out
    assert not _HIDDEN.search(out + err), _HIDDEN.findall(out + err)
    assert not _COMMAND.search(OURS.sub("", err)), err
    if form != "github":
        assert not _COMMAND.search(OURS.sub("", out)), _COMMAND.findall(OURS.sub("", out))
    assert SHAPES[form](out) == SHAPES[form](harmless)
    assert out


_SCREENS: Final = ("text", "json", "yaml", "markdown")
_CALLS: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "kueue": {"why -A": _SCREENS, "cycle": (*_SCREENS, "svg"), "capacity": ("csv", "name")},
    "kai": {"shares": (*_SCREENS, "wide", "name", "csv", "svg"), "why -A": ("text",)},
    "names": {"lint": ("text", "concise", "json", "sarif", "junit", "github", "gitlab", "markdown")},
    "names of kai": {"lint": ("text", "sarif", "github", "markdown"), "shares": ("name",)},
    "names of koordinator": {"lint": ("text", "json", "markdown")},
    "names of elasticquota": {"lint": ("text", "json", "markdown")},
    "koordinator": {"shares": ("text", "csv"), "lint": ("github",)},
    "elasticquota": {"shares": ("text", "csv"), "lint": ("github",)},
}


@pytest.mark.parametrize(
    ("given", "command", "form"),
    [(given, command, form) for given, calls in _CALLS.items() for command, forms in calls.items() for form in forms],
)
def test_a_hostile_text_changes_no_structure(
    folders: dict[str, list[Path]], given: str, command: str, form: str
) -> None:
    flag = [] if command == "lint" else ["-f"]
    colour = ["--color", "always"] if form == "text" else []
    compare(form, [answered(*command.split(), *flag, each, "-o", form, *colour) for each in folders[given]])


@pytest.mark.slow
def test_a_page_has_the_same_elements(folders: dict[str, list[Path]], tmp_path: Path) -> None:
    for given in ("kueue", "kai"):
        shapes = []
        for each in folders[given]:
            answered("report", "-f", each, "-o", tmp_path / "page.html")
            page = (tmp_path / "page.html").read_text(encoding="utf-8")
            assert not _COMMAND.search(page)
            shapes.append(page_shape(page))
        assert shapes[0] == shapes[1]


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "markdown", "html", "csv", "json"])
def test_a_difference_has_the_same_structure(folders: dict[str, list[Path]], form: str) -> None:
    before, after = (ROOT / "testdata" / place for place in ("demo/kai", "demo/kai-change.yaml"))
    assert before.exists()
    assert after.exists()
    answers = [answered("diff", each, "--overlay", after, "-o", form) for each in folders["kai"]]
    compare(form, answers)


@pytest.mark.slow
@pytest.mark.parametrize("given", ["kai", "names of kai", "names of koordinator"])
def test_a_difference_in_a_pull_request_has_no_sign_that_is_obeyed(folders: dict[str, list[Path]], given: str) -> None:
    hostile, harmless = folders[given]
    out, err = answered("diff", harmless, hostile, "-o", "markdown")
    assert not _RAW.search(out + err)
    assert not _HIDDEN.search(out + err)
    tables = [line for line in out.splitlines() if line.startswith("| ")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in tables} <= {4, 6}


@pytest.mark.parametrize("form", ["text", "json", "junit", "github"])
def test_the_name_of_a_test_changes_no_structure(form: str, tmp_path: Path) -> None:
    answers = []
    for hostile in (True, False):
        texts = Texts(hostile)
        folder = tmp_path / str(hostile)
        folder.mkdir()
        when = {"submit": {"queue": "vision/gpus", "request": {"nvidia.com/gpu": 900}}}
        tests = [{"name": texts(), "because": texts(), "when": when, "then": {"outcome": "Admitted"}} for _ in HOSTILE]
        suite = {"given": {"paths": [str(ROOT / "testdata" / "demo" / "org")]}, "tests": tests}
        (folder / "fairshare-test.yaml").write_text(json.dumps(suite), encoding="utf-8")
        answers.append(answered("test", folder, "-o", form))
    compare(form, answers)


@pytest.mark.slow
@pytest.mark.parametrize("form", sampled(["text", "csv", "json", "yaml", "svg", "html"], 6, first=5))
def test_the_name_of_a_queue_in_a_simulation_changes_no_structure(form: str, tmp_path: Path) -> None:
    shown = [text for text in HOSTILE.values() if text.isprintable()]  # a queue's name has no other signs
    answers = []
    for hostile in (True, False):
        names = [text if hostile else f"Not Valid {n}" for n, text in enumerate(shown)]
        given = {
            "Cycles": 5,
            "WindowSize": 60,
            "HalfLifePeriod": 20,
            "KValue": 4,
            "Nodes": [{"GPUs": 16}],
            "Queues": [{"Name": name} for name in names],
            "Jobs": {name: {"GPUs": 2, "NumPods": 1, "NumJobs": 4} for name in names},
        }
        path = tmp_path / f"{hostile}.json"
        path.write_text(json.dumps(given), encoding="utf-8")
        answers.append(answered("simulate", "-f", path, "-o", form))
    compare(form, answers)


def test_a_completion_is_one_line_of_signs_that_no_shell_obeys(tmp_path: Path) -> None:
    contexts = [{"name": text, "context": {"cluster": "c", "user": "u"}} for text in HOSTILE.values()]
    queues = [
        {
            "apiVersion": "kueue.x-k8s.io/v1beta2",
            "kind": "LocalQueue",
            "metadata": {"name": f"q-{number}", "namespace": text},
            "spec": {"clusterQueue": "c"},
        }
        for number, text in enumerate(HOSTILE.values())
    ]
    (tmp_path / "kubeconfig").write_text(json.dumps({"apiVersion": "v1", "kind": "Config", "contexts": contexts}))
    (tmp_path / "queues.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": queues}))
    state = ["-f", str(tmp_path / "queues.json")]
    asked = [
        ["shares", "--kubeconfig", str(tmp_path / "kubeconfig"), "--context", ""],
        ["why", *state, "-n", ""],
        ["why", *state, "localqueue/"],
        ["plan", *state, "--queue", ""],
        ["shares", *state, "--explain", ""],
    ]
    for words in asked:
        out = io.BytesIO()
        assert complete(words, out) == 0
        *lines, directive = out.getvalue().decode().splitlines()
        assert re.fullmatch(r":\d+", directive)
        for line in lines:
            word, _, about = line.partition("\t")
            assert re.fullmatch(r"[-A-Za-z0-9._/:=,@+]+", word), line
            assert about.isprintable()
