"""Blocks of a screen."""

from kubectl_fairshare.report.text.blocks import blocks_text


def test_a_blank_line_separates_blocks_and_empty_ones_are_omitted() -> None:
    assert blocks_text([["a", "b"], [], ["c"]]) == "a\nb\n\nc\n"
    assert blocks_text([[], []]) == ""
