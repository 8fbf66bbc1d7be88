"""Workloads that wait, together with those that the same thing keeps waiting."""

from collections.abc import Iterable

from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.kueue.why.verdict import Reason, Verdict, Why
from kubectl_fairshare.schedulers.kueue.words.limit_words import limit_clause
from kubectl_fairshare.schedulers.kueue.words.why_words import deciding, reason_clause, subject

_ORDER = (Verdict.NOT_NOW, Verdict.WAITING, Verdict.UNKNOWN, Verdict.NEVER, Verdict.UNMANAGED)


@dataclass(frozen=True, slots=True)
class Group:
    """What binds, in a clause, and the workloads that it binds."""

    verdict: Verdict
    reason: Reason
    title: str
    whys: tuple[Why, ...]


def grouped(whys: Iterable[Why]) -> tuple[Group, ...]:
    """The groups: by verdict, the largest first; in each the workloads by ClusterQueue and place."""
    found: dict[tuple[Verdict, Reason, str], list[Why]] = {}
    for why in whys:
        found.setdefault((why.verdict, why.reason, title(why)), []).append(why)
    groups = [Group(*key, tuple(sorted(of, key=_place))) for key, of in found.items()]
    return tuple(sorted(groups, key=lambda g: (_rank(g.verdict), -len(g.whys), g.reason, g.title)))


def title(why: Why) -> str:
    """What binds: the limit of the dominant shortage, else the dominant reason."""
    binds = deciding(why)
    return limit_clause(binds[0]) if binds and why.head is None else reason_clause(why)


def _rank(verdict: Verdict) -> int:
    return _ORDER.index(verdict) if verdict in _ORDER else len(_ORDER)


def _place(why: Why) -> tuple[str, int, tuple[str, ...]]:
    standing = None if why.plan is None else why.plan.standing
    return (why.cluster_queue, 0 if standing is None else standing.position, tuple(subject(why)))
