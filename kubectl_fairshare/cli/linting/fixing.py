"""Fixes: round after round in memory, until nothing is left to fix; then the files are written."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from kubectl_fairshare.cli.linting.lint_run import LintRun
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions
from kubectl_fairshare.cli.streams import Streams, colours
from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.model.values import Value, field, replace
from kubectl_fairshare.schedulers import lint_houses

if TYPE_CHECKING:
    from kubectl_fairshare.editing.changed_lines import ChangedLines
    from kubectl_fairshare.lint.findings.fixes import Manifests

_ROUNDS: Final = 20
"""A fix may make way for another, or wait for one that touches the same lines; that goes on so often at most."""
_NOT_READ: Final = "the fixed file could no longer be read"
_LEADS_OUT: Final = "a link on the way to it leads out of its folder: name the file itself"
_BUILT: Final = "it was generated from other files"

Again: TypeAlias = Callable[[Mapping[str, bytes]], LintRun]
"""Runs lint again on sources whose bytes are known."""


class Fixed(Value):
    """What became of the fixes. ``run`` is what is found after them; ``contents`` the texts that changed, by name.

    ``lines`` are the lines that changed, from the first texts to ``contents``; ``fixed`` are the findings that were
    fixed, ``left`` says why others were not.
    """

    run: LintRun
    contents: dict[str, bytes] = field(default_factory=dict)
    lines: dict[str, Sequence["ChangedLines"]] = field(default_factory=dict)
    fixed: list[Placed] = field(default_factory=list)
    left: list[Problem] = field(default_factory=list)


class Fixing:
    """Fixes what was read from ``inputs``; with ``unsafe`` also what needs a review."""

    def __init__(self, inputs: Inputs, again: Again, unsafe: bool) -> None:
        from kubectl_fairshare.input.files.paths import expand, shown_path

        self._again = again
        self._unsafe = unsafe
        self._paths = {shown_path(path): path for path in expand((*inputs.filename, *inputs.overlay), [])}

    def write(self, run: LintRun) -> LintRun:
        """What is found once the files are fixed. Raises ``FairshareError`` where one can't be written."""
        from kubectl_fairshare.editing.replacing import replace_files

        barred: dict[str, str | None] = {}
        for name in _to_change(run, unsafe=self._unsafe):
            barred[name] = self._barred(name, run.reading.texts[name].data)
        after = mend_in_memory(run, self._again, unsafe=self._unsafe, barred=barred)
        replace_files({self._paths[name]: data for name, data in sorted(after.contents.items())})
        return replace(after.run, fixed=tuple(after.fixed), notes=(*after.run.notes, *after.left))

    def write_diff(self, run: LintRun, streams: Streams, screen: ScreenOptions) -> LintRun:
        """Writes what would change to standard output; the run stays, with notes on what can't be fixed."""
        from kubectl_fairshare.lint.formats.diff import ChangedText, unified_diff
        from kubectl_fairshare.report.text.view import View

        after = mend_in_memory(run, self._again, unsafe=self._unsafe, barred={})
        texts = run.reading.texts
        changes = [
            ChangedText(name, texts[name].data.decode(), data.decode(), after.lines[name])
            for name, data in sorted(after.contents.items())
        ]
        streams.exact.write(unified_diff(changes, View(colour=colours(streams.stdout, screen.color))))
        return replace(run, notes=(*run.notes, *after.left))

    def _barred(self, name: str, data: bytes) -> str | None:
        """Why a source can't be given new content; None where it can."""
        from kubectl_fairshare.editing.replacing import not_replaceable
        from kubectl_fairshare.input.files.roots import link_out

        path = self._paths.get(name)
        if path is None:
            return _BUILT
        if link_out(path):
            return _LEADS_OUT
        return not_replaceable(path, data)


