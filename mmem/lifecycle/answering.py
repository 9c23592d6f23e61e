"""From a question and its evidence to an answer: of quotes, or written by a language model."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial

from mmem.lifecycle.asking import Question
from mmem.ports import LanguageModel, TextEncoder
from mmem.schemas import Answer, Evidence, Sentence

Find = Callable[[Question], Evidence]
SentenceListener = Callable[[Sentence], None]


def unheard(sentence: Sentence) -> None:
    """Take no notice of a sentence."""


def answer_of(
    asked: Question,
    find: Find,
    encoder: TextEncoder,
    *,
    model: LanguageModel | None = None,
    listener: SentenceListener = unheard,
) -> Answer:
    """Return the answer that a model writes from what is found; without one it is made of quotes.

    `listener` is told each sentence of a model's as soon as it is proven.
    """
    from mmem.answer.compose import compose

    # Frames and facts are fetched for a model only: quotes do not look at them.
    writes = model is not None
    evidence = find(dataclasses.replace(asked, readings=writes, written=writes))
    quoted = partial(
        compose,
        asked.text,
        evidence,
        encoder=encoder,
        now_us=asked.now_us,
        options=asked.options,
    )
    if model is None:
        return quoted()
    from mmem.answer.written import write

    return write(
        asked.text,
        evidence,
        model=model,
        quoted=quoted,
        now_us=asked.now_us,
        options=asked.options,
        listener=listener,
    )
