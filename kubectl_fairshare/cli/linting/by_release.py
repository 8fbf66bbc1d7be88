"""One report about several releases: each finding once, with the releases in which it is found.

Tested in ``tests/unit/cli/linting/test_by_release.py``.
"""

from collections import Counter
from collections.abc import Sequence

from kubectl_fairshare.cli.linting.lint_run import LintRun
from kubectl_fairshare.cli.linting.rule_choice import each_rule
from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.lint.findings.placing import in_text_order
from kubectl_fairshare.model.values import replace


def of_all_releases(runs: Sequence[LintRun]) -> LintRun:
    """The runs as one, which are of one input and of a release each; a severity that differs makes two findings."""
    names = [_name(run) for run in runs]
    return replace(
        runs[0],
        rules=each_rule(run.rules for run in runs),
        releases={name: ", ".join(dict.fromkeys(run.releases[name] for run in runs)) for name in runs[0].releases},
        placed=_merged([run.placed for run in runs], names),
        suppressed=_merged([run.suppressed for run in runs], names),
    )


def _name(run: LintRun) -> str:
    return " and ".join(f"v{text.removeprefix('v')}" for text in run.releases.values())


def _merged(found: Sequence[Sequence[Placed]], names: Sequence[str]) -> tuple[Placed, ...]:
    """The findings of all releases, in the order of the texts."""
    having: dict[tuple[object, ...], list[str]] = {}
    last: dict[tuple[object, ...], Placed] = {}
    for name, placed in zip(names, found, strict=True):
        for each in placed:
            what = _what(each, name)
            having.setdefault(what, []).append(name)
            last[what] = each
    kept = [replace(each, releases=tuple(dict.fromkeys(having[what]))) for what, each in last.items()]
    units = {unit: number for number, unit in enumerate(dict.fromkeys(each.unit for each in kept))}
    return _distinct(sorted(kept, key=lambda each: (units[each.unit], in_text_order(each))))


def _distinct(placed: Sequence[Placed]) -> tuple[Placed, ...]:
    """The findings with fingerprints of their own: what two releases find at one place differs in words alone."""
    times: Counter[str] = Counter()
    found = []
    for each in placed:
        times[each.fingerprint] += 1
        number = times[each.fingerprint]
        found.append(each if number == 1 else replace(each, fingerprint=f"{each.fingerprint}-{number}"))
    return tuple(found)


def _what(placed: Placed, release: str) -> tuple[object, ...]:
    """What makes findings of two releases the same; a text may name its release, and the last one is kept."""
    reported = placed.reported
    message = reported.finding.message.replace(release, "")
    return placed.unit, placed.location, reported.rule.id, message, reported.severity
