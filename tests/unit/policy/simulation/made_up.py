"""Made-up simulations for tests of statistics: few jobs, of which every figure can be worked out by hand."""

from collections.abc import Sequence

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.simulation import QueueSeries, SimulatedEviction, SimulatedJob, Simulation
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods

S = 10**9
GPU = ("a100", "nvidia.com/gpu")


def job(
    name: str, queue: str, created: int, wait: int | None, duration: int = 100, *, priority: int = 0, evicted: int = 0
) -> SimulatedJob:
    """A job of one GPU; times are seconds, ``wait`` None: it never ran, ``evicted`` is how often it had to stop."""
    traced = TracedJob(name, "n", queue, created * S, (TracedPods("main", 1, {GPU[1]: 1}),), priority, "", duration * S)
    if wait is None:
        return SimulatedJob(traced, queue)
    start = created + wait
    evictions = [SimulatedEviction((start + 10 * (n + 1)) * S, "n/other", "rule") for n in range(evicted)]
    return SimulatedJob(traced, queue, [start * S], evictions, (start + duration) * S, evicted * 10 * S)


def simulation(
    jobs: Sequence[SimulatedJob], *, seed: int = 0, held: dict[str, int] | None = None, end: int = 1000, ties: int = 1
) -> Simulation:
    """A simulation of 1000 s with a quota of 10 GPUs in each queue; ``held`` are GPU-seconds by queue."""
    sums = held or {"a": 5000, "b": 5000}
    moments = (0, 500 * S)
    queues = {
        name: QueueSeries({GPU: (0, amount // 500)}, {GPU: (10, 10)}, (1, 0), {GPU: amount * S}, (None, None))
        for name, amount in sums.items()
    }
    fidelity = Fidelity("Some", "v1")
    return Simulation("some", seed, 0, end * S, tuple(jobs), moments, queues, fidelity, ties, idle_from=end * S)
