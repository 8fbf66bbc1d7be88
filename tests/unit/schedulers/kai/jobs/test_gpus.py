"""Numbers in names and annotations of GPUs."""

import pytest

from kubectl_fairshare.schedulers.kai.jobs.gpus import Tally, mig_size, shared
from kubectl_fairshare.schedulers.kai.model.objects import GpuKind


@pytest.mark.parametrize(
    ("name", "gpus"),
    [
        ("nvidia.com/mig-3g.20gb", 3),
        ("nvidia.com/mig-3g.20mb", None),
        (f"nvidia.com/mig-{2**63 - 1}g.1gb", 2**63 - 1),
        (f"nvidia.com/mig-{2**63}g.1gb", None),
        (f"nvidia.com/mig-1g.{2**63}gb", None),
        (f"nvidia.com/mig-{'9' * 5000}g.1gb", None),
    ],
)
def test_a_slice_counts_for_a_number_of_64_bits(name: str, gpus: int | None) -> None:
    assert mig_size(name) == gpus


@pytest.mark.parametrize(
    ("fraction", "kind"),
    [
        ("0.5", GpuKind.FRACTION),
        (".5", GpuKind.FRACTION),
        ("1.", GpuKind.FRACTION),
        ("5e-1", GpuKind.FRACTION),
        ("0.5.", GpuKind.WHOLE),
        ("1" * 200_000 + "x", GpuKind.WHOLE),  # answered at once: the pattern reads each digit once
        ("", GpuKind.WHOLE),
    ],
)
def test_a_fraction_is_a_decimal_number(fraction: str, kind: GpuKind) -> None:
    assert shared(Tally({}), {"gpu-fraction": fraction}).kind is kind
