"""A Kubernetes object as written, and its origin.

Tested in ``tests/unit/model/test_absence.py``.
"""

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.values import dataclass


@dataclass(slots=True)
class Manifest:
    """One object of the input.

    ``data`` is the decoded object; ``key`` names it without its version. Neither ever changes. The class is not frozen
    only because ten thousand values are created at once, and a frozen one takes longer. ``patched``: a kustomization
    changes what the text says. ``patches`` are those of its patches whose origin is known, with their content.
    """

    key: ObjectKey
    version: str
    data: dict[str, Json]
    origin: Origin
    patched: bool = False
    patches: tuple[tuple[Origin, Json], ...] = ()

    @property
    def api_version(self) -> str:
        """``apiVersion`` as written: ``v1`` or ``group/version``."""
        return f"{self.key.group}/{self.version}" if self.key.group else self.version

    @property
    def stored(self) -> bool:
        """Whether an API server has accepted this object already: it then has a resourceVersion."""
        metadata = self.data.get("metadata")
        return isinstance(metadata, dict) and bool(metadata.get("resourceVersion"))
