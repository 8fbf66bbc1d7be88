"""From words that name two policies to what is compared: each read, over the work of the state.

Tested in ``tests/unit/policy/test_diff.py``.
"""

import os
from collections.abc import Mapping, Sequence
from typing import Final

from kubectl_fairshare.cli.asking.load import Loaded, loaded_from, placing_problems
from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.cli.asking.reading import check_inputs, read_inputs
from kubectl_fairshare.cli.collector import without_collector
from kubectl_fairshare.cli.options.house import HouseOptions
from kubectl_fairshare.cli.options.shared import Inputs
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.input.files.paths import STDIN
from kubectl_fairshare.input.overlay import overlay
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.policy.version import Version
from kubectl_fairshare.schedulers import every_scheduler, known_schedulers, lint_houses
from kubectl_fairshare.schedulers.scheduler import Scheduler, Sources

CLUSTER: Final = "the cluster"
NOTHING: Final = Reading((), Texts())


class VersionWords(Value, frozen=True):
    """The words that name two policies and what they share. ``before`` and ``after`` are None for the cluster.

    ``overlay_before`` lies over the first, the overlay of ``inputs`` over the second. ``state`` holds running and
    waiting work, ``history`` work that has finished.
    """

    inputs: Inputs
    before: str | None
    after: str | None
    overlay_before: tuple[str, ...] = ()
    state: tuple[str, ...] = ()
    history: tuple[str, ...] = ()


class TwoVersions(Value, frozen=True):
    """Two versions, the scheduler that decides both, finished work to ask about again, and notes on what was added."""

    scheduler: Scheduler
    before: Version
    after: Version
    history: Reading | None
    notes: tuple[Problem, ...] = ()


def version_words(
    words: Sequence[str], inputs: Inputs, overlay_before: Sequence[str] = (), *, releases: bool = False
) -> tuple[str | None, str | None]:
    """What the words of the call compare; ``releases``: one may be compared with itself under another release.

    Raises ``UsageError`` for too many, and where nothing is to be compared.
    """
    changed = releases or bool(overlay_before or inputs.overlay or inputs.overlay_delete)
    if len(words) > 2:
        raise UsageError(Problem("two policies are compared", help="name two: `kubectl fairshare diff git:main .`"))
    if len(words) == 2:
        return words[0], words[1]
    if changed:
        return (words[0], words[0]) if words else (None, None)
    if not words:
        remedy = "name them: `kubectl fairshare diff git:main .`, or apply a change to one: `--overlay`"
        raise UsageError(Problem("nothing to compare", help=remedy))
    return None, words[0]


def read_versions(of: VersionWords, house: HouseOptions, streams: Streams) -> TwoVersions:
    """Reads and assembles both.

    Raises ``FairshareError`` with all that can't be read, ``UsageError`` for a wrong call.
    """
    _check(of, house)
    of = _with_paths(of)
    ends = house.sides()
    first, second = ends or (house, house)
    with without_collector():
        missing = tuple(_missing(word, other) for word, other in ((of.before, of.after), (of.after, of.before)))
        before = NOTHING if missing[0] else _reading(of.before, of.inputs, of.overlay_before, (), streams)
        same = of.before == of.after and not (of.overlay_before or of.inputs.overlay or of.inputs.overlay_delete)
        after = before if same else NOTHING if missing[1] else _after(of, before, streams)
        state = _read(of.state, of.inputs, streams) if of.state else None
        sides = _with_state(before, after, state)
        sources = Sources(streams.bytes_in, of.inputs.max_input)
        later = loaded_from(sides[1], of.inputs, second, sources)
        earlier = loaded_from(sides[0], of.inputs, first, sources, asked=later.scheduler)
        if not later.scheduler.holds(later.snapshot):  # all quotas are gone: who decided before is asked
            earlier = loaded_from(sides[0], of.inputs, first, sources)
            later = loaded_from(sides[1], of.inputs, second, sources, asked=earlier.scheduler)
        if house.scheduler is None:
            _check_scheduler(later.scheduler, earlier.snapshot, later.snapshot)
        history = _read(of.history, of.inputs, streams, generated=True) if of.history else None
    names = _name(of.before), _name(of.after)
    if names[0] == names[1] and not same:
        names = _laid(names[0], of.overlay_before), _laid(names[1], (*of.inputs.overlay, *of.inputs.overlay_delete))
    if ends is not None:
        names = _under(names[0], first), _under(names[1], second)
    return TwoVersions(
        later.scheduler,
        replace(_version(names[0], sides[0], earlier, first.releases), there=not missing[0]),
        replace(_version(names[1], sides[1], later, second.releases), there=not missing[1]),
        None if history is None else _finished(history),
        (
            *map(_told, filter(None, missing)),
            *dict.fromkeys((*before.notes, *after.notes)),
            *_notes_on_nodes(sides[1], of.inputs),
        ),
    )


def _with_paths(of: VersionWords) -> VersionWords:
    """The same; a revision without a path has that of the other version."""
    from kubectl_fairshare.input.files.git import with_path_of

    if of.before is None or of.after is None or of.before == of.after:
        return of
    return replace(of, before=with_path_of(of.before, of.after), after=with_path_of(of.after, of.before))


def _missing(word: str | None, other: str | None) -> str | None:
    """The word if it is a revision without the path that the other version has: its objects are new, or gone.

    Only where both words name the same path: any other one may be a slip.
    """
    from kubectl_fairshare.input.files.git import is_missing, is_revision, path_of

    if word is None or other is None or not is_revision(word) or path_of(word) != path_of(other):
        return None
    gone_too = is_missing(other) if is_revision(other) else not os.path.exists(other)
    return word if not gone_too and is_missing(word) else None


