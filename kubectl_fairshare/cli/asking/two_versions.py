"""Two readings as the versions that are compared: over the same work, each as its scheduler sees it.

Tested in ``tests/unit/policy/test_diff.py``.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from kubectl_fairshare.cli.asking.load import Loaded, loaded_from, placing_problems
from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.cli.options.house import HouseOptions
from kubectl_fairshare.cli.options.shared import Inputs
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.files.files import ReadOnce, read
from kubectl_fairshare.input.overlay import overlay
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.json import FieldPath, Json, inside, is_same
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.packed import Packed
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.policy.version import Version
from kubectl_fairshare.schedulers import every_scheduler, known_schedulers, lint_houses
from kubectl_fairshare.schedulers.scheduler import Scheduler, Sources

CLUSTER: Final = "the cluster"


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
    """Two versions, the scheduler that decides both, finished work to ask about again, and notes on what was added.

    ``units`` are the parts of a repository that these are versions of, by name; empty if they are all of it. ``same``:
    the change leaves all that decides as it is.
    """

    scheduler: Scheduler
    before: Version
    after: Version
    history: Reading | None
    notes: tuple[Problem, ...] = ()
    units: tuple[str, ...] = ()
    same: bool = False


class Shared(Value, frozen=True):
    """What all comparisons of one call share; ``once`` is what was read of both versions."""

    of: VersionWords
    house: HouseOptions
    streams: Streams
    state: Reading | None
    history: Reading | None
    once: tuple[ReadOnce, ReadOnce]


def two_versions(
    shared: Shared,
    before: Reading,
    after: Reading,
    there: tuple[bool, bool],
    attached: frozenset[ObjectKey] = frozenset(),
    *,
    written: frozenset[ObjectKey] | None = None,
) -> TwoVersions:
    """Two readings over the same work, each as one scheduler sees it; ``attached`` are objects next to the policy.

    ``written`` are the objects that are written otherwise, if nothing else differs: they may mean the same.
    """
    of, house = shared.of, shared.house
    ends = house.sides()
    first, second = ends or (house, house)
    sides = _with_state(before, after, shared.state, attached)
    sources = Sources(shared.streams.bytes_in, of.inputs.max_input)
    later = loaded_from(sides[1], of.inputs, second, sources)
    if written is not None and not written:
        return _unchanged(shared, later, sides[1])
    earlier = loaded_from(sides[0], of.inputs, first, sources, asked=later.scheduler)
    if not later.scheduler.holds(later.snapshot):  # all quotas are gone: who decided before is asked
        earlier = loaded_from(sides[0], of.inputs, first, sources)
        later = loaded_from(sides[1], of.inputs, second, sources, asked=earlier.scheduler)
    if house.scheduler is None:
        _check_scheduler(later.scheduler, earlier.snapshot, later.snapshot)
    names = _names(of)
    if ends is not None:
        names = _under(names[0], first), _under(names[1], second)
    one = replace(_version(names[0], sides[0], earlier, first.releases), there=there[0])
    other = replace(_version(names[1], sides[1], later, second.releases), there=there[1])
    same = written is not None and all(_is_stored_alike(one, other, key) for key in written)
    return TwoVersions(later.scheduler, one, other, shared.history, _notes_on_nodes(sides[1], of.inputs), same=same)


def _unchanged(shared: Shared, loaded: Loaded, reading: Reading) -> TwoVersions:
    """Two versions that hold the same, of which one is enough."""
    before, after = (Version(name, loaded.snapshot, loaded.places) for name in _names(shared.of))
    notes = _notes_on_nodes(reading, shared.of.inputs)
    return TwoVersions(loaded.scheduler, before, after, shared.history, notes, same=True)


def _is_stored_alike(one: Version, other: Version, key: ObjectKey) -> bool:
    """Whether an API server keeps the same of an object that is written in two ways, as far as that is known."""
    forms = [each.stored.get(key) for each in (one, other)]
    first, second = (form.data() if isinstance(form, Packed) else form for form in forms)
    stored = first is not None and second is not None and is_same(dict(first), dict(second))
    return stored and _unknown_parts(one, key) == _unknown_parts(other, key)


def _unknown_parts(version: Version, key: ObjectKey) -> dict[FieldPath, Json]:
    """What an object has that no reproduced release knows: this server drops it, and a newer one may not."""
    held = version.snapshot.manifests.get(key)
    known = [each.known() for each in known_schedulers() if each.known is not None]
    return {} if held is None else {path: inside(held.data, *path) for each in known for path in each.paths(held.data)}


def _names(of: VersionWords) -> tuple[str, str]:
    """How the versions are called."""
    names = _name(of.before, of.inputs), _name(of.after, of.inputs)
    if names[0] != names[1] or not (of.overlay_before or of.inputs.overlay or of.inputs.overlay_delete):
        return names
    return _laid(names[0], of.overlay_before), _laid(names[1], (*of.inputs.overlay, *of.inputs.overlay_delete))


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


def _name(word: str | None, inputs: Inputs) -> str:
    named = named_inputs(word, inputs)
    return CLUSTER if word is None else " ".join((*named.filename, *named.kustomize))


def named_inputs(word: str | None, inputs: Inputs) -> Inputs:
    """The inputs of one version: its files, or what `-k` names in it."""
    if word is None:
        return replace(inputs, filename=(), kustomize=())
    if not inputs.kustomize:
        return replace(inputs, filename=(word,), kustomize=())
    from kubectl_fairshare.input.files.git import within

    return replace(inputs, filename=(), kustomize=tuple(within(word, each) for each in inputs.kustomize))


def _laid(name: str, changes: Sequence[str]) -> str:
    return f"{name} with its overlay" if changes else name


def _under(name: str, house: HouseOptions) -> str:
    """What is compared, and the release that decides it."""
    return f"{name} under {', '.join(release_text(text) for text in house.releases.values())}"


def release_text(text: str) -> str:
    """A release as answers write it: ``v0.19``."""
    return f"v{text.removeprefix('v')}"


def read_files(words: Sequence[str], inputs: Inputs, streams: Streams, *, generated: bool = False) -> Reading:
    """The objects of files; ``generated``: they may have generated names. Raises ``FairshareError``."""
    return read(
        words,
        known_schedulers(),
        stdin=streams.bytes_in,
        max_input=inputs.max_input,
        namespace=inputs.namespace,
        allow_generate_name=generated,
        helm=inputs.helm,
    )


def _with_state(
    before: Reading, after: Reading, state: Reading | None, attached: frozenset[ObjectKey] = frozenset()
) -> tuple[Reading, Reading]:
    """Both policies over the same work: objects of kinds that neither of them has.

    Where no state is named, and the first is a cluster or its snapshot, the second gets from it what it lacks.
    """
    if state is not None:
        policy = (manifest.key for manifest in (*before.manifests, *after.manifests))
        own = {key[:2] for key in policy if key not in attached}
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


def finished(history: Reading) -> Reading:
    """Work that has run, as it was before it did: without what the cluster wrote."""
    return replace(history, manifests=tuple(replace(m, held_data=_as_submitted(m.data)) for m in history.manifests))


def _as_submitted(data: dict[str, object]) -> dict[str, object]:
    metadata = data.get("metadata")
    kept = {name: value for name, value in data.items() if name != "status"}
    if isinstance(metadata, dict):
        written = ("resourceVersion", "uid", "creationTimestamp", "managedFields")
        kept["metadata"] = {name: value for name, value in metadata.items() if name not in written}
    return kept
