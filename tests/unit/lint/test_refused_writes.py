"""Whatever a real API server said against a new object the rules say, too; what it took is no error without reason.

The writes are those of ``testdata/conformance/kueue-admission.jsonl.gz``, creates only.
"""

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.api.causes import REQUIRED, Cause
from kubectl_fairshare.cli.linting.rule_choice import known_rules
from kubectl_fairshare.finding import Severity
from kubectl_fairshare.input.assemble import gather
from kubectl_fairshare.lint.given import Examined, Given
from kubectl_fairshare.lint.run import Reported, run
from kubectl_fairshare.lint.strays import meant_elsewhere
from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kueue.linting import LINTED
from kubectl_fairshare.schedulers.kueue.reading.accepted import Accepted
from tests.screens import ROOT, shown

RECORDING = ROOT / "testdata" / "conformance" / "kueue-admission.jsonl.gz"
OF_ONE_OBJECT = [
    rule
    for rule in known_rules()
    if (rule.id.startswith("K") and "K001" <= rule.id < "K050") or "M003" <= rule.id <= "M009"
]
# What is taken at first and is an error all the same: dropped, refused at the next apply, or stored against the schema.
ERRORS_ON_ACCEPTED = {"K003", "K004", "K006", "K007", "K008", "K009", "K038", "K039", "K041", "M008"}


def creates() -> list[Any]:
    with gzip.open(RECORDING, "rt", encoding="utf-8") as lines:
        cases = [case for case in map(json.loads, lines) if "old" not in case]
    return [pytest.param(case["object"], id=case["name"]) for case in cases]


def given(data: dict[str, Any]) -> Given:
    """The object by itself, as if it had been read."""
    group, _, version = data["apiVersion"].rpartition("/")
    metadata = data["metadata"]
    namespaced = data["kind"] in ("LocalQueue", "Workload")
    namespace = str(metadata.get("namespace") or "default") if namespaced else ""
    key = ObjectKey(group, data["kind"], namespace, str(metadata.get("name")))
    manifest = Manifest(key, version, data, Origin("recorded", 0))
    gathered = gather([manifest], known_schedulers())
    stored = next(iter(gathered.workings(Accepted).of(key.kind)), None)
    examined = Examined(
        manifest, LINTED, gathered.workings(Accepted).judgements[key], stored.data if stored is not None else None
    )
    return Given(gathered, (LINTED,), (LINTED,), {key: examined}, gathered.problems)


def places(reported: Reported) -> list[FieldPath]:
    finding = reported.finding
    return [finding.place.path, *(related.place.path for related in finding.related)]


def is_told(cause: Cause, examined: Examined, found: tuple[Reported, ...]) -> bool:
    if cause.type == REQUIRED and meant_elsewhere(examined, cause.path):
        return True  # the field is there, under another name: that finding says so
    fields = [path for each in found if each.severity is Severity.ERROR for path in places(each)]
    return any(field[: len(cause.path)] == cause.path or cause.path[: len(field)] == field for field in fields)


@pytest.mark.parametrize("data", creates())
def test_every_cause_of_a_refusal_is_told_and_nothing_accepted_is_an_error_without_reason(data: dict[str, Any]) -> None:
    asked = given(data)
    (examined,) = asked.examined.values()
    assert examined.judgement is not None
    found = run(OF_ONE_OBJECT, asked)
    if examined.judgement.accepted:
        errors = {each.rule.id for each in found if each.severity is Severity.ERROR}
        # Kueue takes negative overhead, and nobody can reason about such a pod.
        assert errors - ERRORS_ON_ACCEPTED - {"M009"} == set()
    else:
        assert [c for c in examined.judgement.all_causes if not is_told(c, examined, found)] == []
    told = Counter((each.rule.id, each.finding.place, each.finding.message) for each in found)
    assert [finding for finding, times in told.items() if times > 1] == []


@pytest.mark.parametrize("data", creates())
def test_each_law_of_a_webhook_or_a_cel_rule_has_its_name(data: dict[str, Any]) -> None:
    (examined,) = given(data).examined.values()
    judgement = examined.judgement
    assert judgement is not None
    if judgement.stage in ("webhook", "cel"):
        assert [cause for cause in judgement.causes if not cause.law] == []


@pytest.mark.parametrize(("release", "found"), [("0.16", True), ("0.17", True), ("0.18", False), ("0.19", False)])
def test_a_field_that_the_release_does_not_know_is_an_unknown_one(tmp_path: Path, release: str, found: bool) -> None:
    path = tmp_path / "queue.yaml"
    path.write_text(
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: q}, spec: {namespaceSelector: {},\n"
        " concurrentAdmissionPolicy: {migration: {mode: TryPreferredFlavors}}}}\n",
        encoding="utf-8",
    )
    told = shown(f"kubectl-fairshare lint {path} --select M008 --release {release}")
    assert ("no field `spec.concurrentAdmissionPolicy`" in " ".join(told.stdout.split())) is found
    assert told.code == int(found)
