"""What happens to findings before they are reported: left out by path, rated anew, known already."""

import os
from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.cli.linting.lint_run import Filter, LintRun
from kubectl_fairshare.cli.linting.rule_choice import is_named, words
from kubectl_fairshare.cli.options.label_selector import picked
from kubectl_fairshare.finding import Severity
from kubectl_fairshare.input.files.globs import matches
from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.lint.settings.settings import LintSettings, PerPath
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.model.selectors import LabelSelector
from kubectl_fairshare.model.values import replace

_SHOWN: Final = 3


def filters(settings: LintSettings, baseline: str | None, selector: LabelSelector | None = None) -> Iterator[Filter]:
    """The filters that settings, ``--baseline`` and ``-l`` ask for, in order; ``FairshareError`` for a bad baseline."""
    if selector is not None:
        yield _of_labelled(selector)
    if settings.per_path:
        yield _ignored_by_path(settings)
    if settings.severity:
        yield _by_severity(settings)
    if baseline is not None:
        yield _without_known(baseline)


def _of_labelled(selector: LabelSelector) -> Filter:
    def filtered(run: LintRun) -> LintRun:
        readings = {**run.units, "": run.reading}
        meant = {name: picked({m.key: m for m in each.manifests}, selector) for name, each in readings.items()}
        kept = (p for p in run.placed if p.reported.finding.place.object in meant[p.unit])
        return replace(run, placed=tuple(kept))

    return filtered


def _ignored_by_path(settings: LintSettings) -> Filter:
    def filtered(run: LintRun) -> LintRun:
        kept = (each for each in run.placed if not _is_ignored(each, settings.per_path, settings.directory))
        return replace(run, placed=tuple(kept))

    return filtered


def _is_ignored(placed: Placed, per_path: Sequence[PerPath], directory: str) -> bool:
    path = os.path.relpath(os.path.abspath(placed.location.source), directory).replace(os.sep, "/")
    rule = placed.reported.rule
    return any(_is_meant(path, each.path) for each in per_path if is_named(rule, words(each.ignore)))


def _is_meant(path: str, pattern: str) -> bool:
    """Whether a glob means a path: a directory, ended by a slash, all that is in it."""
    return matches(path, f"{pattern}**" if pattern.endswith("/") else pattern)


def _by_severity(settings: LintSettings) -> Filter:
    def rated(placed: Placed) -> Placed:
        severity: Severity | None = None
        for word, wanted in settings.severity.items():
            severity = wanted if is_named(placed.reported.rule, words((word,))) else severity
        return placed if severity is None else replace(placed, reported=replace(placed.reported, severity=severity))

    return lambda run: replace(run, placed=tuple(rated(each) for each in run.placed))


def _without_known(path: str) -> Filter:
    from kubectl_fairshare.lint.settings.baseline import read_baseline

    entries = read_baseline(path)

    def filtered(run: LintRun) -> LintRun:
        known = {entry.fingerprint for entry in entries}
        found = {each.fingerprint for each in run.placed}
        ran = {rule.id for rule in run.rules}
        gone = [entry for entry in entries if entry.fingerprint not in found and entry.rule in ran]
        return replace(
            run,
            placed=tuple(each for each in run.placed if each.fingerprint not in known),
            known=tuple(each for each in run.placed if each.fingerprint in known),
            notes=(*run.notes, *_no_longer(path, [f"{e.rule} of {e.object} {e.field}".rstrip() for e in gone])),
        )

    return filtered


def _no_longer(path: str, gone: Sequence[str]) -> Iterator[Problem]:
    if gone:
        number = f"{len(gone)} finding{'s' * (len(gone) != 1)} in the baseline no longer occur{'s' * (len(gone) == 1)}"
        yield Problem(f"{number}: {some_of(gone, _SHOWN)}", path, "update it with `--write-baseline`")
