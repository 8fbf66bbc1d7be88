"""Versions of KAI's API that are not served, and values that KAI's programs cannot decode."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.api.durations import nanoseconds
from kubectl_fairshare.finding import Finding, Remedy, Replace
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.lint.refusals import unserved_objects
from kubectl_fairshare.model.json import FieldPath, Json, JsonObject, mapping
from kubectl_fairshare.schedulers.kai.model.kinds import CONFIG_GROUP, QUEUE_GROUP
from kubectl_fairshare.schedulers.kai.rules.given import KaiGiven
from kubectl_fairshare.schedulers.kai.rules.settings import shards

_VERSIONS: Final = {"Queue": "v2", "PodGroup": "v2alpha2", "SchedulingShard": "v1", "Config": "v1"}
_USAGE: Final = ("halfLifePeriod", "fetchInterval", "stalenessPeriod", "waitTimeout")
_JOB_BUDGETS: Final = ("minJobSearchDuration", "maxJobSearchDuration")
_NAMED_BUDGETS: Final = ("maxActionSearchDuration", "maxGeneratorSearchDuration")


@error_rule("A037")
def kai_version_not_served(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each object."""
    for group in (QUEUE_GROUP, CONFIG_GROUP):
        for each in unserved_objects(given, group):
            place, served = each.at("apiVersion"), f"{group}/{_VERSIONS[each.key.kind]}"
            message = f"KAI v0.17 does not serve {each.key.kind} in `{each.manifest.api_version}`"
            yield Finding(place, message, Remedy(f"write `{served}`", (Replace(place, served),)))


@error_rule("A038")
def undecodable_span(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each duration."""
    for examined, spec in shards(given):
        for path, text in _spans(spec):
            if not _is_span(text):
                yield Finding(
                    examined.at("spec", *path),
                    f"`{str(text)[:64]}` is not a duration that KAI's operator takes: it cannot decode the shard",
                    Remedy("write hours, minutes and seconds: `24h`, `1h30m`"),
                )


def _spans(spec: JsonObject) -> Iterator[tuple[FieldPath, Json]]:
    params = mapping(mapping(spec.get("usageDBConfig")).get("usageParams"))
    budgets = mapping(spec.get("scenarioSearchBudgets"))
    yield from ((("usageDBConfig", "usageParams", name), params[name]) for name in _USAGE if name in params)
    yield from ((("scenarioSearchBudgets", name), budgets[name]) for name in _JOB_BUDGETS if name in budgets)
    for field in _NAMED_BUDGETS:
        for name, text in mapping(budgets.get(field)).items():
            yield ("scenarioSearchBudgets", field, name), text


def _is_span(text: Json) -> bool:
    try:
        nanoseconds(str(text))
    except ValueError:
        return False
    return True
