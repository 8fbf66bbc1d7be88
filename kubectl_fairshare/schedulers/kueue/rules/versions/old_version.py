"""Objects in v1beta1: what that version allows, and what is lost on conversion to the stored version."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.finding import Edit, Finding, Insert, Remedy, Rename, Replace, Severity
from kubectl_fairshare.lint.given import Examined
from kubectl_fairshare.lint.protocol import error_rule, info_rule, warning_rule
from kubectl_fairshare.lint.refusals import MISSING, as_written, field_named, quote, value_at
from kubectl_fairshare.lint.words.figures import title_of
from kubectl_fairshare.model.json import FieldPath, JsonObject, listed, mapping, rows
from kubectl_fairshare.schedulers.kueue.admission.kinds import OLD, STORED
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.release.writes import WriteLaws
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.versions.later import next_apply_causes, stored_form_causes

_SOURCE: Final = "kueue.x-k8s.io/workloadpriorityclass"


def _accepted_objects(given: KueueGiven) -> Iterator[Examined]:
    """The accepted objects in v1beta1."""
    for each in given.examined.values():
        judgement = each.judgement if each.key.group == GROUP and each.manifest.version == OLD else None
        if judgement is not None and judgement.accepted:
            yield each


@info_rule("K005")
def deprecated_version(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each object without another finding; an error for a release that does not serve v1beta1."""
    release = given.configuration.release
    for each in _accepted_objects(given):
        if not release.serves_v1beta1:
            message = f"{title_of(each.key)} is written in v1beta1, which Kueue {release} does not serve"
            edits = _renames(each, each.judgement.stored or {}) if each.judgement is not None else ()
            remedy = Remedy(f"write it in {STORED}", edits, safe=bool(edits))
            yield Finding(each.at("apiVersion"), message, remedy, severity=Severity.ERROR)
            continue
        judgement = each.judgement
        if judgement is None or not judgement.warnings or _is_told_elsewhere(each, given.configuration.writes):
            continue
        edits = _renames(each, judgement.stored or {})
        remedy = Remedy(f"write it in {STORED}", edits, safe=bool(edits))
        yield Finding(each.at("apiVersion"), f"{title_of(each.key)} is written in v1beta1, which is deprecated", remedy)


def _is_told_elsewhere(each: Examined, laws: WriteLaws) -> bool:
    """Whether a more severe finding has the same remedy."""
    return bool(_lost_class(each) or _lost_checks(each) or stored_form_causes(each, laws))


def _renames(each: Examined, stored: JsonObject) -> tuple[Edit, ...]:
    """The edits that make a v1beta2 object with the same meaning, if only names differ."""
    from kubectl_fairshare.schedulers.kueue.admission.judge import judge

    data = {**each.manifest.data, "apiVersion": f"{GROUP}/{STORED}"}
    edits: tuple[Edit, ...] = (Replace(each.at("apiVersion"), f"{GROUP}/{STORED}"),)
    spec = data.get("spec")
    if each.key.kind == "ClusterQueue" and isinstance(spec, dict) and isinstance(spec.get("cohort"), str):
        data["spec"] = {("cohortName" if key == "cohort" else key): value for key, value in spec.items()}
        edits = (*edits, Rename(each.at("spec", "cohort"), "cohortName"))
    later = judge(data)
    same = later.accepted and not later.unknown_fields and _lasting(later.stored or {}) == _lasting(stored)
    return edits if same else ()


def _lasting(stored: JsonObject) -> JsonObject:
    """The object without its status, which Kueue writes anew."""
    return {key: value for key, value in stored.items() if key != "status"}


@error_rule("K009")
def stored_against_schema(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each field."""
    for each in _accepted_objects(given):
        laws = given.configuration.writes
        causes = stored_form_causes(each, laws)
        seen = {as_written(each, cause.path) for cause in next_apply_causes(each, laws)} if causes else set()
        for cause in causes:
            path = _flat(each, as_written(each, cause.path))
            if path not in seen:
                seen.add(path)
                message = f"v1beta1 allows it, but it is stored as {STORED}, where {field_named(cause.path)} is invalid"
                remedy = Remedy(f"write what {STORED} allows, if possible in an object of that version")
                yield Finding(each.at(*path), f"{message}: {cause.message}", remedy)


def _flat(each: Examined, path: FieldPath) -> FieldPath:
    """The place of a check in v1beta1's list of names."""
    strategy = ("spec", "admissionChecksStrategy", "admissionChecks")
    if path[:3] == strategy and value_at(each, ("spec", "admissionChecks")) is not MISSING:
        return ("spec", "admissionChecks", *path[3:4])
    return path


@warning_rule("K049")
def checks_overwritten(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue."""
    for each in _accepted_objects(given):
        if lost := _lost_checks(each):
            yield Finding(
                each.at("spec", "admissionChecks"),
                f"`admissionChecks` replaces `admissionChecksStrategy`: the entries there for "
                f"{', '.join(map(quote, lost))} are lost",
                Remedy("write all checks in `admissionChecksStrategy`, and remove `admissionChecks`"),
            )


def _lost_checks(each: Examined) -> list[str]:
    """The checks of a strategy that a flat list in the same object replaces."""
    if each.key.kind != "ClusterQueue":
        return []
    spec = mapping(each.manifest.data.get("spec"))
    strategy = rows(mapping(spec.get("admissionChecksStrategy")).get("admissionChecks"))
    flat = listed(spec.get("admissionChecks"))
    return (
        [str(check.get("name")) for check in strategy if check.get("onFlavors") or check.get("name") not in flat]
        if flat
        else []
    )


@error_rule("K038")
def priority_class_dropped(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each Workload."""
    for each in _accepted_objects(given):
        if name := _lost_class(each):
            spec, source = each.at("spec"), "priorityClassSource"
            written = value_at(each, ("spec", source)) is not MISSING
            yield Finding(
                each.at("spec", "priorityClassName"),
                f"priority class `{name}` has no `{source}`: the name is dropped when the Workload is stored",
                Remedy(
                    f"write `{source}: {_SOURCE}`, or scheduling.k8s.io/priorityclass for a PriorityClass",
                    () if written else (Insert(spec, source, _SOURCE),),
                ),
            )


def _lost_class(each: Examined) -> str:
    """The priority class that a Workload names without its source, which gives the kind."""
    if each.key.kind != "Workload":
        return ""
    spec = mapping(each.manifest.data.get("spec"))
    return "" if spec.get("priorityClassSource") else spec.get("priorityClassName") or ""
