"""What a simulation means for its users: waiting, slowdown, evictions, lost work, utilisation, shares, Jain's index.

Percentiles are values that occur (nearest rank). Slowdown is bounded: (waiting + running) ÷ running, where a run of
less than ten seconds counts as ten, and never below 1.
Sources: D. G. Feitelson, "Metrics and benchmarking for parallel job scheduling" (bounded slowdown); R. Jain, "A
quantitative measure of fairness" (index).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from kubectl_fairshare.answers.comparison import Curve, GroupFigures, RunFigures
from kubectl_fairshare.answers.dispersion import Dispersion, FigureBound, spread, spread_bounds
from kubectl_fairshare.answers.simulation import PoolResource, QueueSeries, SimulatedJob, Simulation, waiting
from kubectl_fairshare.model.values import replace

_SHORTEST: Final = 10 * 10**9
"""Run time below which a slowdown says nothing, in nanoseconds."""
_PLAIN: Final = "priority {}"
_GROWING: Final = dict.fromkeys(("evictions", "evicted", "lost", "finished"), FigureBound.AT_LEAST)
"""What only grows while a simulation goes on."""


def figures(simulation: Simulation) -> RunFigures:
    """All figures of one simulation."""
    ratios = held_ratios(simulation)
    return RunFigures(
        simulation.seed,
        _group("", simulation.jobs, simulation),
        _groups(simulation, lambda job: job.queue),
        _groups(simulation, class_of),
        {} if all(job.refused for job in simulation.jobs) else utilisation(simulation),
        ratios,
        jain_index(list(ratios.values())),
        simulation.ties,
        simulation.held_bound,
    )


def class_of(job: SimulatedJob) -> str:
    """The priority class of a job, or its priority where it names none."""
    return job.job.priority_class or _PLAIN.format(job.job.priority)


def _groups(simulation: Simulation, key: Callable[[SimulatedJob], str]) -> tuple[GroupFigures, ...]:
    by_name: dict[str, list[SimulatedJob]] = {}
    for job in simulation.jobs:
        by_name.setdefault(key(job), []).append(job)
    return tuple(_group(name, jobs, simulation) for name, jobs in sorted(by_name.items()))


def _group(name: str, jobs: Sequence[SimulatedJob], simulation: Simulation) -> GroupFigures:
    """The figures of some jobs of a simulation, and what would become of them in a longer one."""
    found = group_figures(name, jobs, simulation.end)
    if simulation.ended:
        return found
    if simulation.to_come:  # further jobs may be in the group, and wait shorter or longer
        spreads = {
            f"{figure}.{part}": FigureBound.WINDOW for figure in ("wait", "slowdown") for part in Dispersion._fields
        }
        return replace(found, bounds={**spreads, **_GROWING, "jobs": FigureBound.AT_LEAST, "never": FigureBound.WINDOW})
    more = {**_GROWING, "never": FigureBound.AT_MOST} if found.finished < found.jobs else {}
    return replace(found, bounds={**found.bounds, **more})


def group_figures(name: str, jobs: Sequence[SimulatedJob], end: int) -> GroupFigures:
    """The figures of some jobs of a simulation that ended at ``end``, after which nothing else happens."""
    considered = [job for job in jobs if not job.refused]
    waits = waiting(jobs, end)
    slowdowns = [each for job in considered if (each := slowdown(job)) is not None]
    least = [each for job in considered if (each := least_slowdown(job, end)) is not None]
    bounds = {"wait": waits.bounds, "slowdown": spread_bounds(slowdowns, least)}
    return GroupFigures(
        name,
        len(considered),
        waits.wait,
        spread([*slowdowns, *least]),
        sum(len(job.evictions) for job in considered),
        sum(bool(job.evictions) for job in considered),
        sum(job.lost for job in considered),
        sum(job.finished is not None for job in considered),
        waits.never,
        len(jobs) - len(considered),
        {f"{figure}.{part}": bound for figure, of in bounds.items() for part, bound in of.items()},
    )


def slowdown(job: SimulatedJob) -> float | None:
    """The bounded slowdown of a finished job; None for others."""
    if job.finished is None or job.job.duration is None:
        return None
    return _slowdown(job.finished - job.job.created, job.job.duration)


def least_slowdown(job: SimulatedJob, end: int) -> float | None:
    """The least slowdown of a job that has not finished by ``end``; None for others, and for one that runs for ever."""
    if job.finished is not None or job.job.duration is None:
        return None
    return _slowdown(max(end - job.job.created, job.job.duration), job.job.duration)


def _slowdown(whole: int, duration: int) -> float:
    return max(whole / max(duration, _SHORTEST), 1.0)


def utilisation(simulation: Simulation) -> dict[PoolResource, float]:
    """What all queues held of the sum of their quotas, by pool and resource, over its span.

    A pool and resource without quota is left out.
    """
    span = simulation.span
    found: dict[PoolResource, float] = {}
    for pair in _pairs(simulation.queues.values()):
        held = sum(series.held.get(pair, 0) for series in simulation.queues.values())
        quota = sum(_mean(series.entitled.get(pair, ())) for series in simulation.queues.values())
        if quota > 0 and span > 0:
            found[pair] = held / (quota * span)
    return found


def _pairs(queues: Iterable[QueueSeries]) -> list[PoolResource]:
    return sorted({pair for series in queues for pair in (*series.entitled, *series.held)})


def _mean(values: Sequence[int]) -> float:
    return sum(values) / len(values) if values else 0.0


def held_ratios(simulation: Simulation) -> dict[str, float]:
    """What each queue with quota and jobs held of its quota: the largest ratio of its pools and resources."""
    span = simulation.span
    busy = {job.queue for job in simulation.jobs if not job.refused}
    found: dict[str, float] = {}
    for name, series in sorted(simulation.queues.items()):
        quotas = {pair: _mean(values) for pair, values in series.entitled.items()}
        ratios = [series.held.get(pair, 0) / (quota * span) for pair, quota in quotas.items() if quota > 0 and span > 0]
        if ratios and name in busy:
            found[name] = max(ratios)
    return found


def jain_index(values: Sequence[float]) -> float | None:
    """Jain's index: 1 where all are equal, 1/n where one has all; None for fewer than two, or if all are 0."""
    squares = sum(value * value for value in values)
    if len(values) < 2 or not squares:
        return None
    total = sum(values)
    return total * total / (len(values) * squares)


