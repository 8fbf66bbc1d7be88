"""What a name on the command line means: an object of the input, and the workloads behind it."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from kubectl_fairshare.model.errors import AbsentSubjectError, Problem, UsageError
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.phrases import likely, some_of
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers import known_schedulers

_SHOWN: Final = 5
_FORM: Final = "write `job/NAME`, `workload/NAME`, `KIND/NAME` or `NAMESPACE/KIND/NAME`"


class Wanted(Value, frozen=True):
    """A name as given: ``kind`` is empty for a bare name, ``namespace`` None for any."""

    text: str
    namespace: str | None
    kind: str
    name: str


class Nameable(Value, frozen=True):
    """An object that a question may name, and the scheduler's names for it, sorted; empty if it has none."""

    key: ObjectKey
    workloads: tuple[ObjectKey, ...] = ()


class Subjects(Value, frozen=True):
    """Finds the objects of one input that names mean.

    ``kinds`` are the groups and kinds of such objects; ``others`` are kinds of the scheduler that do not wait for
    quota. ``workloads`` returns the scheduler's names for an object.
    """

    keys: tuple[ObjectKey, ...]
    kinds: frozenset[tuple[str, str]]
    others: tuple[tuple[str, str], ...]
    workloads: Callable[[ObjectKey], tuple[ObjectKey, ...]]

    def spelled(self, words: Sequence[str]) -> Sequence[str]:
        """Subjects of one word each: ``job a b`` is ``job/a job/b``, unless an object has the name ``job``.

        Raises ``UsageError`` for a kind alone.
        """
        kind, *names = words
        if "/" in kind or not self._is_kind(kind) or any(key.name == kind for key in self.keys):
            return words
        if not names:
            raise UsageError(Problem(f"`{kind}` is a kind", help=f"name one: `{kind}/NAME`; `-A` lists all that wait"))
        return [f"{kind}/{name}" for name in names]

    def _is_kind(self, word: str) -> bool:
        return any(known_schedulers().is_called(key.group, key.kind, word) for key in self.keys) or any(
            known_schedulers().is_called(group, kind, word) for group, kind in self.kinds
        )

    def _other_kind(self, word: str) -> str:
        """The kind of another object of the scheduler that a word names; empty if there is none."""
        return next((kind for group, kind in self.others if known_schedulers().is_called(group, kind, word)), "")

    def named(self, texts: Sequence[str], namespace: str, *, anywhere: bool) -> list[Nameable]:
        """The objects that are meant, in the order given. Raises ``UsageError`` with similar names."""
        words = self.spelled(texts)
        return [self.find(self.wanted(word, namespace, anywhere=anywhere)) for word in words]

    def wanted(self, text: str, namespace: str, *, anywhere: bool) -> Wanted:
        """``text`` in its parts. Raises ``UsageError`` if it has none of the forms.

        The part before a single slash is a kind, or a namespace if no object has such a kind. `KIND/NAMESPACE/NAME` is
        understood, too: `-o name` prints it. With ``anywhere``, a bare name without a namespace is searched in all
        namespaces.
        """
        parts = text.split("/")
        if not all(parts) or len(parts) > 3:
            raise UsageError(Problem(f"`{text}` is not the name of an object", help=_FORM))
        if len(parts) == 3:
            first, middle, name = parts
            printed = self._is_kind(first) and not any(key.namespace == first for key in self.keys)
            return Wanted(text, middle, first, name) if printed else Wanted(text, first, middle, name)
        within = None if anywhere else namespace
        if len(parts) == 1:
            return Wanted(text, within, "", text)
        first, name = parts
        is_namespace = any(key.namespace == first for key in self.keys)
        if not self._is_kind(first) and not is_namespace and (other := self._other_kind(first)):
            remedy = "ask about a job or a Workload; for queues, use `shares` or `lint`"
            article = "an" if other[0] in "AEIOU" else "a"
            raise UsageError(Problem(f"{article} {other} does not wait for quota", help=remedy))
        return Wanted(text, within, first, name) if self._is_kind(first) else Wanted(text, first, "", name)

    def find(self, wanted: Wanted) -> Nameable:
        """The one object that is meant.

        Raises ``AbsentSubjectError`` with similar names, ``UsageError`` with all possible objects.
        """
        found = [Nameable(key, self.workloads(key)) for key in self.keys if _matches(key, wanted)]
        distinct = {subject.workloads or (subject.key,): subject for subject in reversed(found)}
        if not distinct:
            raise AbsentSubjectError(self._missing(wanted))
        if len(distinct) > 1:
            names = [_call(s.key) for s in sorted(distinct.values(), key=lambda s: s.key)]
            remedy = f"say which: {some_of([f'`{name}`' for name in names], _SHOWN)}"
            raise UsageError(Problem(f"`{wanted.text}` may mean {len(names)} objects", help=remedy))
        (subject,) = distinct.values()
        return subject

    def _missing(self, wanted: Wanted) -> Problem:
        where = "" if wanted.namespace is None else f" in namespace `{wanted.namespace}`"
        message = f"no {wanted.kind or 'job or workload'} `{wanted.name}`{where} in the input"
        keys = self.keys
        alike = [
            key for key in keys if not wanted.kind or known_schedulers().is_called(key.group, key.kind, wanted.kind)
        ]
        elsewhere = [key for key in alike if key.name == wanted.name]
        if elsewhere:
            return Problem(message, help=f"the input has {_listed(elsewhere)}")
        inside = [key for key in alike or keys if wanted.namespace in (None, key.namespace)]
        near = likely(wanted.name, sorted({key.name for key in inside}))
        if near:
            return Problem(message, help=f"did you mean {_listed(k for k in inside if k.name in near)}?")
        if not alike:
            return Problem(message, help="the input has no object of that kind")
        if not inside:
            places = some_of([f"`{name}`" for name in sorted({key.namespace for key in alike})], _SHOWN)
            return Problem(message, help=f"namespaces that have one: {places}")
        return Problem(message, help=f"the input has {_listed(inside)}")


def _matches(key: ObjectKey, wanted: Wanted) -> bool:
    if key.name != wanted.name or wanted.namespace not in (None, key.namespace):
        return False
    return not wanted.kind or known_schedulers().is_called(key.group, key.kind, wanted.kind)


def _listed(keys: Iterable[ObjectKey]) -> str:
    return some_of([f"`{_call(key)}`" for key in keys], _SHOWN, " or ")


def _call(key: ObjectKey) -> str:
    return f"{key.namespace}/{key.kind.lower()}/{key.name}"
