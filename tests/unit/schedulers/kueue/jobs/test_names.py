import pytest

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kueue.jobs import workload_name

JOB = ObjectKey("batch", "Job", "o22-3", "job-00")
UID = "74880dbb-0664-4c33-bd49-32f45634a15a"


def test_name_is_the_one_that_kueue_gave() -> None:
    assert workload_name(JOB, UID) == "job-job-00-c51ce"


@pytest.mark.parametrize(
    "other",
    [
        workload_name(JOB, UID[:-1]),
        workload_name(JOB._replace(group="other"), UID),
        workload_name(JOB, UID, extra="2"),
    ],
)
def test_everything_but_the_namespace_tells_owners_apart(other: str) -> None:
    assert other.startswith("job-job-00-")
    assert other != workload_name(JOB, UID)
    assert workload_name(JOB._replace(namespace="x"), UID) == workload_name(JOB, UID)


def test_long_names_are_cut_to_what_the_api_server_takes() -> None:
    name = workload_name(JOB._replace(name="n" * 253), UID)
    assert len(name) == 253
    assert name[:-6] == "job-" + "n" * 243
