"""K216: the job is named by lint where plan and why say that Kueue does not count its devices."""

from pathlib import Path

import pytest

from tests.screens import ROOT, shown

MAPPED = (ROOT / "testdata/rules/K216/good.yaml").read_text("utf-8")
UNMAPPED = (ROOT / "testdata/rules/K216/bad.yaml").read_text("utf-8")
CLASS = "          deviceClassName: gpu.example.com\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (MAPPED, ""),
        (UNMAPPED, "DeviceClass gpu.example.com is not mapped in DRA configuration for podset main"),
        (UNMAPPED.partition("---\n")[2], ""),
        (MAPPED.replace(CLASS, f"{CLASS}          allocationMode: All\n"), "AllocationMode 'All' is not supported"),
        (
            MAPPED.replace("resourceClaimTemplateName: one-gpu", "resourceClaimName: shared"),
            "does not support use of resource claims",
        ),
        (MAPPED.replace("  suspend: true\n", "").replace("queue-name: team-a", "other: x"), ""),
    ],
    ids=["mapped", "not mapped", "no Configuration", "all devices", "by name", "not managed"],
)
def test_a_job_whose_devices_kueue_cannot_count_is_found(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "state.yaml").write_text(text)
    found = shown(f"kubectl-fairshare lint {tmp_path}").stdout
    assert ("K216" in found) is bool(words)
    assert words in found
    plan = " ".join(shown(f"kubectl-fairshare why job/train -n team-a -f {tmp_path}").stdout.split())
    assert ("does not count the devices that its pods claim" in plan) is bool(words)
