"""What holds a workload besides its scheduler's quotas: fields of the manifest, of ResourceQuotas and of settings.

``plan``, ``why`` and ``lint`` print the same sentence.
Tested in ``tests/unit/cli/commands/test_holds.py``.
"""

from enum import StrEnum
from typing import Final

from kubectl_fairshare.model.location import Place
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
_BRIEFLY: Final = {
    HoldKind.GATE: "held by scheduling gate {0}",
    HoldKind.FIRST_GATE: "",
    HoldKind.QUOTA: "held by ResourceQuota {0}",
    HoldKind.TRANSFORMATION: "",
}


class Hold(Value, frozen=True):
    """One such hold: the texts of its sentence, and the field that causes it."""

    kind: HoldKind
    operands: tuple[str, ...]
    place: Place

    @property
    def sentence(self) -> str:
        """What holds the workload, in one sentence."""
        return _SENTENCES[self.kind].format(*self.operands)

    @property
    def briefly(self) -> str:
        """The same in a few words; empty for one that holds no admitted pod."""
        return _BRIEFLY[self.kind].format(*self.operands)
