"""What its rules look at."""

from kubectl_fairshare.lint.given import Given

GROUP = "fourth.example.com"


class FourthGiven(Given, frozen=True, eq=False, dict=True):
    """Everything that was read, with this scheduler's queues."""

    @property
    def queues(self) -> tuple[str, ...]:
        """The names of its queues."""
        return tuple(each.key.name for each in self.of("Queue", GROUP))
