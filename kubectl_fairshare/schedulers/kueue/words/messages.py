"""Kueue's own words, to the letter: what it writes into conditions and events.

The texts are those of Kueue v0.19, so that a user can search a cluster's records for them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.amounts import UNLIMITED, is_unlimited
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Assignment, PodSetAssignment
from kubectl_fairshare.schedulers.kueue.flavors.map_order import possible_pod_sets
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.topology.laws import TopologyLaw
from kubectl_fairshare.schedulers.kueue.words.refusals import refusal_message
from kubectl_fairshare.trace import Operand, Step

_Said = Mapping[str, Operand]
_LAYER: Final = "layer "
_SLICES: Final = "slice" + "(s)"
_EXCLUDED: Final = "excluded "


def _too_few(o: _Said) -> str:
    topology = f'topology "{o["topology"]}"'
    if "layers" in o:
        layers = ((key.removeprefix(_LAYER), value) for key, value in o.items() if key.startswith(_LAYER))
        fits = "".join(f"; {value} {_SLICES} fit on level {level}" for level, value in layers)
        return f"{topology} doesn't allow to fit{fits}{_exclusions(o)}"
    asked = f"{o['asked']} {o['unit']}(s)"
    if not o["fits"]:
        return f"{topology} doesn't allow to fit any of {asked}{_exclusions(o)}"
    return f"{topology} allows to fit only {o['fits']} out of {asked}{_exclusions(o)}"


def _exclusions(o: _Said) -> str:
    excluded = sorted(f"{key.removeprefix(_EXCLUDED)}: {n}" for key, n in o.items() if key.startswith(_EXCLUDED))
    return f". Total nodes: {o['nodes']}; excluded: {', '.join(excluded)}" if excluded else ""


TOPOLOGY_FRAGMENTS: Final[Mapping[object, Callable[[_Said], str]]] = {
    TopologyLaw.NOT_ASKED: lambda o: f'Flavor "{o["flavor"]}" supports only TopologyAwareScheduling',
    TopologyLaw.UNSUPPORTED: lambda o: f'Flavor "{o["flavor"]}" does not support TopologyAwareScheduling',
    TopologyLaw.UNKNOWN: lambda o: f'Flavor "{o["flavor"]}" information missing in TAS cache',
    TopologyLaw.LEVEL_MISSING: lambda o: f'Flavor "{o["flavor"]}" does not contain the requested level',
    TopologyLaw.NO_FLAVOR_ASSIGNED: lambda _: "no TAS flavor assigned",
    TopologyLaw.SEVERAL_FLAVORS: lambda o: f"more than one TAS flavor assigned: {o['flavors']}",
    TopologyLaw.SLICE_SIZE_MISSING: lambda _: "slice topology requested, but slice size not provided",
    TopologyLaw.LEVEL_UNSPECIFIED: lambda _: "topology level not specified",
    TopologyLaw.LEVEL_NOT_FOUND: lambda o: f"no requested topology level{o['kind']}: {o['level']}",
    TopologyLaw.SLICE_ABOVE_LEVEL: lambda o: (
        f"podset slice topology {o['slice level']} is above the podset topology {o['level']}"
    ),
    TopologyLaw.LAYER_ORDER: lambda o: (
        f"additional slice layer topology {o['level']} must be at a lower level than {o['above']}"
    ),
    TopologyLaw.LAYER_SIZE: lambda o: (
        f"additional slice layer size {o['size']} must evenly divide parent layer size {o['above']}"
    ),
    TopologyLaw.EMPTY: lambda o: f"no topology domains at level: {o['level']}",
    TopologyLaw.TOO_FEW: _too_few,
    TopologyLaw.NO_DOMAIN: lambda _: "",  # Kueue writes it into its log alone
    TopologyLaw.NO_REQUEST: lambda _: "",  # what Kueue says is that of any head that no longer fits
    TopologyLaw.UPDATE_CONFLICT: lambda o: f"invalid podSetUpdate for PodSet {o['pod set']}, error: {o['error']}",
    TopologyLaw.STALE_DOMAIN: lambda o: (
        "Cannot replace the node, because the existing topologyAssignment is invalid, as it contains the stale domain "
        f"{o['domain']}"
    ),
    TopologyLaw.NO_REPLACEMENT: lambda o: f"cannot find replacement assignment for unhealthy node: {o['node']}",
    TopologyLaw.LOST_NODE: lambda _: "",  # of a workload that runs
}

if TYPE_CHECKING:
    from kubectl_fairshare.schedulers.kueue.cycle.cycle import ProcessedHead
    from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination

NOT_READY: Final = "waiting for all admitted workloads to be in PodsReady condition"
_MOST_WAYS: Final = 256
_MOST_MESSAGES: Final = 16
"""The most other messages that are listed."""
GATED: Final = "Workload requires preemption, but it's gated"
NO_LONGER_FITS: Final = "Workload no longer fits after processing another workload"


def amount(resource: str, value: int) -> str:
    """An amount as Kueue prints it; an unlimited one as ``<unlimited>``, one beyond 64 bits in whole units, or cut."""
    if is_unlimited(value):
        return "<unlimited>"
    if -UNLIMITED <= value <= UNLIMITED:
        return quantity.text(resource, value)
    whole = value // 1000 if resource == "cpu" else value
    return str(min(whole, UNLIMITED))


def reason(step: Step) -> str:
    """The fragment for one reason why a flavor or resource does not serve."""
    return _FRAGMENTS[step.law](dict(step.operands))


def pod_set_message(pod_set: PodSetAssignment) -> str:
    """All reasons of a pod set, sorted, joined by commas; empty without any. An error is printed alone."""
    if pod_set.error is not None:
        return reason(pod_set.error)
    return ", ".join(sorted(reason(r) for r in pod_set.reasons))


def assignment_message(assignment: Assignment) -> str:
    """The workload's message: a part for each pod set with reasons, joined by semicolons; an error is printed alone."""
    failed = next((p for p in assignment.pod_sets if p.error is not None), None)
    if failed is not None:
        return f"failed to assign flavors to pod set {failed.name}: {pod_set_message(failed)}"
    parts = ((p.name, pod_set_message(p)) for p in assignment.pod_sets)
    return "; ".join(f"couldn't assign flavors to pod set {name}: {text}" for name, text in parts if text)


