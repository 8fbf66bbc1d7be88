"""The lines that rounds of splices change, and a patch of them: both lead to the new text, whatever is changed."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kubectl_fairshare.editing.changed_lines import ChangedLines, changed_lines, composed
from kubectl_fairshare.editing.splice import Splice, spliced_text
from kubectl_fairshare.lint.formats.diff import ChangedText, unified_diff
from kubectl_fairshare.report.text.view import View
from tests.property.effort import examples
from tests.property.generate import Draw
from tests.screens import shown

QUEUE = """\
apiVersion: kueue.x-k8s.io/{version}
kind: ClusterQueue{comment}
metadata:
  name: q{number}
spec:
  {cohort}: c
  namespaceSelector: {{}}{unknown}
  resourceGroups:
  - coveredResources: [cpu]
    flavors:
    - name: f
      resources:
      - name: cpu
        nominalQuota: {quota}
        borrowingLimit: {quota}"""
CHOICES = {
    "version": ["v1beta1", "v1beta2"],
    "cohort": ["cohort", "cohortName"],
    "comment": ["", "  # a remark", "\n# a remark\n"],
    "unknown": ["", "\n  queueingStrateg: StrictFIFO", "\n  colour: red\n  taste: {sweet: yes}"],
    "quota": ["0.5", "1"],
}
PATCHES = (("patch", "-s", "--binary", "-p0", "-i", "x.diff"), ("git", "apply", "-p0", "x.diff"))
LINES = st.sampled_from(["", "a", "b", "---", "spec:", "  a: b", "\r", "\u2028"])
Round = tuple[str, Sequence[Splice]]


@st.composite
def texts(draw: Draw) -> str:
    """Lines of which many are alike, with one end or the other, or none at the end."""
    end = draw(st.sampled_from(["\n", "\r\n"]))
    lines = draw(st.lists(LINES, max_size=40))
    return end.join(lines) + draw(st.sampled_from([end, ""]))


@st.composite
def splices(draw: Draw, text: str) -> Sequence[Splice]:
    """Changes of parts of lines, of whole lines and of what is between them, in order."""
    edges = sorted({0, len(text), *(at for at in range(len(text)) if text[at - 1 : at] == "\n")})
    places = st.one_of(st.sampled_from(edges), st.integers(0, len(text)))
    at = sorted(draw(st.lists(places, max_size=12)))
    found: list[Splice] = []
    for start, end in zip(at[::2], at[1::2], strict=False):
        if not found or (start, end) != found[-1][:2]:
            found.append(Splice(start, end, draw(st.sampled_from(["", "x", "x\n", "\nx", "a\r\n", "b\n---\n", "\n"]))))
    return found


@st.composite
def rounds(draw: Draw) -> list[Round]:
    """Texts that follow each other, each with the changes that lead to the next."""
    found: list[Round] = []
    text = draw(texts())
    for _ in range(draw(st.integers(1, 3))):
        made = draw(splices(text))
        found.append((text, made))
        text = spliced_text(text, made)
    return [*found, (text, ())]


@st.composite
def files(draw: Draw) -> bytes:
    """Queues with findings and fixes here and there, among them in the first line and in the last."""
    chosen = draw(
        st.lists(
            st.fixed_dictionaries({key: st.sampled_from(each) for key, each in CHOICES.items()}), min_size=1, max_size=6
        )
    )
    text = "\n---\n".join(QUEUE.format(number=number, **each) for number, each in enumerate(chosen))
    text += draw(st.sampled_from(["", "\n", "\n---\n"]))
    start = draw(st.sampled_from(["", "", "\ufeff", "---\n"]))
    return (start + text).replace("\n", draw(st.sampled_from(["\n", "\r\n"]))).encode()


def lines_of(text: str) -> list[str]:
    found = text.split("\n")
    return [f"{line}\n" for line in found[:-1]] + [line for line in found[-1:] if line]


def changes_of(made: Sequence[Round]) -> Sequence[ChangedLines]:
    found: Sequence[ChangedLines] = ()
    for text, each in made[:-1]:
        found = composed(found, changed_lines(text, each))
    return found


@pytest.mark.slow
@given(rounds())
@example([("a\nb\nc\n", [Splice(2, 4, "x")]), ("a\nxc\n", [Splice(2, 3, "")]), ("a\nc\n", ())])
@examples(4000)
def test_every_other_line_stays(made: list[Round]) -> None:
    before, after = lines_of(made[0][0]), lines_of(made[-1][0])
    at = new_at = 0
    for change in changes_of(made):
        assert before[at : change.first] == after[new_at : change.new_first]
        assert at <= change.first <= change.last
        assert new_at <= change.new_first <= change.new_last
        at, new_at = change.last, change.new_last
    assert before[at:] == after[new_at:]


@pytest.mark.slow
@given(texts().flatmap(lambda text: st.tuples(st.just(text), splices(text))))
@examples(2000)
def test_only_lines_with_a_splice_change(made: Round) -> None:
    text, each = made
    touched = sum(text.count("\n", splice.start, splice.end) + 2 for splice in each)
    assert sum(change.last - change.first for change in changed_lines(text, each)) <= touched


@pytest.mark.slow
@pytest.mark.parametrize("patch", PATCHES, ids=lambda words: words[0])
@given(made=rounds())
@example(made=[("a\r\n", [Splice(0, 3, "")]), ("", [Splice(0, 0, "a\r\n")]), ("a\r\n", ())])
@examples(600)
def test_a_patch_makes_the_new_text(patch: Sequence[str], made: list[Round]) -> None:
    before, after = made[0][0], made[-1][0]
    if not before or not after:  # for git, another file that has the name
        return
    written = unified_diff([ChangedText("a", before, after, changes_of(made))], View())
    assert bool(written) == (before != after)
    if written:
        assert patched(before.encode(), written.encode(), patch) == after.encode()


@pytest.mark.slow
@pytest.mark.parametrize("patch", PATCHES, ids=lambda words: words[0])
@given(data=files())
@examples(200)
def test_a_diff_makes_the_file_that_a_fix_writes(patch: Sequence[str], data: bytes) -> None:
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as context:
        context.chdir(name)
        Path("a").write_bytes(data)
        diff = shown("kubectl-fairshare lint a --diff --unsafe-fixes").stdout.encode()
        shown("kubectl-fairshare lint a --fix --unsafe-fixes")
        fixed = Path("a").read_bytes()
    assert bool(diff) == (fixed != data)
    if diff:
        assert patched(data, diff, patch) == fixed


def patched(data: bytes, diff: bytes, patch: Sequence[str]) -> bytes:
    """The file ``a`` after a patch of it."""
    with TemporaryDirectory() as name:
        here = Path(name)
        (here / "a").write_bytes(data)
        (here / "x.diff").write_bytes(diff)
        subprocess.run(patch, cwd=here, check=True, capture_output=True)
        return (here / "a").read_bytes()
