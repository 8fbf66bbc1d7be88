"""The features of a snapshot that an engine does not reproduce; every answer lists them."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final

from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import ComparedInPart, Value, field, replace

UNREAD: Final = "KindUnread"
_MOST_NAMED: Final = 5
"""The kinds that are named where not all of them could be read."""
NOT_GIVEN: Final = "NotInInput"
"""The input names this object and does not have it; it may exist."""
REJECTED: Final = "ResourceQuota"
"""ResourceQuotas reject a new pod, so no scheduler sees it."""
CROWDED: Final = "ResourceQuotaOrder"
"""ResourceQuotas admit a new pod only if it is created before other new ones of the input."""
TOO_MANY_OBJECTS: Final = "ResourceQuotaCount"
"""ResourceQuotas reject a new object other than a pod for the number of its kind."""
INVALID: Final = "InvalidPod"
"""An API server rejects a new pod for its own fields."""
INVALID_OBJECT: Final = "InvalidObject"
"""An API server rejects a new object for its own fields."""
ENDING_NAMESPACE: Final = "NamespaceDeleting"
"""An API server creates nothing in a namespace that is being deleted."""
NAMED_NODE: Final = "NodeNamed"
"""A new pod names its node."""
CHANCE_DEFAULTS: Final = "LimitRangeDefaults"
"""The default of one of several LimitRanges counts, whichever is listed first."""
OTHER_CONTROLLER: Final = "ManagedBy"
"""Another controller makes the pods of a Job."""
SCHEDULING_GATES: Final = "SchedulingGates"
"""A pod among others has scheduling gates, and when they are removed is not known."""
DAEMON_NODES: Final = "DaemonSetNodes"
"""The next pods of a DaemonSet are for several nodes, which differ."""
NO_MORE_PODS: Final = "NoMorePods"
"""A DaemonSet has a pod on every node that it may use."""
HELD_BACK: Final = "KoordQueue"
"""Another program holds jobs back."""
OTHER_SCHEDULER: Final = "OtherScheduler"
"""A scheduler whose quotas the input lacks decides about the pods, or one that we do not know."""
OTHER_HOUSE: Final = "OtherHouse"
"""Another scheduler decides about the pods, and the input has its quotas, too."""
NO_QUEUES: Final = "NoQueues"
"""The input has no quota of the scheduler at all, so there is nothing to judge."""
ELSEWHERE: Final = "ConfigurationElsewhere"
"""An object installs the scheduler with settings that cannot be read."""
ANY_NAMESPACE: Final = "*"
"""The namespace of an object that is named without one: it may be in any."""
TAKEN_AS_MISSING: Final = "TakenAsMissing"
"""The input does not name this object and does not have it; the answer would be another one if it existed."""
NOT_TRACED: Final = "NotInTrace"
"""Jobs have this, and their trace does not hold it."""
UNKNOWN_FIELD: Final = "UnknownField"
"""An object has a field, a value, or a name in a scheduler's domain, that the reproduced release does not have."""
NOT_REPLAYED: Final = "NotReplayed"
"""What a replay of a trace did otherwise than the cluster that recorded it."""
DURATIONS: Final = "Durations"
"""How long jobs run is not given."""
FURTHER_PODS: Final = "FurtherPods"
"""A job makes further pods when others end."""
UNTRIED: Final = "PreemptorsUntried"
"""Not all newcomers were tried that could preempt a running workload."""
_WORDS: Final = {
    NOT_REPLAYED: "the replay differs from the record: {0}",
    UNKNOWN_FIELD: (
        "{0}: the reproduced release has no such field, value or name (correct it, or use a kubectl-fairshare that "
        "knows it)"
    ),
    UNREAD: "not all objects of kind {0} are in the input",
    NOT_GIVEN: "{0} is not in the input",
    REJECTED: "the ResourceQuotas of its namespace: they reject a pod, so that it is not created",
    CROWDED: "the ResourceQuotas of its namespace: they do not admit all new pods of the input",
    TOO_MANY_OBJECTS: "the ResourceQuotas of its namespace: they reject another {0}, so that it is not created",
    INVALID: "a pod that no API server takes: {0}",
    INVALID_OBJECT: "an object that no API server takes: {0}",
    ENDING_NAMESPACE: "namespace {0} is being deleted, so an API server creates nothing in it",
    NAMED_NODE: "its nodeName: it is bound to {0} when it is created, without a scheduler and without a quota",
    CHANCE_DEFAULTS: "what its pods request: LimitRanges set different defaults, of which one counts by chance",
    OTHER_CONTROLLER: "the pods that {0} makes of it (managedBy)",
    HELD_BACK: "when its pods are created: koord-queue holds jobs back, and the input has its queues",
    DAEMON_NODES: "for which of {0} nodes the pod is: a DaemonSet makes one for each node, and their answers differ",
    NO_MORE_PODS: "another pod of {0}, which has one on every node that it may use",
    TAKEN_AS_MISSING: "{0} is not in the input, and taken as missing",
    OTHER_SCHEDULER: "when some pods start: scheduler {0} decides that, and none of its quotas is in the input",
    OTHER_HOUSE: "when some pods start: scheduler {0} decides that, whose quotas are in the input, too (`--scheduler`)",
    ELSEWHERE: "settings of the scheduler that cannot be read: {0}",
    DURATIONS: "how long jobs run: {0}",
    FURTHER_PODS: "the pods that {0} makes once others of its pods have ended",
    UNTRIED: "who could preempt it: {0}",
    NOT_TRACED: "{0} of jobs, which the trace does not hold",
}