def refusal(step: Step) -> str:
    """Why a workload was not considered at all."""
    return _REFUSALS[step.law](dict(step.operands))


def nomination_message(nomination: "Nomination") -> str:
    """What Kueue says of a workload that was nominated, preemptions not counted."""
    if nomination.refused is not None:
        own = nomination.workload.refusal
        return (
            refusal_message(own)
            if own is not None and nomination.refused.law is Law.WORKLOAD_REFUSED
            else refusal(nomination.refused)
        )
    return "" if nomination.assignment is None else assignment_message(nomination.assignment)


def other_messages(nomination: "Nomination", drawn: "Iterable[Nomination]" = ()) -> tuple[str, ...]:
    """What Kueue may say instead, by chance: it names another pod set without a place, or another shortage.

    ``drawn`` are nominations of which it may speak as well.
    """
    if nomination.refused is not None or nomination.assignment is None:
        return ()
    first = assignment_message(nomination.assignment)
    assignments = (each.assignment for each in (nomination, *drawn) if each.assignment is not None)
    ways = chain.from_iterable(islice(_messages_of(each), _MOST_WAYS) for each in assignments)
    return tuple(islice(dict.fromkeys(other for other in ways if other != first), _MOST_MESSAGES))


def _messages_of(assignment: Assignment) -> Iterator[str]:
    return (assignment_message(replace(assignment, pod_sets=p)) for p in possible_pod_sets(assignment))


def entry_message(entry: "ProcessedHead") -> str:
    """What Kueue says of a head after a cycle; nothing for one that was admitted."""
    if entry.law is not None and entry.law in _CYCLE:
        return _CYCLE[entry.law]
    message = nomination_message(entry.nomination)
    if entry.preempts:
        return f"{message}. Pending the preemption of {len(entry.targets)} workload(s)"
    return message


