"""The input of Koordinator's quotas: quota groups, pods, nodes, disruption budgets, arguments and gates.

Source: koordinator v1.8.0, ``ElasticQuotaArgs`` and the objects that its scheduler reads.
"""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.answers.fidelity import Standing
from kubectl_fairshare.jobs.node_demand import DisruptionBudget, NodeDemand
from kubectl_fairshare.model.absence import Absence
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.koordinator.model import names
from kubectl_fairshare.schedulers.koordinator.model.amounts import Amounts, is_zero
from kubectl_fairshare.schedulers.koordinator.model.written import WrittenList
from kubectl_fairshare.schedulers.koordinator.release import Rounding
from kubectl_fairshare.schedulers.kubescheduler.bounds import PodBounds
from kubectl_fairshare.schedulers.kubescheduler.objects import PluginNode, PluginPod

DEFAULT_SCHEDULER: Final = "koord-scheduler"
HUGE: Final = "1844674407370955161"
"""The default bound of the default and the system quota, for cpu and memory each."""


class QuotaGroup(Value, frozen=True):
    """An ElasticQuota of Koordinator.

    ``weight`` is the annotation, empty for one that is missing or unusable; ``total`` the total of a tree root, None
    without one. ``forced``: the webhook compares its min with no other one. ``written_min`` and ``written_max`` are the
    lists as messages show them. ``assumed``: the scheduler creates it, and the input lacks it.
    """

    key: ObjectKey
    parent: str
    is_parent: bool = False
    lends: bool = True
    tree: str = ""
    is_root: bool = False
    forced: bool = False
    ignores_default_tree: bool = False
    min: Amounts = field(default_factory=dict)
    max: Amounts = field(default_factory=dict)
    weight: Amounts = field(default_factory=dict)
    total: Amounts | None = None
    namespaces: tuple[str, ...] = ()
    written_min: WrittenList = field(default_factory=dict)
    written_max: WrittenList = field(default_factory=dict)
    assumed: bool = False

    @property
    def name(self) -> str:
        """The name, by which alone the scheduler knows it."""
        return self.key.name

    @property
    def shared_weight(self) -> Amounts:
        """Its part in the division of a surplus: its max, unless the annotation has an amount other than 0."""
        return self.max if is_zero(self.weight) else self.weight

    def place(self, name: str, resource: str = "") -> Place:
        """The place of ``min`` or ``max``, or of one amount in it."""
        return Place(self.key, ("spec", name, resource) if resource else ("spec", name))


class Pod(PluginPod[Amounts]):
    """A pod that has not ended; its amounts are exact.

    ``preempted``: it is being deleted because a scheduler chose it as a victim; ``gone_at`` is when a pod that is being
    deleted must be gone. ``ignored``: a gate takes it out of all sums. ``created``: an API server has it, so that no
    webhook judges it any more.
    """

    scheduler: str = DEFAULT_SCHEDULER
    preempted: bool = False
    gone_at: int | None = None
    ignored: bool = False
    created: bool = True

    @property
    def preemptible(self) -> bool:
        """Whether others may preempt it, and only its quota's runtime limits it."""
        return self.labels.get(names.PREEMPTIBLE) != "false"


class Node(PluginNode[Amounts], frozen=True):
    """A node. ``allocatable`` is what is left after its reservation; ``leaving``: it is being deleted."""

    leaving: bool = False
    ready: bool = True


class TreeProfile(Value, frozen=True):
    """An ElasticQuotaProfile: pods of quotas of its tree go to the nodes that its selector matches.

    ``quota`` is the root of its tree, which Koordinator's controller makes.
    """

    key: ObjectKey
    tree: str
    selector: Mapping[str, str]
    quota: str = ""


def _huge() -> dict[str, Json]:
    return {"cpu": HUGE, "memory": HUGE}


