"""A cluster is asked with get and list, and with nothing else; files are written whole or not at all."""

import ast
import re

import pytest

from tests.meta.repository import PACKAGE, ROOT, here, imported, nodes, python_files, tree

# kubectl's subcommands that change something, or run something, in a cluster
WRITING_VERBS = {
    *("annotate", "apply", "approve", "attach", "autoscale", "certificate", "cordon", "cp", "create", "debug"),
    *("delete", "drain", "edit", "exec", "expose", "label", "patch", "port-forward", "proxy", "replace", "rollout"),
    *("run", "scale", "set", "taint", "uncordon"),
}
# The generated client names its methods verb_kind or verb_namespaced_kind; the dynamic one has the bare verbs.
CLIENT_CALL = re.compile(r"(apply|connect|create|delete|evict|patch|post|put|replace|server_side_apply)(_[a-z0-9_]+)?")
VERBS = re.compile(r"\bverbs (?:are )?((?:`?(?:get|list|watch|create|update|patch|delete)`?(?:, | and )?)+)")
NAMED = re.compile(r"get|list|watch|create|update|patch|delete")
METHODS = {"POST", "PUT", "PATCH", "DELETE"}
PROMETHEUS = PACKAGE / "input" / "http" / "prometheus_client.py"
TALKS = {"kubernetes", "requests", "urllib", "urllib3", "http", "httpx", "aiohttp"}
WRITERS = {
    "kubectl_fairshare/editing/replacing.py": "writes beside the file, then takes its place; a stream likewise",
    "kubectl_fairshare/input/remembered.py": "a cache: a file of its own, then takes the place of the old one",
    "kubectl_fairshare/cli/policy/sweep_results.py": "a journal: it grows by whole lines, and half a line is cut off",
    "kubectl_fairshare/input/units/checkout.py": "new files in a private folder that goes when the reading ends",
    "kubectl_fairshare/cli/main.py": "no file: the null device in place of closed streams",
}
"""The modules that write files, and how."""


def written(module: ast.Module) -> list[ast.AST]:
    """The places in a module that could change something in a cluster."""
    names = imported(module)
    places: list[ast.AST] = []
    for node in nodes(module):
        if names & TALKS and (_calls_a_verb(node) or _names_a_method(node)):
            places.append(node)
        if "subprocess" in names and _orders_a_verb(node):
            places.append(node)
    return places


def _calls_a_verb(node: ast.AST) -> bool:
    """Whether a client is called to write; ``replace`` with two arguments is what texts have."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    verb = node.func.attr
    return CLIENT_CALL.fullmatch(verb) is not None and not (verb == "replace" and len(node.args) >= 2)


def _names_a_method(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value in METHODS


def _orders_a_verb(node: ast.AST) -> bool:
    """Whether a list of words, as a command line is written, holds a verb of kubectl that writes."""
    elements = node.elts if isinstance(node, ast.List | ast.Tuple) else []
    return any(
        isinstance(word, ast.Constant) and isinstance(word.value, str) and word.value in WRITING_VERBS
        for word in elements
    )


def test_nothing_writes_to_a_cluster() -> None:
    paths = python_files("kubectl_fairshare")
    assert [here(path, node) for path in paths if path != PROMETHEUS for node in written(tree(path))] == []


def test_prometheus_is_sent_queries_and_nothing_else() -> None:
    places = written(tree(PROMETHEUS))
    assert {ast.unparse(node) for node in places} == {"'POST'"}
    texts = {str(node.value) for node in ast.walk(tree(PROMETHEUS)) if isinstance(node, ast.Constant)}
    assert {text for text in texts if text.startswith("/api/")} == {"/api/v1/query"}


@pytest.mark.parametrize(
    "code",
    [
        "import kubernetes\nkubernetes.client.CoreV1Api().patch_namespaced_pod('a', 'b', {})",
        "def f(api):\n    from kubernetes import client\n    api.create_self_subject_access_review(body)",
        "from kubernetes import dynamic\nresource.server_side_apply(body)",
        "from kubernetes import dynamic\nresource.delete(name='a')",
        "import urllib.request\nurllib.request.Request(url, method='PUT')",
        "import requests\nrequests.post(url)",
        "import subprocess\nsubprocess.run(['kubectl', 'apply', '-f', path])",
        "import subprocess\nsubprocess.run((kubectl, 'scale', 'deploy/x'))",
    ],
)
def test_a_write_is_recognised(code: str) -> None:
    assert written(ast.parse(code)) != []


@pytest.mark.parametrize(
    "code",
    [
        "from kubernetes import client\nclient.CustomObjectsApi().list_cluster_custom_object('g', 'v', 'p')",
        "from kubernetes import dynamic\ntext.replace('a', 'b')\nresource.get()\nresource.watch()",
        "import subprocess\nsubprocess.run(['kubectl', 'kustomize', path])\ntext.replace('a', 'b')",
    ],
)
def test_a_reading_call_is_let_through(code: str) -> None:
    assert written(ast.parse(code)) == []


def files_written(module: ast.Module) -> list[ast.Call]:
    """The calls in a module that open a file to write it, or write one at once."""
    return [node for node in nodes(module) if isinstance(node, ast.Call) and _writes_a_file(node)]


def _writes_a_file(call: ast.Call) -> bool:
    function = call.func
    if isinstance(function, ast.Attribute) and function.attr in ("write_text", "write_bytes"):
        return ast.unparse(function.value) != "formatter"
    named = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if named not in ("open", "fdopen"):
        return False
    given = [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg == "mode")]
    modes = [each.value for each in given if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return any(len(mode) <= 3 and set(mode) & set("wax+") for mode in modes)


def test_only_few_modules_write_files() -> None:
    found = [here(path, call) for path in python_files("kubectl_fairshare") for call in files_written(tree(path))]
    assert [place for place in found if place.partition(":")[0] not in WRITERS] == []
    assert {place.partition(":")[0] for place in found} == set(WRITERS)


def test_a_write_is_noticed() -> None:
    planted = """
path.write_text("x")
open(path, "w", encoding="utf-8")
path.open(mode="ab")
open(path, "rb")
formatter.write_text("x")
"""
    assert [call.lineno for call in files_written(ast.parse(planted))] == [2, 3, 4]


def test_pages_name_the_verbs_that_the_program_uses() -> None:
    pages = [
        ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/agents.md", "docs/cluster.md")
    ]
    said = {word for page in pages for words in VERBS.findall(page.read_text("utf-8")) for word in NAMED.findall(words)}
    assert said == {"get", "list"}