_Operands = Mapping[str, Operand]
_CYCLE: Final[Mapping[Law, str]] = {
    Law.OVERLAP: "Workload has overlapping preemption targets with another workload",
    Law.DEFERRED_FIT: (
        "Workload has overlapping preemption targets with another workload, "
        "but will fit after these preemptions complete"
    ),
    Law.NO_LONGER_FITS: NO_LONGER_FITS,
    Law.PREEMPTION_GATED: GATED,
    Law.PODS_READY_FIRST: NOT_READY,
}
"""What Kueue says of a head that the cycle itself kept out."""


def _exceeds_potential(o: _Operands) -> str:
    resource = str(o["resource"])
    assumed, request, potential = (o[name] for name in ("assumed", "request", "potential"))
    # Kueue prints the request from the pod set itself, where no amount is unlimited.
    return (
        f"insufficient quota for {resource} in flavor {o['flavor']}, previously considered podsets requests "
        f"({amount(resource, _int(assumed))}) + current podset request ({quantity.text(resource, _int(request))}) "
        f"> maximum capacity ({amount(resource, _int(potential))})"
    )


def _exceeds_available(o: _Operands) -> str:
    resource = str(o["resource"])
    more = amount(resource, _int(o["more"]))
    return f"insufficient unused quota for {resource} in flavor {o['flavor']}, {more} more needed"


def _int(value: Operand) -> int:
    if not isinstance(value, int):
        raise TypeError(value)
    return value


_FRAGMENTS: Mapping[object, Callable[[_Operands], str]] = {
    Law.FLAVOR_NOT_FOUND: lambda o: f"flavor {o['flavor']} not found",
    Law.UNTOLERATED_TAINT: lambda o: (
        f"untolerated taint {{{o['key']} {o['value']} {o['effect']} <nil>}} in flavor {o['flavor']}"
    ),
    Law.NO_TOPOLOGY: lambda _: "workload requires Topology, but there is no TAS cache information",
    Law.SLICE_FLAVOR: lambda o: (
        f"could not assign {o['flavor']} flavor since the original workload is assigned: {o['held']}"
    ),
    Law.NOT_NOMINATED: lambda o: (
        f"skipping flavor {o['flavor']} as it is not found in the nomination mapping for resource {o['asked for']}"
    ),
    Law.AFFINITY_MISMATCH: lambda o: f"flavor {o['flavor']} doesn't match node affinity",
    Law.RESOURCE_UNAVAILABLE: lambda o: f"resource {o['resource']} unavailable in ClusterQueue",
    Law.RESOURCE_NOT_PROVIDED: lambda o: f"flavor {o['flavor']} does not provide resource {o['resource']}",
    Law.EXCEEDS_POTENTIAL: _exceeds_potential,
    Law.EXCEEDS_AVAILABLE: _exceeds_available,
    **TOPOLOGY_FRAGMENTS,
}

_REFUSALS: Mapping[object, Callable[[_Operands], str]] = {
    Law.QUEUE_MISSING: lambda o: f"ClusterQueue {o['cluster queue']} doesn't exist",
    Law.QUEUE_INACTIVE: lambda o: f"ClusterQueue {o['cluster queue']} is inactive",
    Law.LOCAL_QUEUE_MISSING: lambda o: f"LocalQueue {o['local queue']} doesn't exist",
    Law.LOCAL_QUEUE_STOPPED: lambda o: f"LocalQueue {o['local queue']} is inactive",
    Law.ADMISSION_GATED: lambda o: f"Admission is gated by: {o['gates']}",
    Law.SCHEDULER_CRASH: lambda _: "",  # it writes nothing any more
    Law.CHECKS_FAILED: lambda _: "The workload has failed admission checks",
    Law.WORKLOAD_INACTIVE: lambda _: "The workload is deactivated",
    Law.NAMESPACE_MISSING: lambda o: (
        f'Could not obtain workload namespace: namespaces "{o["namespace"]}" not found'
        if "wording" in o
        else f'workload namespace "{o["namespace"]}" does not exist: namespaces "{o["namespace"]}" not found'
    ),
    Law.NAMESPACE_NOT_SELECTED: lambda o: (
        f"{'Workload' if 'wording' in o else 'workload'} namespace doesn't match ClusterQueue selector"
    ),
}
