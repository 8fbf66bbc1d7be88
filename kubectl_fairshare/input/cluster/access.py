"""Which cluster is asked, as whom and how patiently: kubectl's own options."""

import re
from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.values import Value, field

_DURATION: Final = re.compile(r"(?:[0-9]+(?:\.[0-9]+)?(?:ms|s|m|h))+|[0-9]+")
_PART: Final = re.compile(r"([0-9.]+)(ms|s|m|h)")
_SECONDS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


class Access(Value, frozen=True):
    """What the options say; None and empty leave it to the kubeconfig.

    ``namespace`` is the one in the options, ``everywhere`` requires all namespaces;
    ``request_timeout`` bounds one request, in seconds, 0 means no bound. ``namespaces`` are those of schedulers, by
    name, if they are not the usual ones.
    """

    kubeconfig: str | None = None
    context: str | None = None
    cluster: str | None = None
    user: str | None = None
    as_user: str | None = None
    as_groups: tuple[str, ...] = ()
    token: str | None = None
    namespace: str | None = None
    everywhere: bool = False
    server: str | None = None
    insecure: bool = False
    certificate_authority: str | None = None
    request_timeout: float = 30.0
    namespaces: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        """Without the token."""
        return f"Access(context={self.context!r}, server={self.server!r}, user={self.user!r})"


def seconds(text: str) -> float:
    """The duration in ``30``, ``5s`` or ``1m30s``, in seconds; raises ``UsageError`` for anything else."""
    if not _DURATION.fullmatch(text):
        remedy = "write `30s`, `2m` or a number of seconds; `0` means no limit"
        raise UsageError(Problem(f"`{text}` is not a duration", "--request-timeout", remedy))
    if text.isdigit():
        return float(text)
    return sum(float(number) * _SECONDS[unit] for number, unit in _PART.findall(text))
