"""Pod affinity and anti-affinity, required and preferred, as kube-scheduler's InterPodAffinity counts them.

Example: a pod wants to be next to pods with label app=a in its zone. One of them is on a node of zone 1 that is full; a
node of zone 1 with room will do.
Source: https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/plugins/predicates/predicates.go, which calls
the filter InterPodAffinity of kube-scheduler; "kai solver" in ``docs/laws.md``.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.selectors import LabelSelector, Requirement

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_UNMODELLED = ("matchLabelKeys", "mismatchLabelKeys", "namespaceSelector")
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


class PodTerm(NamedTuple):
    """Pods that are meant, and the label of nodes that counts as one place. ``namespaces`` is None for all."""

    key: str
    selector: LabelSelector | None
    namespaces: frozenset[str] | None
    weight: int = 0

    def means(self, other: "Resident") -> bool:
        """Whether a pod is meant; no pod is without a selector."""
        there = self.namespaces is None or other.namespace in self.namespaces
        return there and self.selector is not None and self.selector.matches(other.labels)


class PodTerms(NamedTuple):
    """All terms of a pod. The weights of preferred anti-affinity are negative."""

    affinity: tuple[PodTerm, ...] = ()
    anti: tuple[PodTerm, ...] = ()
    preferred: tuple[PodTerm, ...] = ()
    unmodelled: bool = False


class Resident(NamedTuple):
    """A pod as others' terms see it."""

    namespace: str
    labels: Mapping[str, str]
    terms: PodTerms


def pod_terms(namespace: str, affinity: JsonObject) -> PodTerms:
    """The terms of a pod of ``namespace``."""
    near, far = affinity.get("podAffinity") or {}, affinity.get("podAntiAffinity") or {}
    weighted = [(entry, 1) for entry in near.get(_PREFERRED) or ()]
    weighted += [(entry, -1) for entry in far.get(_PREFERRED) or ()]
    required = [*(near.get(_REQUIRED) or ()), *(far.get(_REQUIRED) or ())]
    every = [*required, *(entry.get("podAffinityTerm") or {} for entry, _ in weighted)]
    return PodTerms(
        tuple(_term(namespace, term) for term in near.get(_REQUIRED) or ()),
        tuple(_term(namespace, term) for term in far.get(_REQUIRED) or ()),
        tuple(_term(namespace, e.get("podAffinityTerm") or {}, s * int(e.get("weight") or 0)) for e, s in weighted),
        any(term.get(name) for term in every for name in _UNMODELLED),
    )


def _term(namespace: str, term: JsonObject, weight: int = 0) -> PodTerm:
    selector, named = term.get("labelSelector"), term.get("namespaces")
    everywhere = term.get("namespaceSelector") == {}
    names = None if everywhere else frozenset(named or (namespace,))
    return PodTerm(term.get("topologyKey") or "", _selector(selector), names, weight)


def _selector(selector: JsonObject | None) -> LabelSelector | None:
    if selector is None:
        return None
    labels = selector.get("matchLabels") or {}
    exact = [Requirement(key, "In", (labels[key],)) for key in sorted(labels)]
    others = [
        Requirement(entry.get("key") or "", entry.get("operator") or "", tuple(entry.get("values") or ()))
        for entry in selector.get("matchExpressions") or ()
    ]
    return LabelSelector((*exact, *others))


Place = tuple[Mapping[str, str], Iterable[Resident]]
"""A node's labels and the pods on it."""


class PodNeighbours:
    """The pods on all nodes as one pod, ``mine``, meets them."""

    __slots__ = ("_counts", "_mine", "_pairs", "_scores", "_theirs")

    def __init__(self, mine: Resident, places: Iterable[Place]) -> None:
        self._mine = mine
        self._pairs: set[tuple[str, str]] = set()
        self._counts: list[set[tuple[str, str]]] = [set() for _ in mine.terms.anti]
        self._theirs: set[tuple[str, str]] = set()
        self._scores: dict[tuple[str, str], int] = {}
        for labels, residents in places:
            for other in residents:
                self._meet(labels, other)

    def _meet(self, labels: Mapping[str, str], other: Resident) -> None:
        mine = self._mine
        if mine.terms.affinity and all(term.means(other) for term in mine.terms.affinity):
            self._pairs.update(_values(labels, mine.terms.affinity))
        for found, term in zip(self._counts, mine.terms.anti, strict=True):
            if term.means(other):
                found.update(_values(labels, (term,)))
        self._theirs.update(_values(labels, (term for term in other.terms.anti if term.means(mine))))
        for term in mine.terms.preferred:
            if term.means(other):
                self._weigh(labels, term)
        # Required terms of others have no weight: KAI makes the plugin without arguments, and by default it would be 1.
        for term in other.terms.preferred:
            if term.means(mine):
                self._weigh(labels, term)

    def _weigh(self, labels: Mapping[str, str], term: PodTerm) -> None:
        for pair in _values(labels, (term,)):
            self._scores[pair] = self._scores.get(pair, 0) + term.weight

    @property
    def unscored(self) -> bool:
        """Whether no preference bears on the pod."""
        return not self._scores

    def refusal(self, labels: Mapping[str, str]) -> str | None:
        """Why a node with ``labels`` does not do, in kube-scheduler's words; None where it does."""
        if not self._near(labels):
            return "node(s) didn't match pod affinity rules"
        for found, term in zip(self._counts, self._mine.terms.anti, strict=True):
            if any(pair in found for pair in _values(labels, (term,))):
                return "node(s) didn't match pod anti-affinity rules"
        if any((key, value) in self._theirs for key, value in labels.items()):
            return "node(s) didn't satisfy existing pods anti-affinity rules"
        return None

    def _near(self, labels: Mapping[str, str]) -> bool:
        """Whether pods that are meant are there; the first of a group that means itself may go anywhere."""
        terms = self._mine.terms.affinity
        if not all(term.key in labels for term in terms):
            return False
        if all((term.key, labels[term.key]) in self._pairs for term in terms):
            return True
        return not self._pairs and all(term.means(self._mine) for term in terms)

    def score(self, labels: Mapping[str, str]) -> int:
        """The sum of weights that bear on a node with ``labels``; not normalised."""
        return sum(weight for (key, value), weight in self._scores.items() if labels.get(key) == value)


def _values(labels: Mapping[str, str], terms: Iterable[PodTerm]) -> Iterator[tuple[str, str]]:
    return ((term.key, labels[term.key]) for term in terms if term.key in labels)
