"""What simulations under several policies differ in: figures of each, and their differences with confidence intervals.

Durations are nanoseconds, shares and indices plain numbers. Data only.
Tested in ``tests/unit/policy/simulation/test_statistics.py`` and ``test_compare.py``.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kubectl_fairshare.answers.dispersion import Dispersion, FigureBound
from kubectl_fairshare.answers.fidelity import Fidelity, merged_fidelity
from kubectl_fairshare.answers.simulation import PoolResource
from kubectl_fairshare.model.values import Value, field


class GroupFigures(Value, frozen=True):
    """The jobs of one group: a queue, a priority class, or all.

    ``wait`` is until the first start, ``slowdown`` that of jobs that end; up to the end of the simulation for jobs that
    have not started, or ended, by then. Both are None for an empty group. ``lost`` is run time that evictions
    destroyed, over all jobs; ``evicted`` counts jobs that were evicted at all. ``never`` counts jobs that never ran,
    ``refused`` those that the scheduler never considers; the latter are in no other figure. ``bounds`` has the figures
    that would not stay so in a longer simulation, those of a spread by both names: ``wait.median``.
    """

    name: str
    jobs: int
    wait: Dispersion | None
    slowdown: Dispersion | None
    evictions: int = 0
    evicted: int = 0
    lost: int = 0
    finished: int = 0
    never: int = 0
    refused: int = 0
    bounds: Mapping[str, FigureBound] = field(default_factory=dict)

    def bound(self, figure: str) -> FigureBound:
        """The bound of one figure."""
        return self.bounds.get(figure, FigureBound.EXACT)


class RunFigures(Value, frozen=True):
    """The figures of one simulation.

    ``classes`` are by priority class, or by priority where jobs name none. ``utilisation`` is what was held of the sum
    of the queues' quotas, over the whole simulation. ``ratios`` is what each queue held of its quota, in the resource
    of which it held the largest part; ``jain`` is Jain's index of these, None for fewer than two queues. ``held_bound``
    is that of these three.
    """

    seed: int
    total: GroupFigures
    queues: tuple[GroupFigures, ...]
    classes: tuple[GroupFigures, ...]
    utilisation: Mapping[PoolResource, float]
    ratios: Mapping[str, float]
    jain: float | None
    ties: int = 0
    held_bound: FigureBound = FigureBound.EXACT


class Measure(NamedTuple):
    """One figure of a policy over all seeds: its mean, its difference to the baseline, and the interval around that.

    ``low`` and ``high`` bound the mean of the paired differences with 95 % confidence; None with a single seed, and for
    the baseline. ``better`` is -1 where less is better, 1 where more is, 0 where neither is. ``bound`` is that of the
    mean, ``difference_bound`` that of the difference.
    """

    name: str
    unit: str
    better: int
    mean: float
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    bound: FigureBound = FigureBound.EXACT
    difference_bound: FigureBound = FigureBound.EXACT


class Curve(NamedTuple):
    """One curve: a value at each moment of the policy, None where there is none."""

    name: str
    values: tuple[float | None, ...]


class ComparedPolicy(Value, frozen=True):
    """One policy: its figures for each seed, the measures over all of them, and the curves of the first seed.

    ``fidelity`` is that of all seeds: exact if each of them is. ``ended``: with every seed, nothing was left to happen.
    ``moments`` are nanoseconds since the epoch; ``shares`` is what each queue held of its quota at each, ``jain`` the
    index of all queues, ``waiting`` the number of waiting jobs.
    """

    name: str
    runs: tuple[RunFigures, ...]
    measures: tuple[Measure, ...]
    moments: tuple[int, ...]
    shares: tuple[Curve, ...]
    waiting: tuple[Curve, ...]
    jain: Curve
    fidelity: Fidelity
    notes: tuple[str, ...] = ()
    ended: bool = True

    @property
    def first(self) -> RunFigures:
        """The figures of the first seed."""
        return self.runs[0]


class Comparison(Value, frozen=True):
    """Policies on the same jobs; the first one is the baseline. ``jobs`` counts them."""

    scheduler: str
    version: str
    policies: tuple[ComparedPolicy, ...]
    seeds: tuple[int, ...]
    jobs: int
    start: int
    end: int
    notes: Sequence[str] = field(default_factory=tuple)

    @property
    def fidelity(self) -> Fidelity:
        """That of all policies together: exact if each of them is."""
        return merged_fidelity([policy.fidelity for policy in self.policies])
