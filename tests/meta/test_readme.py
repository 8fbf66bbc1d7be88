"""README opens with what this is, then two blocks that work on a fresh machine; the second is what CI runs."""

import gzip
import re
import subprocess

import pytest

from tests.meta.repository import ROOT

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
RECORDED = {
    "Kueue: nominations and preemption": ("kueue",),
    "Kueue: queues that are all busy": ("kueue-saturated",),
    "Kueue: whole cycles in a living cluster": ("kueue-living",),
    "Kueue: topology": ("kueue-tas",),
    "Kueue: admission fair sharing": ("kueue-afs",),
    "Kueue: states in which all features meet": ("kueue-mix",),
    "Kueue 0.16, 0.17, 0.18: nominations, preemption, topology, admission fair sharing": (
        *("kueue-0.16", "kueue-0.16-afs", "kueue-0.16-tas", "kueue-0.17", "kueue-0.17-afs", "kueue-0.17-tas"),
        *("kueue-0.18", "kueue-0.18-patches", "kueue-transformed"),
    ),
    "KAI: sessions of the scheduler": ("kai",),
    "KAI: plans with placement on nodes": ("kai-plan",),
    "Koordinator: trees of quotas, attempts for one pod": ("koordinator",),
    "CapacityScheduling: attempts for one pod": ("elasticquota",),
    "API servers with the webhooks of all four": tuple(
        f"{name}-admission" for name in ("kueue", "kueue-releases", "kai", "koordinator", "elasticquota")
    ),
}
"""The recordings in ``testdata/conformance`` that a row of the table of cases counts."""
OF_JOBS = "kueue-requests"
"""What Kueue requests for jobs: no decision."""
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def shell_blocks() -> list[str]:
    return [body.strip() for language, body in FENCE.findall(TEXT) if language == "sh"]


def test_the_first_paragraph_says_what_this_is() -> None:
    title, first, *_ = TEXT.split("\n\n")
    assert title.startswith("# ")
    assert re.match(r"[`\w]", first)
    assert "Kubernetes" in first
    assert len(first.split()) == 20


def test_the_pain_and_its_answer_come_first_then_the_two_blocks() -> None:
    assert [language for language, _ in FENCE.findall(TEXT)][:3] == ["console", "sh", "sh"]
    assert len(shell_blocks()) == 2


def test_the_first_block_sets_up_and_runs_the_demo() -> None:
    first = shell_blocks()[0]
    assert first.startswith("python3 -m venv .venv && .venv/bin/pip install -q . && ")
    assert first.endswith(".venv/bin/kubectl-fairshare demo")


def test_the_second_block_sets_up_and_runs_all_tests() -> None:
    second = shell_blocks()[1]
    assert second.startswith("python3 -m venv .venv && ")
    assert "'.[test]'" in second
    assert second.endswith(".venv/bin/python -m pytest -q")


def test_each_block_is_one_command() -> None:
    assert [block.count("\n") for block in shell_blocks()] == [0, 0]


def test_ci_runs_the_second_block_word_for_word() -> None:
    done = subprocess.run([".ci/run", "--show"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == shell_blocks()[1]
    assert 'bash -euo pipefail -c "$tests"' in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_cases_are_as_many_as_the_table_says() -> None:
    folder = ROOT / "testdata" / "conformance"
    counts = {
        row: sum(len(gzip.decompress((folder / f"{name}.jsonl.gz").read_bytes()).splitlines()) for name in names)
        for row, names in RECORDED.items()
    }
    kept = {path.name.removesuffix(".jsonl.gz") for path in folder.glob("*.jsonl.gz")}
    assert {name for names in RECORDED.values() for name in names} | {OF_JOBS} == kept
    rows = re.findall(r"^\| (.+?) \| (\d+) \| all \|$", TEXT, re.MULTILINE)
    assert {row: int(count) for row, count in rows} == counts


PAGES = ("docs/architecture.md", "CONTRIBUTING.md")
HOUSES = sorted((ROOT / "kubectl_fairshare" / "schedulers").glob("*/"))
ROOTS = (ROOT, ROOT / "kubectl_fairshare", ROOT / "kubectl_fairshare" / "schedulers", *HOUSES)
BESIDE_A_RULE = {"texts.toml", "bad.yaml", "good.yaml"}
"""Files that every rule has, so that a page names them without a folder."""


def paths_on(page: str) -> list[str]:
    """The files and folders that a page names in its sentences and tables, without blanks and patterns."""
    text = re.sub(r"^```.*?^```", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    words = (word.rstrip("/") for word in re.findall(r"`([^`\s]+)`", text))
    return [w for w in words if re.search(r"/|\.(py|md|toml|ya?ml|jsonl|txt)$", w) and not re.search(r"[<*~=]|^-", w)]


@pytest.mark.parametrize("page", PAGES)
def test_what_the_pages_for_developers_name_exists(page: str) -> None:
    named = paths_on(page)
    assert len(named) > 5
    assert [w for w in named if w not in BESIDE_A_RULE and not any((root / w).exists() for root in ROOTS)] == []
