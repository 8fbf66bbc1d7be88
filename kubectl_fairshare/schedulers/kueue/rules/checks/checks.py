"""AdmissionChecks: whether a queue's checks exist, can run, and fit each other."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.finding import Finding, Related, Remedy, Severity
from kubectl_fairshare.lint.given import Examined
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.lint.strays import is_meant
from kubectl_fairshare.lint.words.figures import few, several, used_too
from kubectl_fairshare.model.json import inside, listed
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.admission.kinds import VERSIONS
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP, AdmissionCheck, ClusterQueue
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.references.dangling import likely_names, put_right
from kubectl_fairshare.schedulers.kueue.rules.references.missing import without_target
from kubectl_fairshare.schedulers.kueue.tree.activity import MULTIKUEUE, PROVISIONING

_PARAMETERS: Final = {MULTIKUEUE: "MultiKueueConfig", PROVISIONING: "ProvisioningRequestConfig"}
_CHECKS: Final = ("spec", "admissionChecksStrategy", "admissionChecks")


def _use_place(given: KueueGiven, queue: ClusterQueue, i: int, *field: str) -> Place:
    """The place of a queue's ``i``-th check; v1beta1 also has a flat list of names."""
    manifest = given.examined[queue.key].manifest
    if manifest.version == VERSIONS[0] and inside(manifest.passing_data, "spec", "admissionChecks"):
        return Place(queue.key, ("spec", "admissionChecks", i))
    return Place(queue.key, (*_CHECKS, i, *field))


def _places(given: KueueGiven) -> dict[str, list[Place]]:
    """The checks that queues use, and their places."""
    found: dict[str, list[Place]] = {}
    for queue in given.kueue.cluster_queues.values():
        for i, use in enumerate(queue.checks):
            found.setdefault(use.name, []).append(_use_place(given, queue, i, "name"))
    return found


