"""The data that travels with the program: schemas, the manifests of the demo, and the examples of the rules.

A wheel carries all inside the package, under ``_shipped``. A checkout, and so an editable install,
has them at the top of the repository. Whoever asks cannot tell the difference.
"""

from pathlib import Path

from kubectl_fairshare.model.errors import FairshareError, Problem

_PACKAGE = Path(__file__).parent


def schemas() -> Path:
    """The folder of JSON Schemas; raises ``FairshareError`` when the installation has none."""
    return _folder("schemas", kept="schemas")


def demo() -> Path:
    """The folder of the demo's manifests; raises ``FairshareError`` when the installation has none."""
    return _folder("demo", kept="testdata/demo")


def examples() -> Path:
    """The folder of the rules' examples; raises ``FairshareError`` when the installation has none."""
    return _folder("rules", kept="testdata/rules")


def _folder(name: str, kept: str) -> Path:
    checkout = _PACKAGE.parent
    candidates = [_PACKAGE / "_shipped" / name]
    if (checkout / "pyproject.toml").is_file():  # else the neighbours are other people's packages
        candidates.append(checkout / kept)
    for folder in candidates:
        if folder.is_dir():
            return folder
    raise FairshareError(
        Problem(
            f"the installation lacks its folder `{name}`",
            place=str(_PACKAGE),
            help="install it again with `pip install --force-reinstall kubectl-fairshare`",
        )
    )
