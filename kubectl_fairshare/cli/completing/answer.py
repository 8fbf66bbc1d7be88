"""Completions of the last word of a line, each with a description, and what else the shell may offer.

Tested in ``tests/unit/cli/commands/test_completion.py``.
"""

from kubectl_fairshare.cli.completing import grammar
from kubectl_fairshare.cli.completing.line import Line

TYPE_CHECKING = False  # typing's own costs more than all else here
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from kubectl_fairshare.input.remembered import Name

FILES, NO_SPACE, NO_FILES, FOLDERS = 0, 2, 4, 16
"""Bits of the directive that ends an answer, as cobra's scripts, and so kubectl's, understand it."""
_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/:=,@+-")
_QUEUES = ("ClusterQueue", "Cohort", "LocalQueue", "Queue")
_CLASSES = ("PriorityClass", "WorkloadPriorityClass")
_GROUPS = ("advice", "all")
Offer = tuple[str, str]
"""A word and its description."""


def answer(words: "Sequence[str]") -> str:
    """The lines that answer a shell: words, each with a tab and a description, and a directive at the end."""
    line = Line(words)
    found, directive = offers(line)
    kept = dict(sorted(offer for offer in found if _fits(offer[0], line.word)))
    lines = [f"{word}\t{_on_one_line(about)}" if about else word for word, about in kept.items()]
    return "\n".join([*lines, f":{directive}\n"])


def _on_one_line(about: str) -> str:
    """A description with nothing in it that a terminal obeys."""
    return about if about.isprintable() else "".join(sign if sign.isprintable() else "\ufffd" for sign in about)


def _fits(offered: str, typed: str) -> bool:
    """Whether a word goes on with what was typed, and holds nothing that a shell would take for more than letters."""
    return bool(offered) and offered.startswith(typed) and _SAFE.issuperset(offered)


def offers(line: Line) -> tuple["Iterable[Offer]", int]:
    """All completions, and the directive."""
    wanted = line.wanted
    if wanted in ("file", "folder"):
        return (), FILES if wanted == "file" else FOLDERS
    if wanted == "":
        return _commands(), NO_FILES
    if wanted == "option":
        return _options(line), NO_FILES
    if "|" in wanted:
        return ((choice, "") for choice in wanted.split("|")), NO_FILES
    if wanted in ("amounts", "demand"):
        return (_amounts if wanted == "amounts" else _demand)(line), NO_FILES | NO_SPACE
    if wanted in _GIVEN:
        return _GIVEN[wanted](line), NO_FILES
    return (), NO_FILES


def _commands() -> "Iterator[Offer]":
    for line in grammar.COMMANDS.splitlines():
        name, _, about = line.split(" ", 2)
        yield name, about


def _options(line: Line) -> "Iterator[Offer]":
    """Options that may still be given; short names only once a dash was typed."""
    for option in {id(each): each for each in line.known.values()}.values():
        if option.repeatable or option.names[-1] not in line.options:
            for name in option.names:
                if name.startswith("--") or line.word:
                    yield name, option.help


def _rules() -> "Iterator[Offer]":
    for entry in grammar.RULES.split():
        name, _, long = entry.partition("=")
        yield name, long
        yield long, name


def _topics() -> "Iterator[Offer]":
    """What ``help`` explains in one word: rules, commands, terms and laws."""
    from kubectl_fairshare.cli.topics import shipped_topics

    yield from _rules()
    yield from _commands()
    yield from ((topic.name.lower(), "") for topic in shipped_topics().values() if " " not in topic.name)


def _several_rules(line: Line) -> "Iterator[Offer]":
    """As ``_rules``, after the comma that was typed last; and groups of them."""
    before, comma, _ = line.word.rpartition(",")
    for name, about in (*_rules(), *((group, "a group of rules") for group in _GROUPS)):
        yield f"{before}{comma}{name}", about


def _names(line: Line) -> "Iterable[Name]":
    """The names in the files that the line gives, or, where it gives none, those remembered of the cluster."""
    files = [*line.values("--filename"), *line.values("--kustomize")]
    if files:
        from kubectl_fairshare.input.names import names_in

        return names_in([*line.values("--filename"), *line.values("--overlay")])
    if line.values("--token"):
        return ()
    from kubectl_fairshare.input.remembered import identity, remembered

    chosen = [line.value(f"--{option}") for option in ("context", "cluster", "user", "server", "as")]
    kubeconfig = line.value("--kubeconfig")
    return remembered(identity(kubeconfig=kubeconfig, choices=chosen, groups=line.values("--as-group")))


def _of_kinds(line: Line, *kinds: str) -> "Iterator[Offer]":
    return ((name, kind) for kind, _, name in _names(line) if kind in kinds)


