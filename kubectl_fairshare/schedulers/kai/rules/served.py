"""Versions of KAI's API that are not served, and values that KAI's programs cannot decode."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.finding import Finding, Remedy, Replace
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.lint.refusals import unserved_objects
from kubectl_fairshare.schedulers.kai.model.kinds import CONFIG_GROUP, QUEUE_GROUP
from kubectl_fairshare.schedulers.kai.reading.shard_checks import undecodable_spans
from kubectl_fairshare.schedulers.kai.rules.given import KaiGiven
from kubectl_fairshare.schedulers.kai.rules.settings import shards

_VERSIONS: Final = {"Queue": "v2", "PodGroup": "v2alpha2", "SchedulingShard": "v1", "Config": "v1"}


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
        for path, text in undecodable_spans(spec):
            yield Finding(
                examined.at("spec", *path),
                f"`{str(text)[:64]}` is not a duration that KAI's operator takes: it cannot decode the shard",
                Remedy("write hours, minutes and seconds: `24h`, `1h30m`"),
            )
