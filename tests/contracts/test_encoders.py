"""What every body of the text encoder must keep."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from mmem.errors import MissingExtra
from mmem.models.text import MiniLM
from mmem.models.text_transformers import TransformersText
from mmem.ports import TextEncoder
from tests.bodies import HashedWords
from tests.endpoint import serving
from tests.models.embedding import embeds, encoder
from tests.models.tiny import tiny_bert

TEXTS = [
    "Ann: the meeting is tomorrow.",
    "ok",
    "",
    " \n ",
    "会議は明日です",
    "half an emoji \ud83d and a whole one 🎉",
    "the dog sat on the mat. " * 60,
    "?" * 30,
]


def _hashed(_: Path) -> Iterator[TextEncoder]:
    yield HashedWords()


def _minilm(_: Path) -> Iterator[TextEncoder]:
    made = MiniLM(threads=1)
    try:
        made.encode_query("warm")
    except MissingExtra as missing:
        pytest.skip(str(missing))
    yield made


def _bert(pooling: str, width: int) -> Callable[[Path], Iterator[TextEncoder]]:
    def made(folder: Path) -> Iterator[TextEncoder]:
        pytest.importorskip("transformers")
        prompts = {"query": "query: ", "passage": "passage: "}
        tiny_bert(folder, pooling=pooling, width=width, prompts=prompts)
        yield TransformersText(f"local-dir:{folder}")

    return made


def _served(form: str) -> Callable[[Path], Iterator[TextEncoder]]:
    def made(_: Path) -> Iterator[TextEncoder]:
        with (
            serving(embeds(form=form)) as server,
            encoder(server, query_prefix="query: ") as served,
        ):
            yield served

    return made


BODIES = {
    "hashed words": _hashed,
    "MiniLM": _minilm,
    "mean": _bert("mean", 32),
    "cls": _bert("cls", 32),
    "last token": _bert("lasttoken", 32),
    "max, odd width": _bert("max", 36),
    "endpoint, floats": _served("float"),
    "endpoint, base64": _served("base64"),
}


@pytest.fixture(scope="module", params=BODIES)
def body(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[TextEncoder]:
    yield from BODIES[request.param](tmp_path_factory.mktemp("model"))


def test_the_space_is_told_and_kept(body: TextEncoder) -> None:
    """Vectors and codes have the width that the identity tells; it is the same every time."""
    space = body.identity
    found = body.encode(TEXTS)
    assert found.pooled.shape == (len(TEXTS), space.width) and found.pooled.dtype == np.float32
    assert [codes.shape[1] for codes in found.codes] == [space.width // 8] * len(TEXTS)
    assert body.identity == space and space.width >= 8
    assert all(bool(len(codes)) is space.has_tokens for codes in found.codes)


def test_vectors_have_length_1(body: TextEncoder) -> None:
    """Whatever the text: empty, half an emoji, longer than is read."""
    found = body.encode(TEXTS)
    assert np.linalg.norm(found.pooled, axis=1) == pytest.approx(1.0, abs=1e-5)
    for text in TEXTS:
        query = body.encode_query(text)
        assert np.linalg.norm(query.pooled) == pytest.approx(1.0, abs=1e-5)
        assert np.linalg.norm(query.tokens, axis=1) == pytest.approx(1.0, abs=1e-5)


def test_a_vector_depends_on_its_text_alone(body: TextEncoder) -> None:
    """Alone, in any order, beside other texts: the same bits."""
    together, reverse = body.encode(TEXTS), body.encode(TEXTS[::-1])
    for row, text in enumerate(TEXTS):
        alone = body.encode([text])
        for other, place in ((reverse, len(TEXTS) - 1 - row), (alone, 0)):
            assert (other.pooled[place] == together.pooled[row]).all()
            assert (other.codes[place] == together.codes[row]).all()


def test_a_question_has_the_spans_of_its_own_words(body: TextEncoder) -> None:
    """One span a token, inside the question as it was asked, whatever stands before it."""
    asked = "is the meeting tomorrow?"
    query = body.encode_query(asked)
    assert query.pooled.shape == (body.identity.width,)
    assert query.spans.shape == (len(query.tokens), 2)
    words = [asked[a:b] for a, b in query.spans if b > a]
    assert all(0 <= a <= b <= len(asked) for a, b in query.spans)
    if body.identity.has_tokens:
        assert "".join(words) == asked.replace(" ", "")
    else:
        assert words == [] and query.tokens.shape == (0, body.identity.width)


def test_no_texts_give_no_vectors(body: TextEncoder) -> None:
    """An empty list is a valid request."""
    found = body.encode([])
    assert found.pooled.shape == (0, body.identity.width) and found.codes == []


def test_chunks_are_slices_that_cover_the_text(body: TextEncoder) -> None:
    """In order, without overlap, no word lost; nothing of nothing."""
    text = "One short line. " * 30 + "long " * 120 + "end. 会議は明日です。Last one!"
    spans = body.chunk_spans(text, max_tokens=50)
    assert all(a < b for a, b in spans) and spans == sorted(spans)
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())
    assert body.chunk_spans("") == []
