"""Files of others are opened in one place, which refuses pipes and devices; programs start in one place."""

import ast

import pytest

from tests.meta.repository import here, nodes, python_files, tree

OPENERS = {
    "kubectl_fairshare/input/files/opening.py": "the one place",
    "kubectl_fairshare/shipped.py": "what is installed with the program",
    "kubectl_fairshare/lint/house.py": "the table of rules that is installed with them",
    "kubectl_fairshare/report/page/frame.py": "what is installed with the program",
    "kubectl_fairshare/input/own_file.py": "schemas that are installed with the program",
    "kubectl_fairshare/cli/agents/results.py": "schemas that are installed with the program",
    "kubectl_fairshare/cli/topics.py": "pages that are installed with the program",
    "kubectl_fairshare/cli/commands/rule.py": "examples that are installed with the program",
    "kubectl_fairshare/input/cluster/kubeconfig.py": "the user's own kubeconfig, which may be a pipe of the shell",
    "kubectl_fairshare/cli/policy/sweep_results.py": "results of this program in a folder that the user names",
    "kubectl_fairshare/editing/replacing.py": "opens to write",
    "kubectl_fairshare/input/remembered.py": "opens to write",
    "kubectl_fairshare/input/units/checkout.py": "opens to write",
    "kubectl_fairshare/cli/main.py": "the null device",
}
"""The modules that open files by themselves, and why they may."""
CALLS = {"open", "fdopen", "read_text", "read_bytes", "memory_map", "GzipFile", "ZipFile"}
IN_MEMORY = {
    "kubectl_fairshare/input/files/raw_bytes.py",
    "kubectl_fairshare/conformance/run.py",
    "kubectl_fairshare/input/snapshot/snapshot_file.py",
    "kubectl_fairshare/schedulers/kai/reading/snapshot_zip.py",
}
"""The modules that decompress what was opened elsewhere."""
STARTERS = {"kubectl_fairshare/input/files/programs.py"}


def openings(module: ast.Module) -> list[ast.Call]:
    """The calls that open a file by its name."""
    return [node for node in nodes(module) if isinstance(node, ast.Call) and _opens(node)]


def _opens(call: ast.Call) -> bool:
    function = call.func
    if isinstance(function, ast.Name):
        return function.id in CALLS
    if not isinstance(function, ast.Attribute) or function.attr not in CALLS:
        return False
    # Windows, motions and archives in memory have a method `open` as well; that of windows takes no argument.
    owner = ast.unparse(function.value)
    return function.attr != "open" or (
        bool(call.args) and owner not in ("motion", "self._motion", "super()", "archive")
    )


def starts(module: ast.Module) -> list[ast.AST]:
    """The places that start another program."""
    return [
        node
        for node in nodes(module)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("subprocess.Popen", "subprocess.run", "os.system")
    ]


def places(allowed: set[str], kind: str) -> list[str]:
    look = openings if kind == "files" else starts
    every = [here(path, each) for path in python_files("kubectl_fairshare") for each in look(tree(path))]
    return [place for place in every if place.partition(":")[0] not in allowed]


def test_files_of_others_are_opened_in_one_place() -> None:
    assert places({*OPENERS, *IN_MEMORY}, "files") == []


def test_programs_start_in_one_place() -> None:
    assert places(STARTERS, "programs") == []


@pytest.mark.parametrize("path", OPENERS)
def test_no_exception_outlives_its_reason(path: str) -> None:
    (file,) = (each for each in python_files("kubectl_fairshare") if here(each).partition(":")[0] == path)
    assert openings(tree(file)), OPENERS[path]


@pytest.mark.parametrize(
    "code",
    [
        "open(path)",
        "open(path, 'rb')",
        "path.open('rb')",
        "os.open(path, os.O_RDONLY)",
        "io.open(path)",
        "Path(path).read_text()",
        "path.read_bytes()",
        "os.fdopen(3)",
        "gzip.GzipFile(path)",
        "zipfile.ZipFile(path)",
    ],
)
def test_an_opening_is_noticed(code: str) -> None:
    assert len(openings(ast.parse(code))) == 1


@pytest.mark.parametrize(
    "code", ["window.open()", "motion.open(snapshot)", "archive.open(name)", "small_file(path, 1)"]
)
def test_what_opens_no_file_is_let_through(code: str) -> None:
    assert openings(ast.parse(code)) == []
