"""The bytes of files, pipes and streams, within one limit."""

import gzip
import io
import os
from pathlib import Path

import pytest

from kubectl_fairshare.input.files.raw_bytes import Budget, inflated, of_file, of_stdin, of_stream
from kubectl_fairshare.model.errors import FairshareError

TEXT = b"kind: Cohort\n" * 100


def test_all_sources_share_one_limit(tmp_path: Path) -> None:
    budget = Budget(2 * len(TEXT))
    (tmp_path / "a").write_bytes(TEXT)
    assert of_file(str(tmp_path / "a"), budget) == TEXT
    assert of_stdin(io.BytesIO(TEXT), budget) == TEXT
    assert budget.left == 0
    with pytest.raises(FairshareError, match=r"after 2,600 bytes of other input; the limit for all input is 2,600"):
        of_file(str(tmp_path / "a"), budget)


def test_what_is_compressed_is_paid_for_decompressed() -> None:
    packed = gzip.compress(TEXT)
    assert len(packed) < 100 < len(TEXT)
    assert inflated("x", packed, Budget(len(TEXT))) == TEXT
    with pytest.raises(FairshareError, match="more than 1,299 bytes once decompressed"):
        inflated("x", packed, Budget(len(TEXT) - 1))


@pytest.mark.parametrize(("cut", "message"), [(slice(0, -12), "truncated"), (slice(0, 4), "truncated")])
def test_damaged_data_are_an_error_of_the_source(cut: slice, message: str) -> None:
    with pytest.raises(FairshareError, match=f"the gzip data is {message}"):
        inflated("x", gzip.compress(TEXT)[cut], Budget(1 << 20))


def test_noise_after_the_mark_of_gzip_is_damaged() -> None:
    with pytest.raises(FairshareError, match="the gzip data is damaged"):
        inflated("x", b"\x1f\x8b" + bytes(range(40)), Budget(1 << 20))


@pytest.mark.parametrize("expected", [1, 10, len(TEXT), 1 << 21])
def test_a_stream_is_read_whole_whatever_was_expected(expected: int) -> None:
    assert of_stream("x", io.BytesIO(TEXT), Budget(1 << 20), expected) == TEXT


def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FairshareError, match="this is a pipe, not a file"):
        of_file(str(tmp_path / "pipe"), Budget(10))


def test_what_is_wrong_with_a_path_is_told(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("gone")
    for name, message in (("link", "this link is broken"), ("none", "no such file"), (".", "cannot be read")):
        with pytest.raises(FairshareError, match=message):
            of_file(str(tmp_path / name), Budget(1 << 20))


def test_a_closed_standard_input_is_none() -> None:
    closed = io.BytesIO()
    closed.close()
    for stream in (None, closed):
        with pytest.raises(FairshareError, match="there is no standard input"):
            of_stdin(stream, Budget(10))
