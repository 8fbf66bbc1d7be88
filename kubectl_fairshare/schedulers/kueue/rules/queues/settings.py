"""Settings of a ClusterQueue that contradict each other."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Finding, Related, Remedy
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.lint.refusals import field_named, lawful, quote, value_at
from kubectl_fairshare.lint.words.figures import title_of
from kubectl_fairshare.lint.words.spelling import respelt
from kubectl_fairshare.model.json import JsonObject, mapping, rows
from kubectl_fairshare.schedulers.kueue.rules.configuration.settings import gate
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven

_FUNGIBILITY = ("spec", "flavorFungibility")
_PREEMPTION = ("spec", "preemption")
_MOST_FLAVORS = 16


@error_rule("K018")
def preference_without_search(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue."""
    for each, _ in lawful(given, "CQ11"):
        written = mapping(value_at(each, _FUNGIBILITY))
        defaults = {"whenCanBorrow": "MayStopSearch", "whenCanPreempt": "TryNextFlavor"}
        set_to = {name: str(written.get(name) or default) for name, default in defaults.items()}
        wrong = [name for name, value in set_to.items() if value != "TryNextFlavor"]
        others = " and ".join(_set(name, set_to[name], name in written) for name in wrong)
        yield Finding(
            each.at(*_FUNGIBILITY, "preference"),
            f"`preference` needs TryNextFlavor in both searches, but {others}: the API server rejects it",
            Remedy("write TryNextFlavor for `whenCanBorrow` and `whenCanPreempt`, or leave `preference` out"),
            evidence=tuple(set_to.items()),
            related=tuple(Related("set here", each.at(*_FUNGIBILITY, name)) for name in wrong if name in written),
        )


def _set(name: str, value: str, written: bool) -> str:
    return f"`{name}` is {value}" if written else f"`{name}` is {value} by default"


@error_rule("K019")
def borrow_within_cohort_without_reclaim(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue."""
    for each, _ in lawful(given, "CQ12"):
        written = mapping(value_at(each, _PREEMPTION))
        policy = mapping(written.get("borrowWithinCohort")).get("policy")
        default = "" if written.get("reclaimWithinCohort") else " by default"
        yield Finding(
            each.at(*_PREEMPTION, "borrowWithinCohort", "policy"),
            f"`borrowWithinCohort` is {policy} and `reclaimWithinCohort` Never{default}: the API server rejects it",
            Remedy("write LowerPriority or Any for `reclaimWithinCohort`, or leave `borrowWithinCohort` out"),
            evidence=(("borrowWithinCohort", str(policy)), ("reclaimWithinCohort", "Never")),
        )


@error_rule("K020")
def invalid_namespace_selector(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each place in a selector."""
    for each, cause in lawful(given, "CQ13"):
        value = value_at(each, cause.path)
        plain = isinstance(value, str) and not cause.message.startswith("`")
        gist = f"{quote(value)} is {cause.message}" if plain else cause.message
        yield Finding(
            each.at(*cause.path),
            f"{field_named(cause.path)}: {gist}: the API server rejects it",
            Remedy(
                "In and NotIn need values, Exists and DoesNotExist do not; keys and values must be valid for labels"
            ),
        )


@error_rule("K021")
def check_on_foreign_flavor(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each name."""
    for each, cause in lawful(given, "CQ14"):
        flavor, own = value_at(each, cause.path), _flavors(mapping(value_at(each, ("spec",))))
        check = quote(value_at(each, (*cause.path[:-2], "name")))
        yield Finding(
            each.at(*cause.path),
            f"check {check} applies to flavor {quote(flavor)}, which {title_of(each.key)} does not have",
            respelt(each.at(*cause.path), flavor, own, "name one of the queue's flavors, or remove it"),
            evidence=(("flavors", ", ".join(own) or "none"),),
        )


def _flavors(spec: JsonObject) -> list[str]:
    groups = rows(spec.get("resourceGroups"))
    return [str(flavor.get("name")) for group in groups for flavor in rows(group.get("flavors"))]


@error_rule("K022")
def concurrent_admission_unfit(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each condition that a queue does not meet."""
    if not gate(given, "ConcurrentAdmission"):
        return
    for each in given.of("ClusterQueue"):
        spec: JsonObject = each.spec
        if each.judgement is not None and spec.get("concurrentAdmissionPolicy"):
            for path, message in _unmet_conditions(spec):
                remedy = Remedy("fix it, or remove `concurrentAdmissionPolicy`")
                yield Finding(
                    each.at("spec", *path), f"`concurrentAdmissionPolicy` {message}: Kueue rejects it", remedy
                )


def _unmet_conditions(spec: JsonObject) -> Iterator[tuple[tuple[str, ...], str]]:
    groups, flavors = spec.get("resourceGroups") or [], _flavors(spec)
    migration = spec["concurrentAdmissionPolicy"].get("migration") or {}
    constraints = migration.get("constraints")
    below = ("concurrentAdmissionPolicy", "migration", "constraints")
    if len(groups) != 1:
        yield ("concurrentAdmissionPolicy",), f"needs exactly one resource group, but the queue has {len(groups)}"
    elif len(flavors) > _MOST_FLAVORS:
        yield ("resourceGroups",), f"allows {_MOST_FLAVORS} flavors, but the queue has {len(flavors)}"
    if spec.get("queueingStrategy") == "StrictFIFO":
        yield ("queueingStrategy",), "is not allowed with StrictFIFO"
    if constraints is not None and migration.get("mode") != "TryPreferredFlavors":
        yield below, "allows constraints only with mode TryPreferredFlavors"
    last = (constraints or {}).get("lastAcceptableFlavorName")
    if last is not None and last not in flavors:
        yield (*below, "lastAcceptableFlavorName"), f"ends at flavor `{last}`, which the queue does not have"