class Arguments(Value, frozen=True):
    """The arguments of the plugin, with its defaults. ``place`` is where they are set, None for the defaults.

    Durations are left out: they decide when, not what.
    """

    default_max: Mapping[str, Json] = field(default_factory=_huge)
    system_max: Mapping[str, Json] = field(default_factory=_huge)
    home: str = names.HOME
    monitors_all: bool = False
    checks_parents: bool = False
    uses_runtime: bool = True
    scales_min: bool = True
    spares_default: bool = True
    hooks: tuple[str, ...] = ()
    place: Place | None = None
    given: frozenset[str] = frozenset()


class Gates(Value, frozen=True):
    """The feature gates that decide; all are off by default, but for ``validates_pods``."""

    multi_tree: bool = False
    guarantees_use: bool = False
    ignores_overhead: bool = False
    ignores_ended: bool = False
    ignores_leaving: bool = False
    no_default: bool = False
    parents_take_pods: bool = False
    keys_may_differ: bool = False
    admits_by_quota: bool = False
    validates_pods: bool = True
    validates_devices: bool = False
    validates_labels: bool = False


class KoordinatorState(Value, frozen=True):
    """Everything that the scheduler decides on, as after a restart; every sequence and mapping is sorted by name.

    ``quotas`` are by name, without those that are assumed; ``doubles`` are further ones of the same names, ``ending``
    those that are being deleted. ``pods`` are all that have not ended. ``foreign`` are quotas of scheduler-plugins,
    which has the same kind. ``profiles`` are the names of the scheduler's profiles with the plugin, None without a
    configuration; ``altered`` are those that decide differently, ``alone`` those without DefaultPreemption, ``early``
    those in which it runs first, and ``idle_filters`` has those of Koordinator's other filters that do not run in a
    profile. ``moment`` is the latest one that pods which are being deleted report, in nanoseconds since the epoch.
    ``unmodelled`` has the places of objects and fields that other plugins decide on, by feature; ``odd_gates`` are the
    scheduler's gates that are not modelled, with the places that set them; ``standing`` is by whose rules a
    release that runs is answered, ``odd_release`` one that runs and is not reproduced. ``elsewhere`` are
    settings that an object which installs the scheduler has, and that cannot be read.
    ``missing`` are objects that others name and that the input lacks; ``absent`` are those that do not exist for sure,
    None where all that the input lacks do not. ``unknown`` are fields and values that the reproduced release lacks.
    ``bounds`` are what ResourceQuotas still admit of new pods.
    """

    quotas: Mapping[str, QuotaGroup] = field(default_factory=dict)
    doubles: Mapping[str, tuple[QuotaGroup, ...]] = field(default_factory=dict)
    ending: tuple[QuotaGroup, ...] = ()
    nodes: Mapping[str, Node] = field(default_factory=dict)
    pods: tuple[Pod, ...] = ()
    demands: Mapping[ObjectKey, NodeDemand] = field(default_factory=dict)
    budgets: tuple[DisruptionBudget, ...] = ()
    bounds: PodBounds = PodBounds()
    tree_profiles: tuple[TreeProfile, ...] = ()
    arguments: Arguments = field(default_factory=Arguments)
    gates: Gates = field(default_factory=Gates)
    priorities: Mapping[str, int] = field(default_factory=dict)
    foreign: tuple[Place, ...] = ()
    profiles: tuple[str, ...] | None = None
    altered: Mapping[str, Place] = field(default_factory=dict)
    alone: frozenset[str] = frozenset()
    early: frozenset[str] = frozenset()
    idle_filters: Mapping[str, frozenset[str]] = field(default_factory=dict)
    several_arguments: Place | None = None
    unmodelled: Mapping[str, tuple[Place, ...]] = field(default_factory=dict)
    odd_gates: Mapping[str, Place] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    rounding: Rounding = Rounding.EACH
    odd_release: str = ""
    standing: Standing | None = None
    moment: int | None = None
    elsewhere: tuple[Place, ...] = ()
    missing: Mapping[ObjectKey, tuple[Place, ...]] = field(default_factory=dict)
    absent: Absence | None = None
    unknown: tuple[Place, ...] = ()
