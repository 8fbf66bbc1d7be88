"""A repository of several clusters, judged unit by unit."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256

from kubectl_fairshare.cli.linting.lint_run import LintRun, judge
from kubectl_fairshare.input.units.unit_readings import UnitReading, is_matched, picked_units
from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers import known_schedulers


def judge_by_unit(run: LintRun, each: Sequence[str], report_done: Callable[[int, int], None]) -> LintRun:
    """The run with the findings of every unit, or of those that one of the globs ``each`` matches.

    A finding in a file that several units read is reported once, with the names of all that have it; one in a file that
    goes with several alternatives only if all of them have it. A finding that rests on two files of an alternative is
    not reported if other alternatives have neither: nothing says that these two are applied together. For the same
    reason a finding about a job whose file goes with several alternatives is reported only if all of them say the same.
    ``report_done`` is called after each unit.
    """
    picked_units(run.reading, each)  # which globs match none
    units = [unit for unit in run.reading.units if not each or is_matched(unit.unit.name, each)]
    others = [of for name, of in run.reading.refused.items() if each and not is_matched(name, each)]
    spared = {problem for of in others for problem in of.problems}
    found = list[tuple[UnitReading, LintRun]]()
    for number, unit in enumerate(units, 1):
        found.append((unit, judge(replace(run, reading=unit.reading), unit.elsewhere)))
        report_done(number, len(units))
    return replace(
        run,
        placed=_together([(unit, tuple(_of_unit(one.placed, unit))) for unit, one in found]),
        suppressed=_together([(unit, tuple(_of_unit(one.suppressed, unit))) for unit, one in found]),
        units={unit.unit.name: unit.reading for unit in units},
        unread=tuple(problem for problem in run.unread if problem not in spared),
    )


def _together(found: Sequence[tuple[UnitReading, tuple[Placed, ...]]]) -> tuple[Placed, ...]:
    """The findings of all units, each once."""
    alternatives = Counter(source for unit, _ in found if unit.unit.alternative for source in unit.unit.sources)
    times = Counter(_what(p) for unit, placed in found if unit.unit.alternative for p in placed)
    said = Counter(each for unit, placed in found if unit.unit.alternative for each in {_said(p) for p in placed})
    kept: dict[object, Placed] = {}
    units: dict[object, list[str]] = {}
    for unit, placed in found:
        jobs = _job_files(unit) if unit.unit.alternative else {}
        for one in placed:
            if not unit.unit.alternative or (
                times[_what(one)] >= alternatives[one.location.source]
                and sum(alternatives[source] == 1 for source in _sources(one)) <= 1
                and all(said[_said(one)] >= alternatives[source] for source in _asking(one, jobs))
            ):
                kept.setdefault(_what(one), one)
                units.setdefault(_what(one), []).append(one.unit)
    return tuple(replace(one, also_in=tuple(units[what][1:])) for what, one in kept.items())


def _job_files(unit: UnitReading) -> dict[ObjectKey, str]:
    """The files of the objects that are not a scheduler's own."""
    manifests = unit.reading.manifests
    return {m.key: m.source for m in manifests if not known_schedulers().is_judged(m.key.group)}


def _asking(placed: Placed, jobs: Mapping[ObjectKey, str]) -> set[str]:
    """The files of the jobs that a finding about another object rests on."""
    places = (related.place for related in placed.reported.finding.related)
    return {jobs[place.object] for place in places if place.object in jobs}


def _said(placed: Placed) -> tuple[str, str]:
    """What a finding says, wherever."""
    return placed.reported.rule.id, placed.reported.finding.message


def _what(placed: Placed) -> tuple[object, ...]:
    """What makes findings of two units the same."""
    return placed.location, placed.reported.rule.id, placed.reported.finding.message


def _sources(placed: Placed) -> set[str]:
    """The files that a finding rests on."""
    return {placed.location.source, *(location.source for _, location in placed.related)}


def _of_unit(placed: Sequence[Placed], unit: UnitReading) -> Iterator[Placed]:
    """The findings about objects of the unit itself."""
    name = unit.unit.name
    for one in placed:
        if one.reported.finding.place.object in unit.own:
            fingerprint = sha256(f"{name}\n{one.fingerprint}".encode()).hexdigest()[:32]
            yield replace(one, unit=name, fingerprint=fingerprint)
