"""A model's words: whatever is done to a record on the way, it is read as sent or refused."""

from __future__ import annotations

import json
import time
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from mmem.errors import ReplyUnusable
from mmem.reply import LONGEST, parse, read, salvage


class Deed(BaseModel):
    action: str
    count: int | None
    share: float
    sure: bool
    how: Literal["asserted", "planned"]
    who: list[str]


class Story(BaseModel):
    summary: str
    deeds: list[Deed]


class Deeds(BaseModel):
    deeds: list[Deed]


WORDS = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)
PLAIN = st.text(st.sampled_from("abc dé会 -._"), max_size=12)


def deeds(words: st.SearchStrategy[str]) -> st.SearchStrategy[Deed]:
    return st.builds(
        Deed,
        action=words,
        count=st.none() | st.integers(-(10**9), 10**9),
        share=st.floats(-1e6, 1e6),
        sure=st.booleans(),
        how=st.sampled_from(["asserted", "planned"]),
        who=st.lists(words, max_size=3),
    )


def stories(words: st.SearchStrategy[str]) -> st.SearchStrategy[Story]:
    return st.builds(Story, summary=words, deeds=st.lists(deeds(words), max_size=3))


STORIES = stories(WORDS)


@given(
    STORIES,
    st.sampled_from(["", "Sure, here it is:\n", "As in [1] and {so} on: ", "\ufeff\n"]),
    st.sampled_from(["", "\nI hope that this helps {:-)", "\n\nSee [1].", "\n```", "\n```json"]),
    st.sampled_from([None, 0, 2]),
)
def test_prose_and_fences_around_leave_no_trace(
    story: Story, before: str, after: str, indent: int | None
) -> None:
    """Law: what stands around a record can't be seen in it, whatever its texts hold."""
    assert parse(before + story.model_dump_json(indent=indent) + after, Story) == story
    fenced = f"{before}```json\n{story.model_dump_json(indent=indent)}\n```{after}"
    assert parse(fenced, Story) == story


@given(STORIES, STORIES, WORDS)
def test_thoughts_are_not_the_reply(story: Story, draft: Story, thought: str) -> None:
    """Law: a draft within thoughts loses, with both marks or with the closing one alone."""
    sent = story.model_dump_json()
    wandering = thought.replace("<", "") + draft.model_dump_json()
    assert parse(f"<think>{wandering}</think>\n{sent}", Story) == story
    assert parse(f"Draft: {draft.model_dump_json()}\n</think>\n{sent}", Story) == story


@given(STORIES)
def test_a_draft_is_no_reply(draft: Story) -> None:
    """Law: where nothing readable follows the thoughts, what they tried out does not count."""
    with pytest.raises(ReplyUnusable, match="thoughts only"):
        parse(f"Draft: {draft.model_dump_json()}\n</think>\nI can't {{do}} that.", Story)


@pytest.mark.parametrize("mark", ["</think>", "```", "<think>", "{", "]", "\u2028"])
def test_marks_within_a_text_stay_words(mark: str) -> None:
    """Law: a mark that a text of the record holds does not end or begin anything."""
    story = Story(summary=f"a {mark} b {{'summary': 'c', 'deeds': []}} {mark}", deeds=[])
    for sent in (story.model_dump_json(), f"```json\n{story.model_dump_json()}\n```"):
        assert parse(sent, Story) == story


@given(stories(PLAIN))
def test_python_literals_are_read(story: Story) -> None:
    """Law: the record printed as a Python dict is the same record."""
    assert parse(repr(story.model_dump()), Story) == story


@given(STORIES)
def test_trailing_commas_comments_and_bare_keys_are_read(story: Story) -> None:
    """Law: lenient writing of the structure changes nothing."""
    held = json.dumps(story.model_dump(), ensure_ascii=False, indent=1)
    assert parse(loosened(held, ",\n"), Story) == story
    assert parse("// the record\n" + held.replace('\n "deeds":', "\n deeds:", 1), Story) == story