def share_lines(simulation: Simulation) -> tuple[Curve, ...]:
    """What each queue held of its quota at each moment: the largest ratio of its pools and resources."""
    lines = (
        Curve(name, _ratios(series, len(simulation.moments))) for name, series in sorted(simulation.queues.items())
    )
    return tuple(line for line in lines if any(line.values))


def _ratios(series: QueueSeries, moments: int) -> tuple[float | None, ...]:
    return tuple(_ratio_at(series, number) for number in range(moments))


def _ratio_at(series: QueueSeries, number: int) -> float | None:
    ratios = [
        series.used[pair][number] / quota[number]
        for pair, quota in series.entitled.items()
        if quota[number] > 0 and pair in series.used
    ]
    return max(ratios, default=None)


def waiting_lines(simulation: Simulation) -> tuple[Curve, ...]:
    """How many jobs of each queue waited at each moment."""
    lines = (Curve(name, tuple(map(float, series.waiting))) for name, series in sorted(simulation.queues.items()))
    return tuple(line for line in lines if any(line.values))


def jain_line(shares: Sequence[Curve], moments: int) -> Curve:
    """Jain's index at each moment, over the queues of ``shares`` that had a quota then."""
    values = ([v for line in shares if (v := line.values[number]) is not None] for number in range(moments))
    return Curve("Jain's index", tuple(jain_index(each) for each in values))


def queue_names(simulations: Iterable[Simulation]) -> Mapping[str, None]:
    """The queues of some simulations, each once, by name."""
    return dict.fromkeys(sorted({name for each in simulations for name in each.queues}))