def _told(word: str) -> Problem:
    return Problem("the revision has no such path: it is compared as empty", word)


def _check_scheduler(scheduler: Scheduler, before: Snapshot, after: Snapshot) -> None:
    """Raises ``UsageError`` where both versions have quotas, and the scheduler has them in one alone."""
    titles = [[each.title for each in every_scheduler() if each.holds(side)] for side in (before, after)]
    if all(titles) and not all(scheduler.title in each for each in titles):
        message = f"BEFORE has quotas of {' and '.join(titles[0])}, AFTER of {' and '.join(titles[1])}"
        remedy = "one scheduler decides about both: give two versions of its quotas"
        raise UsageError(Problem(message, help=remedy))


def _notes_on_nodes(reading: Reading, inputs: Inputs) -> tuple[Problem, ...]:
    """What is said of the Nodes that ``--nodes`` adds to both versions."""
    if not inputs.nodes:
        return ()
    from kubectl_fairshare.input.hypothetical_nodes import with_nodes

    added = with_nodes(reading, inputs.nodes, known_schedulers())
    return tuple(note for note in added.notes if note not in reading.notes)


def _check(of: VersionWords, house: HouseOptions) -> None:
    named_files = [word for word in (of.before, of.after) if word is not None]
    inputs = replace(of.inputs, filename=() if None in (of.before, of.after) else tuple(named_files))
    check_inputs(inputs, house.files)
    words = [*dict.fromkeys(named_files), *of.overlay_before, *of.inputs.overlay, *of.state, *of.history, *house.files]
    if words.count(STDIN) > 1:
        raise UsageError(Problem("standard input can be read once only", help="give one of the two as a file"))


def _name(word: str | None) -> str:
    return CLUSTER if word is None else word


def _laid(name: str, changes: Sequence[str]) -> str:
    return f"{name} with its overlay" if changes else name


def _under(name: str, house: HouseOptions) -> str:
    """What is compared, and the release that decides it."""
    return f"{name} under {', '.join(release_text(text) for text in house.releases.values())}"


def release_text(text: str) -> str:
    """A release as answers write it: ``v0.19``."""
    return f"v{text.removeprefix('v')}"


def _after(of: VersionWords, before: Reading, streams: Streams) -> Reading:
    """The second policy; one that both are made of is read once."""
    if of.after != of.before or of.overlay_before:
        return _reading(of.after, of.inputs, of.inputs.overlay, of.inputs.overlay_delete, streams)
    changes = _read(of.inputs.overlay, of.inputs, streams) if of.inputs.overlay else Reading((), Texts())
    return overlay(before, changes, of.inputs.overlay_delete, known_schedulers())


def _reading(
    word: str | None, inputs: Inputs, laid_over: Sequence[str], deleted: Sequence[str], streams: Streams
) -> Reading:
    filename = () if word is None else (word,)
    wanted = replace(inputs, filename=filename, overlay=tuple(laid_over), overlay_delete=tuple(deleted))
    reading, problems = read_inputs(wanted, streams)
    if problems:
        raise FairshareError(*problems)
    return reading


def _read(words: Sequence[str], inputs: Inputs, streams: Streams, *, generated: bool = False) -> Reading:
    return read(
        words,
        known_schedulers(),
        stdin=streams.bytes_in,
        max_input=inputs.max_input,
        namespace=inputs.namespace,
        allow_generate_name=generated,
        helm=inputs.helm,
    )


def _with_state(before: Reading, after: Reading, state: Reading | None) -> tuple[Reading, Reading]:
    """Both policies over the same work: objects of kinds that neither of them has.

    Where no state is named, and the first is a cluster or its snapshot, the second gets from it what it lacks.
    """
    if state is not None:
        own = {manifest.key[:2] for manifest in (*before.manifests, *after.manifests)}
        return _over(before, state, own), _over(after, state, own)
    if before.extent is not None and after.extent is None:
        return before, _over(after, before, {manifest.key[:2] for manifest in after.manifests})
    return before, after


def _over(policy: Reading, state: Reading, own: set[tuple[str, str]]) -> Reading:
    below = replace(state, manifests=tuple(m for m in state.manifests if m.key[:2] not in own), versions=())
    return overlay(below, policy, (), known_schedulers())


def _version(name: str, reading: Reading, loaded: Loaded, releases: Mapping[str, str]) -> Version:
    """What was read under a name, with what lint finds in it; ``releases`` are those to judge it by."""
    from kubectl_fairshare.cli.linting.rule_choice import rules_to_run
    from kubectl_fairshare.policy.diff.findings import rule_findings

    judging = {name: Release.parse(text) for name, text in releases.items()}
    with placing_problems(Places(reading.manifests, reading.texts)):
        rules = rules_to_run((), (), judging, reading.mentions)
        found, stored = rule_findings(reading, rules, lint_houses(), releases)
    return Version(name, loaded.snapshot, loaded.places, stored, found)


def _finished(history: Reading) -> Reading:
    """Work that has run, as it was before it did: without what the cluster wrote."""
    return replace(history, manifests=tuple(replace(m, held_data=_as_submitted(m.data)) for m in history.manifests))


def _as_submitted(data: dict[str, object]) -> dict[str, object]:
    metadata = data.get("metadata")
    kept = {name: value for name, value in data.items() if name != "status"}
    if isinstance(metadata, dict):
        written = ("resourceVersion", "uid", "creationTimestamp", "managedFields")
        kept["metadata"] = {name: value for name, value in metadata.items() if name not in written}
    return kept
