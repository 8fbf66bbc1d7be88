"""What is wrong in a test before it runs: expectations about nothing, and numbers and names that cannot be.

Such a test would pass, whatever the scheduler decides. Tested in ``tests/unit/policy/test_checking.py``.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.json import JsonObject, listed, mapping
from kubectl_fairshare.model.phrases import did_you_mean, likely, quoted
from kubectl_fairshare.policy.search.reading import quota_resources
from kubectl_fairshare.policy.suite.circumstances import Place, StateBefore
from kubectl_fairshare.schedulers.sandbox import Sandbox

_ABOUT_SUBMIT: Final = ("outcome", "victims", "flavors", "message", "binds")
_NOT_EMPTY: Final = ("outcome", "victims", "holds", "share", "keeps")
_FROM: Final = ("only-from", "never-from")
_SUBMIT: Final = "write `when: {submit: {queue: …, request: …}}`"


def checked_expectations(data: JsonObject, before: StateBefore, locate: Place) -> JsonObject:
    """``then`` of a case, with queues as the scheduler names them. Raises ``UsageError`` with all that is wrong."""
    then, when = mapping(data, "then"), mapping(data, "when")
    problems = [*_vacuous(then, when, locate), *_numbers(then, locate), *_resources(then, before.sandbox, locate)]
    if problems:
        raise UsageError(*problems)
    victims = mapping(then, "victims")
    queues = {
        word: [before.queue(str(name), ("then", "victims", word, n)) for n, name in enumerate(listed(victims, word))]
        for word in _FROM
        if word in victims
    }
    return {**then, "victims": {**victims, **queues}} if queues else then


def _vacuous(then: JsonObject, when: JsonObject, locate: Place) -> Iterator[Problem]:
    """What checks nothing."""
    if then.keys() <= {"allow-unknown"}:
        yield Problem("`then` checks nothing", locate("then"), "write what must follow: `outcome`, `holds`, `keeps` …")
    for field in _NOT_EMPTY:
        if field in then and then[field] in ([], {}):
            yield Problem(f"`{field}` is empty, so it checks nothing", locate("then", field), "see docs/test.md")
    for field in _ABOUT_SUBMIT:
        if field in then and "submit" not in when:
            yield Problem(f"`{field}` is about `submit`, which is missing", locate("then", field), _SUBMIT)


def _numbers(then: JsonObject, locate: Place) -> Iterator[Problem]:
    bounds = [("then", "victims", "at-most")] if "at-most" in mapping(then, "victims") else []
    shares = mapping(then, "share").items()
    bounds += [("then", "share", name, word) for name, each in shares for word in each]  # type: ignore[misc]
    for path in bounds:
        value = mapping(then, *path[1:-1])[path[-1]]
        try:
            _ = int(str(value)) if path[1] == "victims" else float(str(value))
        except ValueError:
            yield Problem(f"`{path[-1]}` must be a number, not `{value}`", locate(*path), "write a number")


def _resources(then: JsonObject, sandbox: Sandbox, locate: Place) -> Iterator[Problem]:
    """Resources of ``holds`` that no queue has."""
    known = quota_resources(sandbox)
    for queue, amounts in mapping(then, "holds").items():
        for resource in amounts:
            if resource not in known:
                remedy = did_you_mean(likely(resource, known, 1)) or f"resources are {quoted(known)}"
                yield Problem(f"no queue has quota for `{resource}`", locate("then", "holds", queue, resource), remedy)