class FidelityGrade(StrEnum):
    """How much an answer can be relied on.

    EXACT: measured on this release. BY_RULES: by the rules of a measured release; all published changes of the later
    one that runs are known, and none of them can touch the answer. INEXACT: something that is not modelled can change
    it, or it is one of several outcomes.
    """

    EXACT = "exact"
    BY_RULES = "by rules"
    INEXACT = "not exact"


class Gap(Value, frozen=True):
    """One feature that is not modelled, where the input uses it, and whether it can change the answer.

    ``subject`` names the object, if the feature alone does not identify it.
    """

    feature: str
    places: tuple[Place, ...]
    touches: bool
    subject: str = ""


def merged_fidelity(fidelities: Sequence["Fidelity"], more: Iterable[Gap] = ()) -> "Fidelity":
    """One fidelity for several answers of one scheduler, which are at least one: each gap once, with all its places.

    ``outcomes`` are those of the answer with the most. Two releases that are compared are both named.
    """
    found: dict[tuple[str, str], list[Gap]] = {}
    for gap in (*(gap for each in fidelities for gap in each.gaps), *more):
        found.setdefault((gap.feature, gap.subject), []).append(gap)
    words = {name: text for each in fidelities for name, text in each.words.items()}
    gaps = tuple(_one_gap(found[name]) for name in sorted(found))
    outcomes = max(each.outcomes for each in fidelities)
    every = all(each.all_outcomes for each in fidelities)
    versions, rules, later = (
        tuple(dict.fromkeys(found))
        for found in (
            (each.version for each in fidelities),
            (each.rules_of for each in fidelities if each.rules_of),
            (change for each in fidelities for change in each.later),
        )
    )
    return replace(
        fidelities[0],
        version=" and ".join(versions),
        gaps=gaps,
        words=words,
        outcomes=outcomes,
        all_outcomes=every,
        rules_of=" and ".join(rules),
        later=later,
        assumed=any(each.assumed for each in fidelities),
    )


def _one_gap(alike: Sequence[Gap]) -> Gap:
    """One gap for several of one feature and subject, which may be as many as the answers."""
    if len(alike) == 1:
        return alike[0]
    places = {place for gap in alike for place in gap.places}
    touches = any(gap.touches for gap in alike)
    return replace(alike[0], places=tuple(sorted(places, key=str)), touches=touches)


def not_given(key: ObjectKey, places: tuple[Place, ...], *, touches: bool) -> Gap:
    """The gap for an object that is named at ``places`` and is not in the input."""
    name = f"{key.namespace}/{key.name}" if key.namespace else key.name
    return Gap(NOT_GIVEN, places, touches, f"{key.kind} {name}")


