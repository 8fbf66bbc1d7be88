"""The workloads that ``plan`` is asked about, as Kueue would take them.

Tested in ``tests/unit/cli/test_plan_cases.py``.
"""

from collections.abc import Sequence
from typing import Final

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.answers.holds import Hold
from kubectl_fairshare.answers.needs import RequestTerm
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.unknown_fields import unknown_gaps, unknown_in
from kubectl_fairshare.jobs.context import RESOURCE_QUOTA
from kubectl_fairshare.jobs.creation import NewPods
from kubectl_fairshare.jobs.fields import root_of
from kubectl_fairshare.jobs.kinds import UNKNOWN
from kubectl_fairshare.jobs.pod_surroundings import surroundings
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest, by_kind
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.asked_objects import read_each
from kubectl_fairshare.schedulers.kueue.explain.creating import creating_gaps, storing_gaps
from kubectl_fairshare.schedulers.kueue.explain.manifest.holds import workload_holds
from kubectl_fairshare.schedulers.kueue.explain.manifest.parts import workload_parts
from kubectl_fairshare.schedulers.kueue.explain.rejected_pods import unless_rejected
from kubectl_fairshare.schedulers.kueue.jobs import Context, pending_of, with_asked
from kubectl_fairshare.schedulers.kueue.jobs.features import ELASTIC
from kubectl_fairshare.schedulers.kueue.jobs.grouping import group_name
from kubectl_fairshare.schedulers.kueue.jobs.kinds.runtimes import RUNTIMES
from kubectl_fairshare.schedulers.kueue.jobs.ownership import workloads_of
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending
from kubectl_fairshare.schedulers.kueue.reading.accepted import Accepted
from kubectl_fairshare.schedulers.kueue.reading.unknown import KNOWN
from kubectl_fairshare.schedulers.question import PlanQuestion

_SKIPPING: Final = "Kueue does not manage these kinds, or not in this version"


class Candidacy(Value, frozen=True):
    """One workload to plan, and the Workloads of the state that are the same one.

    ``gaps`` are what an API server rejects in its objects and their pods; ``parts`` those of its requests,
    ``holds`` what holds it once it is admitted.
    """

    workload: Pending
    replaced: tuple[ObjectKey, ...] = ()
    gaps: tuple[Gap, ...] = ()
    parts: tuple[RequestTerm, ...] = ()
    holds: tuple[Hold, ...] = ()


def candidacies(snapshot: Snapshot, question: PlanQuestion) -> tuple[list[Candidacy], tuple[Problem, ...]]:
    """The workloads to plan, with notes on fields that the API server drops and on objects without a workload.

    Raises ``UsageError`` if the options do not describe a workload, and ``FairshareError`` with every manifest that
    is not one.
    """
    context = snapshot.part(Context)
    if question.given is None:
        wished = question.wishes.given()
        if question.wishes.queue is None:
            raise UsageError(Problem("needs `--queue`", wished[0], "name the LocalQueue: `--queue NAMESPACE/NAME`"))
        from kubectl_fairshare.schedulers.kueue.jobs.described import described_workload

        manifest = described_workload(question.wishes, question.namespace, snapshot, context)
        described = replace(pending_of(manifest, context), source=None)
        return [Candidacy(described, gaps=tuple(storing_gaps(snapshot, described)))], ()
    accepted = Accepted(by_kind(question.given.manifests), context.configuration.writes)
    candidates, notes = _of_manifests(snapshot, question.given, accepted)
    return _distinct(candidates), (*accepted.dropped_fields, *notes)


def _of_manifests(
    snapshot: Snapshot, given: Reading, accepted: Accepted
) -> tuple[list[Candidacy], tuple[Problem, ...]]:
    """The manifests, in the order of the command line, and notes on those next to them that make no workload."""
    workloads = accepted.of("Workload")
    others = [m for m in given.manifests if (m.key.group, m.key.kind) != (GROUP, "Workload")]
    context = with_asked(snapshot.part(Context), others)
    others = [m for m in others if (m.key.group, m.key.kind) not in RUNTIMES] or others
    bounds = NewPods(snapshot.manifests, surroundings(snapshot.manifests.values(), context))

    def read(manifest: Manifest) -> tuple[Manifest, Candidacy]:
        candidate = _of_manifest(snapshot, manifest, context)
        parts = workload_parts(manifest, candidate.workload, context)
        holds = workload_holds(manifest, candidate.workload, bounds, context)
        return manifest, replace(candidate, parts=parts, holds=holds)

    rejected = (*accepted.problems, *accepted.refusals)
    found, notes = read_each(given.as_given([*workloads, *others]), read, _SKIPPING, rejected)
    made: list[tuple[Candidacy, list[Manifest]]] = []
    groups: dict[ObjectKey, list[Manifest]] = {}
    for manifest, candidate in found:
        grouped = group_name(root_of(manifest))
        if grouped and candidate.workload.key in groups:
            groups[candidate.workload.key].append(manifest)
        else:
            made.append((candidate, [manifest]))
            groups[candidate.workload.key] = made[-1][1]
    written = {manifest.key: manifest for manifest in given.manifests}

    def completed(one: Candidacy, of: list[Manifest]) -> Candidacy:
        unknown = unknown_gaps(unknown_in((written[each.key] for each in of), KNOWN))
        workload = one.workload if unread else unless_rejected(one.workload, of, snapshot.manifests, bounds)
        return replace(one, workload=workload, gaps=(*creating_gaps(snapshot, context, workload, of, bounds), *unknown))

    unread = RESOURCE_QUOTA[1] in snapshot.part(KueueState).unread
    return [completed(one, of) for one, of in made], notes


