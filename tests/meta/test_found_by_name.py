"""The test of a module has its name, or the docstring of the module, or of a folder above, says where it is tested.

``tests/unit/<folders>/test_<module>.py`` tests ``kubectl_fairshare/<folders>/<module>.py``. A module that only holds
data, with no function, needs none. ``without_a_test.txt`` lists what is left: it only gets shorter, and
``--rewrite-goldens`` takes out what has its test by now.
"""

import ast
import re
from pathlib import Path

import pytest

from tests.meta.repository import PACKAGE, ROOT, functions, python_files, tree

LIST = Path(__file__).with_name("without_a_test.txt")
MOST = 5
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


def untested_modules() -> set[str]:
    """The modules with a function, by path below the package, that have no test of their name."""
    missing = set()
    for path in python_files("kubectl_fairshare"):
        module = path.relative_to(PACKAGE).as_posix()
        named = any((ROOT / "tests" / "unit" / name).exists() for name in names_of_the_test(module))
        if any(functions(tree(path))) and not named and not said_places(path):
            missing.add(module)
    return missing


def listed() -> list[str]:
    """The modules that were without a test when they were last looked at."""
    return LIST.read_text("utf-8").splitlines()


def test_a_module_has_a_test_of_its_name() -> None:
    fresh = sorted(untested_modules() - set(listed()))
    assert fresh == [], "give it a test of its name, or say `Tested in ``path``` in its docstring"


def test_the_list_of_modules_without_one_only_gets_shorter(request: pytest.FixtureRequest) -> None:
    missing = untested_modules()
    if request.config.getoption("--rewrite-goldens"):
        LIST.write_text("".join(f"{name}\n" for name in listed() if name in missing), "utf-8")
    assert [name for name in listed() if name not in missing] == [], "--rewrite-goldens takes these out"
    assert listed() == sorted(set(listed()))
    assert len(listed()) <= MOST


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
