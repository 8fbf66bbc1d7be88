"""What lint is asked for, by options and by the repository's settings; options go first."""

import os
from collections.abc import Mapping
from itertools import product
from typing import Final

from kubectl_fairshare.cli.linting.lint_run import LintOptions
from kubectl_fairshare.cli.linting.rule_choice import ADVICE, ALL, known_rules, stands_for, unknown_rule, words
from kubectl_fairshare.finding import Severity
from kubectl_fairshare.lint.house import Releases
from kubectl_fairshare.lint.settings.settings import LintSettings
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers import lint_houses

NEVER: Final = "never"


class Asked(Value, frozen=True):
    """The options of the command itself; None, or nothing, where one was not given."""

    select: tuple[str, ...]
    ignore: tuple[str, ...]
    fail_on: str | None
    complete: bool | None
    releases: Mapping[str, str | None]
    list_rules: bool
    config: str | None
    baseline: str | None
    write_baseline: str | None
    fix: bool
    unsafe_fixes: bool
    diff: bool
    output_dir: str | None

    @property
    def fails(self) -> Severity | None:
        """The severity from which on findings make lint fail; None for never."""
        fail_on = self.fail_on or Severity.ERROR.value
        return None if fail_on == NEVER else Severity(fail_on)

    @property
    def options(self) -> LintOptions:
        """Which rules run, and as what the input is taken. Raises ``UsageError`` for an unknown release."""
        named = {house.name: (house.releases, self.releases.get(house.name)) for house in lint_houses()}
        several = {name: _each_called(text, of) for name, (of, text) in named.items() if of and text is not None}
        under = tuple(dict(zip(several, texts, strict=True)) for texts in product(*several.values()))
        return LintOptions(self.select, self.ignore, bool(self.complete), under=under)


def with_settings(asked: Asked) -> tuple[Asked, LintSettings]:
    """The options, those that were not given as the settings have them; and the settings.

    Raises ``UsageError`` for settings that are wrong, and ``FairshareError`` where they can't be read.
    """
    from kubectl_fairshare.input.files.paths import find_settings
    from kubectl_fairshare.lint.settings.settings_file import read_settings

    path = asked.config or find_settings(os.curdir)
    if path is None:
        return asked, LintSettings()
    settings = read_settings(path, _unknown)
    return replace(
        asked,
        select=asked.select or settings.select,
        ignore=asked.ignore or settings.ignore,
        fail_on=asked.fail_on or settings.fail_on,
        complete=settings.complete if asked.complete is None else asked.complete,
        releases=_releases(asked, settings),
        baseline=asked.baseline or _baseline(settings, path, of_reader=asked.config is not None),
    ), settings


def _baseline(settings: LintSettings, path: str, *, of_reader: bool) -> str | None:
    """The baseline that settings at ``path`` name; settings in a revision name one in that revision.

    Raises ``UsageError`` if settings that the reader did not name lead out of their repository.
    """
    from kubectl_fairshare.input.files.git import beside, is_revision
    from kubectl_fairshare.input.files.paths import outside
    from kubectl_fairshare.input.files.roots import is_within, root_of

    named = settings.baseline
    if not named:
        return None
    if is_revision(path):
        return beside(path, named)
    root, found = root_of(settings.directory), os.path.join(settings.directory, named)
    if not of_reader and not is_within(found, root):
        raise UsageError(outside(named, root, path))
    return os.path.relpath(found)


def named_releases(path: str) -> dict[str, str]:
    """The releases that the repository's settings at ``path`` name, by scheduler.

    Raises ``UsageError`` for settings that are wrong, and ``FairshareError`` where they can't be read.
    """
    from kubectl_fairshare.lint.settings.settings_file import read_settings

    settings = read_settings(path, lambda *_: None)
    found = {h.name: settings.releases.get(h.releases.setting) for h in lint_houses() if h.releases is not None}
    for release in found.values():
        if release is not None and "," in release:
            remedy = "name one; to judge by several: `lint --release 0.16,0.19`"
            raise UsageError(Problem(f"`{release}` are several releases, and an answer is about one", path, remedy))
    return {name: release for name, release in found.items() if release is not None}


def _releases(asked: Asked, settings: LintSettings) -> dict[str, str | None]:
    written = {house.name: house.releases.setting for house in lint_houses() if house.releases is not None}
    return {name: text or settings.releases.get(written[name]) for name, text in asked.releases.items()}


def _unknown(word: str, at: Location) -> Problem | None:
    rules = known_rules()
    if any(each not in (ADVICE, ALL) and not any(stands_for(each, rule) for rule in rules) for each in words((word,))):
        return replace(unknown_rule(word, None, rules), place=at)
    return None


def release_called(text: str, releases: Releases) -> Release:
    """The release that an option names. Raises ``UsageError`` for one that is not modelled."""
    try:
        found = Release.parse(text)
    except ValueError as error:
        raise UsageError(Problem(str(error), releases.option)) from None
    latest = releases.latest or releases.newest
    if found > latest:
        remedy = f"the newest supported release is `{latest}`"
        raise UsageError(Problem(f"{releases.title} {found} is not supported", releases.option, remedy))
    return found


def _each_called(text: str, releases: Releases) -> list[str]:
    """The releases that ``0.16,0.19`` names, each once. Raises ``UsageError`` for one that is not modelled."""
    found = list(dict.fromkeys(each.strip() for each in text.split(",")))
    for each in found:
        release_called(each, releases)
    return found


def check(asked: Asked, *, is_text: bool, from_stdin: bool) -> None:
    """Raises ``UsageError`` for options that make no sense together."""
    if asked.unsafe_fixes and not (asked.fix or asked.diff):
        raise _together("`--unsafe-fixes` needs `--fix` or `--diff`", "add `--diff` to see them, or `--fix`")
    if asked.fix and asked.diff:
        raise _together("`--diff` cannot be used with `--fix`", "use one of the two")
    if len(asked.options.under) > 1 and (asked.fix or asked.diff):
        raise _together("a fix is for one release", "name one: `--release 0.19`")
    if asked.diff and not is_text:
        raise _together("`--diff` does not support `-o`", "remove `-o`")
    if asked.fix and from_stdin:
        raise _together("`--fix` cannot write to standard input", "show the changes with `--diff`, or pass files")
    if asked.write_baseline is not None and (asked.fix or asked.diff):
        raise _together("`--write-baseline` cannot be used with a fix", "fix first, then write the baseline")


def _together(message: str, remedy: str) -> UsageError:
    return UsageError(Problem(message, help=remedy))
