"""What a change of policy changes, in the form that all schedulers' answers share. Data only.

Each pair is *before* and *after*; ``mirrored`` swaps them.

Tested in ``tests/unit/policy/test_diff.py``.
"""

from collections.abc import Hashable, Sequence, Set
from enum import StrEnum
from typing import Annotated, Final

from kubectl_fairshare.answers.answer import Amount, Victim
from kubectl_fairshare.answers.documents import AnswerPart
from kubectl_fairshare.answers.fidelity import Fidelity, Gap
from kubectl_fairshare.answers.outcome import EXIT_UNREAD, Outcome
from kubectl_fairshare.answers.review import Entitlement, Exposure, PossiblePreemptor
from kubectl_fairshare.finding import Severity
from kubectl_fairshare.model.location import Location, ObjectKey
from kubectl_fairshare.model.values import Value, field, replace

RIGHTS: Final = "rights of queues and running work"
AT_RISK: Final = "who may preempt running work"
WHEN_BUSY: Final = "what queues get when all are busy"
"""What is undecided if the policy itself has features that are not modelled."""
GETS_IN: Final = frozenset({Outcome.ADMITTED, Outcome.PREEMPTS})


class ChangeGate(StrEnum):
    """What a change can be stopped for."""

    GUARANTEED = "guaranteed"
    ENTITLED = "entitled"
    RUNNING_AT_RISK = "running-at-risk"
    PENDING_LOST = "pending-lost"
    NEVER = "never"
    FINDINGS = "findings"
    UNDECIDED = "undecided"


class FieldChange(AnswerPart, frozen=True):
    """A field that changed; an empty ``field`` is the whole object, null a value that is not there."""

    object: ObjectKey
    field: str
    was: str | None
    now: str | None
    was_at: Location | None = None
    now_at: Location | None = None

    def mirrored(self) -> "FieldChange":
        """The same from the other side."""
        return FieldChange(self.object, self.field, self.now, self.was, self.now_at, self.was_at)


class FigureChange(AnswerPart, frozen=True):
    """The rights of a queue to one resource of one flavor that differ; null where it is not there, or lacks it."""

    DOCUMENT = ("queue", "flavor", "resource", "before", "after")
    before: Entitlement | None
    after: Entitlement | None

    @property
    def row(self) -> Entitlement:
        """Whichever there is: it names the queue, the pool and the resource."""
        found = self.after or self.before
        assert found is not None
        return found

    @property
    def queue(self) -> ObjectKey:
        """Whose rights they are."""
        return self.row.queue

    @property
    def flavor(self) -> str:
        """The pool."""
        return self.row.pool

    @property
    def resource(self) -> str:
        """The resource."""
        return self.row.resource

    def amounts(self, figure: str) -> tuple[Amount | None, Amount | None]:
        """One figure, before and after."""
        return _figure(self.before, figure), _figure(self.after, figure)

    def loses(self, figure: str) -> bool:
        """Whether the queue has less of the figure; nothing where it had some is less, but not where it had 0."""
        was, now = self.amounts(figure)
        if was is None:  # it had no such figure, or no bound
            return figure == "most" and self.before is not None and now is not None
        if now is None:
            return was.value != 0 and (figure != "most" or self.after is None)
        return now.value < was.value

    def mirrored(self) -> "FigureChange":
        """The same from the other side."""
        return FigureChange(self.after, self.before)


def _figure(of: Entitlement | None, figure: str) -> Amount | None:
    found: Amount | None = None if of is None else getattr(of, figure)
    return found


class RuleTakers(AnswerPart, frozen=True):
    """Queues that may preempt, and by which rule."""

    law: str
    rule: str
    queues: tuple[str, ...]


def takers_by_rule(of: tuple[PossiblePreemptor, ...]) -> tuple[RuleTakers, ...]:
    """Those of each rule together, rules in the order of their first."""
    by_rule: dict[tuple[str, str], list[str]] = {}
    for taker in of:
        by_rule.setdefault((taker.law, taker.rule), []).append(taker.queue)
    return tuple(RuleTakers(law, rule, tuple(queues)) for (law, rule), queues in by_rule.items())


