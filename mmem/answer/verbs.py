"""Irregular English verbs as one term, and the verb of a who-question."""

from __future__ import annotations

import re

from mmem.words import FUNCTION_WORDS, fold, term_of

_FORMS = """become became;begin began begun;bend bent;bite bit bitten;blow blew blown
break broke broken;bring brought;build built;burn burnt;buy bought;catch caught
choose chose chosen;come came;deal dealt;dig dug;draw drew drawn;dream dreamt;drink drank drunk
drive drove driven;eat ate eaten;fall fell fallen;feed fed;feel felt;fight fought;find found
fly flew flown;forget forgot forgotten;forgive forgave forgiven;freeze froze frozen;give gave given
grow grew grown;hang hung;hear heard;hide hid hidden;hold held;keep kept;know knew known;lay laid
lead led;learn learnt;leave left;lend lent;light lit;lose lost;make made;mean meant;meet met
pay paid;prove proven;ride rode ridden;ring rang rung;rise risen;run ran;say said;see saw seen
seek sought;sell sold;send sent;sew sewn;shake shook shaken;shoot shot;show shown;shut shut
sing sang sung;sink sank sunk;sleep slept;speak spoke spoken;spell spelt;spend spent;spill spilt
stand stood;steal stole stolen;stick stuck;strike struck;sweep swept;swim swam swum
take took taken;teach taught;tear tore torn;tell told;think thought;throw threw thrown
understand understood;wake woke woken;wear wore worn;win won;write wrote written"""
_BASE = {
    term_of(form): term_of(forms.split()[0])
    for forms in _FORMS.replace("\n", ";").split(";")
    for form in forms.split()
}


def base_of(term: str) -> str:
    """Return the term of a verb's base form for that of an irregular form, other terms as given.

    >>> base_of("paid"), base_of("brought"), base_of("cake")
    ('pay', 'bring', 'cake')
    """
    return _BASE.get(term, term)


_AUXILIARY = frozenset(
    """do does did is are was were am be been being has have had can could will would shall should
    may might must ll ve d s re""".split()
)
_PASSED_OVER = frozenset(
    """else all also just already first last always never ever still now not usually actually really
    finally originally recently probably get gets got going gonna to""".split()
)
_MODALS = frozenset("can could will would shall should may might must ll".split())
_BE = frozenset("is are was were am s re".split())
_ASKS = re.compile(
    r"\b(?:whom?|(?:which|what) (?:person|colleague|speaker))\b(?P<rest>[^?.!,;]*)", re.I
)


def verb_of(question: str) -> str | None:
    """Return the base term of what is done in a who-question; None if it only asks who is or has.

    >>> verb_of("Who paid for the cake?"), verb_of("Who has the key?"), verb_of("Who's the cook?")
    ('pay', None, None)
    >>> verb_of("Who is going to bring the drinks?")
    'bring'
    """
    asked = _ASKS.search(question)
    words = [fold(word) for word in re.findall(r"[^\W\d_]+", asked["rest"] if asked else "")]
    first = next((i for i, w in enumerate(words) if w not in _AUXILIARY | _PASSED_OVER), None)
    if first is None or words[first] in FUNCTION_WORDS:
        return None
    helper = words[0] if words[0] in _AUXILIARY else ""
    return base_of(term_of(words[first])) if _is_verb(words[first], helper) else None


def _is_verb(word: str, helper: str) -> bool:
    """Whether a word is the verb of "who", after a helping verb or none: "paid", "can review"."""
    if not helper or helper in _MODALS:
        return True
    if helper in _BE:
        return word.endswith("ing")
    return helper in ("has", "have", "had") and (word.endswith("ed") or term_of(word) in _BASE)
