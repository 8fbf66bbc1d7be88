"""The page about v1alpha2 is true of documents and complete, and `--api v1alpha1` obeys the schemas of then.

Kept documents of the version before are in ``tests/golden/older``.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from kubectl_fairshare.answers.older import OlderField, OlderForm, older
from kubectl_fairshare.cli.older_documents import in_older_version
from tests.meta.repository import ROOT
from tests.schemas import problems
from tests.screens import shown

PAGE = ROOT / "docs" / "reference" / "v1alpha2.md"
ROW = re.compile(r"^\| (\w+) \| `([^`]+)` \| `([^`]+)`(.*) \|$", re.MULTILINE)
STEP = re.compile(r"(\w+)(?:(\[)(?:(\w+)=(\w+))?\])?\.?")
COMMANDS = (
    "plan -f testdata/plan/org.yaml --fair-sharing --queue us/gpus --request nvidia.com/gpu=1 --count 7",
    "plan -f testdata/plan/org.yaml --classical --queue them/gpus --request nvidia.com/gpu=1 --count 3",
    "plan -f testdata/plan/org.yaml --queue us/cpus --request cpu=5",
    "plan -f testdata/plan/put-back.yaml -n team --queue q --request cpu=8 --priority 10",
    "plan -f testdata/rules/K132/good.yaml -w testdata/rules/K132/good.yaml",
    "plan -f testdata/reports/kueue-check-missing/state.yaml -w testdata/reports/kueue-check-missing/state.yaml",
    "plan -f testdata/kai/org -w testdata/kai/train.yaml",
    "plan -f testdata/elasticquota/cluster.yaml -n production --request nvidia.com/gpu=3",
    "plan -f testdata/koordinator/ties.yaml -w testdata/koordinator/asked.yaml",
    "shares -f testdata/demo/org",
    "shares -f testdata/elasticquota/cluster.yaml",
    "why -f testdata/kueue/chance-crash.yaml -n ns Workload/w",
    "why -f testdata/demo/org sweep-3 -n vision",
    "why -f testdata/kai/why podgroup/patient -n ml --now 2026-02-01T12:00:00Z",
    "why -f testdata/elasticquota/waiting.yaml wide",
    "why -f testdata/demo/org",
    "cycle -f testdata/demo/org",
)
ALSO = "remedies[].also[]."
RARE = (
    "putBack[].comparison",
    "nodes[].inactive",
    f"{ALSO}before",
    f"{ALSO}beforeQuantity",
    f"{ALSO}after",
    f"{ALSO}afterQuantity",
)
"""Fields without a value in the documents of this test: their names are checked alone."""
Row = tuple[str, str, str, str, str]
Pair = tuple[dict[str, Any], dict[str, Any]]


def rows() -> Iterator[Row]:
    """Kind of document, scheduler, the field before and now, and what else is said of it."""
    for section in PAGE.read_text("utf-8").split("\n## ")[1:]:
        kind = section.partition("\n")[0]
        yield from ((kind, *match) for match in ROW.findall(section))


def values(of: Any, path: str) -> list[Any]:
    """What a document has at a path of the page, without what is empty."""
    step = STEP.match(path)
    if step is None:
        return [] if of in (None, "") else [of]
    name, listed, key, wanted = step.groups()
    entries = of.get(name) if isinstance(of, dict) else None
    if not listed:
        entries = [entries]
    kept = (each for each in entries or () if key is None or json.dumps(each[key]).strip('"') == wanted)
    return [value for each in kept for value in values(each, path[step.end() :])]


def printed(command: str) -> list[dict[str, Any]]:
    """The document of a command, or those of a list."""
    found = json.loads(shown(f"kubectl-fairshare {command}").stdout)
    return list(found.get("items", [found]))


@pytest.fixture(scope="module")
def documents() -> list[Pair]:
    """Documents in the version before and in the present one."""
    both = ((printed(f"{each} -o json --api v1alpha1"), printed(f"{each} -o json")) for each in COMMANDS)
    return [pair for before, now in both for pair in zip(before, now, strict=True)]


@pytest.mark.parametrize("row", [row for row in rows() if not row[-1]], ids=" ".join)
def test_a_field_has_the_values_that_the_older_one_had(row: Row, documents: list[Pair]) -> None:
    kind, scheduler, before, now, _ = row
    of = [(old, new) for old, new in documents if (new["kind"], new["scheduler"]) == (kind, scheduler)]
    assert [values(old, before) for old, _ in of] == [values(new, now) for _, new in of]
    assert before in RARE or any(values(old, before) for old, _ in of), "no document of this test has the field"


def fields(of: Any, other: Any, path: str = "") -> Iterator[str]:
    """The paths of the fields that only the first of two documents has, the outermost of each."""
    if isinstance(of, list):
        rest = other if isinstance(other, list) else []
        for number, each in enumerate(of):
            yield from fields(each, rest[number] if number < len(rest) else each, f"{path}[]")
    elif isinstance(of, dict) and not (path and "apiVersion" in of):  # a document within it has rows of its own
        for name, each in of.items():
            at = f"{path}.{name}" if path else name
            if not isinstance(other, dict) or name not in other:
                yield at
            else:
                yield from fields(each, other[name], at)


def covers(stated: str, path: str) -> bool:
    """Whether a row is about a field, or about a part of it."""
    plain = re.sub(r"\[\w+=\w+\]", "[]", stated)
    return plain == path or plain.startswith((f"{path}.", f"{path}["))


def test_each_field_that_is_gone_or_new_is_on_the_page(documents: list[Pair]) -> None:
    known = [*rows()]
    for old, new in documents:
        of = [row for row in known if row[:2] == (new["kind"], new["scheduler"])]
        before, now = [row[2] for row in of], [row[3] for row in of]
        assert [at for at in {*fields(old, new)} if not any(covers(each, at) for each in before)] == []
        assert [at for at in {*fields(new, old)} if not any(covers(each, at) for each in now)] == []


def test_both_versions_obey_their_schemas(documents: list[Pair]) -> None:
    for old, new in documents:
        assert (old["apiVersion"], new["apiVersion"]) == ("fairshare.dev/v1alpha1", "fairshare.dev/v1alpha2")
        assert (problems(old), problems(new)) == ([], [])


def test_documents_within_documents_have_the_version_too() -> None:
    command = "why -f testdata/elasticquota/waiting.yaml wide -o json --api v1alpha1"
    (why,) = printed(command)
    assert (why["apiVersion"], why["plan"]["apiVersion"]) == ("fairshare.dev/v1alpha1",) * 2
    assert why["plan"]["pod"]["name"] == why["plan"]["subject"]["name"]


def test_lines_and_yaml_have_the_version_too() -> None:
    lines = shown("kubectl-fairshare why -A -f testdata/demo/org -o jsonl --api v1alpha1").stdout.splitlines()
    assert {json.loads(line)["apiVersion"] for line in lines} == {"fairshare.dev/v1alpha1"}
    text = shown("kubectl-fairshare shares -f testdata/demo/org -o yaml --api v1alpha1").stdout
    assert text.startswith('apiVersion: "fairshare.dev/v1alpha1"\n')


def test_files_that_the_program_reads_again_are_no_documents_of_the_new_version() -> None:
    own = {"apiVersion": "fairshare.dev/v1alpha1", "kind": "Trace"}
    assert in_older_version(own) == own
    assert in_older_version({"apiVersion": "v1", "kind": "List", "items": [own]}) == {
        "apiVersion": "v1",
        "kind": "List",
        "items": [own],
    }


def test_older_fields_are_where_they_were() -> None:
    form = OlderForm(
        (
            OlderField("first", lambda of, _: of["b"], "a"),
            OlderField("a", lambda of, _: -of["a"]),
            OlderField("last", lambda _, document: document["a"]),
            OlderField("c", lambda *_: "moved"),
        ),
        frozenset({"b", "c"}),
        {"d": OlderForm(dropped=frozenset({"x"})), "e": OlderForm(dropped=frozenset({"x"}))},
    )
    of = {"a": 1, "b": 2, "c": 3, "d": [{"x": 1, "y": 2}], "e": None}
    expected = {"first": 2, "a": -1, "d": [{"y": 2}], "e": None, "last": 1, "c": "moved"}
    assert [*older(of, form, of).items()] == [*expected.items()]


def test_a_path_may_pick_entries_of_a_list() -> None:
    of = {
        "spared": [{"putBack": True, "queue": "a"}, {"putBack": False, "queue": "b"}, {"putBack": False, "queue": ""}]
    }
    assert values(of, "spared[putBack=false].queue") == ["b"]
    assert values(of, "spared[].queue") == ["a", "b"]
    assert values(of, "victims[].queue") == []
