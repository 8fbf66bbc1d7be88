"""``then``, checked: each expectation against what the scheduler decided."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.answers.answer import Answer
from kubectl_fairshare.answers.details import PlanDetail
from kubectl_fairshare.answers.number_text import amount
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.suite import Mismatch
from kubectl_fairshare.input.linear_pattern import PatternError, is_within
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.json import Json, JsonObject, mapping
from kubectl_fairshare.model.phrases import did_you_mean, likely, quoted
from kubectl_fairshare.policy.suite.circumstances import Place
from kubectl_fairshare.report.text.drawing import lines_of
from kubectl_fairshare.report.text.view import View

_BOUNDS: Final = ("at-least", "at-most", "exactly")
_WIDE: Final = 10_000


def outcomes(value: Json, locate: Place) -> tuple[Outcome, ...]:
    """The outcomes that a test accepts. Raises ``UsageError`` for an unknown word."""
    words = value if isinstance(value, list) else [value]
    known = {outcome.value.lower(): outcome for outcome in Outcome}
    for word in words:
        if str(word).lower() not in known:
            remedy = did_you_mean(likely(str(word), list(Outcome), 1)) or f"outcomes are {quoted(Outcome)}"
            raise UsageError(Problem(f"there is no outcome `{word}`", locate("then", "outcome"), remedy))
    return tuple(known[str(word).lower()] for word in words)


def answer_mismatches(then: JsonObject, answer: Answer[PlanDetail], locate: Place) -> Iterator[Mismatch]:
    """What of the answer for the submitted workload is not as expected."""
    if "outcome" in then:
        wanted = outcomes(then["outcome"], locate)
        if answer.outcome not in wanted:
            names = " or ".join(wanted)
            at = locate("then", "outcome")
            yield Mismatch(("then", "outcome"), names, f"{answer.outcome} ({answer.verdict})", at, answer.outcome.value)
    if "victims" in then:
        yield from _victims(then["victims"], answer, locate)
    if "flavors" in then:
        found = _flavors(answer)
        if sorted(then["flavors"]) != found:
            at = locate("then", "flavors")
            yield Mismatch(("then", "flavors"), ", ".join(then["flavors"]), ", ".join(found) or "none", at, found)
    for field, texts in (("message", _texts(answer)), ("binds", [limit.clause for limit in answer.binding])):
        if field in then and not any(_matches(then[field], text, locate, field) for text in texts):
            yield Mismatch(("then", field), f"`{then[field]}`", "; ".join(texts) or "nothing", locate("then", field))


def _matches(pattern: str, text: str, locate: Place, field: str) -> bool:
    """Whether a text contains the words, or matches them between slashes as a regular expression."""
    if len(pattern) > 1 and pattern[0] == pattern[-1] == "/":
        try:
            return is_within(pattern[1:-1], text)
        except PatternError as error:
            remedy = "write words that it contains, or a regular expression between slashes"
            raise UsageError(Problem(f"`{pattern}`: {error}", locate("then", field), remedy)) from None
    return pattern in text


def _texts(answer: Answer[PlanDetail]) -> list[str]:
    """What is said of the workload: the verdict, what binds, and what the scheduler writes."""
    groups = (lines_of(group, View(_WIDE)) for group in answer.detail.records())
    records = [" ".join(line.strip() for line in lines) for lines in groups if lines]
    return [answer.verdict, *(limit.clause for limit in answer.binding), *records]


def _flavors(answer: Answer[PlanDetail]) -> list[str]:
    named = [station.name for station in answer.route if station.kind in ("flavor", "flavors")]
    return sorted(name for each in named for name in each.split(", "))


def _victims(expected: JsonObject, answer: Answer[PlanDetail], locate: Place) -> Iterator[Mismatch]:
    queues = sorted({victim.counts_against for victim in answer.victims})
    names = ", ".join(f"{v.key.namespace}/{v.key.name} of {v.counts_against}" for v in answer.victims) or "no victims"
    path = ("then", "victims")
    if "only-from" in expected and not set(queues) <= set(expected["only-from"]):
        wanted = f"only from {', '.join(expected['only-from']) or 'no queue'}"
        yield Mismatch((*path, "only-from"), wanted, names, locate(*path, "only-from"), queues)
    if "never-from" in expected and (hit := sorted(set(queues) & set(expected["never-from"]))):
        yield Mismatch((*path, "never-from"), f"never from {', '.join(hit)}", names, locate(*path, "never-from"))
    if "at-most" in expected and len(answer.victims) > int(expected["at-most"]):
        number = len(answer.victims)
        wanted = f"at most {expected['at-most']} victims"
        yield Mismatch((*path, "at-most"), wanted, f"{number}: {names}", locate(*path, "at-most"), number)
    if "rule" in expected and (others := sorted({v.rule or v.law for v in answer.victims} - {expected["rule"]})):
        yield Mismatch((*path, "rule"), f"by {expected['rule']}", f"by {', '.join(others)}", locate(*path, "rule"))


def held_mismatches(then: JsonObject, held: Mapping[str, Mapping[str, int]], locate: Place) -> Iterator[Mismatch]:
    """What queues hold, by resource, against what they are expected to."""
    for queue, expected in mapping(then, "holds").items():
        for resource, bound in expected.items():
            path = ("then", "holds", queue, resource)
            found = held[queue].get(resource, 0)
            yield from _bounded(bound, found, path, locate, resource)


def _bounded(bound: Json, found: int, path: Sequence[str], locate: Place, resource: str) -> Iterator[Mismatch]:
    bounds = bound if isinstance(bound, dict) else {"exactly": bound}
    for word in _BOUNDS:
        if word not in bounds:
            continue
        wanted = _amount(bounds[word], resource, path, locate)
        if not {"at-least": found >= wanted, "at-most": found <= wanted, "exactly": found == wanted}[word]:
            where = (*path, word) if isinstance(bound, dict) else tuple(path)
            text = amount(resource, found)
            expected = f"{path[2]} holds {word.replace('-', ' ')} {amount(resource, wanted)} {resource}"
            yield Mismatch(where, expected, text, locate(*where), int(text) if text.isdecimal() else text)


def _amount(value: Json, resource: str, path: Sequence[str], locate: Place) -> int:
    try:
        return quantity.amount(resource, value)
    except quantity.QuantityError:
        raise UsageError(Problem(f"`{value}` is not a quantity", locate(*path), "write `500m` or `2`")) from None


def share_mismatches(then: JsonObject, shares: Mapping[str, float | None], locate: Place) -> Iterator[Mismatch]:
    """The shares of queues against their bounds; a queue without a share fails."""
    for queue, bounds in mapping(then, "share").items():
        found = shares[queue]
        for word in _BOUNDS:
            if word not in bounds:
                continue
            wanted = float(bounds[word])
            holds = found is not None and {"at-least": found >= wanted, "at-most": found <= wanted}.get(
                word, found == wanted
            )
            if not holds:
                path = ("then", "share", queue, word)
                text = "no share: none decides, or its weight is 0" if found is None else f"{found:.3f}"
                expected = f"{queue} has a share of {word.replace('-', ' ')} {wanted:g}"
                yield Mismatch(path, expected, text, locate(*path))
