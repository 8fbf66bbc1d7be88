import pytest

from kubectl_fairshare.input.text import known_texts
from kubectl_fairshare.input.text.decoding import decode
from kubectl_fairshare.input.text.known_texts import KnownTexts
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import Location, Origin

TEXTS = (b"a: 1\n---\n- b\n", b'{"a": [1, true]}', b"", b"\xef\xbb\xbfa: 1\n", "a: é\n".encode("utf-16"))


@pytest.mark.parametrize("data", TEXTS)
def test_equal_bytes_have_the_same_documents_under_each_name(data: bytes) -> None:
    known = KnownTexts()
    for name in ("one", "other"):
        text, documents = known.decoded(name, data)
        alone, expected = decode(name, data)
        assert documents == expected
        assert (text.name, text.data, text.format, text.starts) == (name, alone.data, alone.format, alone.starts)
        for number in range(len(text.starts)):
            origin = Origin(name, number)
            assert Texts([text]).locate(origin) == Texts([alone]).locate(origin)


def test_equal_bytes_are_decoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    known = KnownTexts()
    first = known.decoded("one", TEXTS[0])[1]
    monkeypatch.setattr(known_texts, "decode", None)
    assert known.decoded("other", TEXTS[0])[1] is first


def test_what_is_wrong_is_said_of_each_name() -> None:
    known = KnownTexts()
    for name in ("one", "other"):
        with pytest.raises(FairshareError) as error:
            known.decoded(name, b"a: [\n")
        (problem,) = error.value.problems
        assert isinstance(problem.place, Location)
        assert problem.place.source == name
