"""The data files of the program: schemas, the demo's manifests, examples of the rules, pages for help, structures.

What is missing, and any other package, is installed by the commands that this module makes.

A wheel has the first four inside the package, under ``_shipped``. A checkout, and so an editable install, has them at
the top of the repository. Callers see no difference. Structures are in the package itself.
"""

from typing import TYPE_CHECKING, Final

from kubectl_fairshare.model.errors import FairshareError, Problem

if TYPE_CHECKING:  # slow to import, and most calls read one file of the package at most
    from pathlib import Path

INSTALL_AGAIN: Final = "install it again, in its checkout: `pip install --force-reinstall .`"
_PACKAGE: Final = __file__.removesuffix("shipped.py")


def schemas() -> "Path":
    """The folder of JSON Schemas; raises ``FairshareError`` when the installation has none."""
    return _folder("schemas", kept="schemas")


def demo() -> "Path":
    """The folder of the demo's manifests; raises ``FairshareError`` when the installation has none."""
    return _folder("demo", kept="testdata/demo")


def examples() -> "Path":
    """The folder of the rules' examples; raises ``FairshareError`` when the installation has none."""
    return _folder("rules", kept="testdata/rules")


def pages() -> "Path":
    """The folder of pages that ``help`` reads; raises ``FairshareError`` when the installation has none."""
    return _folder("pages", kept="docs")


def content(name: str) -> bytes:
    """The bytes of a data file of the package; raises ``FairshareError`` when the installation lacks it."""
    try:
        with open(f"{_PACKAGE}{name}", "rb") as file:
            return file.read()
    except FileNotFoundError:
        raise _lacking("file", name) from None


def _folder(name: str, kept: str) -> "Path":
    from pathlib import Path

    package = Path(_PACKAGE)
    checkout = package.parent
    candidates = [package / "_shipped" / name]
    if (checkout / "pyproject.toml").is_file():  # otherwise the neighbours are other packages
        candidates.append(checkout / kept)
    for folder in candidates:
        if folder.is_dir():
            return folder
    raise _lacking("folder", name)


def _lacking(what: str, name: str) -> FairshareError:
    return FairshareError(
        Problem(
            f"the installation lacks its {what} `{name}`",
            place=_PACKAGE.rstrip("/\\"),
            help=INSTALL_AGAIN,
        )
    )
