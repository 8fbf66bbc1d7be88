"""Imports go down only, and the walls hold; each planted breach shows that this would be noticed."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.meta.repository import PACKAGE, ROOT, rooms

pytestmark = pytest.mark.xdist_group("layers")

# file that is changed, line that is planted, the link that the report must name
BREACHES = [
    (
        "model/amounts.py",
        "import kubectl_fairshare.trace",
        "kubectl_fairshare.model.amounts -> kubectl_fairshare.trace",
    ),
    ("shipped.py", "import kubectl_fairshare.trace", "kubectl_fairshare.shipped -> kubectl_fairshare.trace"),
    ("jobs/__init__.py", "import kubectl_fairshare.api", "kubectl_fairshare.jobs -> kubectl_fairshare.api"),
    (
        "schedulers/__init__.py",
        "import kubectl_fairshare.conformance",
        "kubectl_fairshare.schedulers -> kubectl_fairshare.conformance",
    ),
    (
        "lint/__init__.py",
        "import kubectl_fairshare.schedulers",
        "kubectl_fairshare.lint -> kubectl_fairshare.schedulers",
    ),
    ("input/__init__.py", "import kubectl_fairshare.editing", "kubectl_fairshare.input -> kubectl_fairshare.editing"),
    ("report/__init__.py", "import kubectl_fairshare.input", "kubectl_fairshare.report -> kubectl_fairshare.input"),
    (
        "conformance/__init__.py",
        "import kubectl_fairshare.cli",
        "kubectl_fairshare.conformance -> kubectl_fairshare.cli",
    ),
    (
        "schedulers/kai/__init__.py",
        "import kubectl_fairshare.schedulers.elasticquota",
        "kubectl_fairshare.schedulers.kai -> kubectl_fairshare.schedulers.elasticquota",
    ),
    *(
        (
            f"schedulers/{house}/{file}",
            f"import kubectl_fairshare.schedulers.{house}.{room}",
            f"kubectl_fairshare.schedulers.{house}.{importer} -> kubectl_fairshare.schedulers.{house}.{room}",
        )
        for house, file, importer, room in (
            ("kueue", "laws.py", "laws", "tree"),
            ("kueue", "tree/__init__.py", "tree", "flavors"),
            ("kueue", "flavors/__init__.py", "flavors", "preemption"),
            ("kueue", "preemption/__init__.py", "preemption", "cycle"),
            ("kueue", "cycle/__init__.py", "cycle", "explain"),
            ("kueue", "explain/__init__.py", "explain", "why"),
            ("kueue", "why/__init__.py", "why", "words"),
            ("elasticquota", "laws.py", "laws", "nodes"),
            ("elasticquota", "nodes/__init__.py", "nodes", "quotas"),
            ("elasticquota", "quotas/__init__.py", "quotas", "preemption"),
            ("elasticquota", "preemption/__init__.py", "preemption", "explain"),
            ("elasticquota", "explain/__init__.py", "explain", "why"),
            ("elasticquota", "why/__init__.py", "why", "words"),
        )
    ),
    *(
        (
            f"schedulers/kai/{file}",
            f"import kubectl_fairshare.schedulers.kai.{room}",
            f"kubectl_fairshare.schedulers.kai.{importer} -> kubectl_fairshare.schedulers.kai.{room}",
        )
        for file, importer, room in (
            ("model/__init__.py", "model", "jobs"),
            ("fairness.py", "fairness", "division"),
            ("division/__init__.py", "division", "session"),
            ("session/__init__.py", "session", "reclaim"),
            ("reclaim/__init__.py", "reclaim", "explain"),
            ("explain/__init__.py", "explain", "why"),
            ("why/__init__.py", "why", "words"),
        )
    ),
    ("report/__init__.py", "import click", "kubectl_fairshare.report -> click"),
    ("input/__init__.py", "import rich.console", "kubectl_fairshare.input -> rich"),
    ("api/__init__.py", "import ruamel.yaml", "kubectl_fairshare.api -> ruamel"),
    ("cli/__init__.py", "import kubernetes.client", "kubectl_fairshare.cli -> kubernetes"),
    ("schedulers/__init__.py", "import jsonschema", "kubectl_fairshare.schedulers -> jsonschema"),
    (
        "schedulers/kueue/__init__.py",
        "def f() -> None:\n    import time",
        "kubectl_fairshare.schedulers.kueue -> time",
    ),
]


def report(folder: Path) -> tuple[int, str]:
    """Exit code and text of import-linter over the package in ``folder``."""
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, " ".join((done.stdout + done.stderr).split())


def copy(folder: Path) -> Path:
    """A copy of the package and its contracts."""
    shutil.copytree(PACKAGE, folder / PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


@pytest.fixture(scope="module")
def breached(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, str]:
    """The report over a copy in which every breach is planted."""
    folder = copy(tmp_path_factory.mktemp("breached"))
    for name, line, _ in BREACHES:
        path = folder / PACKAGE.name / name
        path.write_text(f"{path.read_text(encoding='utf-8')}\n{line}\n", encoding="utf-8")
    return report(folder)


def test_the_contracts_hold() -> None:
    code, text = report(ROOT)
    assert code == 0, text


@pytest.mark.parametrize(("file", "line", "link"), BREACHES, ids=[link for _, _, link in BREACHES])
def test_a_breach_is_noticed(breached: tuple[int, str], file: str, line: str, link: str) -> None:
    code, text = breached
    assert code == 1
    assert f"{link} (l." in text, f"`{line}` in {file} went unnoticed:\n{text}"


def test_a_room_outside_the_layers_is_noticed(tmp_path: Path) -> None:
    (copy(tmp_path) / PACKAGE.name / "attic.py").touch()
    code, text = report(tmp_path)
    assert code == 1
    assert "kubectl_fairshare.attic" in text


@pytest.mark.parametrize(
    ("wall", "doors"),
    [
        ("wall-click", {"cli"}),
        ("wall-rich", {"report"}),
        ("wall-yaml", {"input", "editing"}),
        ("wall-cluster", {"input"}),
        ("wall-jsonschema", {"input"}),
        ("wall-world", {"__main__", "cli", "conformance", "input", "editing"}),
    ],
)
def test_a_wall_has_no_other_doors(wall: str, doors: set[str]) -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (contract,) = [each for each in contracts if each["id"] == wall]
    assert sorted(contract["source_modules"]) == [f"kubectl_fairshare.{room}" for room in rooms() if room not in doors]
