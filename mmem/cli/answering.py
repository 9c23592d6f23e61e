"""An answer on the command line: sentences, citations, and how it came about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from mmem.cli.page import one_line, print_citation, print_text, visible

if TYPE_CHECKING:
    from mmem.schemas import Answer, Sentence

_QUOTE_LETTERS = 300


class Stream:
    """Prints the sentences of a language model as soon as they are proven."""

    def __init__(self) -> None:
        self.printed = 0

    def print(self, sentence: Sentence) -> None:
        """Print a sentence with its marks."""
        _print_sentence(sentence)
        self.printed += 1


def pass_over(sentence: Sentence) -> None:
    """Print nothing: the whole answer is printed as a record."""


def print_answer(answer: Answer, *, streamed: int) -> None:
    """Print the short answer, the sentences with their marks, and one line a citation.

    `streamed` counts sentences that are on the page already: they are an answer's own only if a
    model wrote it to its end. Notes go to stderr.
    """
    if streamed and not answer.written_by:
        print_text("")
    if not answer.written_by:
        _tell_notes(answer)
    if not answer.found:
        _print_misses(answer)
    elif answer.written_by and streamed:
        if answer.short:
            print_text("\n" + answer.short, bold=True)
        _print_citations(answer)
    else:
        if answer.short:
            print_text(answer.short + "\n", bold=True)
        for sentence in answer.sentences:
            _print_sentence(sentence)
        _print_citations(answer)
    if answer.written_by:
        _tell_notes(answer)


def cut(text: str, letters: int = _QUOTE_LETTERS) -> str:
    """Return text on one line, its end left out where it is longer than that."""
    line = one_line(text)
    return line if len(line) <= letters else line[: letters - 1].rstrip() + "…"


def _tell_notes(answer: Answer) -> None:
    for note in answer.notes:
        typer.echo(visible(note), err=True)


def _print_misses(answer: Answer) -> None:
    print_text("Not in this memory.", bold=True)
    if answer.near_misses:
        print_text("\nNearest:")
    for miss in answer.near_misses:
        print_citation(miss, "-", quote=cut(miss.quote))


def _print_sentence(sentence: Sentence) -> None:
    marks = "".join(f" [{number + 1}]" for number in sentence.citations)
    print_text(f"{sentence.text}{marks}")


def _print_citations(answer: Answer) -> None:
    from mmem.schemas.html import unsaid

    print_text("")
    for place, citation in enumerate(answer.citations):
        print_citation(citation, f"[{place + 1}]", quote=cut(unsaid(answer, place)))
