"""The workload for which another one was evicted, and the rule, as far as the cluster recorded them.

Source: Kueue v0.19, conditions Evicted and Preempted: the message names the UIDs of the preemptor and of its job, and
the paths from the root to both ClusterQueues.

Tested in ``tests/unit/cli/test_why_states.py``.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.kueue.jobs.lineage import RelatedFields
from kubectl_fairshare.schedulers.kueue.jobs.record import Record, is_workload
from kubectl_fairshare.schedulers.kueue.why.verdict import RecordedEviction, RecordedPreemptor

_MESSAGE: Final = re.compile(
    r"Preempted to accommodate a workload \(UID: (?P<uid>[^,)\s]*), JobUID: (?P<job>[^,)\s]*)[^)]*\) "
    r"due to (?P<rule>.+?)(?:; preemptor path: (?P<path>\S*?)(?:; preemptee path: (?P<own>\S*))?)?"
    r"(?:;.*)?"
)
EVICTED: Final = "Evicted"
"""The condition of a Workload that was evicted."""
_UNKNOWN: Final = "UNKNOWN"
_OVER: Final = "Previously: "
RULES: Final = {
    "prioritization in the ClusterQueue": "InClusterQueue",
    "reclamation within the cohort": "InCohortReclamation",
    "Fair Sharing within the cohort": "InCohortFairSharing",
    "reclamation within the cohort while borrowing": "InCohortReclaimWhileBorrowing",
}


class Uids:
    """The objects of an input by their UIDs: none is read before one is asked for."""

    def __init__(self, manifests: Iterable[Manifest]) -> None:
        self._manifests = manifests
        self._keys: dict[str, ObjectKey] = {}
        self._jobs: dict[str, ObjectKey] = {}
        self._is_read = False

    def _read(self) -> None:
        self._is_read = True
        for manifest in self._manifests:
            metadata = manifest.passing_fields(RelatedFields).get("metadata")
            if not isinstance(metadata, dict):
                continue
            uid = metadata.get("uid")
            if isinstance(uid, str) and uid:
                self._keys[uid] = manifest.key
            if is_workload(manifest.key):
                self._note_owner(manifest.key.namespace, metadata.get("ownerReferences"))

    def _note_owner(self, namespace: str, owners: object) -> None:
        for owner in owners if isinstance(owners, list) else ():
            if isinstance(owner, dict) and all(isinstance(owner.get(n), str) for n in ("uid", "kind", "name")):
                group, _, _ = str(owner.get("apiVersion", "")).rpartition("/")
                self._jobs[owner["uid"]] = ObjectKey(group, owner["kind"], namespace, owner["name"])

    def of(self, uid: str) -> ObjectKey | None:
        """The object with that UID, even if only a Workload's ownerReferences name it."""
        if not self._is_read:
            self._read()
        return self._keys.get(uid) or self._jobs.get(uid)


def last_eviction(record: Record, uids: Uids) -> RecordedEviction | None:
    """The eviction in the condition Evicted, current or past; None if there was none.

    For a past eviction the condition keeps only the message: its reason is the preemption in the message, or the only
    reason that Kueue counted, or empty.
    """
    evicted = record.condition(EVICTED)
    if evicted is None:
        return None
    message = evicted.message.removeprefix(_OVER)
    preemptor = preemptor_of(message, uids)
    reason = evicted.reason if evicted.holds else _counted_reason(record, preempted=preemptor is not None)
    if reason != "Preempted":
        return RecordedEviction(reason, message, evicted.moment, evicted.place)
    preempted = record.condition("Preempted")
    rule = preempted.reason if preempted is not None and preempted.holds else ""
    if not rule and preemptor is not None:
        rule = RULES.get(preemptor.rule, "")
    return RecordedEviction(reason, message, evicted.moment, evicted.place, rule, preemptor)


def _counted_reason(record: Record, *, preempted: bool) -> str:
    if preempted:
        return "Preempted"
    reasons = {e.reason for e in record.evictions}
    return reasons.pop() if len(reasons) == 1 else ""


def preemptor_of(message: str, uids: Uids) -> RecordedPreemptor | None:
    """The preemptor that a message names; None if the message has another form."""
    match = _MESSAGE.fullmatch(message)
    if match is None:
        return None
    named = {name: _known_text(text) for name, text in match.groupdict().items()}
    found = RecordedPreemptor(named["uid"], named["job"], named["rule"], named["path"], named["own"])
    return RecordedPreemptor(
        found.uid,
        found.job_uid,
        found.rule,
        found.path,
        found.own_path,
        uids.of(found.uid) if found.uid else None,
        uids.of(found.job_uid) if found.job_uid else None,
    )


def _known_text(text: str | None) -> str:
    return "" if text is None or text == _UNKNOWN else text


def owners_of(keys: Iterable[ObjectKey], manifests: Mapping[ObjectKey, Manifest]) -> dict[ObjectKey, ObjectKey]:
    """The job of each Workload that names an owner: its controller, otherwise the first owner."""
    found = {}
    for key in keys:
        manifest = manifests.get(key)
        metadata = manifest.passing_fields(RelatedFields).get("metadata") if manifest is not None else None
        owners = metadata.get("ownerReferences") if isinstance(metadata, dict) else None
        named = [o for o in owners if _is_owner(o)] if isinstance(owners, list) else []
        for owner in sorted(named, key=lambda o: not o.get("controller"))[:1]:
            group, _, _ = str(owner.get("apiVersion", "")).rpartition("/")
            found[key] = ObjectKey(group, owner["kind"], key.namespace, owner["name"])
    return found


def _is_owner(owner: Json) -> bool:
    return isinstance(owner, dict) and isinstance(owner.get("kind"), str) and isinstance(owner.get("name"), str)
