"""What a run of lint is about, and what it found.

Tested in ``tests/unit/cli/linting/test_fixing.py``.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from kubectl_fairshare.finding import Severity
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.lint.findings.counts import Counts, counts_of
from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.lint.house import has_rules
from kubectl_fairshare.lint.protocol import Rule
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.model.values import Value, field, replace
from kubectl_fairshare.schedulers import known_schedulers, lint_houses


class LintOptions(Value, frozen=True):
    """Which rules run, and as what the input is taken.

    ``select`` and ``ignore`` are words as the options take them. With ``complete`` nothing lies outside of the
    input. ``releases`` are those of schedulers, by name; the newest of any other. ``under``: the input is judged once
    for each of these, as the call names them.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    complete: bool = False
    releases: Mapping[str, Release] = field(default_factory=dict)
    under: tuple[Mapping[str, str], ...] = ()

    @property
    def judgings(self) -> tuple[Mapping[str, str], ...]:
        """The releases of schedulers, by name, under each of which the input is judged."""
        return self.under or ({name: str(release) for name, release in self.releases.items()},)

    @property
    def numbers(self) -> tuple[Mapping[str, Release], ...]:
        """The same, as rules are chosen by them."""
        return tuple({name: Release.parse(text) for name, text in each.items()} for each in self.judgings)


class LintRun(Value, frozen=True):
    """What a run of lint found. ``rules`` are those that ran; ``unread`` kept files or objects from being read.

    ``placed`` are the findings in the order of the texts, ``suppressed`` those that a comment or an annotation
    silences, ``known`` those of the baseline, ``fixed`` those that were fixed before. ``notes`` are printed.
    ``lacking`` as in ``Given``.
    """

    reading: Reading
    complete: bool
    rules: tuple[Rule, ...]
    releases: Mapping[str, str]
    placed: tuple[Placed, ...]
    unread: tuple[Problem, ...] = ()
    suppressed: tuple[Placed, ...] = ()
    known: tuple[Placed, ...] = ()
    fixed: tuple[Placed, ...] = ()
    notes: tuple[Problem, ...] = ()
    units: Mapping[str, Reading] = field(default_factory=dict)
    lacking: frozenset[str] | None = None

    def reading_of(self, placed: Placed) -> Reading:
        """What was read of the unit of a finding."""
        return self.units.get(placed.unit, self.reading)

    @property
    def versions(self) -> dict[str, str]:
        """The releases that the rules were about, by the name that they have in JSON."""
        known = ((house.name, house.releases) for house in lint_houses())
        return {of.document_field: self.releases.get(name, str(of.newest)) for name, of in known if of is not None}

    @property
    def counts(self) -> Counts:
        """How many findings of each severity there are, in how many files and objects."""
        counts = counts_of(self.placed, files=len(self.reading.texts), objects=len(self.reading.manifests))
        counts = replace(counts, units=len(self.units), judged=self._judges)
        return replace(counts, suppressed=len(self.suppressed), known=len(self.known), fixed=len(self.fixed))

    @property
    def _judges(self) -> bool:
        """Whether rules look at some object: at a scheduler's own, or at jobs that mention one."""
        groups = {manifest.key.group for manifest in self.reading.manifests}
        if not groups:
            return False
        each_kind = {manifest.key[:2]: manifest for manifest in self.reading.manifests}.values()
        if any(map(known_schedulers().needs_no_name, groups)) or any(has_rules(m, lint_houses()) for m in each_kind):
            return True
        if not any(map(known_schedulers().is_read, groups)):  # a word of another program's objects, as in run.ai
            return False
        return self.reading.mentions(*(word for house in lint_houses() for word in house.named_by_jobs))

    def worst(self) -> Severity | None:
        """The worst severity of all findings; None where nothing was found."""
        return min((p.reported.severity for p in self.placed), key=lambda s: s.rank, default=None)


Filter: TypeAlias = Callable[[LintRun], LintRun]
"""Takes findings away, or changes what they count as."""


def judge(
    run: LintRun,
    elsewhere: frozenset[ObjectKey] = frozenset(),
    report_done: Callable[[int, int], None] = lambda *_: None,
) -> LintRun:
    """The run with what its rules find in its reading; ``report_done`` is called after each rule."""
    from kubectl_fairshare.lint.examine import examine
    from kubectl_fairshare.lint.findings.findings import findings

    given = examine(
        run.reading,
        lint_houses(),
        complete=run.complete,
        elsewhere=elsewhere,
        releases=run.releases,
        lacking=run.lacking,
    )
    found = findings(run.rules, run.reading, given, report_done)
    return replace(run, placed=found.placed, suppressed=found.suppressed)
