"""Another language is quoted, and gets no short answer by the rules of English."""

from __future__ import annotations

import pytest

from mmem.answer import compose
from mmem.answer.languages import language_of
from tests.answer.making import Told, chat

TEXTS = [
    ("Wer bringt den Kuchen mit?", "German"),
    ("Die Feier beginnt um 18 Uhr am Samstag.", "German"),
    ("Qui apporte le gâteau pour la fête ?", "French"),
    ("¿Dónde está la llave de la casa?", "Spanish"),
    ("Waar is het feest?", "Dutch"),
    ("Was that your red car?", "English"),
    ("Die hard is my favourite film.", "English"),
    ("new boiler code: 2-2-7", "English"),
    ("La Paz is great", "English"),
    ("um yes", "English"),
    ("ok 🎉", "English"),
]


@pytest.mark.parametrize(("text", "language"), TEXTS)
def test_a_language_is_known_by_its_grammar(text: str, language: str) -> None:
    """One foreign name, or a word that English has too, makes no text foreign."""
    assert language_of(text) == language


GERMAN: list[Told] = [
    ("Anna", "Wer bringt den Kuchen mit?"),
    ("Jonas", "Ich bringe den Kuchen mit."),
    ("Anna", "Super. Die Feier beginnt um 18 Uhr am Samstag."),
    ("Mia", "Ich wohne jetzt in Leipzig, in der Gartenstraße 12."),
    ("Jonas", "Das Treffen ist am 12. März im Rathaus."),
]


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("Wer bringt den Kuchen mit?", "Ich bringe den Kuchen mit."),
        ("Wann beginnt die Feier?", "Die Feier beginnt um 18 Uhr am Samstag."),
        ("Wo wohnt Mia?", "Ich wohne jetzt in Leipzig, in der Gartenstraße 12."),
        ("Wo ist das Treffen?", "Das Treffen ist am 12. März im Rathaus."),
    ],
)
def test_german_is_quoted_whole(question: str, quote: str) -> None:
    """Words of grammar and endings of verbs don't hide the sentence that answers."""
    answer = compose(question, chat(question, *GERMAN))
    assert answer.short is None
    assert [c.quote for c in answer.citations] == [quote]


def test_nobody_is_named_by_a_noun_with_a_capital() -> None:
    """An English question over German text: every German noun looks like a name."""
    question = "Who brings the Kuchen?"
    assert compose(question, chat(question, *GERMAN)).short is None


def test_a_code_is_a_code_in_any_language() -> None:
    """Figures need no grammar."""
    question = "What is the WLAN password?"
    told: Told = ("Jonas", "Das Password für das WLAN ist Sonne2024.")
    assert compose(question, chat(question, told)).short == "Sonne2024"


def test_what_no_german_line_says_is_not_answered() -> None:
    """A shared word of grammar is no answer."""
    question = "Wer ist der Bürgermeister?"
    assert not compose(question, chat(question, *GERMAN)).found
