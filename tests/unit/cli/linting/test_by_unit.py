"""A repository of several clusters: findings by unit, each once."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.screens import Screen, shown
from tests.unit.input.units.folders import write

QUEUE = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q}\nspec:\n  stopPolicy: %s\n"
LONE = "resources: [q.yaml]\n"


@pytest.fixture(autouse=True)
def _repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, policy in (("prod-a", "Never"), ("prod-b", "None")):
        folder = tmp_path / "clusters" / name
        folder.mkdir(parents=True)
        (folder / "kustomization.yaml").write_text(LONE)
        (folder / "q.yaml").write_text(QUEUE % policy)


def lint(args: str) -> Screen:
    return shown(f"kubectl-fairshare lint {args}")


def test_each_finding_names_its_unit_and_no_object_is_there_twice() -> None:
    screen = lint(". --select M005")
    assert screen.code == 1
    assert screen.stdout.startswith("clusters/prod-a: clusters/prod-a/q.yaml:5:15: error[M005]")
    assert "1 error in 2 units, 2 files" in screen.stdout
    assert "occurs twice" not in screen.stderr


def test_each_picks_units() -> None:
    assert lint(". --select M005 --each clusters/prod-b").code == 0
    assert lint(". --select M005 --each *-a").code == 1
    screen = lint(". --each nowhere")
    assert screen.code == 2
    assert "units are `clusters/prod-a`, `clusters/prod-b`" in screen.stderr


def test_documents_name_units() -> None:
    report = json.loads(lint(". --select M005 -o json").stdout)
    assert [(u["name"], u["findings"]) for u in report["units"]] == [("clusters/prod-a", 1), ("clusters/prod-b", 0)]
    assert [f["unit"] for f in report["findings"]] == ["clusters/prod-a"]
    log = json.loads(lint(". --select M005 -o sarif").stdout)
    found = [(run["automationDetails"]["id"], len(run["results"])) for run in log["runs"]]
    assert found == [("fairshare/clusters/prod-a/", 1), ("fairshare/clusters/prod-b/", 0)]


def test_an_object_that_a_kustomization_patches_is_not_fixed(tmp_path: Path) -> None:
    folder = tmp_path / "clusters/prod-b"
    (folder / "kustomization.yaml").write_text(f"{LONE}patches: [{{path: p.yaml}}]\n")
    (folder / "p.yaml").write_text(QUEUE % "hold")
    before = (folder / "q.yaml").read_text()
    screen = lint(". --fix --unsafe-fixes --each *-b")
    assert (folder / "q.yaml").read_text() == before
    assert "a kustomization patches this object" in screen.stderr


FIXABLE = """apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: lone}
spec:
  namespaceSelector: {}
  preemption: {reclaimWithinCohort: Any}
"""


@pytest.mark.parametrize(
    ("files", "args"),
    [
        ({"eu/kustomization.yaml": f"{LONE}nameSuffix: -x\n"}, "-k eu"),
        ({"eu/kustomization.yaml": f"{LONE}namePrefix: x-\n"}, "-k eu"),
        ({"eu/kustomization.yaml": f"{LONE}patches: [{{path: p.yaml}}]\n", "eu/p.yaml": FIXABLE}, "eu"),
        ({}, "-f git:HEAD:eu"),
        ({}, "- < eu/q.yaml"),
    ],
)
def test_a_fix_is_offered_only_if_it_can_be_made(tmp_path: Path, files: dict[str, str], args: str) -> None:
    if args.startswith("-k") and shutil.which("kubectl") is None:
        pytest.skip("kubectl isn't there")
    for name, text in {"eu/q.yaml": FIXABLE, "eu/kustomization.yaml": LONE, **files}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    for words in ("init -q", "add -A", "-c user.name=a -c user.email=a@b commit -qm x"):
        subprocess.run(["git", *words.split()], check=True)
    found = lint(f"--select K141 {args}")
    assert "K141" in found.stdout
    assert "fix" not in found.stdout.replace("help: remove it, or name a cohort", "")
    assert "[*] --fix" in lint("eu/q.yaml --select K141").stdout


def test_the_units_of_a_finding_are_named() -> None:
    write({"base/q.yaml": FIXABLE, "base/kustomization.yaml": LONE})
    for name in ("one", "two"):
        write({f"{name}/kustomization.yaml": "resources: [../base]\n"})
    assert "in 2 units: one, two" in lint(". --select K141").stdout
