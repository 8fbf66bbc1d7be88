"""Every declared runtime dependency earns its place: without it a documented feature fails, and says why."""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from functools import cache

import pytest

from tests.meta.repository import ROOT, imported, python_files, tree
from tests.meta.test_imports import STATE

KUBECONFIG = """apiVersion: v1
kind: Config
current-context: here
contexts: [{name: here, context: {cluster: here, user: me}}]
clusters: [{name: here, cluster: {server: "http://127.0.0.1:9"}}]
users: [{name: me, user: {token: secret}}]
"""
MODULES = {"PyYAML": "yaml", "ruamel.yaml": "ruamel"}
"""The module of a dependency, where it has another name."""
BROUGHT_ALONG = {"certifi", "oauthlib"}
"""What kubernetes itself needs, and we import only beside it."""

# Command line, exit code, and what it cannot do without: nothing goes without click, and values are msgspec's. None of
# them reaches a server.
FEATURES: dict[str, tuple[str, int, set[str]]] = {
    "JSON in, JSON out": ("shares -f STATE -o json", 0, {"click", "msgspec", "orjson"}),
    "YAML in, JSON out": ("shares -f testdata/demo/org -o json", 0, {"click", "msgspec", "PyYAML", "orjson"}),
    "a screen": ("shares -f STATE --color always", 0, {"click", "msgspec", "orjson", "rich"}),
    "fixes of YAML": (
        "lint testdata/lint/living/org.yaml --diff",
        1,
        {"click", "msgspec", "orjson", "PyYAML", "ruamel.yaml"},
    ),
    "settings of lint": (
        "lint STATE --config testdata/lint/living/settings.yaml -o json",
        0,
        {"click", "msgspec", "PyYAML", "jsonschema", "orjson"},
    ),
    "a cluster": (
        "shares --kubeconfig KUBECONFIG -o json",
        3,
        {"click", "msgspec", "PyYAML", "kubernetes", "urllib3"},
    ),
    "Prometheus": (
        "shares -f testdata/demo/kai --prometheus http://127.0.0.1:9 -o json",
        3,
        {"click", "msgspec", "PyYAML", "urllib3"},
    ),
}

Answers = dict[str, tuple[int | str, str, str]]
"""Of each feature the exit code, or what could not be imported, then its output and its errors."""

PROBE = """
import io, json, sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == sys.argv[1]:
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)

sys.meta_path.insert(0, Blocked())
answers = {}
for feature, arguments in json.load(sys.stdin).items():
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(3)]
    try:
        from kubectl_fairshare.cli.main import main
        code = main(arguments, *streams)
    except ModuleNotFoundError as error:
        code = str(error)
    answers[feature] = [code, *(stream.buffer.getvalue().decode() for stream in streams[1:])]
print(json.dumps(answers))
"""


EXTRAS = ("mcp", "search")
"""Extras that commands need; the others are for developers."""


def declared(*extras: str) -> list[str]:
    """The names of the runtime dependencies, with those of extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    more = [each for extra in extras for each in project["optional-dependencies"][extra]]
    return [re.split(r"[<>=~! ]", each)[0] for each in (*project["dependencies"], *more)]


def module_of(dependency: str) -> str:
    """The top-level module that a dependency brings."""
    return MODULES.get(dependency, dependency)


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Answers]:
    """Exit code, output and errors of each feature, where one module cannot be imported."""
    folder = tmp_path_factory.mktemp("features")
    (folder / "STATE").write_text(STATE)
    (folder / "KUBECONFIG").write_text(KUBECONFIG)

    @cache
    def run(blocked: str) -> Answers:
        places = {name: str(folder / name) for name in ("STATE", "KUBECONFIG")}
        calls = {name: [places.get(word, word) for word in words.split()] for name, (words, *_) in FEATURES.items()}
        command = [sys.executable, "-c", PROBE, blocked]
        given = json.dumps(calls)
        done = subprocess.run(command, input=given, capture_output=True, text=True, cwd=ROOT, check=True)
        return dict(json.loads(done.stdout))

    return run


def test_every_declared_dependency_is_imported() -> None:
    names = {name for path in python_files("kubectl_fairshare") for name in imported(tree(path))}
    assert [dependency for dependency in declared() if module_of(dependency) not in names] == []


def test_what_is_imported_is_declared() -> None:
    names = {name for path in python_files("kubectl_fairshare") for name in imported(tree(path))}
    foreign = names - set(sys.stdlib_module_names) - {"kubectl_fairshare"} - BROUGHT_ALONG
    assert foreign <= {module_of(dependency) for dependency in declared(*EXTRAS)}


def test_the_dependencies_of_extras_are_named_where_they_are_used() -> None:
    texts = "".join(path.read_text(encoding="utf-8") for path in python_files("kubectl_fairshare"))
    assert [
        name for name in declared(*EXTRAS) if name not in declared() and f'import_module("{name}")' not in texts
    ] == []


@pytest.mark.slow
def test_every_feature_works_where_all_is_installed(answers: Callable[[str], Answers]) -> None:
    codes = {name: code for name, (code, *_) in answers("no-such-module").items()}
    assert codes == {name: code for name, (_, code, _) in FEATURES.items()}


@pytest.mark.slow
@pytest.mark.parametrize("dependency", declared())
def test_exactly_what_needs_it_fails_without_it(answers: Callable[[str], Answers], dependency: str) -> None:
    module = module_of(dependency)
    whole, without = answers("no-such-module"), answers(module)
    failing = {name for name in FEATURES if without[name] != whole[name]}
    assert failing == {name for name, (*_, needed) in FEATURES.items() if dependency in needed} != set()
    said = {name: f"{without[name][0]} {without[name][2]}" for name in failing}
    assert {name: text for name, text in said.items() if f"`{module}" not in text and f"'{module}" not in text} == {}
    assert {name for name in failing if without[name][0] == 0} == set()
