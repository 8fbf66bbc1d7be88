"""Versions of Kueue's API: which it serves, and which fields another version has."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from kubectl_fairshare.api.causes import REQUIRED
from kubectl_fairshare.finding import Edit, Finding, Insert, Related, Remedy, Remove, Rename, Replace, Severity
from kubectl_fairshare.lint.given import Examined
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.lint.refusals import field_named, quote, value_at
from kubectl_fairshare.lint.strays import Stray, is_there, strays
from kubectl_fairshare.lint.words.spelling import respelt
from kubectl_fairshare.model.json import FieldPath, Json
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.admission import retired
from kubectl_fairshare.schedulers.kueue.admission.kinds import KINDS, STORED, VERSIONS
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.versions.renames import NEW

_SERVED: Final = " and ".join(f"`{GROUP}/{version}`" for version in VERSIONS)
_PARENTS: Final = (("spec", "cohortName"), ("spec", "cohort"), ("spec", "parentName"))
_MOST_RELATED: Final = 10
_LIMITED: Final = ("CQ01", "CQ02", "CO01")
_LOSSES: Final[dict[FieldPath, str]] = {
    ("spec", "cohortName"): "the queue leaves its cohort",
    ("spec", "cohort"): "the queue leaves its cohort",
    ("spec", "parentName"): "the Cohort leaves its parent",
    ("spec", "admissionChecksStrategy", "admissionChecks"): "the queue loses its checks",
    ("spec", "priorityClassRef", "name"): "the Workload loses its priority class",
    ("spec", "priorityClassName"): "the Workload loses its priority class",
}


@error_rule("K001")
def api_not_served(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each object; an info for one that the releases serve that the input is for."""
    for each in given.examined.values():
        if each.key.group == GROUP and each.judgement is not None and each.manifest.version not in VERSIONS:
            last = retired.KINDS.get((each.key.kind, each.manifest.version))
            if not given.release.may_be(last):
                message = f"Kueue does not serve `{each.manifest.api_version}`: it serves {_SERVED}"
                yield _not_served(each, message)
            elif given.release.deduced:
                message = f"Kueue v{last} is the last release that serves {each.key.kind} in `{each.manifest.version}`"
                yield _not_served(each, message, Severity.INFO)
    for key, manifest in given.snapshot.manifests.items():
        if key.group == GROUP and key.kind not in KINDS:
            place = Place(key, ("kind",))
            remedy = respelt(place, key.kind, KINDS, "write one of " + ", ".join(KINDS))
            yield Finding(place, f"`{manifest.api_version}` has no kind `{key.kind}`", remedy)


def _not_served(each: Examined, message: str, severity: Severity | None = None) -> Finding:
    place, written = each.at("apiVersion"), f"{GROUP}/{STORED}"
    remedy = f"write `{written}`, and the fields with their names in that version"
    return Finding(place, message, Remedy(remedy, (Replace(place, written),)), severity=severity)


@error_rule("K003")
def field_of_another_version(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each field."""
    for each in given.examined.values():
        for stray in strays(each):
            if stray.version:
                yield _misplaced_field(each, stray)


def _misplaced_field(each: Examined, stray: Stray) -> Finding:
    place, version = each.at(*stray.path), each.manifest.version
    value = value_at(each, stray.path)
    lost = _LOSSES.get(stray.meant, "") if stray.meant is not None and value else ""
    message = (
        f"{field_named(stray.path)} is a field of {stray.version}; {version} drops it and its value {quote(value)}"
    )
    if lost:
        message += f": {lost}"
    remedy, wanting = _move(each, stray, value), tuple(islice(_wanting(each, stray), _MOST_RELATED))
    return Finding(place, message, remedy, related=wanting, about_key=True)


def _wanting(each: Examined, stray: Stray) -> Iterator[Related]:
    """Why the API server rejects the object because the field is in the wrong place."""
    meant = stray.meant or ()
    for cause in each.judgement.all_causes if each.judgement is not None else ():
        is_it = cause.type == REQUIRED and bool(meant) and meant[: len(cause.path)] == cause.path
        if is_it or (cause.law in _LIMITED and meant in _PARENTS):
            yield Related("the API server rejects this, because the field is in the wrong place", each.at(*cause.path))


def _move(each: Examined, stray: Stray, value: Json) -> Remedy:
    place, meant = each.at(*stray.path), stray.meant
    if meant is None:
        if stray.version == NEW:
            return _upgrade(each, f"write the object in {NEW}")
        return Remedy(f"{each.manifest.version} has no such field: remove it", (Remove(place),), safe=True)
    if is_there(each, meant):
        same = value_at(each, meant) == value
        edits: tuple[Edit, ...] = (Remove(place),) if same else ()
        return Remedy(f"{field_named(meant)} exists already: remove this one", edits, safe=same)
    if meant[:-1] == stray.path[:-1] and isinstance(value, str):
        return Remedy(f"write `{meant[-1]}`", (Rename(place, str(meant[-1])),), safe=True)
    return _put_below(each, stray, value)


def _put_below(each: Examined, stray: Stray, value: Json) -> Remedy:
    """The remedy for a field whose value has another form in the object's version."""
    place, spec, name = each.at(*stray.path), each.at("spec"), stray.name
    if (
        name == "admissionChecks"
        and isinstance(value, list)
        and not is_there(each, ("spec", "admissionChecksStrategy"))
    ):
        checks = {"admissionChecks": [{"name": check} for check in value]}
        edits = (Insert(spec, "admissionChecksStrategy", checks), Remove(place)) if value else (Remove(place),)
        return Remedy("write `admissionChecksStrategy.admissionChecks`, with a `name` for each", edits, safe=True)
    if name in ("kubeConfig", "clusterProfileRef") and not is_there(each, ("spec", "clusterSource")):
        edits = (Insert(spec, "clusterSource", {name: value}), Remove(place))
        return Remedy("write it below `clusterSource`", edits, safe=True)
    if name in ("clusterSource", "priorityClassRef"):
        return _upgrade(each, f"write the object in {NEW}")
    meant = field_named(stray.meant) if stray.meant is not None else ""
    return Remedy(f"write {meant}")


def _upgrade(each: Examined, help: str) -> Remedy:
    """The object in the new version, if that version accepts it as it is."""
    from kubectl_fairshare.schedulers.kueue.admission.judge import judge

    written = f"{GROUP}/{NEW}"
    judgement = judge({**each.manifest.data, "apiVersion": written})
    sound = judgement.accepted and not judgement.unknown_fields
    return Remedy(help, (Replace(each.at("apiVersion"), written),) if sound else (), safe=sound)
