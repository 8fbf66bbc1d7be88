"""Runs the cases of a file of tests: each on the one state that was read, with what its ``when`` adds."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from kubectl_fairshare.answers.answer import Answer
from kubectl_fairshare.answers.details import PlanDetail
from kubectl_fairshare.answers.diff import RuleFinding
from kubectl_fairshare.answers.fidelity import Fidelity, Gap
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.suite import Coverage, Mismatch, Proof, TestResult, TestStatus
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.json import JsonObject, listed, mapping
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.model.location import Place as FieldPlace
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import Value, field, replace
from kubectl_fairshare.policy.search.invariants import Arrival, held_by_resource, load_text, resource_of
from kubectl_fairshare.policy.search.loads import names, space_of
from kubectl_fairshare.policy.search.reading import kept_invariants
from kubectl_fairshare.policy.search.search import SearchBounds, answer_doubts, carried_out, search, shrunk
from kubectl_fairshare.policy.suite.checking import checked_expectations
from kubectl_fairshare.policy.suite.circumstances import StateBefore, errors_at
from kubectl_fairshare.policy.suite.expansion import Case
from kubectl_fairshare.policy.suite.expectations import answer_mismatches, held_mismatches, share_mismatches
from kubectl_fairshare.schedulers.question import WhyQuestion
from kubectl_fairshare.schedulers.sandbox import MadeUpWork, Sandbox
from kubectl_fairshare.schedulers.scheduler import Scheduler

_FEWER = SearchBounds(systematic=3, random=200)
"""How far a test searches unless it says so."""


class TestBed(Value, frozen=True):
    """What cases are run on: a state with its sandbox, the lines of its fields, and what lint finds in it.

    ``fidelity`` is what of the policy is not modelled.
    """

    scheduler: Scheduler
    snapshot: Snapshot
    sandbox: Sandbox
    places: Mapping[FieldPlace, Location]
    findings: Callable[[], Sequence[RuleFinding]] = field(default=lambda: ())
    fidelity: Fidelity = field(default=Fidelity("", ""))


class Exercised(Value):
    """What the cases so far have exercised: queues, limits that bound, rules by which work was preempted."""

    queues: set[str] = field(default_factory=set)
    limits: set[tuple[str, str, str]] = field(default_factory=set)
    rules: set[str] = field(default_factory=set)


_OF_ONE_WAY = frozenset({"victims", "flavors", "message"})
"""Expectations that may hold in one of the outcomes that the scheduler's ties allow, and not in another."""
_ONE_WAY = "which of several possible outcomes comes about: the scheduler leaves that to chance"
_RESTING = ("holds", "share", "keeps")
"""Expectations about where cycles come to rest, which rest on the whole policy."""


def result_of(case: Case, ground: TestBed, locate: Callable[..., Location], exercised: Exercised) -> TestResult:
    """The outcome of one case. Raises ``UsageError`` for what is wrong in it."""
    return _CaseRun(case, ground, locate, exercised).result()


