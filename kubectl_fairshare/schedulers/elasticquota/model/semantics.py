"""The reproduced version of the scheduler: a switch for versions that decide differently.

Tested in ``tests/unit/schedulers/elasticquota/preemption/test_victims.py``.
"""

from enum import StrEnum
from typing import Final

from kubectl_fairshare.model.releases import Release

_COLLECTS: Final = Release(0, 36)
"""The first release of scheduler-plugins on Kubernetes 1.36."""


class Semantics(StrEnum):
    """The Kubernetes version that the plugin is built on.

    In 1.35 a victim leaves the ledger at once, so preemption of a borrower stops when it is back within its minimum. In
    1.36 victims are collected first and removed together, so all of a borrower's pods on the node are candidates; most
    are put back afterwards.
    """

    K8S_1_35 = "1.35"
    K8S_1_36 = "1.36"

    @property
    def removes_at_once(self) -> bool:
        """Whether a victim leaves the ledger before the next pod is considered."""
        return self is Semantics.K8S_1_35


def semantics_of(release: str) -> Semantics:
    """How an installed release of scheduler-plugins decides; 1.35 where it is not known."""
    found = Release.installed(release)
    return Semantics.K8S_1_35 if found is None or found < _COLLECTS else Semantics.K8S_1_36
