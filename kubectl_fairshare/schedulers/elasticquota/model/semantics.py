"""The version of the scheduler that is reproduced: a named switch where versions decide differently."""

from enum import StrEnum


class Semantics(StrEnum):
    """Kubernetes' version below the plugin.

    Under 1.35 a pod that is taken leaves the ledger at once, so taking from a borrower stops when it is back
    within its minimum. Under 1.36 pods are collected first and removed together, so that all of a borrower's pods
    on the node are taken; most are put back afterwards.
    """

    K8S_1_35 = "1.35"
    K8S_1_36 = "1.36"

    @property
    def removes_at_once(self) -> bool:
        """Whether a taken pod leaves the ledger before the next is looked at."""
        return self is Semantics.K8S_1_35
