#!/usr/bin/env python3
"""Writes the JSON Schemas under ``schemas/`` from the modules that define them.

``--check`` writes nothing and fails when a file differs from what would be written. The folder holds nothing else, but
for what is written BY_HAND.
"""

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SCHEMAS = ROOT / "schemas"
FILES = ("job-scenario", "scenario", "settings", "test", "usage", "user-settings")
"""What ``input.own_file`` reads: the file itself is the definition."""
CHANGED = ("plan", "shares", "waitinglist", "why")
"""Documents of version v1alpha1 that have changed since: they stay as they were."""
BY_HAND = {SCHEMAS / "fairshare" / "v1alpha1" / f"{name}.json" for name in (*FILES, *CHANGED)}


def documents() -> Iterator[tuple[str, dict[str, Any]]]:
    """The documents that the program prints, and the kinds that schedulers serve, with their paths."""
    sys.path.insert(0, str(ROOT))
    from kubectl_fairshare.api import json_schema
    from kubectl_fairshare.lint.documents import schema as lint
    from kubectl_fairshare.report.documents import schema
    from kubectl_fairshare.schedulers import ALL, lint_houses

    house = "kubectl_fairshare.schedulers.{}".format
    kinds = {name: import_module(f"{house(name)}.documents.kinds").DOCUMENTS for name in ALL}
    printed = [*schema.documents(kinds), *lint.documents(lint_houses())]
    yield from printed
    yield from schema.in_older_version(printed, CHANGED)
    for name in ALL:
        for api in import_module(f"{house(name)}.admission.kinds").APIS:
            yield from json_schema.documents(name, api)


def written(document: dict[str, Any]) -> str:
    """The document as it is written: one space of indentation, so that a change shows as lines."""
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def strays(known: set[Path]) -> list[Path]:
    """Files that no provider yields."""
    return sorted(path for path in SCHEMAS.rglob("*.json") if path not in known | BY_HAND)


def main(arguments: list[str]) -> int:
    """Writes, or with ``--check`` compares; 1 when a file differs."""
    check = "--check" in arguments
    expected = {SCHEMAS / path: written(document) for path, document in documents()}
    differing = [path for path, text in expected.items() if not path.exists() or path.read_text("utf-8") != text]
    extra = strays(set(expected))
    for path in [*differing, *extra]:
        sys.stdout.write(f"{'differs' if check else 'written'}: {path.relative_to(ROOT)}\n")
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(expected[path], "utf-8") if path in expected else path.unlink()
    return int(check and bool(differing or extra))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
