"""Imports go down only, and the walls hold; each planted breach shows that this would be noticed."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.meta.repository import PACKAGE, ROOT, rooms

# A contract, the module in which a line is planted, and what that imports.
LAYERS = (
    ("model.amounts", "trace"),
    ("shipped", "answers"),
    ("finding", "trace"),
    ("answers", "jobs"),
    ("jobs", "api"),
    ("api", "jobs"),
    ("jobs", "report"),
    ("report", "input"),
    ("input", "editing"),
    ("editing", "lint"),
    ("lint", "schedulers"),
    ("schedulers", "policy"),
    ("policy", "cli"),
    ("schedulers", "conformance"),
    ("conformance", "policy"),
    ("policy", "conformance"),
    ("conformance", "cli"),
    ("cli", "__main__"),
)
WALLS = (
    ("wall-click", "report", "click"),
    ("wall-rich", "input", "rich.console"),
    ("wall-yaml", "api", "ruamel.yaml"),
    ("wall-yaml", "jobs", "yaml"),
    ("wall-cluster", "cli", "kubernetes.client"),
    ("wall-cluster", "schedulers.kai", "urllib3"),
    ("wall-jsonschema", "schedulers", "jsonschema"),
    ("wall-mcp", "cli.commands", "mcp"),
    ("wall-mcp", "policy", "mcp.types"),
    ("wall-report", "schedulers.kueue", "kubectl_fairshare.report.text.view"),
    ("wall-report", "schedulers", "kubectl_fairshare.report"),
    ("wall-world", "schedulers.kueue", "time"),
    ("wall-world", "answers", "random"),
)
HOUSES = (
    ("schedulers.kai", "schedulers.elasticquota"),
    ("schedulers.elasticquota", "schedulers.kueue"),
    ("schedulers.kueue", "schedulers.kai"),
    ("schedulers.koordinator", "schedulers.elasticquota"),
)
INSIDE = {
    "kueue": (
        *(("model", "jobs"), ("jobs", "laws"), ("laws", "tree"), ("tree", "gaps"), ("gaps", "flavors")),
        *(("flavors", "preemption"), ("preemption", "cycle"), ("cycle", "explain"), ("explain", "why")),
        *(
            ("why", "rules"),
            ("rules", "words"),
            ("words", "conformance"),
            ("words", "review"),
            ("review", "conformance"),
            ("conformance", "house"),
        ),
    ),
    "kai": (
        *(("model", "jobs"), ("jobs", "reading"), ("reading", "laws"), ("laws", "fairness"), ("division", "session")),
        *(("session", "gaps"), ("gaps", "reclaim"), ("reclaim", "solver"), ("solver", "explain"), ("explain", "why")),
        *(
            ("why", "rules"),
            ("rules", "words"),
            ("words", "conformance"),
            ("words", "review"),
            ("review", "conformance"),
            ("conformance", "house"),
        ),
    ),
    "elasticquota": (
        *(("model", "jobs"), ("jobs", "laws"), ("laws", "nodes"), ("nodes", "quotas"), ("quotas", "preemption")),
        *(("preemption", "gaps"), ("gaps", "explain"), ("explain", "why"), ("why", "rules"), ("rules", "words")),
        *(("words", "conformance"), ("words", "review"), ("review", "conformance"), ("conformance", "house")),
    ),
    "koordinator": (
        *(("model", "jobs"), ("jobs", "laws"), ("laws", "nodes"), ("nodes", "quotas"), ("quotas", "preemption")),
        *(("preemption", "gaps"), ("gaps", "explain"), ("explain", "why"), ("why", "rules"), ("rules", "words")),
        *(("words", "conformance"), ("words", "review"), ("review", "conformance"), ("conformance", "house")),
    ),
}
BREACHES = [
    *(("layers", importer, f"{PACKAGE.name}.{room}") for importer, room in LAYERS),
    *WALLS,
    *(("houses", importer, f"{PACKAGE.name}.{house}") for importer, house in HOUSES),
    *(
        (f"house-{house}", f"schedulers.{house}.{importer}", f"{PACKAGE.name}.schedulers.{house}.{room}")
        for house, pairs in INSIDE.items()
        for importer, room in pairs
    ),
]


def contracts() -> dict[str, dict[str, object]]:
    """The contracts of pyproject.toml by their ids."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return {contract["id"]: contract for contract in settings["tool"]["importlinter"]["contracts"]}