def loosened(text: str, comma: str) -> str:
    """Put a comma before each closing bracket that ends a line of indented JSON."""
    lines = text.split("\n")
    for n, line in enumerate(lines[1:], 1):
        if line.strip(" ,") in ("}", "]") and lines[n - 1].rstrip()[-1:] not in ("{", "["):
            lines[n - 1] += comma[:1]
    return "\n".join(lines)


@given(stories(PLAIN))
def test_curly_quotes_are_read(story: Story) -> None:
    """Law: quotation marks of a word processor are quotation marks."""
    parts = story.model_dump_json().split('"')
    curly = "".join(p + "“”"[n % 2] for n, p in enumerate(parts[:-1])) + parts[-1]
    assert parse(curly, Story) == story


@given(STORIES, st.sampled_from(["", "[", '{"result":', "```json\n"]), st.data())
def test_a_reply_cut_anywhere_keeps_whole_elements_only(
    story: Story, before: str, data: st.DataObject
) -> None:
    """Law: what is kept of a cut reply is a beginning of what was sent, and it is said."""
    sent = before + story.model_dump_json()
    at = data.draw(st.integers(0, len(sent) - 1))
    try:
        found = read(sent[:at], Story)
    except ReplyUnusable:
        assert '"deeds":[' not in sent[:at] or at <= sent.rindex('"deeds":[') + 9
    else:
        assert found.cut
        assert found.value.summary == story.summary
        assert found.value.deeds == story.deeds[: len(found.value.deeds)]


@given(st.lists(deeds(WORDS), min_size=1, max_size=4))
def test_a_bare_list_or_lone_elements_are_the_one_list_field(wanted: list[Deed]) -> None:
    """Law: a list, its elements line by line, and the record with that list are one reply."""
    dumped = [deed.model_dump_json() for deed in wanted]
    assert parse(f"[{','.join(dumped)}]", Deeds).deeds == wanted
    assert parse("\n".join(dumped), Deeds).deeds == wanted
    assert parse(f'{{"result":{{"deeds":[{",".join(dumped)}]}}}}', list[Deed]) == wanted


@given(STORIES)
def test_wrappers_and_repeats_are_opened(story: Story) -> None:
    """Law: a tool call's arguments, a lone wrapper, a list of one, and the record said twice."""
    sent = story.model_dump_json()
    call = json.dumps({"name": "reply", "arguments": sent})
    wrapped = (call, f'{{"name":"f","parameters":{sent}}}', f'{{"Story":{sent}}}', f"[{sent}]")
    for text in (*wrapped, sent + sent, f"{sent}\n\n{sent}"):
        assert parse(text, Story) == story


def test_quotes_within_quotes_are_words() -> None:
    """Law: an unescaped quote that nothing fitting follows does not end a text."""
    sent = """{"summary": "he said "no", and left", "deeds": []}"""
    assert parse(sent, Story).summary == 'he said "no", and left'
    assert parse("{'summary': 'it's Ann's dogs' bowl', 'deeds': []}", Story).summary == (
        "it's Ann's dogs' bowl"
    )


def test_bad_escapes_and_raw_newlines_are_kept() -> None:
    """Law: an escape that JSON lacks stays as written; half a surrogate pair is no character."""
    sent = '{"summary": "C:\\data \\d+ one\ntwo \\ud83d\\ude00 \\ud800", "deeds": [],}'
    assert parse(sent, Story).summary == "C:\\data \\d+ one\ntwo 😀 \ufffd"
    assert parse(sent.replace(",}", "}").replace("\\d", ""), Story).summary[-1] == "\ufffd"