@error_rule("K052")
def admission_check_not_found(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each name without an AdmissionCheck."""
    places_of = _places(given)
    dangling = [name for name in places_of if not given.is_written("AdmissionCheck", name)]
    meant = likely_names(dangling, given.names("AdmissionCheck"), places_of)
    for name, places in sorted(places_of.items()):
        if name in dangling:
            queues = [place.object.name for place in places]
            yield Finding(
                places[0],
                f"AdmissionCheck `{name}` does not exist: {few(queues)} cannot admit workloads",
                put_right(places, meant.get(name), "add the AdmissionCheck, or remove the name"),
                evidence=(("queues out of service", str(len(queues))),),
                related=used_too(places),
                elsewhere=f"AdmissionCheck {name}",
                severity=without_target(given, "AdmissionCheck", misspelt=name in meant),
            )


@error_rule("K053")
def admission_check_inactive(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each check in use that cannot be active."""
    used = _places(given)
    lost = _without_clusters(given)
    for check in given.kueue.checks.values():
        if check.name not in used or next(_of_parameters(given, check), None) is not None or check.name in lost:
            continue
        related = tuple(Related("used here", place) for place in used[check.name][:1])
        evidence = (("queues out of service", str(len(used[check.name]))),)
        place = Place(check.key, ("spec", "controllerName"))
        if check.active is None and _looks_like_own(check.controller):
            message = f"Kueue has no check controller `{check.controller}`"
            known = few(sorted(_PARAMETERS))
            yield Finding(place, message, Remedy(f"Kueue's own are {known}"), evidence, related)
        elif check.active is False:
            remedy = Remedy("read its Active condition, and check that the controller runs")
            yield Finding(
                place, f"AdmissionCheck `{check.name}` is inactive: Active is False", remedy, evidence, related
            )


def _looks_like_own(controller: str) -> bool:
    """Whether the name looks like that of a controller of Kueue's, but is not."""
    last = controller.rpartition("/")[2]
    ours = controller.startswith(f"{GROUP}/") or any(last == name.rpartition("/")[2] for name in _PARAMETERS)
    return ours and controller not in _PARAMETERS


def _without_clusters(given: KueueGiven) -> set[str]:
    """The MultiKueue checks whose clusters are missing, which another rule reports."""
    configs = {examined.key.name for examined in given.of("MultiKueueConfig") if _missing(given, examined)}
    checks = given.kueue.checks.values()
    return {c.name for c in checks if c.controller == MULTIKUEUE and c.parameters and c.parameters[2] in configs}


@error_rule("K054")
def multikueue_check_conflict(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue and each of the three conflicts, in Kueue's order."""
    for queue in given.kueue.cluster_queues.values():
        remote = _run_by(given, queue, MULTIKUEUE)
        if not remote:
            continue
        if len(remote) > 1:
            names = few([queue.checks[i].name for i in remote])
            message = f"{len(remote)} MultiKueue checks in one queue, {names}; the maximum is one"
            yield Finding(_use_place(given, queue, remote[1]), message, Remedy("keep one of them"))
        yield from _narrow(queue, remote)
        for i in _run_by(given, queue, PROVISIONING):
            check = queue.checks[i].name
            message = f"check `{check}` requests nodes in this cluster, but MultiKueue runs the workloads in others"
            remedy = Remedy("request nodes in the queues of the worker clusters")
            yield Finding(_use_place(given, queue, i), message, remedy)


def _narrow(queue: ClusterQueue, remote: list[int]) -> Iterator[Finding]:
    flavors = {flavor for group in queue.groups for flavor in group.flavors}
    for i in remote:
        use = queue.checks[i]
        left_out = sorted(flavors.difference(use.on_flavors))
        if use.on_flavors and left_out:
            message = f"MultiKueue check `{use.name}` applies only to some flavors: not to {few(left_out)}"
            yield Finding(
                Place(queue.key, (*_CHECKS, i, "onFlavors")),
                message,
                Remedy("leave `onFlavors` out: a queue runs either all or none of its workloads in other clusters"),
                evidence=(("flavors of the queue", str(len(flavors))), ("with the check", str(len(use.on_flavors)))),
            )


def _run_by(given: KueueGiven, queue: ClusterQueue, controller: str) -> list[int]:
    checks = given.kueue.checks
    return [i for i, u in enumerate(queue.checks) if u.name in checks and checks[u.name].controller == controller]


@error_rule("K056")
def check_parameters(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each check of Kueue's own controllers; an active check has parameters outside the input."""
    for check in given.kueue.checks.values():
        yield from _of_parameters(given, check)


def _of_parameters(given: KueueGiven, check: AdmissionCheck) -> Iterator[Finding]:
    wanted = _PARAMETERS.get(check.controller)
    if wanted is None or check.active:
        return
    place = Place(check.key, ("spec", "parameters"))
    if check.parameters is None and is_meant(given, place):
        return
    if check.parameters is None:
        message = f"check `{check.name}` has no `parameters`, and it is inactive without a {wanted}"
        yield Finding(Place(check.key, ("spec",)), message, Remedy(f"name a {wanted} of `{GROUP}`"))
        return
    group, kind, name = check.parameters
    if (group, kind) != (GROUP, wanted):
        message = f"the parameters of `{check.controller}` are a {wanted} of `{GROUP}`, not a `{kind}` of `{group}`"
        yield Finding(place, message, Remedy(f"name a {wanted} of `{GROUP}`"))
    elif not given.is_written(wanted, name):
        yield Finding(
            Place(check.key, ("spec", "parameters", "name")),
            f"{wanted} `{name}` does not exist, so check `{check.name}` is inactive",
            Remedy(f"add the {wanted}, or name another"),
            elsewhere=f"{wanted} {name}",
            severity=without_target(given, wanted, misspelt=False),
        )


@error_rule("K057")
def multikueue_cluster_not_found(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each MultiKueueConfig; a warning while one of its clusters exists."""
    for examined in given.of("MultiKueueConfig"):
        names, missing = _clusters(examined), _missing(given, examined)
        if not missing:
            continue
        lost = few([names[i] for i in missing])
        verb = "does" if len(missing) == 1 else "do"
        severity = without_target(given, "MultiKueueCluster", misspelt=False)
        yield Finding(
            examined.at("spec", "clusters", missing[0]),
            f"MultiKueueCluster {lost} {verb} not exist: {len(names) - len(missing)} of "
            f"{several(len(names), 'cluster')} can be used",
            Remedy("add the MultiKueueCluster, or remove its name"),
            evidence=(("clusters", str(len(names))), ("missing", str(len(missing)))),
            elsewhere=f"MultiKueueCluster {names[missing[0]]}",
            severity=Severity.WARNING if len(missing) < len(names) else severity,
        )


def _clusters(examined: Examined) -> list[str]:
    return [name for name in listed(examined.spec, "clusters") if isinstance(name, str)]


def _missing(given: KueueGiven, examined: Examined) -> list[int]:
    """The indices of its clusters that do not exist."""
    return [i for i, name in enumerate(_clusters(examined)) if not given.is_written("MultiKueueCluster", name)]