_Takers = Annotated[tuple[PossiblePreemptor, ...], takers_by_rule]


class RiskChange(AnswerPart, frozen=True):
    """Running workloads of a queue that others than before may preempt; ``wasSafe``: no queue could before.

    ``workloads`` are sorted by their names, and show only what each holds.
    """

    DOCUMENT = ("queue", "was_safe", "is_safe", "gained", "lost", "workloads")
    queue: str
    before: Set[PossiblePreemptor]
    """Who could take them before; ``after``: who may now."""
    after: Set[PossiblePreemptor]
    workloads: tuple[Exposure, ...]

    @property
    def was_safe(self) -> bool:
        """Whether no queue could take them before."""
        return not self.before

    @property
    def is_safe(self) -> bool:
        """Whether no queue may take them now."""
        return not self.after

    @property
    def gained(self) -> _Takers:
        """Who may take them only now, sorted."""
        return tuple(sorted(self.after - self.before))

    @property
    def lost(self) -> _Takers:
        """Who may take them no more, sorted."""
        return tuple(sorted(self.before - self.after))

    def mirrored(self) -> "RiskChange":
        """The same from the other side."""
        return replace(self, before=self.after, after=self.before)


class Hindrance(AnswerPart, frozen=True):
    """What keeps a workload out, in a clause, and where that is written."""

    clause: str
    at: Location | None = None


class DecidedVictim(AnswerPart, frozen=True):
    """A workload that goes for another one, and by which rule."""

    object: ObjectKey
    queue: str
    law: str
    because: str


def decided_victims(of: tuple[Victim, ...]) -> tuple[DecidedVictim, ...]:
    """What a comparison says of victims."""
    return tuple(DecidedVictim(each.key, each.queue, each.law, each.because) for each in of)


class Decision(AnswerPart, frozen=True):
    """The outcome of a workload; ``doubts`` are why it is not decided."""

    DOCUMENT = ("outcome", "verdict", "victims", "causes", "doubts")
    outcome: Outcome
    verdict: str
    victims: Annotated[tuple[Victim, ...], decided_victims] = ()
    causes: tuple[Hindrance, ...] = ()
    fidelity: Fidelity | None = None
    possible: frozenset[tuple[Outcome, frozenset[ObjectKey]]] = frozenset()
    """The outcomes and victims that ties allow, if there are several."""

    @property
    def is_left_to_chance(self) -> bool:
        """Whether ties decide who goes for it."""
        return self.outcome is Outcome.PREEMPTS and self.fidelity is not None and not self.fidelity.defined

    @property
    def doubts(self) -> tuple[str, ...]:
        """What is not modelled and can touch it, in clauses."""
        return () if self.fidelity is None else self.fidelity.doubts

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """What is not modelled."""
        return () if self.fidelity is None else self.fidelity.gaps

    @property
    def same(self) -> Hashable:
        """What makes two decisions the same: the outcome, and who goes for it, or all that may."""
        if self.possible:
            return self.outcome, self.possible
        return self.outcome, frozenset(victim.key for victim in self.victims)


class OutcomeChange(AnswerPart, frozen=True):
    """A workload that is decided otherwise; ``finished``: it has run before, and was asked about with nothing else.

    ``before`` or ``after`` is null where nothing can be asked.
    """

    DOCUMENT = ("key", "finished", "lost", "never", "before", "after")
    key: ObjectKey = field(name="object")
    before: Decision | None
    after: Decision | None
    finished: bool = False

    @property
    def lost(self) -> bool:
        """Whether it got in before and does not any more; a doubt is not counted here."""
        return _gets_in(self.before) and self.after is not None and self.after.outcome in _OUT

    @property
    def never(self) -> bool:
        """Whether it can never run any more."""
        return self.after is not None and self.after.outcome is Outcome.NEVER and not _is_never(self.before)

    @property
    def in_doubt(self) -> bool:
        """Whether one of the two is not decided."""
        return any(each is not None and each.outcome is Outcome.UNKNOWN for each in (self.before, self.after))

    def mirrored(self) -> "OutcomeChange":
        """The same from the other side."""
        return replace(self, before=self.after, after=self.before)