def test_what_is_no_number_is_null() -> None:
    """Law: NaN and infinity are values that JSON lacks: null where that may be, else refused."""
    sent = '{"action":"a","count":%s,"share":%s,"sure":true,"how":"planned","who":[]}'
    for word in ("NaN", "Infinity", "-Infinity", "1e999", "None", "undefined"):
        assert parse(sent % (word, 1), Deed).count is None
        with pytest.raises(ReplyUnusable, match="share"):
            parse(sent % (1, word), Deed)


def test_salvage_drops_what_does_not_fit_and_names_it() -> None:
    """Law: `read` refuses a record with one wrong element; `salvage` keeps the others."""
    good = '{"action":"a","count":1,"share":1,"sure":true,"how":"planned","who":[]}'
    sent = f'{{"summary":"s","deeds":[{good},{{"action":"b"}},{good}]}}'
    with pytest.raises(ReplyUnusable, match=r"deeds\.1"):
        read(sent, Story)
    kept = salvage(sent, Story)
    assert [deed.action for deed in kept.value.deeds] == ["a", "a"]
    assert kept.dropped and all("deeds.1" in reason for reason in kept.dropped)
    with pytest.raises(ReplyUnusable):
        salvage('{"summary":"s","deeds":[{"action":"b"}]}', Story)


def test_an_empty_list_within_words_is_no_reply() -> None:
    """Law: brackets inside of a broken record never read as "nothing happened"."""
    for sent in ('{"summary":"a [] b", "de', '{"summary" oops "a [] b"', "I {can't} do [] that"):
        with pytest.raises(ReplyUnusable):
            parse(sent, Deeds)


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ("", "empty"),
        ("I am sorry,\nDave", "begins 'I am sorry, Dave'"),
        ("<think>so {", "thoughts only"),
        ('{"summary": 3, "deeds": []}', "line 1, column 1: summary"),
        ("x\n {summary 3}", "colon at line 2, column 11"),
        ('{"a": ' * 70, "deeper than 64"),
        ("x" * (LONGEST + 1), "1,000,001 characters"),
    ],
)
def test_a_refusal_is_one_line_with_reason_and_place(sent: str, reason: str) -> None:
    """Law: who reads the reason knows what is wrong, and where."""
    with pytest.raises(ReplyUnusable) as caught:
        parse(sent, Story)
    assert reason in caught.value.message and "\n" not in caught.value.message


JUNK = st.text(st.sampled_from("{}[]\"'“”‘,:\\/*#\n abtrue01-.eN<>`u") | st.characters())


@given(JUNK, st.sampled_from([Story, Deeds, Deed, list[Deed], dict]))
def test_random_text_is_refused_in_one_way(text: str, wanted: type[BaseModel]) -> None:
    """Law: nothing else than ReplyUnusable is ever raised."""
    for reader in (read, salvage):
        try:
            reader(text, wanted)
        except ReplyUnusable as refusal:
            assert refusal.message.isprintable()


@given(STORIES, st.data())
def test_damage_anywhere_raises_nothing_else(story: Story, data: st.DataObject) -> None:
    """Law: likewise where the text is nearly a record."""
    sent = story.model_dump_json()
    at = data.draw(st.integers(0, len(sent)))
    damaged = sent[:at] + data.draw(JUNK) + sent[at + data.draw(st.integers(0, 5)) :]
    for reader in (read, salvage):
        try:
            reader(damaged, Story)
        except ReplyUnusable:
            continue


@pytest.mark.parametrize(
    "piece", ["[", '{"a":', "{'", "[1,", '"', '\\"', "/*", "[/*", '" \n', "<think>", "```{", "{["]
)
def test_hostile_length_is_read_in_bounded_time(piece: str) -> None:
    """Law: the work grows with the text's length, not with its square."""
    spent = []
    for length in (50_000, 200_000):
        begun = time.process_time()
        with pytest.raises(ReplyUnusable):
            parse(piece * (length // len(piece)), Story)
        spent.append(time.process_time() - begun)
    assert spent[1] < 12 * spent[0] + 0.5
