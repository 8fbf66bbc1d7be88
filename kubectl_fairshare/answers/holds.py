"""What holds a workload besides its scheduler's quotas: fields of the manifest, of ResourceQuotas and of settings.

``plan``, ``why`` and ``lint`` print the same sentence.
Tested in ``tests/unit/cli/commands/test_holds.py``.
"""

from enum import StrEnum
from typing import Final

from kubectl_fairshare.answers.documents import AnswerPart
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.quantity import nano_text
from kubectl_fairshare.model.values import Value


class HoldKind(StrEnum):
    """What holds the pods, or leaves out a request."""

    GATE = "SchedulingGate"
    FIRST_GATE = "GateBeforeScheduler"
    QUOTA = "ResourceQuota"
    TRANSFORMATION = "Transformation"


_SENTENCES: Final = {
    HoldKind.GATE: "scheduling gate `{0}` holds its pods after admission, until the controller of the gate removes it",
    HoldKind.FIRST_GATE: "scheduling gate `{0}` keeps its scheduler from its pods until its controller removes it",
    HoldKind.QUOTA: "ResourceQuota {0} lets {1} of its {2} pods be created ({3})",
    HoldKind.TRANSFORMATION: "the transformation of `{0}` never applies: `excludeResourcePrefixes` removes `{1}` first",
}
_ONE_POD: Final = "ResourceQuota {0} rejects the pod ({3})"
_BRIEFLY: Final = {
    HoldKind.GATE: "held by scheduling gate {0}",
    HoldKind.FIRST_GATE: "",
    HoldKind.QUOTA: "held by ResourceQuota {0}",
    HoldKind.TRANSFORMATION: "",
}


class CreationRefusal(Value, frozen=True):
    """A bound of a ResourceQuota, at ``place``, that keeps a new pod from being created; amounts are in 10⁻⁹.

    ``wanted`` is None if the quota wants every pod to set the amount, and a container of the pod does not.
    ``is_final``: the pod is never created, however little others use: only a change of the pod or the quota helps.
    """

    place: Place
    wanted: int | None
    used: int
    bound: int
    is_final: bool

    @property
    def name(self) -> str:
        """The quota's own name for the resource: ``requests.cpu``."""
        return str(self.place.path[-1])

    @property
    def resource(self) -> str:
        """The resource of which it bounds requests, limits, or the number of objects."""
        return self.name.rpartition("requests." if self.name.startswith("requests.") else "limits.")[2].removeprefix(
            "count/"
        )

    @property
    def bound_text(self) -> str:
        """The bound as a manifest writes it."""
        return nano_text(self.resource, self.bound)


class Hold(AnswerPart, frozen=True):
    """What holds the workload besides quotas, and the field that causes it."""

    DOCUMENT = ("kind", "sentence", "place")
    kind: HoldKind
    operands: tuple[str, ...]
    place: Place

    @property
    def sentence(self) -> str:
        """What holds the workload, in one sentence."""
        if self.kind is HoldKind.QUOTA and self.operands[2] == "1":
            return _ONE_POD.format(*self.operands)
        return _SENTENCES[self.kind].format(*self.operands)

    @property
    def briefly(self) -> str:
        """The same in a few words; empty for one that holds no admitted pod."""
        return _BRIEFLY[self.kind].format(*self.operands)
