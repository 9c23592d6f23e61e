"""Words: what is a term, where a sentence ends, what asks."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from mmem.words import fold, is_question, sentence_spans, sentences, stem, term_spans, terms


@given(st.text())
def test_any_text_has_terms_without_blanks_or_capitals(text: str) -> None:
    """Terms are never empty, hold no blank and are already folded where they are ASCII."""
    for term in terms(text):
        assert term and not any(c.isspace() for c in term)
        if term.isascii():
            assert term == term.lower()


@given(st.text())
def test_a_term_says_where_it_was_read(text: str) -> None:
    """Every term's span lies in the text and the spans come in reading order."""
    spans = term_spans(text)
    assert all(0 <= start < end <= len(text) for _, start, end in spans)
    assert [start for _, start, _ in spans] == sorted(start for _, start, _ in spans)


@given(st.text(alphabet=st.sampled_from("ab .!?\n。\"'")))
def test_sentences_are_verbatim_and_lose_only_blanks(text: str) -> None:
    """Sentences are slices of the text; joined without blanks they are the text without blanks."""
    spans = sentence_spans(text)
    assert all(a < b for a, b in spans)
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
    bare = "".join("".join(s.split()) for s in sentences(text))
    assert bare == "".join(text.split())


def test_scripts_without_spaces_match_by_pairs() -> None:
    """A Japanese word is found inside a longer sentence; Cyrillic and accents fold."""
    assert set(terms("会議")) <= set(terms("明日の会議は"))
    assert terms("Привет")[0] == terms("ПРИВЕТ")[0]
    assert fold("Žižek") == "zizek"


def test_inflected_forms_share_a_term() -> None:
    """Plural, past and -ing forms of a regular verb or noun fall together."""
    regular = ["paint paints painted painting", "party parties", "stop stopped", "box boxes"]
    for forms in map(str.split, regular):
        assert len({stem(form) for form in forms}) == 1


def test_numbers_are_kept_as_written() -> None:
    """Digits are terms, with or without letters."""
    assert terms("The 5K run on 8 May 2023") == ["5k", "run", "8", "may", "2023"]


def test_a_closing_quote_does_not_hide_a_question() -> None:
    """Marks after the question mark are looked through; a statement after it is not."""
    assert is_question('She said "why?"') and is_question("本当？")
    assert not is_question("Why? Because.") and not is_question("")


def test_initials_and_titles_do_not_end_a_sentence() -> None:
    """A full stop after a title or an initial is part of the name."""
    assert sentences("Mr. J. Smith came. He left!") == ["Mr. J. Smith came.", "He left!"]
