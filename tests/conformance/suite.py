"""Scenarios as tests of a policy: what the format of ``fairshare-test.yaml`` can state of each of them.

The format knows queues and numbers of victims, not which workloads they are, so the scenarios keep their own form.
"""

from collections.abc import Iterator
from typing import Final

import yaml

from tests.conformance.scenarios import Document, Scenario, manager, quota_objects

HEAD: Final = """\
# The scenarios of Kueue that this format can state, made of testdata/scenarios:
#   pytest tests/conformance/test_suite.py --rewrite-goldens
"""
GIVEN: Final = {"given": {"paths": ["namespace.yaml"], "scheduler": "kueue"}}
_GIVEN: Final = {"configuration", "fairSharing", "objects", "running"}
_RUNNING: Final = {"queue", "name", "priority", "count", "each", "flavor"}
_SUBMITTED: Final = {"queue", "request", "count", "priority"}
_APART: Final = {"kep-79-cycle": "its queue is inactive, and the format submits to active queues only"}


def cannot(scenario: Scenario) -> str:
    """Why the format cannot state a scenario; empty if it can."""
    if scenario.name in _APART:
        return _APART[scenario.name]
    if scenario.engine != "kueue":
        return "running pods are on certain nodes, and the format places them on the first that has room"
    if "plan" not in scenario.when:
        return "it is not about one workload: a whole cycle, figures or their derivation"
    if unknown := scenario.given.keys() - _GIVEN:
        return f"its state has {', '.join(sorted(unknown))}"
    fields = {field for entry in scenario.given.get("running", ()) for field in entry} - _RUNNING
    fields |= scenario.when["plan"].keys() - _SUBMITTED
    if fields:
        return f"its workloads have {', '.join(sorted(fields))}"
    return "" if "outcome" in scenario.then else "it states no outcome"


def as_test(scenario: Scenario) -> Document:
    """The test of a scenario."""
    configuration = dict(scenario.given.get("configuration", {}))
    if "fairSharing" in scenario.given:
        configuration["fairSharing"] = scenario.given["fairSharing"]
    objects = [o for o in quota_objects(scenario.given["objects"]) if o["kind"] != "Namespace"]
    overlay = [*objects, *([manager(configuration)] if configuration else [])]
    running = [each for entry in scenario.given.get("running", ()) for each in _workloads(entry)]
    when = {"overlay": overlay, **({"running": running} if running else {}), "submit": scenario.when["plan"]}
    because = " ".join(scenario.because.split())
    return {"name": scenario.title, "because": because, "when": when, "then": _then(scenario)}


def _workloads(entry: Document) -> Iterator[Document]:
    name = str(entry.get("name", entry["queue"]))
    names = [f"{name}-{number}" for number in range(1, entry["count"] + 1)] if "count" in entry else [name]
    more: Document = {key: entry[key] for key in ("priority", "flavor") if key in entry}
    for one in names:
        yield {"name": one, "queue": entry["queue"], "request": entry["each"], **more}


def _then(scenario: Scenario) -> Document:
    found: Document = {"outcome": scenario.then["outcome"]}
    if "victims" in scenario.then:
        entries = scenario.given.get("running", ())
        queues = {each["name"]: each["queue"] for entry in entries for each in _workloads(entry)}
        victims = [each["workload"] for each in scenario.then["victims"]]
        found["victims"] = {"only-from": sorted({queues[name] for name in victims}), "at-most": len(victims)}
    return found


def suite_text(scenarios: list[Scenario]) -> str:
    """The whole file."""
    tests = {"tests": [as_test(each) for each in scenarios if not cannot(each)]}
    return HEAD + "".join(yaml.dump(part, Dumper=_Plain, sort_keys=False, width=118) for part in (GIVEN, tests))


class _Plain(yaml.SafeDumper):  # type: ignore[misc]
    """Without anchors: equal values are written again."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 -- as the base has it
        return True
