"""Whether a document of any kind is exact: all of its parts are, by what they say of themselves.

Tested in ``tests/unit/cli/options/test_require_exact.py``.
"""

from collections.abc import Iterator
from typing import Any


def is_exact(document: object) -> bool | None:
    """Whether all answers of a document are exact; None if it does not say."""
    parts = [part["exact"] for part in fidelities(document)]
    return all(parts) if parts else _stated(document)


def fidelities(value: Any) -> Iterator[dict[str, Any]]:
    """The parts of a document that say how exact an answer is."""
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from fidelities(each)
    if isinstance(value, dict) and isinstance(value.get("fidelity"), dict) and "exact" in value["fidelity"]:
        yield value["fidelity"]


def _stated(document: object) -> bool | None:
    """Whether all policies, all tests, or the document itself are exact; None if it does not say."""
    if not isinstance(document, dict):
        return None
    tests = [test["status"] != "Unknown" for suite in document.get("suites", ()) for test in suite["tests"]]
    policies = [bool(policy["exact"]) for policy in document.get("policies", ()) if "exact" in policy]
    said = [*tests, *policies, *([bool(document["exact"])] if "exact" in document else [])]
    return all(said) if said else None
