"""From options to findings at their lines: reading, examining, running rules, placing, filtering.

Tested in ``tests/unit/cli/linting/test_fixing.py``.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.answers.fidelity import shared_clause
from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.cli.asking.reading import check_inputs, read_inputs
from kubectl_fairshare.cli.collector import without_collector
from kubectl_fairshare.cli.linting.lint_run import Filter, LintOptions, LintRun, judge
from kubectl_fairshare.cli.linting.rule_choice import check, rules_to_run, words
from kubectl_fairshare.cli.options.shared import Inputs
from kubectl_fairshare.cli.progress import progress
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.kinds import KOORD_QUEUE
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers import known_schedulers

_SHOWN: Final = 3
_QUOTAS: Final = ("Quota", "QuotaTree", "Queue")
"""The last word of the names of kinds that divide a cluster."""
_BATCH_GROUPS: Final = (".run.ai", ".volcano.sh", ".yunikorn.apache.org")
"""The ends of the API groups of batch schedulers, after a dot."""
_RENDERED: Final = "to lint the rendered manifests: `helm template CHART | kubectl fairshare lint -`"


def find(
    inputs: Inputs,
    options: LintOptions,
    streams: Streams,
    filters: Sequence[Filter] = (),
    known: Mapping[str, bytes] | None = None,
    *,
    quiet: bool = False,
) -> LintRun:
    """Reads, runs the rules and places what they find; then ``filters`` are applied in order.

    Sources whose bytes are ``known``, by name, are not read again.

    What cannot be read is in ``unread``; the rest is linted. Raises ``UsageError`` where nothing is
    named to be read, and for words that name no rule.
    """
    check_inputs(inputs)
    check(words(options.select), "--select")
    check(words(options.ignore), "--ignore")
    with progress(streams.stderr, "linting", quiet=quiet) as done, without_collector():
        run = _run(inputs, options, streams, known, done)
    for each in filters:
        run = each(run)
    return run


def _run(
    inputs: Inputs,
    options: LintOptions,
    streams: Streams,
    known: Mapping[str, bytes] | None,
    report_done: Callable[[int, int], None],
) -> LintRun:
    reading, problems = read_inputs(inputs, streams, divided=True, known=known, builds=False)
    together = [each.reading for each in reading.units] or [reading]
    unread = (
        *problems,
        *(problem for problem in reading.outside if problem not in problems),  # said already where nothing else is read
        *(e for reads in known_schedulers() for one in together for e in reads.disagreements(one)),
    )
    # What lies in a file that cannot be read lies outside of the input, whatever was said of it.
    said = (options.complete or reading.is_whole) and not unread
    lacking = reading.unfilled if said else None
    judgings = len(options.judgings)

    def under_each() -> Iterator[LintRun]:
        for before, under in enumerate(options.judgings):

            def report(done: int, of: int, before: int = before) -> None:
                report_done(before * of + done, judgings * of)

            yield _judged(reading, unread, lacking, options, under, inputs.each, report)

    runs = list(under_each())
    if len(runs) == 1:
        return runs[0]
    from kubectl_fairshare.cli.linting.by_release import of_all_releases

    return of_all_releases(runs)


def _judged(
    reading: Reading,
    unread: tuple[Problem, ...],
    lacking: frozenset[str] | None,
    options: LintOptions,
    releases: Mapping[str, str],
    each: Sequence[str],
    report_done: Callable[[int, int], None],
) -> LintRun:
    """What the rules of some releases find; ``report_done`` is called after each unit, or after each rule of one."""
    numbers = {name: Release.parse(text) for name, text in releases.items()}
    rules = rules_to_run(options.select, options.ignore, numbers, reading.mentions)
    complete = lacking is not None and not lacking
    run = LintRun(reading, complete, rules, releases, (), unread, lacking=lacking)
    if reading.units:
        from kubectl_fairshare.cli.linting.by_unit import judge_by_unit

        return judge_by_unit(run, each, report_done)
    return judge(run, report_done=report_done)


def _not_judged(reading: Reading) -> Iterator[Problem]:
    """Notes of quotas and queues of APIs without rules, and of all objects of other batch schedulers."""
    foreign = Counter(
        f"{m.key.kind} of {m.key.group}"
        for m in reading.manifests
        if m.key[:2] in KOORD_QUEUE
        or (
            "." in m.key.group
            and (m.key.kind.endswith(_QUOTAS) or f".{m.key.group}".endswith(_BATCH_GROUPS))
            and not known_schedulers().is_read(m.key.group)
        )
    )
    if foreign:
        counted = ", ".join(f"{number} {kind}" for kind, number in sorted(foreign.items()))
        yield Problem(f"not checked, as lint has no rules for them: {counted}")


def _other_schedulers(reading: Reading) -> Iterator[Problem]:
    """A note for each scheduler that pods name and whose quotas the input lacks."""
    from kubectl_fairshare.schedulers.other_schedulers import unjudged_gaps

    groups = {manifest.key.group for manifest in reading.manifests}
    given = {each.scheduler for each in known_schedulers() if not groups.isdisjoint(each.namespaced)}
    places = Places(reading.manifests, reading.texts)
    for gap in unjudged_gaps(reading.manifests, lambda name: name in given):
        yield places.problem(Problem(f"not judged: {shared_clause(gap)}", gap.places[0]))


def with_paths(inputs: Inputs, paths: Sequence[str]) -> Inputs:
    """The inputs with further files, which were given without ``-f``."""
    return replace(inputs, filename=(*inputs.filename, *paths))


def left_out(reading: Reading) -> Iterator[Problem]:
    """Notes on input that is not a manifest: files without an object, documents of other programs, templates."""
    if reading.extent is not None:
        yield from reading.extent.notes
    if reading.empty:
        yield Problem(f"no object in {some_of(reading.empty, _SHOWN)}")
    if reading.foreign:
        places = [str(reading.texts.item(each)) if n < _SHOWN else "" for n, each in enumerate(reading.foreign)]
        what = "1 document is" if len(places) == 1 else f"{len(places)} documents are"
        yield Problem(f"{what} not a manifest, skipped: {some_of(places, _SHOWN)}")
    yield from reading.notes
    yield from _not_judged(reading)
    yield from _other_schedulers(reading)
    if reading.strangers:
        places = list(map(str, reading.strangers))
        what = "1 file is" if len(places) == 1 else f"{len(places)} files are"
        yield Problem(f"{what} not YAML, and skipped: {some_of(places, _SHOWN)}")
    if reading.templates:
        places = list(map(str, reading.templates))
        what = "1 file is a template" if len(places) == 1 else f"{len(places)} files are templates"
        yield Problem(f"{what}, skipped: {some_of(places, _SHOWN)}", help=_RENDERED)
