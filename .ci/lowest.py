#!/usr/bin/env python3
"""Prints the lowest versions that ``pyproject.toml`` declares, as constraints for pip: ``pip install -c``.

``.ci/lowest.py > lowest.txt && pip install -c lowest.txt -e '.[test]'`` installs the program with the oldest
dependencies that it claims to work with. Only what the program itself imports is held.
"""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DECLARED = re.compile(r"([A-Za-z0-9._-]+)>=([0-9.]+)")


def main() -> None:
    """A line for each dependency."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for text in project["dependencies"]:
        match = DECLARED.fullmatch(text)
        if match is None:
            raise SystemExit(f"{text}: write it as name>=version")
        print(f"{match[1]}=={match[2]}")


if __name__ == "__main__":
    main()
