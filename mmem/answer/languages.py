"""Texts that aren't English: the rules for short answers read English grammar only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from mmem.words import FUNCTION_WORDS, fold

_FOREIGN: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "German": """wer wen wem wessen wann wo woher wohin warum wieso weshalb wie welche welcher
        welches welchen welchem der das den dem des ein eine einen einem einer eines und oder aber
        ist sind bist seid wird werden wurde wurden hat habe haben hatte hast ich du er sie es wir
        ihr mich dich mir dir uns euch ihm ihn ihnen mein meine dein deine sein seine unser nicht
        kein keine keinen auch noch schon nur mit von zu zum zur bei im am auf fur um aus nach uber
        dass wenn weil als doch mal jetzt lautet heisst gibt kann muss soll
        was war am in an so die uhr beginnt""",
        "French": """qui quand ou pourquoi comment quel quelle quels quelles combien le la les un
        une des du et est sont etait ont avec pour dans sur je tu il elle nous vous ils elles mon
        ma mes ton ta tes son sa ses ne pas plus ce cette ces que quoi""",
        "Spanish": """quien quienes cuando donde porque como cual cuales cuanto cuantos el la los
        las una unos y es son era esta estan con para por en yo tu ella nosotros mi mis su sus que
        del al lo se muy""",
        "Italian": """chi quando dove perche come quale quali quanto quanti il lo gli una e sono era
        ha hanno con per di da nel nella sul io noi voi mio mia suo sua non che del della""",
        "Portuguese": """quem quando onde porque como qual quais quanto o os uma e sao era tem com
        para por em no na eu ele ela nos meu minha seu sua nao que do da""",
        "Dutch": """wie wat wanneer waar waarom hoe welke het een en zijn heeft hebben met voor van
        op bij ik jij hij zij wij jullie mijn jouw haar niet geen ook nog maar dat die""",
    }.items()
}
_ALSO_ENGLISH = frozenset("die was a an in so me on no do come war hat am as is er es um".split())
"""These say nothing alone; beside a word of one language they count for it."""


@lru_cache(maxsize=8192)
def language_of(text: str) -> str:
    """Return "English" unless most grammatical words of a text are of one other language.

    A text without any known word of grammar counts as English.

    >>> language_of("Wer bringt den Kuchen mit?"), language_of("Was it in the car?")
    ('German', 'English')
    >>> language_of("Die hard is my favourite film."), language_of("sea rose")
    ('English', 'English')
    """
    words = [fold(word) for word in re.findall(r"[^\W\d_]+", text)]
    lead = {name: _lead(words, grammar) for name, grammar in _FOREIGN.items()}
    best = max(lead, key=lambda name: lead[name])
    return best if lead[best] > 0 else "English"


def _lead(words: Sequence[str], grammar: frozenset[str]) -> int:
    """Return by how many words of grammar a language is ahead of English, 0 without a sure one."""
    if not any(word in grammar - _ALSO_ENGLISH for word in words):
        return 0
    own = sum(word in grammar for word in words)
    return own - sum(word in FUNCTION_WORDS - grammar for word in words)


def grammar_of(language: str) -> frozenset[str]:
    """Return the folded words of a language that carry grammar, not content; none for English."""
    return _FOREIGN.get(language, frozenset())


def same_term(one: str, other: str) -> bool:
    """Tell whether two terms differ at most in a short ending, as in languages that inflect.

    >>> same_term("wohnt", "wohn"), same_term("haus", "hase")
    (True, False)
    """
    if one == other:
        return True
    stem = min(len(one), len(other))
    if one[:stem] != other[:stem]:
        stem -= 1
    return stem >= 4 and one[:stem] == other[:stem] and max(len(one), len(other)) - stem <= 2
