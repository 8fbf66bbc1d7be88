#!/usr/bin/env python3
"""Renders ``.krew.yaml`` as ``fairshare.yaml``: ``.ci/krew.py FOLDER REPOSITORY``.

FOLDER holds the archives of all platforms and gets the manifest; REPOSITORY is the address below which releases are,
as in https://github.com/OWNER/kubectl-fairshare. Platforms of which there is no archive are an error.
"""

import hashlib
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = ROOT / ".krew.yaml"
BLANK = re.compile(r"\{\{ (version|repository|sha256 (\S+)) \}\}")


def version() -> str:
    """The version as releases are tagged."""
    sys.path.insert(0, str(ROOT))
    from kubectl_fairshare import __version__

    return f"v{__version__}"


def rendered(template: str, folder: Path, repository: str) -> str:
    """The manifest without the template's comment; raises ``FileNotFoundError`` where an archive is missing."""

    def filled(blank: re.Match[str]) -> str:
        if blank[2]:
            return hashlib.sha256((folder / blank[2]).read_bytes()).hexdigest()
        return version() if blank[1] == "version" else repository.rstrip("/")

    lines = [line for line in template.splitlines(keepends=True) if not line.startswith("#")]
    return BLANK.sub(filled, "".join(lines))


def main(arguments: list[str]) -> int:
    """Writes the manifest; 1 where an archive is missing, 2 for a wrong call."""
    if len(arguments) != 2:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    folder = Path(arguments[0])
    try:
        text = rendered(TEMPLATE.read_text("utf-8"), folder, arguments[1])
    except FileNotFoundError as error:
        sys.stderr.write(f"no archive {error.filename}: `.ci/archive.py {folder}` makes it on that platform\n")
        return 1
    (folder / "fairshare.yaml").write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
