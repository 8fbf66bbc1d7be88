"""A Kubernetes object as it was written, and where."""

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.values import dataclass


@dataclass(slots=True)
class Manifest:
    """One object of the input.

    ``data`` is the decoded object and is never changed; ``key`` names it without its version. Not frozen
    for the sake of load time alone (ten thousand are made at once); nothing changes one.
    """

    key: ObjectKey
    version: str
    data: dict[str, Json]
    origin: Origin

    @property
    def api_version(self) -> str:
        """``apiVersion`` as written: ``v1`` or ``group/version``."""
        return f"{self.key.group}/{self.version}" if self.key.group else self.version

    @property
    def stored(self) -> bool:
        """Whether an API server has taken this object already: it then carries a resourceVersion."""
        metadata = self.data.get("metadata")
        return isinstance(metadata, dict) and bool(metadata.get("resourceVersion"))