_OUT: Final = frozenset({Outcome.WAITS, Outcome.NEVER})


def _gets_in(of: Decision | None) -> bool:
    return of is not None and of.outcome in GETS_IN


def _is_never(of: Decision | None) -> bool:
    return of is not None and of.outcome is Outcome.NEVER


class RuleFinding(AnswerPart, frozen=True):
    """A finding of lint."""

    rule: str
    name: str
    severity: Severity
    object: ObjectKey
    field: str
    message: str
    at: Location | None = None


class Undecided(AnswerPart, frozen=True):
    """Something that has no exact answer, and why."""

    about: str
    why: str


class TreeChange(Value, frozen=True):
    """A queue in its tree. ``amounts`` are what it and all below it have of their own, by resource, before and after.

    ``tree`` is the name of its root, ``parent`` that of the queue above, empty at the top. Amounts are over all pools.
    """

    name: str
    tree: str
    parent: str
    amounts: tuple[tuple[str, float, float], ...]


class Versions(AnswerPart, frozen=True):
    """How the two are called, and how much runs and waits."""

    before: str
    after: str
    running: int = 0
    pending: int = 0

    def mirrored(self) -> "Versions":
        """The same from the other side."""
        return replace(self, before=self.after, after=self.before)


class Diff(Value, frozen=True):
    """What a change of policy does. ``rewritten`` counts fields that are written in another way and mean the same.

    ``fidelity`` is that of both versions and of all decisions. ``gates`` are those that were asked for. Figures, risks
    and outcomes are those that differ; ``tree`` has all queues, parents first, for pictures.
    """

    scheduler: str
    fidelity: Fidelity
    versions: Versions
    fields: tuple[FieldChange, ...] = ()
    rewritten: int = 0
    figures: tuple[FigureChange, ...] = ()
    risks: tuple[RiskChange, ...] = ()
    outcomes: tuple[OutcomeChange, ...] = ()
    new_findings: tuple[RuleFinding, ...] = ()
    gone_findings: tuple[RuleFinding, ...] = ()
    undecided: tuple[Undecided, ...] = ()
    gates: tuple[ChangeGate, ...] = ()
    tree: tuple[TreeChange, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether the change has no effect that could be found, and nothing is undecided."""
        findings = self.new_findings or self.gone_findings
        return not (self.fields or self.figures or self.risks or self.outcomes or findings or self.undecided)

    @property
    def at_risk(self) -> tuple[RiskChange, ...]:
        """Running work that others than before may preempt now."""
        return tuple(risk for risk in self.risks if risk.gained)

    @property
    def lost(self) -> tuple[OutcomeChange, ...]:
        """Workloads that wait, got in before the change, and do not any more."""
        return tuple(each for each in self.outcomes if each.lost and not each.finished)

    @property
    def never(self) -> tuple[OutcomeChange, ...]:
        """Workloads that can never run any more."""
        return tuple(each for each in self.outcomes if each.never)

    def mirrored(self) -> "Diff":
        """The change back: what ``after`` → ``before`` would do, by the same figures."""
        return replace(
            self,
            versions=self.versions.mirrored(),
            fields=tuple(each.mirrored() for each in self.fields),
            figures=tuple(each.mirrored() for each in self.figures),
            risks=tuple(each.mirrored() for each in self.risks),
            outcomes=tuple(each.mirrored() for each in self.outcomes),
            new_findings=self.gone_findings,
            gone_findings=self.new_findings,
            tree=tuple(replace(n, amounts=tuple((r, now, was) for r, was, now in n.amounts)) for n in self.tree),
        )

    @property
    def failed(self) -> tuple[ChangeGate, ...]:
        """The gates that the change fails. What is not decided passes no gate that asks for it."""
        return tuple(gate for gate in self.gates if self._fails(gate))

    def _fails(self, gate: ChangeGate) -> bool:
        doubtful = any(each.in_doubt and not each.finished for each in self.outcomes)
        rights_in_doubt = any(each.about == RIGHTS for each in self.undecided)
        busy_in_doubt = any(each.about == WHEN_BUSY for each in self.undecided)
        risk_in_doubt = rights_in_doubt or any(each.about == AT_RISK for each in self.undecided)
        entitled_in_doubt = rights_in_doubt or busy_in_doubt
        never = bool(self.never) or any(each.in_doubt for each in self.outcomes)
        fails = {
            ChangeGate.GUARANTEED: any(each.loses("guaranteed") for each in self.figures),
            ChangeGate.ENTITLED: entitled_in_doubt or any(each.loses("entitled") for each in self.figures),
            ChangeGate.RUNNING_AT_RISK: bool(self.at_risk) or (risk_in_doubt and self.versions.running > 0),
            ChangeGate.PENDING_LOST: bool(self.lost) or doubtful,
            ChangeGate.NEVER: never,
            ChangeGate.FINDINGS: bool(self.new_findings),
            ChangeGate.UNDECIDED: bool(self.undecided),
        }
        return fails[gate]


class UnitDiff(Value, frozen=True):
    """What the change does to units of a repository, all of which it does the same to.

    A unit that only one version has is ``new`` or ``gone``. ``clusters`` is how many times that is: units that agree
    can belong to one cluster, and have one comparison.
    """

    units: tuple[str, ...]
    diff: Diff
    new: bool = False
    gone: bool = False
    clusters: int = 1

    def mirrored(self) -> "UnitDiff":
        """The same from the other side."""
        return UnitDiff(self.units, self.diff.mirrored(), self.gone, self.new, self.clusters)


class RepositoryDiff(Value, frozen=True):
    """What a change does to each unit of a repository; ``unread`` are why some could not be compared, in clauses.

    ``unbuilt`` are why some have no answer in either version; the change leaves them as they are. ``notes`` are on what
    was not read, such as charts.
    ``one_state``: the work of all of them is that of one state.
    """

    parts: tuple[UnitDiff, ...]
    unread: tuple[str, ...] = ()
    unbuilt: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    one_state: bool = False

    @property
    def units(self) -> int:
        """How many units were compared."""
        return sum(len(part.units) for part in self.parts)

    @property
    def is_empty(self) -> bool:
        """Whether the change has no effect on any of them."""
        return all(part.diff.is_empty for part in self.parts)

    @property
    def exit_code(self) -> int:
        """3 if a unit could not be compared, 1 where a gate fails for some unit, otherwise 0."""
        return EXIT_UNREAD if self.unread else int(bool(self.failed))

    @property
    def gates(self) -> tuple[ChangeGate, ...]:
        """The gates that were asked for: each holds for each unit."""
        return self.parts[0].diff.gates

    @property
    def failed(self) -> tuple[ChangeGate, ...]:
        """The gates that some unit fails."""
        failed = {gate for part in self.parts for gate in part.diff.failed}
        return tuple(gate for gate in ChangeGate if gate in failed)


def repository_diff(
    units: Sequence[UnitDiff],
    unread: Sequence[str],
    unbuilt: Sequence[str] = (),
    notes: Sequence[str] = (),
    *,
    one_state: bool = False,
) -> RepositoryDiff:
    """The answer for units, with those together to which the change does the same."""
    together: list[UnitDiff] = []
    for each in units:
        same = (n for n, one in enumerate(together) if replace(one, units=each.units, clusters=each.clusters) == each)
        alike = next(same, None)
        if alike is None:
            together.append(each)
        else:
            one = together[alike]
            together[alike] = replace(each, units=(*one.units, *each.units), clusters=one.clusters + each.clusters)
    return RepositoryDiff(tuple(together), tuple(unread), tuple(unbuilt), tuple(notes), one_state)
