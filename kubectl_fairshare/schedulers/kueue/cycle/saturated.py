"""What queues hold once they have backlogs: the result of ``saturation``. Data only.

Decides nothing: the form of a result.
Tested in ``tests/unit/schedulers/kueue/cycle/test_saturation.py``.
"""

from collections.abc import Mapping

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.choices import Possible
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource


class Saturation(Value, frozen=True):
    """What each queue holds if queues have backlogs of unit workloads: ``backlog`` is how many each has, None: endless.

    ``usage`` maps a ClusterQueue to its amount of ``resource``; ``cycles`` is the number of cycles until the state was
    stable. ``units`` are whole workloads per queue, ``pairs`` what they hold of each flavor-resource. If the cycles
    never become stable, the same state comes back after every ``period`` cycles: then ``swings`` maps each queue that
    changes to its smallest and largest number of units, ``phases`` to what it holds at each cycle after which its tree
    repeats, and the other figures are those at the start of a period.
    ``without_backlog`` are the queues in which no workload can wait. ``bundle`` is 1 if all cycles moved single units.
    With thousands of units, the first cycles move bundles of that many, and the end may differ by a few units.
    ``possible`` are the values of ``usage`` that ties allow, this one first.
    """

    resource: str
    shape: Mapping[str, int]
    usage: Mapping[str, int]
    cycles: int
    fidelity: Fidelity
    rests: bool = True
    units: Mapping[str, int] = field(default_factory=dict)
    pairs: Mapping[str, Mapping[FlavorResource, int]] = field(default_factory=dict)
    period: int = 0
    swings: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    phases: Mapping[str, tuple[Mapping[FlavorResource, int], ...]] = field(default_factory=dict)
    without_backlog: tuple[str, ...] = ()
    backlog: Mapping[str, int | None] = field(default_factory=dict)
    bundle: int = 1
    possible: Possible[Mapping[str, int]] = Possible(())

    def is_steady(self, name: str, pair: FlavorResource) -> bool:
        """Whether a queue holds one amount of a flavor-resource at all cycles of a period."""
        return len({at.get(pair, 0) for at in self.phases.get(name, ())}) < 2
