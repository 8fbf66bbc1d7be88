"""Settings for which KAI's operator rejects a SchedulingShard."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Finding, Related, Remedy, Rename
from kubectl_fairshare.lint.given import Examined
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.lint.words.spelling import respelt
from kubectl_fairshare.model.json import mapping
from kubectl_fairshare.schedulers.kai.reading.shard_checks import (
    ACTIONS,
    BUDGETS,
    DEFAULT_LONGEST,
    LONGEST,
    SHORTEST,
    UnusableKey,
    has_crossing_budgets,
    negative_budgets,
    unusable_keys,
)
from kubectl_fairshare.schedulers.kai.rules.given import KaiGiven
from kubectl_fairshare.schedulers.kai.rules.settings import shards


@error_rule("A032")
def action_not_enabled(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each key of queueDepthPerAction and of the budgets of actions."""
    for examined, spec in shards(given):
        yield from (_unusable(examined, each) for each in unusable_keys(spec))


def _unusable(examined: Examined, key: UnusableKey) -> Finding:
    name, place = str(key.path[-1]), examined.at("spec", *key.path)
    state = "is not an action of KAI"
    if name in ACTIONS:
        state = "has no search budget" if key.path[0] == BUDGETS else "is not enabled in this shard"
    remedy = respelt(place, name, key.allowed, f"name one of {', '.join(f'`{each}`' for each in key.allowed)}", Rename)
    return Finding(place, f"`{name}` {state}: the operator rejects the shard", remedy)


@error_rule("A036")
def search_budget(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each negative budget, and one if the minimum is not below the maximum."""
    for examined, spec in shards(given):
        for path in negative_budgets(spec):
            place = examined.at("spec", *path)
            yield Finding(place, f"the budget `{path[-1]}` is negative", Remedy("write 0s or more"))
        if has_crossing_budgets(spec):
            shortest, longest = (mapping(spec, BUDGETS).get(path[-1]) for path in (SHORTEST, LONGEST))
            most = f"`{longest}`" if longest else f"`{DEFAULT_LONGEST}` where it is not set"
            related = (Related("the maximum is here", examined.at("spec", *LONGEST)),) if longest else ()
            yield Finding(
                examined.at("spec", *SHORTEST),
                f"`{shortest}` is not below maxJobSearchDuration, {most}",
                Remedy("write less than maxJobSearchDuration"),
                related=related,
            )
