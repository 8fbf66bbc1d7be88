"""Scheduler profiles that run CapacityScheduling only in part."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Edit, Finding, Insert, Remedy
from kubectl_fairshare.input.text.scheduler_configuration import enabled_at, runs
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.lint.words.figures import few
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.json import JsonObject, mapping
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.elasticquota.reading.profiles import OWN_POINTS, PLUGIN, RIVAL
from kubectl_fairshare.schedulers.elasticquota.rules.given import ElasticQuotaGiven


@error_rule("E029")
def profile_incomplete(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each missing part, in each profile that names the plugin."""
    for scheduler in given.schedulers:
        try:
            for profile in scheduler.at("profiles").entries():
                if any(PLUGIN in enabled_at(profile, point) for point in ("multiPoint", *OWN_POINTS)):
                    yield from _lacks(profile)
        except FairshareError:  # fields of the wrong type: the snapshot's problems name them
            continue


def _lacks(profile: Field) -> Iterator[Finding]:
    missing = [point for point in OWN_POINTS if not runs(profile, point, PLUGIN, default=False)]
    plugins, place = mapping(profile.value, "plugins"), profile.at("plugins").place
    if missing:
        yield Finding(
            place,
            f"{PLUGIN} does not run at {few(missing)}",
            Remedy(f"enable it under {few(missing)}", tuple(_enabling(place, plugins, missing))),
            evidence=(("missing", ", ".join(missing)),),
        )
    elif runs(profile, "postFilter", RIVAL, default=True):
        inside = Place(place.object, (*place.path, "postFilter")) if "postFilter" in plugins else place
        yield Finding(
            inside,
            f"{RIVAL} runs before {PLUGIN} and evicts by priority, across all quotas",
            Remedy(f"disable {RIVAL} under `postFilter`", tuple(_disabling(inside, plugins))),
        )


def _enabling(place: Place, plugins: JsonObject, missing: list[str]) -> Iterator[Edit]:
    for point in missing:
        if point not in plugins:
            yield Insert(place, point, {"enabled": [{"name": PLUGIN}]})


def _disabling(place: Place, plugins: JsonObject) -> Iterator[Edit]:
    disabled = [{"name": RIVAL}]
    if "postFilter" not in plugins:
        yield Insert(place, "postFilter", {"disabled": disabled})
    elif isinstance(plugins["postFilter"], dict) and "disabled" not in plugins["postFilter"]:
        yield Insert(place, "disabled", disabled)