def _of_manifest(snapshot: Snapshot, manifest: Manifest, context: Context) -> Candidacy:
    pending = pending_of(manifest, context)
    state = snapshot.part(KueueState)
    if manifest.key.group == GROUP:
        written = bool(manifest.data["metadata"].get("creationTimestamp"))
        return Candidacy(_as_known(pending, [pending.key], snapshot, state, written=written))
    owned = workloads_of(manifest, snapshot.manifests.values())
    if ELASTIC in pending.unmodelled and (slice_ := _slice(pending, owned, snapshot, state)) is not None:
        return slice_
    return Candidacy(_as_known(pending, owned, snapshot, state, written=False), owned)


def _slice(pending: Pending, owned: Sequence[ObjectKey], snapshot: Snapshot, state: KueueState) -> Candidacy | None:
    """The workload of an elastic job: the first, or a slice that replaces the one that holds quota, as it grows.

    None where the job shrinks or stays as it is, or has several slices: then it keeps what it has.
    """
    modelled = replace(pending, unmodelled=tuple(f for f in pending.unmodelled if f != ELASTIC))
    holders = [holder for holder in state.holders if holder.key in owned]
    if not holders:
        return Candidacy(_as_known(modelled, owned, snapshot, state, written=False), tuple(owned))
    old = snapshot.manifests[holders[0].key].data["spec"]["podSets"]
    before = {pod_set.get("name") or "main": pod_set.get("count", 1) for pod_set in old}
    now = {pod_set.name: pod_set.count for pod_set in pending.pod_sets}
    if len(holders) > 1 or holders[0].evicted or before.keys() != now.keys():
        return None
    if all(now[name] <= before[name] for name in now):
        return None
    key = pending.key._replace(name=f"{pending.key.name}-{UNKNOWN}")
    waiting = tuple(each for each in owned if each != holders[0].key)
    return Candidacy(replace(modelled, key=key, replaces=holders[0].key), waiting)


def _is_stopped(workload: Manifest) -> bool:
    return workload.key.group == GROUP and workload.data.get("spec", {}).get("active") is False


def _as_known(
    pending: Pending, same: Sequence[ObjectKey], snapshot: Snapshot, state: KueueState, *, written: bool
) -> Pending:
    """The workload with its name, UID and age from the state; with its own age if that is ``written``.

    A workload that is deactivated in the state stays deactivated: the job's manifest does not say so.
    """
    stopped = [key for key in same if key in snapshot.manifests and _is_stopped(snapshot.manifests[key])]
    if stopped and not written:
        return replace(pending, key=stopped[0], active=False)
    if not same:
        return pending
    everyone: tuple[Pending | Holder, ...] = (*state.pending, *state.holders)
    keys = {*same}
    known = [w for w in everyone if w.key in keys]
    if len(known) != 1:
        return pending
    (one,) = known
    preempting = isinstance(one, Pending) and one.preempting
    pending = replace(pending, key=one.key, uid=one.uid, preempting=preempting)
    return pending if written else _as_old(pending, one)


def _as_old(pending: Pending, known: Pending | Holder) -> Pending:
    """The workload with the age of one that is in the state."""
    undated = isinstance(known, Pending) and known.undated
    return replace(pending, created=known.created, queued=known.queued, undated=undated)


def _distinct(candidates: list[Candidacy]) -> list[Candidacy]:
    """The workloads, each with its own name: several may lack the name that the API server will choose."""
    seen: set[ObjectKey] = set()
    named = []
    for candidate in candidates:
        key, number = candidate.workload.key, 1
        while key in seen:
            number += 1
            key = key._replace(name=f"{candidate.workload.key.name}-{number}")
        seen.add(key)
        named.append(replace(candidate, workload=replace(candidate.workload, key=key)))
    return named