def _namespaces(line: Line) -> "Iterator[Offer]":
    for kind, namespace, name in _names(line):
        yield (name if kind == "Namespace" else namespace), ""


def _queues(line: Line) -> "Iterator[Offer]":
    """Queues as ``shares --queue`` takes them: those of a namespace with it."""
    for kind, namespace, name in _names(line):
        if kind in _QUEUES:
            yield f"{namespace}/{name}" if kind == "LocalQueue" else name, kind


def _local_queues(line: Line) -> "Iterator[Offer]":
    """LocalQueues with their namespaces, and queues without one."""
    return ((name, kind) for name, kind in _queues(line) if kind in ("LocalQueue", "Queue"))


def _resources(line: Line) -> "Iterator[Offer]":
    from kubectl_fairshare.input.names import RESOURCE

    return ((name, "") for kind, _, name in _names(line) if kind == RESOURCE)


def _amounts(line: Line) -> "Iterator[Offer]":
    """Resources that are not given yet, each with the `=` before its amount."""
    before, comma, _ = line.word.rpartition(",")
    given = {part.partition("=")[0] for part in before.split(",")}
    return ((f"{before}{comma}{name}=", "") for name, _ in _resources(line) if name not in given)


def _requests(kind: str) -> bool:
    """Whether an object of this kind is a queue of which requests can be assumed."""
    return kind in ("ClusterQueue", "Cohort", "Queue") or (kind.endswith("Quota") and kind != "ResourceQuota")


def _demand(line: Line) -> "Iterator[Offer]":
    """``unlimited``, queues with the `=` before what they request, and behind it the forms and the resources."""
    queue, equals, amounts = line.word.partition("=")
    if not equals:
        yield "unlimited", "every queue that is not named"
        yield from ((f"{name}=", kind) for kind, _, name in _names(line) if _requests(kind))
        return
    if "=" not in amounts:
        yield f"{queue}=0", "requests nothing"
        yield f"{queue}=unlimited", "requests without end"
    line.word = amounts
    offered = list(_amounts(line))
    line.word = f"{queue}={amounts}"
    yield from ((f"{queue}={name}", about) for name, about in offered)


def _objects(line: Line) -> "Iterator[Offer]":
    for kind, namespace, name in _names(line):
        if kind[:1].isupper():
            yield f"{kind.lower()}/{name}", namespace


def _subjects(line: Line) -> "Iterator[Offer]":
    """Jobs and workloads as ``why`` takes them: KIND/NAME, with the namespace before where several have one.

    Pods only once they are asked for: there are too many. A name alone is offered once something of it was typed.
    """
    kinds, within, pods = set(grammar.SUBJECTS.split()), line.value("--namespace"), line.word.startswith("pod/")
    several: dict[str, set[str]] = {}
    for kind, namespace, name in _names(line):
        if kind in kinds and within in (None, namespace) and (kind != "Pod" or pods):
            several.setdefault(f"{kind.lower()}/{name}", set()).add(namespace)
    for short, namespaces in several.items():
        if len(namespaces) == 1:
            yield from ((short, namespace) for namespace in namespaces)
            if line.word:
                kind, _, name = short.partition("/")
                yield name, kind
        if len(namespaces) > 1 or "/" in line.word:
            yield from ((f"{namespace}/{short}", "") for namespace in namespaces)


def _kubeconfig(line: Line, kind: str) -> "Iterator[Offer]":
    from kubectl_fairshare.input.cluster.access import Access
    from kubectl_fairshare.input.cluster.kubeconfig import read

    found = read(Access(kubeconfig=line.value("--kubeconfig")))
    return ((name, "") for name in {"context": found.contexts, "cluster": found.clusters, "user": found.users}[kind])


_GIVEN: "dict[str, Callable[[Line], Iterable[Offer]]]" = {
    "cluster": lambda line: _kubeconfig(line, "cluster"),
    "context": lambda line: _kubeconfig(line, "context"),
    "engine": lambda _: ((name, "") for name in grammar.ENGINES.split()),
    "flavor": lambda line: _of_kinds(line, "ResourceFlavor"),
    "localqueue": _local_queues,
    "namespace": _namespaces,
    "node": lambda line: _of_kinds(line, "ClusterQueue", "Cohort", "Queue"),
    "object": _objects,
    "priority": lambda line: _of_kinds(line, *_CLASSES),
    "queue": _queues,
    "resource": _resources,
    "rule": lambda _: _rules(),
    "rules": _several_rules,
    "subject": _subjects,
    "topic": lambda _: _topics(),
    "user": lambda line: _kubeconfig(line, "user"),
}