def mend_in_memory(run: LintRun, again: Again, *, unsafe: bool, barred: Mapping[str, str | None]) -> Fixed:
    """Fixes in memory what can be fixed; ``unsafe`` edits only on request, none in sources that are ``barred``.

    A round after which less can be read is taken back, and its sources are left alone from then on.
    """
    from kubectl_fairshare.lint.findings.fixes import Manifests

    found = Fixed(run)
    done: set[str] = set()
    for _ in range(_ROUNDS):
        manifests = Manifests(found.run.reading_of)
        placed = [each for each in found.run.placed if _is_wanted(each, unsafe=unsafe)]
        wanted = [each for each in placed if _subject(each, manifests) not in done]
        contents, lines, before, settled = dict(found.contents), dict(found.lines), len(found.fixed), set(done)
        if not _mend(found, wanted, done, barred, manifests):
            break
        after = again({name: found.contents.get(name, text.data) for name, text in run.reading.texts.items()})
        if len(after.unread) <= len(found.run.unread) and len(after.reading.notes) <= len(found.run.reading.notes):
            found.run = after
            continue
        changed = {name for name, data in found.contents.items() if contents.get(name) != data}
        spoiled = changed & _told_of((*after.unread, *after.reading.notes)) or changed
        barred = {**barred, **dict.fromkeys(sorted(spoiled), _NOT_READ)}
        found.contents, found.lines, found.fixed, done = contents, lines, found.fixed[:before], settled
    return found


def _told_of(problems: Iterable[Problem]) -> set[str]:
    """The sources that problems are about."""
    places = [place for each in problems for place in (each.place, *(place for _, place in each.related))]
    return {place.source for place in places if isinstance(place, Location)}


def _to_change(run: LintRun, *, unsafe: bool) -> set[str]:
    """The sources with an object that some fix is about."""
    from kubectl_fairshare.lint.findings.fixes import Manifests

    manifests = Manifests(run.reading_of)
    wanted = (p for p in run.placed if _is_wanted(p, unsafe=unsafe))
    about = ((manifests.of(p), e.place.object) for p in wanted for e in p.reported.finding.remedy.edits)
    return {known[key].origin.source for known, key in about if key in known}


def _is_wanted(placed: Placed, *, unsafe: bool) -> bool:
    remedy = placed.reported.finding.remedy
    return bool(remedy.edits) and (remedy.safe or unsafe)


def _subject(placed: Placed, manifests: "Manifests") -> str:
    """What makes a fix the same as one that was made before: it is not made twice.

    The document counts: a fix can give an object another key, and then another document is read with the old one.
    """
    finding, known = placed.reported.finding, manifests.of(placed)
    origins = [known[e.place.object].origin for e in finding.remedy.edits if e.place.object in known]
    return f"{placed.fingerprint} {finding.message} {finding.remedy.edits!r} {origins!r}"


def _mend(
    found: Fixed, wanted: list[Placed], done: set[str], barred: Mapping[str, str | None], manifests: "Manifests"
) -> bool:
    """One round; whether anything was fixed. Each round notes anew what could not be."""
    from kubectl_fairshare.editing.changed_lines import composed
    from kubectl_fairshare.editing.fixing import Fix, apply_fixes
    from kubectl_fairshare.editing.splice import UnspliceableError
    from kubectl_fairshare.lint.findings.fixes import fix_of

    found.left = []
    todo: list[tuple[Placed, Fix]] = []
    for placed in wanted:
        try:
            each = fix_of(placed.reported.finding, manifests.of(placed), lint_houses())
        except UnspliceableError as error:
            found.left.append(_left(placed, str(error)))
            continue
        reason = next((why for source in sorted(each.sources) if (why := barred.get(source))), None)
        if reason is None:
            todo.append((placed, each))
        else:
            found.left.append(_left(placed, reason))
    repair = apply_fixes(found.run.reading.texts, [each for _, each in todo])
    found.left += [_left(todo[number][0], reason) for number, reason in sorted(repair.refused.items())]
    found.contents.update(repair.texts)
    found.lines.update({name: composed(found.lines.get(name, ()), lines) for name, lines in repair.lines.items()})
    for number in repair.applied:
        found.fixed.append(todo[number][0])
        done.add(_subject(todo[number][0], manifests))
    return bool(repair.applied)


def _left(placed: Placed, reason: str) -> Problem:
    return Problem(f"{placed.reported.rule.id} is not fixed: {reason}", placed.location)
