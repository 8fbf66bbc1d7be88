"""Sizes that a search decides alike: each of them is decided so when it is asked about alone."""

from collections.abc import Iterator

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.objects import Objects
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model.location import Origin
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.policy.capacity.rooms import _AT_LAST, _Asked, _room
from kubectl_fairshare.schedulers import known_schedulers, scheduler_named
from kubectl_fairshare.schedulers.sandbox import MadeUpWork, Ruling, Sandbox
from tests.bench.organisation import Organisation, Size
from tests.property.asking import state_of_case
from tests.property.effort import examples
from tests.property.generate import CONFIGS, Manifest, cases, crowded

_UNITS = 24
_UNIT = {"cpu": 500, "memory": 1 << 28}
_IN = (Outcome.ADMITTED, Outcome.PREEMPTS)


def sandbox_of(case: Manifest, config: Manifest) -> Sandbox:
    """A busy state under one configuration."""
    state = state_of_case(crowded({**case, "config": config}, 3))
    return scheduler_named("kueue").review.sandbox(state.snapshot)


def questions(sandbox: Sandbox) -> Iterator[_Asked]:
    """Each queue, flavor and resource, in units that are part of what workloads of the cases ask for."""
    for site in sandbox.sites:
        for pool, resource in site.guaranteed:
            if resource != "pods":
                yield _Asked(site, pool, {resource: _UNIT.get(resource, 1)})


def gets_in(sandbox: Sandbox, asked: _Asked, units: int) -> bool:
    """Whether a workload of so many units gets in, after preemption at most."""
    return units == 0 or sandbox.ruling(asked.work(units), asked.pool).outcome in _IN


@pytest.mark.slow
@examples(150)
@given(case=cases(), config=st.sampled_from(CONFIGS[1:]), data=st.data())
def test_each_size_of_a_span_is_decided_as_the_span_says(case: Manifest, config: Manifest, data: st.DataObject) -> None:
    sandbox = sandbox_of(case, config)
    asked = list(questions(sandbox))
    assume(asked)
    one, size = data.draw(st.sampled_from(asked)), data.draw(st.integers(1, _UNITS))
    sizes = sandbox.ruling(one.work(size), one.pool).sizes
    span = None if sizes is None else sizes.around(size * one.each, (0, _UNITS * one.each), 1)
    assume(span is not None)
    assert span is not None

    assert span.least <= size * one.each <= span.most
    for units in range(1, _UNITS + 1):
        if span.least <= units * one.each <= span.most:
            assert gets_in(sandbox, one, units) == (units * one.each <= span.reached), (units, span)


@examples(60)
@given(case=cases(), config=st.sampled_from(CONFIGS))
def test_the_largest_size_is_one_of_those_that_plain_bisection_may_find(case: Manifest, config: Manifest) -> None:
    sandbox = sandbox_of(case, config)

    def plainly(load: MadeUpWork, pool: str) -> Ruling:
        return sandbox.ruling(load, pool)._replace(sizes=None, within=lambda: None)

    for one in questions(sandbox):
        fits = [gets_in(sandbox, one, units) for units in range(_UNITS + 1)]
        ends = {units for units in range(_UNITS) if fits[units] and not fits[units + 1]}
        for ask in (sandbox.ruling, plainly):
            size = _room(one, one.rulings(ask, _AT_LAST), (), (0, _UNITS - 1))[0].size
            units = _UNITS if size is None else int(size.value) // one.each
            assert units in ends or (units >= _UNITS and fits[_UNITS]), (one.site.queue, units, ends)


@pytest.mark.parametrize("queue", ["research", "queue-00003", "queue-00010"])
def test_a_span_holds_where_the_search_follows_an_earlier_one(queue: str) -> None:
    made = Organisation(Size(queues=60, cohorts=10, running=900, departments=3)).objects()
    reading = read_manifests(made)
    sandbox = scheduler_named("kueue").review.sandbox(reading)
    site = next(site for site in sandbox.sites if site.queue == queue)
    one = _Asked(site, "reserved", {"cpu": 1000})
    high = int(site.most["reserved", "cpu"] or 0) // 1000
    checked = 0
    for size in (high, high // 2, high // 3, high // 5, high // 8, high // 20):
        sizes = sandbox.ruling(one.work(size), one.pool).sizes
        assert sizes is not None
        span = sizes.around(size * 1000, (0, high * 1000), 1)
        assert span is not None
        ends = {-(-span.least // 1000), span.most // 1000, span.reached // 1000, span.reached // 1000 + 1}
        for units in ends:
            if 0 < units * 1000 <= span.most and span.least <= units * 1000:
                assert gets_in(sandbox, one, units) == (units * 1000 <= span.reached), (size, units, span)
                checked += 1
    assert checked >= 12


def read_manifests(objects: list[Manifest]) -> Snapshot:
    """The snapshot of objects as they are listed."""
    texts = Texts()
    taken = Objects(texts, known_schedulers(), "default", False, False)
    for number, each in enumerate(objects):
        taken.take_one(each, Origin("made", number, ()))
    return assemble(tuple(taken.manifests), known_schedulers()).snapshot
