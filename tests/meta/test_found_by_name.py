"""The test of a module has its name, or the docstring of the module, or of a folder above, says where it is tested.

``tests/unit/<folders>/test_<module>.py`` tests ``kubectl_fairshare/<folders>/<module>.py``. A module that only holds
data, or protocols, needs none.
"""

import ast
import re
from pathlib import Path

import pytest

from tests.meta.repository import PACKAGE, ROOT, functions, python_files, tree

SAID = re.compile(r"Tested in ``([\w/.]+)``")


def names_of_the_test(module: str) -> tuple[str, ...]:
    """The files, below ``tests/unit``, in which a module of the package may be tested; a folder's own beside it too."""
    path = Path(module)
    if path.name != "__init__.py":
        return (str(path.with_name(f"test_{path.name}")),)
    name = f"test_{path.parent.name}.py"
    return (str(path.parent.parent / name), str(path.parent / name))


def said_places(path: Path) -> list[str]:
    """Where the docstring of a module, or that of a folder above, says that it is tested."""
    folders = [parent for parent in path.parents if parent.is_relative_to(PACKAGE)]
    modules = [path, *(folder / "__init__.py" for folder in folders if (folder / "__init__.py").exists())]
    texts = [ast.get_docstring(tree(each)) or "" for each in modules]
    return [place for text in texts for place in SAID.findall(" ".join(text.split()))]


def has_law(module: ast.Module) -> bool:
    """Whether a module has a function that does something: the methods of a protocol are promises."""
    classes = [node for node in module.body if isinstance(node, ast.ClassDef)]
    protocols = [each for each in classes if any("Protocol" in ast.unparse(base) for base in each.bases)]
    promised = {function for protocol in protocols for function in functions(protocol)}
    return any(function not in promised for function in functions(module))


def untested_modules() -> set[str]:
    """The modules with a law, by path below the package, that have no test of their name."""
    missing = set()
    for path in python_files("kubectl_fairshare"):
        module = path.relative_to(PACKAGE).as_posix()
        named = any((ROOT / "tests" / "unit" / name).exists() for name in names_of_the_test(module))
        if has_law(tree(path)) and not named and not said_places(path):
            missing.add(module)
    return missing


def test_a_module_has_a_test_of_its_name() -> None:
    missing = sorted(untested_modules())
    assert missing == [], "give it a test of its name, or say `Tested in ``path``` in its docstring"


def test_a_place_that_is_named_exists() -> None:
    places = {place for path in python_files("kubectl_fairshare") for place in said_places(path)}
    assert [place for place in sorted(places) if not (ROOT / place).exists()] == []


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("model/amounts.py", ("model/test_amounts.py",)),
        ("lint/__init__.py", ("test_lint.py", "lint/test_lint.py")),
    ],
)
def test_the_name_follows_from_the_path(module: str, names: tuple[str, ...]) -> None:
    assert names_of_the_test(module) == names


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1", False),
        ("def f(): return 1", True),
        ("class A(Protocol):\n def f(self): ...", False),
        ("class A(Protocol):\n def f(self): ...\nclass Protocols:\n def f(self): return 1", True),
    ],
)
def test_a_promise_is_no_law(text: str, expected: bool) -> None:
    assert has_law(ast.parse(text)) is expected
