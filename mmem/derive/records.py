"""EM²Mem's record of a unit, by rule: what its lines tell, and what its pictures show.

What is said never enters the visual record, and what is seen in pictures never the text record.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from mmem.derive.critical import critical_lines
from mmem.derive.extracts import telling
from mmem.derive.told import Said, Shown, Told
from mmem.schemas import Event, EventFrame, TextRecord, VisualRecord
from mmem.words import name_key, sentences, term_spans, terms

RECORDS = "records 2"
"""The version of the rules below; part of the name of every extractor."""
LONGEST_CAPTION = 300
_SENTENCES = 3
_SPOKEN = 2
MOST_OBJECTS = 8
MOST_ACTIONS = 8
MOST_TOPICS = 3
_LONGEST_LABEL = 4
_SCREEN_WORDS = 12
_ENDS_AN_OBJECT = re.compile(
    r"\b(?:in|on|at|to|from|with|of|for|by|into|onto|out|off|over|under|through|about|that|which|"
    r"and|or|so|because|while|as|who|where|when|if|up|down|away|back)\b|[,;(]",
    re.IGNORECASE,
)
_DETERMINER = re.compile(
    r"^(?:the|a|an|some|any|this|that|these|those|my|your|his|her|its|our|their|another|both|"
    r"\S+['’]s)\s+",
    re.IGNORECASE,
)
_NO_THING = frozenset(
    "it them him her me you us this that these those something anything nothing everything one "
    "ones everyone everybody someone somebody anyone time way lot bit thing things stuff look some "
    "what ahead".split()
)
_BODY = frozenset(
    "head hand hands body leg legs arm arms foot feet eye eyes face finger fingers knee knees "
    "palm shoulder shoulders thigh waist".split()
)
"""Parts of the body: how somebody moves is no thing that is handled."""
MICRO_ACTIONS = frozenset(
    "be sit stand walk turn move nod look watch continue keep lean sway raise lower bend speak "
    "start begin stop come go step shake smile say know think see need want try have get do "
    "tilt crouch swing glance laugh".split()
)
"""Verbs of the smallest movements and of states; EM²Mem's summaries drop them."""
_TAKE_AN_ACT = frozenset("be continue keep start begin stop finish go come try".split())
"""Verbs whose object is a state or another act, and no thing."""
_WAYS = frozenset(
    "forward backward backwards left right around back there here up down slightly side sides "
    "front place still again forth".split()
)
_NEVER_THINGS = _NO_THING | _BODY | _WAYS
_TALK = frozenset(
    terms(
        "yeah yes okay right well like just really got get going go come know think see say said "
        "thing things make want need one two let take put good great also now still even much "
        "many way look oh um uh hmm hey haha actually maybe sure thank thanks please sorry time "
        "would could gonna wanna something anything everyone"
    )
)
"""Words of talk that are no topic."""
DULL = frozenset(terms(" ".join((*MICRO_ACTIONS, *_BODY, *_WAYS, *_NO_THING)))) | _TALK
"""Terms of movement, talk and nothing in particular; they make no sentence worth keeping."""


def with_records(frame: EventFrame, told: Told) -> EventFrame:
    """Return a frame with the records of its unit's lines and pictures."""
    extractor = f"{frame.extractor}, {RECORDS}"
    return frame.model_copy(update={"extractor": extractor, **records_of(frame.events, told)})


def with_other_records(frame: EventFrame, told: Told) -> EventFrame:
    """Return a frame that has a text record with what else makes up its unit's records."""
    made = with_records(frame, told)
    return made.model_copy(update={"text_record": frame.text_record})


def records_of(events: Sequence[Event], told: Told) -> dict[str, object]:
    """Return the fields of a frame that are EM²Mem's records, by name."""
    return {
        "text_record": text_record(told.lines, events),
        "visual_record": visual_record(told.shown),
        "critical_lines": critical_lines(told.lines),
    }


def text_record(lines: Sequence[Said], events: Sequence[Event]) -> TextRecord:
    """Return what lines tell, by their words and the events that were read from them."""
    done = [event for event in events if event.modality == "asserted" and event.participants]
    return TextRecord(
        fine_caption=_fine_caption(lines),
        salient_objects=tuple(_objects(events)),
        actions=tuple(_actions(done)),
        conversation_focus=tuple(_focus(lines)),
    )


