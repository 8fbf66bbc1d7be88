"""What its rules look at."""

from kubectl_fairshare.lint.given import Given
from kubectl_fairshare.model.values import dataclass

GROUP = "fourth.example.com"


@dataclass(frozen=True, eq=False)
class FourthGiven(Given):
    """Everything that was read, with this scheduler's queues."""

    @property
    def queues(self) -> tuple[str, ...]:
        """The names of its queues."""
        return tuple(each.key.name for each in self.of("Queue", GROUP))
