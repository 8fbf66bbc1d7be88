"""What could not be read."""

from tests.unit.schedulers.kueue.rules.asking import job, places, reported


def test_a_job_that_cannot_be_read_is_told_at_its_field() -> None:
    text = job(spec="parallelism: two\n")
    assert places("M009", text) == ["error Job team/train spec.parallelism"]
    assert reported("M009", job(spec="parallelism: 2\n")) == ()
