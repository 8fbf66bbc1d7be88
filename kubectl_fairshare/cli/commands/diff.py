"""``diff``: what a change of policy does to rights, to running work and to work that waits.

Tested in ``tests/unit/policy/test_diff.py``.
"""

from collections.abc import Sequence
from typing import Final

import click

from kubectl_fairshare.answers.diff import ChangeGate, Diff, RepositoryDiff, UnitDiff, repository_diff
from kubectl_fairshare.answers.outcome import EXIT_UNREAD
from kubectl_fairshare.cli.asking.by_unit import placed
from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.cli.asking.reading import print_notes
from kubectl_fairshare.cli.asking.showing import code_of, show
from kubectl_fairshare.cli.asking.two_versions import Shared, TwoVersions, VersionWords, release_text
from kubectl_fairshare.cli.asking.versions import ReadVersions, opened, read_versions, version_words
from kubectl_fairshare.cli.options.house import HouseOptions, SectionedCommand, house_options
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions, compared_options, screen_options
from kubectl_fairshare.cli.progress import progress
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.phrases import did_you_mean, likely, quoted
from kubectl_fairshare.model.values import replace

_PATH: Final = click.Path(readable=False)


class GateWords(click.types.StringParamType):
    """Gates by name, with commas between."""

    name = "gates"


@click.command("diff", cls=SectionedCommand, short_help="what a change of policy does")
@click.argument("versions", nargs=-1, type=_PATH)
@click.option(
    "--state",
    multiple=True,
    type=_PATH,
    help="Work to add to both sides; other objects only if both lack them: a snapshot, files. Repeatable.",
)
@click.option("--history", multiple=True, type=_PATH, help="Finished work: could it ever have run? Repeatable.")
@click.option("--overlay-before", multiple=True, type=_PATH, help="Add or replace objects of BEFORE. Repeatable.")
@click.option(
    "--saturated/--no-saturated",
    default=None,
    help="Find what each queue gets when all are busy. [unless that takes long]",
)
@click.option(
    "--fail-on",
    multiple=True,
    type=GateWords(),
    metavar="GATES",
    help=f"Exit with 1 if one of these gates fails: {', '.join(ChangeGate)}. [none]",
)
@click.option(
    "--settings",
    type=_PATH,
    help="Settings that name the release: a file, or git:REV:FILE. [.fairshare.yaml here or above]",
)
@house_options("diff")
@compared_options
@screen_options("text", "wide", "markdown", "html", "json", "yaml", "name", "csv", "svg", graded=True)
@click.pass_obj
def command(  # noqa: PLR0913, PLR0917 -- one for each option
    streams: Streams,
    /,
    versions: tuple[str, ...],
    inputs: Inputs,
    screen: ScreenOptions,
    house: HouseOptions,
    state: tuple[str, ...],
    history: tuple[str, ...],
    overlay_before: tuple[str, ...],
    saturated: bool | None,
    fail_on: tuple[str, ...],
    settings: str | None,
) -> int:
    """Compares two policies by what the scheduler would do with them: kubectl fairshare diff BEFORE AFTER.

    BEFORE and AFTER are files, directories, snapshots or revisions: git:REF:PATH; git:REF has the path of the other
    one, git:REF: is all of it. One alone is AFTER, and the cluster is BEFORE. Work is decided under both: rights of
    queues, running work that others may preempt, waiting work that gets in or not. What is not decided exactly passes
    no gate that asks for it. Exit code 1: a gate fails. `--release A..B` compares under two releases, `--release A,B`
    under each of them: the exit code is the highest.

    \b
    kubectl fairshare diff git:main org/ --state cluster.json.gz
    kubectl fairshare diff org/ --overlay pull-request/ \\
        --fail-on running-at-risk,never
    kubectl fairshare diff git:main . --state cluster.json.gz -o markdown
    kubectl fairshare diff cluster.json.gz --release 0.17..0.19
    """  # noqa: D301 -- click wants the character
    gates = _gates(fail_on)
    if ChangeGate.ENTITLED in gates:
        if saturated is False:
            raise UsageError(Problem("excludes the gate `entitled`", "--no-saturated", "remove one of the two"))
        saturated = True
    several = replace(house, file=settings).under_each()
    if len(several) > 1 and not (screen.is_text or screen.output == "markdown"):
        remedy = "name one, or print text or Markdown"
        raise UsageError(Problem(f"`-o {screen.output}` is for one release", "--release", remedy))
    words = version_words(versions, inputs, overlay_before, releases=house.sides() is not None)
    of = VersionWords(inputs, *words, overlay_before, state, history)
    codes: list[int] = []
    with opened(of, several[0], streams) as shared:
        for each in several:
            if len(several) > 1:
                streams.stdout.write(_title(each, screen, again=bool(codes)))
            codes.append(_compared(replace(shared, house=each), gates, saturated, screen))
    return max(codes)


