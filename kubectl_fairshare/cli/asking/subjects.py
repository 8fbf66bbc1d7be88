"""What a name on the command line means: an object of the input, and the Workloads behind it."""

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Final

from kubectl_fairshare.input.kinds import is_called
from kubectl_fairshare.jobs.kinds.templates import ALL_KINDS
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.kueue.jobs.lineage import Family, Kin
from kubectl_fairshare.schedulers.kueue.jobs.record import is_workload
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP

_SHOWN: Final = 5
_WORKING: Final = frozenset((k.group, k.kind) for k in ALL_KINDS) | {(GROUP, "Workload")}
_BETWEEN: Final = frozenset({("apps", "ReplicaSet")})
ASKABLE: Final = _WORKING | _BETWEEN
"""Group and kind of what may be asked about."""
_OTHERS: Final = ("AdmissionCheck", "ClusterQueue", "Cohort", "LocalQueue", "ResourceFlavor", "Topology")
_FORM: Final = "write `job/NAME`, `workload/NAME`, `KIND/NAME` or `NAMESPACE/KIND/NAME`"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A name as it was given: ``kind`` empty for a bare name, ``namespace`` None for any."""

    text: str
    namespace: str | None
    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Subject:
    """What a name means: an object, and the Workloads behind it, sorted; none where the input has none."""

    kin: Kin
    workloads: tuple[ObjectKey, ...]


class Subjects:
    """Finds what names mean among the objects of one input."""

    def __init__(self, family: Family) -> None:
        self._family = family
        self._named = sorted((k for k in family.named if _may_be_asked(k)), key=lambda k: k.key)

    def spelled(self, words: Sequence[str]) -> Sequence[str]:
        """Subjects of one word each: ``job a b`` is ``job/a job/b``, unless an object has the name ``job``.

        Raises ``UsageError`` for a kind alone.
        """
        kind, *names = words
        if "/" in kind or not self._is_kind(kind) or any(k.key.name == kind for k in self._named):
            return words
        if not names:
            raise UsageError(Problem(f"`{kind}` is a kind", help=f"name one: `{kind}/NAME`; `-A` lists all that wait"))
        return [f"{kind}/{name}" for name in names]

    def _is_kind(self, word: str) -> bool:
        return any(is_called(k.key.group, k.key.kind, word) for k in self._named) or _is_kind(word)

    def wanted(self, text: str, namespace: str, *, anywhere: bool) -> Wanted:
        """``text`` in its parts. Raises ``UsageError`` where it has none of the forms.

        What is before a single stroke is a kind, or a namespace where no object is of such a kind. A bare name
        is looked for ``anywhere`` where nobody said a namespace.
        """
        parts = text.split("/")
        if not all(parts) or len(parts) > 3:
            raise UsageError(Problem(f"`{text}` names no object", help=_FORM))
        if len(parts) == 3:
            return Wanted(text, *parts)
        within = None if anywhere else namespace
        if len(parts) == 1:
            return Wanted(text, within, "", text)
        first, name = parts
        is_namespace = any(k.key.namespace == first for k in self._named)
        if not self._is_kind(first) and not is_namespace and (other := _other_kind(first)):
            remedy = "ask about a job or a Workload; `shares` and `lint` tell of queues"
            raise UsageError(Problem(f"a {other} does not wait for quota", help=remedy))
        return Wanted(text, within, first, name) if self._is_kind(first) else Wanted(text, first, "", name)

    def find(self, wanted: Wanted) -> Subject:
        """The one object that is meant. Raises ``UsageError`` with near names, or with all that could be meant."""
        found = [Subject(k, self._family.workloads(k)) for k in self._named if _matches(k, wanted)]
        distinct = {subject.workloads or (subject.kin.key,): subject for subject in reversed(found)}
        if not distinct:
            raise UsageError(self._missing(wanted))
        if len(distinct) > 1:
            names = [_call(s.kin.key) for s in sorted(distinct.values(), key=lambda s: s.kin.key)]
            shown = ", ".join(f"`{n}`" for n in names[:_SHOWN])
            more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
            remedy = f"say which: {shown}{more}"
            raise UsageError(Problem(f"`{wanted.text}` may mean {len(names)} objects", help=remedy))
        (subject,) = distinct.values()
        return subject

    def _missing(self, wanted: Wanted) -> Problem:
        where = "" if wanted.namespace is None else f" in namespace `{wanted.namespace}`"
        message = f"no {wanted.kind or 'job or workload'} `{wanted.name}`{where} in the input"
        keys = [k.key for k in self._named]
        alike = [key for key in keys if not wanted.kind or is_called(key.group, key.kind, wanted.kind)]
        elsewhere = [key for key in alike if key.name == wanted.name]
        if elsewhere:
            return Problem(message, help=f"there is {_listed(elsewhere)}")
        inside = [key for key in alike or keys if wanted.namespace in (None, key.namespace)]
        near = get_close_matches(wanted.name, sorted({key.name for key in inside}), n=3)
        if near:
            return Problem(message, help=f"did you mean {_listed(k for k in inside if k.name in near)}?")
        if not alike:
            return Problem(message, help="the input holds no object of that kind")
        return Problem(message, help=f"there is {_listed(inside)}" if inside else "the input holds none there")


def _matches(kin: Kin, wanted: Wanted) -> bool:
    key = kin.key
    if key.name != wanted.name or wanted.namespace not in (None, key.namespace):
        return False
    return not wanted.kind or is_called(key.group, key.kind, wanted.kind)


def _may_be_asked(kin: Kin) -> bool:
    """Whether an object can stand for a workload: a kind of job, or one that a Workload names as its owner."""
    return (kin.key.group, kin.key.kind) in ASKABLE or kin.manifest is None


def _is_kind(word: str) -> bool:
    return any(is_called(group, kind, word) for group, kind in ASKABLE)


def _other_kind(word: str) -> str:
    """The kind of another object of Kueue's that a word names; empty where it names none."""
    return next((kind for kind in _OTHERS if is_called(GROUP, kind, word)), "")


def _listed(keys: Iterable[ObjectKey]) -> str:
    names: Sequence[str] = [f"`{_call(key)}`" for key in keys]
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return " or ".join(names[:_SHOWN]) + more


def _call(key: ObjectKey) -> str:
    return f"{key.namespace}/{key.kind.lower()}/{key.name}"


def managed_without_workload(family: Family, namespace: str | None) -> Iterator[Kin]:
    """The jobs that name a queue and for which the input has no Workload, in the namespace, if one is given."""
    for kin in sorted(family.named, key=lambda k: k.key):
        if (
            kin.manifest is not None
            and namespace in (None, kin.key.namespace)
            and (kin.key.group, kin.key.kind) in _WORKING
            and not is_workload(kin.key)
            and family.names_queue(kin)
            and not family.workloads(kin)
        ):
            yield kin