def visual_record(shown: Shown) -> VisualRecord:
    """Return what pictures show: the words on screens, things that are named, and colours."""
    written = [" ".join(text.split()[:_SCREEN_WORDS]) for text in shown.screens]
    parts = [
        *(f"On screen: “{words}”." for words in dict.fromkeys(written)),
        f"Looks like: {', '.join(shown.things)}." if shown.things else "",
        f"Colours: {', '.join(shown.colours)}." if shown.colours else "",
    ]
    return VisualRecord(
        keyframe_caption=" ".join(filter(None, parts)), visible_objects=shown.things
    )


def _fine_caption(lines: Sequence[Said]) -> str:
    """Return the most telling sentences of what is seen, then of what is said or written."""
    seen = [said for said in lines if said.kind == "caption"]
    spoken = [said for said in lines if said.kind != "caption"]
    told = [_best(seen, _SENTENCES), _best(spoken, _SPOKEN if seen else _SENTENCES)]
    return " ".join(filter(None, told))


def _best(lines: Sequence[Said], most: int) -> str:
    found = list(_sentences(lines))
    kept = telling(found, most=most, longest=LONGEST_CAPTION, dull=DULL | _names(lines))
    return " ".join(found[place] for place in kept)


def _names(lines: Iterable[Said]) -> set[str]:
    return {term for said in lines for term in terms(said.speaker or "")}


def _sentences(lines: Iterable[Said]) -> Iterator[str]:
    """Yield different sentences, what is said with its speaker."""
    seen: set[str] = set()
    for said in lines:
        for sentence in sentences(said.text):
            named = said.speaker if said.kind != "caption" else None
            text = f"{named}: {sentence}" if named else sentence
            if text not in seen:
                seen.add(text)
                yield text


def _objects(events: Sequence[Event]) -> list[str]:
    """Return the things that events are about, the oftenest named first."""
    counts: Counter[str] = Counter()
    written: dict[str, str] = {}
    for event in events:
        people = {name_key(name) for name in event.participants}
        verb, _, rest = event.action.partition(" ")
        thing = "" if verb in _TAKE_AN_ACT else _thing(rest)
        key = name_key(thing)
        if thing and key not in people:
            counts[key] += 1
            written.setdefault(key, thing)
    return [written[key] for key, _ in counts.most_common(MOST_OBJECTS)]


def _thing(rest: str) -> str:
    """Return the thing that a verb phrase without its verb begins with, "" for none.

    >>> _thing("the data cable on the table"), _thing("Jake's head to the left")
    ('data cable', '')
    """
    head = _ENDS_AN_OBJECT.split(rest, maxsplit=1)[0].strip(" .!?'\"")
    while (bare := _DETERMINER.sub("", head)) != head:
        head = bare
    words = head.casefold().split()
    if not words or len(words) > _LONGEST_LABEL or {words[-1], words[0]} & _NEVER_THINGS:
        return ""
    return head if terms(head) else ""


def _actions(events: Sequence[Event]) -> list[str]:
    """Return what is done, in its order; the smallest movements only where nothing else is."""
    phrases = dict.fromkeys(event.action for event in events)
    larger = [phrase for phrase in phrases if phrase.split()[0].casefold() not in MICRO_ACTIONS]
    return (larger or list(phrases))[:MOST_ACTIONS]


def _focus(lines: Sequence[Said]) -> list[str]:
    """Return the words that several spoken lines have in common, the commonest first."""
    spoken = [said for said in lines if said.kind != "caption"]
    counts: Counter[str] = Counter()
    written: dict[str, str] = {}
    names = _names(spoken)
    for said in spoken:
        found = {}
        for term, start, end in term_spans(said.text):
            found[term] = said.text[start:end]
        for term, word in found.items():
            if term not in names and not term.isdigit() and len(term) > 2 and term not in _TALK:
                counts[term] += 1
                written.setdefault(term, word.casefold())
    ranked = sorted(counts, key=lambda term: (-counts[term], -len(term), term))
    return [written[term] for term in ranked if counts[term] > 1][:MOST_TOPICS]