def _title(house: HouseOptions, screen: ScreenOptions, *, again: bool) -> str:
    """The line above what is compared under one of several releases."""
    named = f"under {', '.join(dict.fromkeys(map(release_text, house.releases.values())))}"
    between = "\n" if again else ""
    return f"{between}{named}\n" if screen.is_text else f"{between}## {named}\n\n"


def _compared(shared: Shared, gates: tuple[ChangeGate, ...], saturated: bool | None, screen: ScreenOptions) -> int:
    """Prints what changes, and returns the exit code."""
    streams = shared.streams
    with progress(streams.stderr, "comparing", quiet=screen.quiet):
        from kubectl_fairshare.report.diff.report import DiffReport
        from kubectl_fairshare.report.diff.repository import RepositoryDiffReport

        found = read_versions(shared)
        diffs = [_diff(each, shared.of, gates, saturated, screen) for each in found.pairs]
        single = len(diffs) == 1 and not (found.unread or found.unbuilt or found.pairs[0].units)
        report = DiffReport(diffs[0]) if single else RepositoryDiffReport(_by_unit(found, diffs))
    if not screen.quiet:
        print_notes(found.notes, streams, screen)
    if screen.output in ("html", "markdown"):
        streams.stdout.write(report.html() if screen.output == "html" else report.markdown())
        code = code_of(report, screen, Places((), Texts()))
    else:
        code = show(report, Places((), Texts()), streams, screen)
    print_notes(found.unread, streams, screen, "error")
    return max(code, EXIT_UNREAD) if found.unread else code


def _diff(
    pair: TwoVersions,
    of: VersionWords,
    gates: tuple[ChangeGate, ...],
    saturated: bool | None,
    screen: ScreenOptions,
) -> Diff:
    """What becomes different between two versions."""
    from kubectl_fairshare.policy.diff.difference import Scope, difference
    from kubectl_fairshare.policy.diff.tree import tree_changes

    extent = Scope(saturated, pair.history, of.inputs.namespace, pair.same)
    diff = replace(difference(pair.scheduler, pair.before, pair.after, extent), gates=gates)
    if screen.output != "html":
        return diff
    return replace(diff, tree=tree_changes(pair.scheduler, pair.before, pair.after))


def _by_unit(found: ReadVersions, diffs: Sequence[Diff]) -> RepositoryDiff:
    """The differences of the units, those together to which the change does the same."""
    units = [
        UnitDiff(pair.units, diff, new=not pair.before.there, gone=not pair.after.there)
        for pair, diff in zip(found.pairs, diffs, strict=True)
    ]
    said = ([placed(problem) for problem in each] for each in (found.unread, found.unbuilt, found.unknown))
    return repository_diff(units, *said, one_state=found.one_state)


def _gates(words: tuple[str, ...]) -> tuple[ChangeGate, ...]:
    """The gates that words name, in their order. Raises ``UsageError`` for an unknown word."""
    wanted = {part.strip() for word in words for part in word.split(",") if part.strip()}
    for word in sorted(wanted.difference(ChangeGate)):
        remedy = did_you_mean(likely(word, list(ChangeGate))) or f"gates are {quoted(ChangeGate)}"
        raise UsageError(Problem(f"there is no gate `{word}`", "--fail-on", remedy))
    return tuple(gate for gate in ChangeGate if gate in wanted)