class _CaseRun:
    """One case, step by step."""

    def __init__(self, case: Case, ground: TestBed, locate: Callable[..., Location], exercised: Exercised) -> None:
        self._case, self._ground, self._locate = case, ground, locate
        self._exercised = exercised
        self._then: JsonObject = mapping(case.data, "then")
        self._when = mapping(case.data, "when")
        self._mismatches: list[Mismatch] = []
        self._proofs: list[Proof] = []
        self._doubts: list[str] = []
        self._notes: list[str] = []

    def result(self) -> TestResult:
        circumstances = StateBefore(self._ground.sandbox, self._locate)
        self._then = checked_expectations(self._case.data, circumstances, self._locate)
        sandbox = circumstances.prepared(self._when)
        self._note_queues(sandbox)
        if "submit" in self._when:
            load = circumstances.submitted(self._when)
            self._submitted(sandbox, load, sandbox.answer(load))
            sandbox = sandbox.submitted("submitted", load).sandbox
            self._exercised.queues.add(load.queue)
        arriving = circumstances.arriving(self._when)
        if "keeps" in self._then:
            self._kept(sandbox, arriving)
        for name, load in zip(names(), arriving, strict=False):
            sandbox = sandbox.submitted(name, load).sandbox
        if not self._then.keys().isdisjoint(_RESTING):
            self._doubts += self._ground.fidelity.doubts
            self._doubt(sandbox.doubts)
        self._held(sandbox, circumstances)
        self._explained()
        self._found()
        case = self._case
        return TestResult(
            case.name,
            case.number,
            case.at,
            self._status(),
            tuple(self._mismatches),
            tuple(dict.fromkeys(self._proofs)) if self._mismatches or self._doubts else (),
            tuple(self._doubts),
            str(case.data.get("because", "")),
            tuple(self._notes),
        )

    def _status(self) -> TestStatus:
        if self._doubts and not self._then.get("allow-unknown"):
            return TestStatus.UNKNOWN
        return TestStatus.FAILED if self._mismatches else TestStatus.PASSED

    def _note_queues(self, sandbox: Sandbox) -> None:
        named = [each for kind in ("running", "pending", "arrive") for each in listed(self._when, kind)]
        called = [sandbox.queue_called(str(each.get("queue"))) for each in named]
        if "saturate" in self._when:
            called += StateBefore(sandbox, self._locate).saturated_queues(self._when)
        self._exercised.queues.update(queue for queue in called if queue is not None)

    def _doubt(self, gaps: Iterable[Gap]) -> None:
        """Doubts that the test does not have yet, in clauses."""
        clauses = map(self._ground.fidelity.clause, gaps)
        self._doubts += [clause for clause in dict.fromkeys(clauses) if clause not in self._doubts]

    def _submitted(self, sandbox: Sandbox, load: MadeUpWork, answer: Answer[PlanDetail]) -> None:
        if answer.outcome is Outcome.UNKNOWN and "Unknown" not in str(self._then.get("outcome")):
            self._doubts += answer.fidelity.doubts or (answer.verdict,)
        self._doubt(sandbox.doubts_about(load))
        if not answer.fidelity.defined and not _OF_ONE_WAY.isdisjoint(self._then):
            self._doubts.append(_ONE_WAY)
        self._mismatches += answer_mismatches(self._then, answer, self._locate)
        queue = answer.route[-1].name if answer.route else ""
        for limit in answer.binding:
            at = None if limit.place is None else self._ground.places.get(limit.place)
            self._proofs.append(Proof(f"binds: {limit.clause}", at))
            self._exercised.limits.add((self._queue(sandbox), limit.needed.pool, limit.needed.resource))
        for victim in answer.victims:
            self._proofs.append(Proof(f"{victim.key.namespace}/{victim.key.name}: {victim.because}"))
            self._exercised.rules.add(victim.rule or victim.law)
            self._exercised.queues.add(victim.counts_against)
        if not self._proofs:
            self._proofs.append(Proof(f"{answer.verdict}{f' ({queue})' if queue else ''}"))

    def _queue(self, sandbox: Sandbox) -> str:
        return sandbox.queue_called(str(self._when["submit"].get("queue"))) or ""

    def _kept(self, sandbox: Sandbox, arriving: Sequence[object]) -> None:
        """The invariants hold for the load that arrives, otherwise for all loads that a search tries."""
        invariants = list(kept_invariants(self._then["keeps"], sandbox, self._locate))
        if not invariants:
            at = self._locate("then", "keeps")
            raise UsageError(Problem("`keeps` names no invariant", at, "write `true` or a bound, or take it out"))
        if arriving:
            circumstances = StateBefore(sandbox, self._locate)
            for name, load in zip(names(), circumstances.arriving(self._when), strict=False):
                after = sandbox.submitted(name, load)
                for invariant in invariants:
                    breach = invariant.breach(Arrival(name, load, sandbox, after))
                    if breach is not None:
                        self._broken(invariant.text, breach)
                sandbox = after.sandbox
            self._doubt(sandbox.doubts)
            return
        options = mapping(self._case.data, "search")
        resource = str(options.get("resource", "")) or resource_of(invariants)
        sizes = [quantity.amount(resource, size) for size in listed(options, "sizes")]
        space = space_of(sandbox, resource, sizes)
        given = {key: options[word] for key, word in _REACH.items() if word in options}
        reach = replace(_FEWER, **given)
        found = search(
            space, reach, invariants, lambda tasks: (carried_out(t, sandbox, space, invariants) for t in tasks), _never
        )
        self._exercised.queues.update(work.queue for work in space.kinds)
        self._notes.append(f"{found.states:,} loads of up to {reach.systematic} workloads, {found.drawn:,} drawn")
        small = [shrunk(sandbox, each, invariants[each.invariant], space.units) for each in found.counterexamples]
        self._doubt(answer_doubts(sandbox, found, small, len(invariants)))
        for least in small:
            loads = ", then ".join(map(load_text, least.loads))
            self._broken(invariants[least.invariant].text, f"{least.breach}; load: {loads}")

    def _broken(self, text: str, breach: str) -> None:
        at = self._locate("then", "keeps")
        self._mismatches.append(Mismatch(("then", "keeps"), f"never {text}", breach, at))

    def _held(self, sandbox: Sandbox, circumstances: StateBefore) -> None:
        named = {
            word: {name: circumstances.queue(name, ("then", word, name)) for name in mapping(self._then, word)}
            for word in ("holds", "share")
        }
        held = {name: held_by_resource(sandbox, queue) for name, queue in named["holds"].items()}
        shares = {name: sandbox.share(queue) for name, queue in named["share"].items()}
        self._exercised.queues.update(*(each.values() for each in named.values()))
        self._mismatches += held_mismatches(self._then, held, self._locate)
        self._mismatches += share_mismatches(self._then, shares, self._locate)

    def _explained(self) -> None:
        """Where a workload of the input is, and why, as ``why`` says it."""
        expected = self._then.get("why")
        if expected is None:
            return
        namespace, _, name = str(expected["name"]).rpartition("/")
        question = WhyQuestion((name,), namespace or None, anywhere=not namespace)
        with errors_at(self._locate("then", "why")):
            answers = self._ground.scheduler.why(self._ground.snapshot, question)
        for answer in answers:
            found = {"verdict": answer.verdict.value, "reason": answer.reason}
            for word, text in found.items():
                if str(expected.get(word, text)).lower() != text.lower():
                    path = ("then", "why", word)
                    actual = f"{text}: {answer.because}"
                    self._mismatches.append(Mismatch(path, str(expected[word]), actual, self._locate(*path), text))
                    self._proofs.append(Proof(answer.because))

    def _found(self) -> None:
        """Findings of lint: those that are expected, and no other."""
        if "findings" not in self._then:
            return
        findings = self._ground.findings()
        wanted, found = sorted(set(self._then["findings"])), sorted({each.rule for each in findings})
        if wanted != found:
            unexpected = (each for each in findings if each.rule not in wanted)
            self._proofs += [Proof(f"{each.rule} {each.message}", each.at) for each in unexpected]
            at = self._locate("then", "findings")
            texts = [", ".join(each) or "none" for each in (wanted, found)]
            self._mismatches.append(Mismatch(("then", "findings"), texts[0], texts[1], at, found))


_REACH = {"systematic": "workloads", "random": "random", "most": "most", "seed": "seed"}


def _never() -> bool:
    return False


def coverage(sandbox: Sandbox, exercised: Exercised, rules: Sequence[str]) -> Coverage:
    """The parts of the policy that no case exercises."""
    sites = sandbox.sites
    limits = [(site.queue, pool, resource) for site in sites for pool, resource in site.guaranteed]
    unbound = [each for each in limits if each not in exercised.limits]
    return Coverage(
        tuple(site.queue for site in sites if site.queue not in exercised.queues),
        tuple(f"{resource}{f' in {pool}' if pool else ''} of {queue}" for queue, pool, resource in unbound),
        tuple(rule for rule in rules if rule not in exercised.rules),
    )
