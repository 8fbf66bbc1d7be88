"""What the reproduced releases do not have: a newer one may decide by it, so answers that rest on it are not exact."""

from collections.abc import Iterator

from kubectl_fairshare.api.unknown import KnownParts
from kubectl_fairshare.finding import Finding, Remedy, Rename
from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.lint.given import Given
from kubectl_fairshare.lint.protocol import warning_rule
from kubectl_fairshare.lint.refusals import field_named
from kubectl_fairshare.lint.words.spelling import nearest
from kubectl_fairshare.model.location import Place


@warning_rule("M010")
def unknown_to_the_model(given: Given) -> Iterator[Finding]:
    """One finding for each field, value, label or annotation that no other rule reports."""
    known = _known(given)
    places = {place for part in given.gathered.parts for place in part.unknown} | {*_in_jobs(given, known)}
    for place in sorted(places, key=str):
        if not _is_reported(given, place):
            message = (
                f"no reproduced release has {field_named(place.path)}, so answers that rest on {place.object} "
                "are not exact"
            )
            yield Finding(place, message, _remedy(place, known), about_key=True)


def _known(given: Given) -> KnownParts:
    """The names in the domains of all schedulers that the input concerns."""
    reads = (house.reads for house in given.concerned if house.reads is not None)
    each = (read.known() for read in reads if read.known is not None)
    return KnownParts((), {prefix: names for one in each for prefix, names in one.marks.items()})


def _in_jobs(given: Given, known: KnownParts) -> Iterator[Place]:
    """The places in jobs of all kinds, but for misspelt names: rule K178 reports those."""
    schedulers = KnownSchedulers(house.reads for house in given.houses if house.reads is not None)
    decided = {kind for part in given.gathered.parts for kind in part.kinds}
    for key, manifest in given.snapshot.manifests.items():
        if key[:2] not in decided and key not in given.examined and schedulers.decides(key.group, key.kind):
            yield from (place for place in known.places(manifest) if not _nearest(place, known))


def _nearest(place: Place, known: KnownParts) -> str | None:
    """The known name of a label or annotation that this one must be a misspelling of."""
    name = str(place.path[-1])
    prefix = known.prefix_of(name) if "metadata" in place.path else ""
    near = nearest(name.removeprefix(prefix), known.marks[prefix]) if prefix else None
    return f"{prefix}{near}" if near else None


def _is_reported(given: Given, place: Place) -> bool:
    """Whether the API server drops the field, or rejects the object, which other rules report."""
    each = given.examined.get(place.object)
    judgement = each.judgement if each is not None else None
    return judgement is not None and (not judgement.accepted or place.path in judgement.unknown_fields)


def _remedy(place: Place, known: KnownParts) -> Remedy:
    near = _nearest(place, known)
    if near is None:
        return Remedy("check its spelling; if it is right, use a kubectl-fairshare that knows it")
    return Remedy(f"write `{near}`", (Rename(place, near),))