def file_of(module: str, package: Path) -> Path:
    """The file of a module of the package, by its name below it."""
    path = package.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def link(importer: str, imported: str) -> str:
    """How the report names a breach: what is not ours goes by its top name."""
    target = imported if imported.startswith(PACKAGE.name) else imported.partition(".")[0]
    return f"{PACKAGE.name}.{importer} -> {target}"


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
    """The report over a copy in which every breach is planted, inside a function where imports hide best."""
    folder = copy(tmp_path_factory.mktemp("breached"))
    for number, (_, importer, imported) in enumerate(BREACHES):
        path = file_of(importer, folder / PACKAGE.name)
        planted = f"\n\ndef planted_{number}() -> None:\n    import {imported}\n"
        path.write_text(path.read_text(encoding="utf-8") + planted, encoding="utf-8")
    return report(folder)


def test_the_contracts_hold() -> None:
    code, text = report(ROOT)
    assert code == 0, text


@pytest.mark.parametrize(("contract", "importer", "imported"), BREACHES, ids=[link(*each[1:]) for each in BREACHES])
def test_a_breach_is_noticed(breached: tuple[int, str], contract: str, importer: str, imported: str) -> None:
    code, text = breached
    assert code == 1
    section = text.rpartition(f" {contracts()[contract]['name']} ---")[2].partition(" ---")[0]
    assert f"{link(importer, imported)} (l." in section, f"{link(importer, imported)} went unnoticed:\n{section}"


def test_every_contract_has_a_breach() -> None:
    assert sorted(contracts()) == sorted({contract for contract, _, _ in BREACHES})


def test_every_house_has_layers_of_its_own() -> None:
    houses = sorted(path.parent.name for path in PACKAGE.glob("schedulers/*/house.py"))
    assert sorted(INSIDE) == houses
    assert contracts()["houses"]["modules"] == [f"{PACKAGE.name}.schedulers.{house}" for house in houses]
    for house in houses:
        contract = contracts()[f"house-{house}"]
        assert (contract["type"], contract["exhaustive"]) == ("layers", True)


@pytest.mark.slow
def test_a_room_outside_the_layers_is_noticed(tmp_path: Path) -> None:
    rooms_outside = ("attic", *(f"schedulers.{house}.attic" for house in INSIDE))
    package = copy(tmp_path) / PACKAGE.name
    for room in rooms_outside:
        file_of(room, package).touch()
    code, text = report(tmp_path)
    assert code == 1
    assert [room for room in rooms_outside if f"{PACKAGE.name}.{room}" not in text] == []


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
    walled = [f"{PACKAGE.name}.{room}" for room in rooms() if room not in doors]
    source_modules = contracts()[wall]["source_modules"]
    assert isinstance(source_modules, list)
    assert sorted(source_modules) == walled


def test_no_house_tells() -> None:
    assert "ignore_imports" not in contracts()["wall-report"]


def test_the_sdk_of_agents_has_one_door() -> None:
    inside = sorted(path.stem for path in (PACKAGE / "cli").iterdir() if not path.name.startswith("__"))
    walled = [f"{PACKAGE.name}.{room}" for room in rooms() if room != "cli"]
    walled += [f"{PACKAGE.name}.cli.{room}" for room in inside if room != "agents"]
    source_modules = contracts()["wall-mcp"]["source_modules"]
    assert isinstance(source_modules, list)
    assert sorted(source_modules) == sorted(walled)