def shared_clause(gap: Gap) -> str:
    """A gap of a feature that all schedulers share, in a clause."""
    return _WORDS[gap.feature].format(gap.subject)


def untried_gaps(doubt: str) -> Iterator[Gap]:
    """The gap for newcomers that were not tried, if there is such a doubt about who could preempt running work."""
    if doubt:
        yield Gap(UNTRIED, (), touches=True, subject=doubt)


def elsewhere_gaps(places: tuple[Place, ...]) -> Iterator[Gap]:
    """The gap for settings of a scheduler at ``places`` that cannot be read."""
    if places:
        yield Gap(ELSEWHERE, places, touches=True, subject=", ".join(sorted(map(str, places))))


def unread_gaps(unread: Iterable[str], deciding: Collection[str]) -> Iterator[Gap]:
    """A gap for each kind that decides and of which not all objects could be read; many are one."""
    kinds = [kind for kind in unread if kind in deciding]
    if len(kinds) > _MOST_NAMED:
        kinds = [f"{', '.join(kinds[:_MOST_NAMED])} and {len(kinds) - _MOST_NAMED} more"]
    yield from (Gap(UNREAD, (), touches=True, subject=kind) for kind in kinds)


class Standing(Value, frozen=True):
    """An installed release that was not measured: its name, by whose rules it is answered, what it changed since.

    None takes its place for the measured release, and for one that nothing names.
    """

    version: str
    rules_of: str
    later: tuple[str, ...] = ()


class Fidelity(ComparedInPart, Value, frozen=True):
    """The scheduler and version that an answer reproduces, and its gaps; ``words`` describe them, by feature.

    ``outcomes`` is the number of outcomes that the scheduler's ties allow; ``all_outcomes`` is false if there may be
    more, because the search stopped. ``rules_of`` is the measured release by whose rules a later one was answered,
    if ``version`` itself was not measured, and ``later`` what the later one is known to have changed, a clause each.
    ``assumed``: nothing names ``version``, so that another one may run.
    """

    UNCOMPARED = ("words",)
    scheduler: str
    version: str
    gaps: tuple[Gap, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    outcomes: int = 1
    all_outcomes: bool = True
    rules_of: str = ""
    later: tuple[str, ...] = ()
    assumed: bool = False

    @property
    def modelled(self) -> bool:
        """Whether no gap can change the answer."""
        return not any(gap.touches for gap in self.gaps)

    @property
    def defined(self) -> bool:
        """Whether the scheduler leaves nothing to chance."""
        return self.outcomes == 1 and self.all_outcomes

    @property
    def settled(self) -> bool:
        """Whether no gap can change the answer, and nothing is left to chance."""
        return self.modelled and self.defined

    @property
    def exact(self) -> bool:
        """Whether it is settled, by rules that were measured on this release."""
        return self.settled and not self.rules_of

    @property
    def grade(self) -> FidelityGrade:
        """How much the answer can be relied on."""
        if not self.settled:
            return FidelityGrade.INEXACT
        return FidelityGrade.BY_RULES if self.rules_of else FidelityGrade.EXACT

    @property
    def doubts(self) -> tuple[str, ...]:
        """The gaps that can change the answer, in clauses."""
        return tuple(dict.fromkeys(self.clause(gap) for gap in self.gaps if gap.touches))

    def under(self, standing: Standing | None) -> "Fidelity":
        """The same for the release that is installed."""
        if standing is None:
            return self
        return replace(self, version=standing.version, rules_of=standing.rules_of, later=standing.later)

    def with_gaps(self, gaps: Iterable[Gap]) -> "Fidelity":
        """The same with further gaps; one that it already has is left out."""
        return replace(self, gaps=tuple(dict.fromkeys((*self.gaps, *gaps))))

    def clause(self, gap: Gap) -> str:
        """A gap in a clause; a setting without words appears under its name."""
        words = _WORDS.get(gap.feature) or self.words.get(gap.feature, gap.feature)
        return words.format(gap.subject)
