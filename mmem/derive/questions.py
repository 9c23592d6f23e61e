"""The quadruples of a question, by its grammar: who or what is asked for is an open slot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mmem.derive.clauses import Clause, clauses
from mmem.derive.phrases import naming
from mmem.derive.references import PRONOUNS, Cast, Line
from mmem.derive.roles import base_form, prepositional, verb_lemma
from mmem.derive.told import Said
from mmem.derive.trees import Tree
from mmem.ports import Parser, QueryQuadruple, QuestionReading

_ASKING = frozenset({"WP", "WDT", "WRB", "WP$"})
_APART = frozenset({"relcl", "acl", "conj", "cc", "punct", "appos", "advcl", "intj", "preconj"})
_DIRECT = ("dobj", "attr", "oprd", "acomp")
_HELPERS = frozenset({"do", "does", "did", "have", "has", "had"})
_MOST = 6
_FILLED = 2
"""Slots that a quadruple must have: one word alone is near to too much."""


@dataclass(frozen=True)
class GrammarQuestions:
    """Reads questions by the grammar of one language, without a key."""

    parser: Parser

    def read(self, question: str) -> QuestionReading:
        """Return the quadruples of a question; the parser is loaded with the first one."""
        (words,) = self.parser.parse_all([question])
        tree = Tree(question, words)
        if _is_misread(tree):
            return QuestionReading((), "its grammar was not understood")
        cast = Cast(Line(Said((), question, None), tree))
        found = dict.fromkeys([*_of_clauses(tree, cast), *_of_modifiers(tree, cast)])
        kept = [each for each in found if _filled(each) >= _FILLED]
        return QuestionReading(tuple(kept[:_MOST]))


def _is_misread(tree: Tree) -> bool:
    """Tell whether "do" helps a verb that is no base form ("does the dog adopted by Ann eat")."""
    return any(
        tree.words[verb].tag in ("VBN", "VBD", "VBG", "VBZ")
        and any(tree.words[c].lemma == "do" for c in tree.children(verb, "aux"))
        for verb in range(len(tree.words))
    )


def _is_helper(tree: Tree, clause: Clause) -> bool:
    """Tell whether a helper was taken for the verb ("What pet | does | Ann have")."""
    return tree.lower(clause.last) in _HELPERS and not tree.children(clause.last, *_DIRECT)


def _filled(quadruple: QueryQuadruple) -> int:
    return sum(map(bool, (quadruple.subject, quadruple.relation, quadruple.object)))


def _of_clauses(tree: Tree, cast: Cast) -> Iterator[QueryQuadruple]:
    """Yield what is said of each subject: "Who did Anna meet in Rome?" of Anna, two things."""
    for clause in clauses(tree):
        if _is_helper(tree, clause):
            continue
        time = _time(tree, clause)
        subjects = [_slot(tree, s, cast) for s in clause.subjects] or [""]
        for subject in subjects:
            for relation, value in _complements(tree, clause, cast):
                yield QueryQuadruple(subject, relation, value, time)
        yield from _by_agent(tree, clause, cast, time)


def _complements(tree: Tree, clause: Clause, cast: Cast) -> Iterator[tuple[str, str]]:
    """Yield relation and object: that of the verb, and that of each of its prepositions."""
    relation, last = base_form(tree, clause), clause.last
    direct = [c for verb in clause.chain for c in tree.children(verb, *_DIRECT)]
    values = [_slot(tree, c, cast) for c in direct]
    through = [
        (f"{relation} {item.words}", _slot(tree, item.head, cast))
        for item in prepositional(tree, clause)
        if item.verb == last and not (clause.passive and item.words == "by")
    ]
    yield from ((relation, value) for value in values)
    yield from through
    if not values and not through:
        yield relation, ""


def _by_agent(tree: Tree, clause: Clause, cast: Cast, time: str) -> Iterator[QueryQuadruple]:
    """Yield a passive clause as its agent does it: "What was painted by Ann?"."""
    agent = _agent(tree, clause.last)
    if clause.passive and agent is not None:
        acted = " ".join(filter(None, (_slot(tree, s, cast) for s in clause.subjects)))
        yield QueryQuadruple(_slot(tree, agent, cast), verb_lemma(tree, clause.last), acted, time)


def _of_modifiers(tree: Tree, cast: Cast) -> Iterator[QueryQuadruple]:
    """Yield what clauses say that narrow a noun: "the animal that Zora adopted"."""
    for place, word in enumerate(tree.words):
        if word.dep not in ("relcl", "acl") or word.pos not in ("VERB", "AUX"):
            continue
        noun, lemma = _slot(tree, word.head, cast), verb_lemma(tree, place)
        agent = _agent(tree, place)
        own = tree.first(place, "nsubj", "nsubjpass")
        subject = "" if own is None else _slot(tree, own, cast)
        value = tree.first(place, *_DIRECT)
        if agent is not None:
            yield QueryQuadruple(_slot(tree, agent, cast), lemma, noun)
        elif subject:
            yield QueryQuadruple(subject, lemma, noun)
        else:
            yield QueryQuadruple(noun, lemma, "" if value is None else _slot(tree, value, cast))


def _agent(tree: Tree, verb: int) -> int | None:
    by = tree.first(verb, "agent")
    return None if by is None else tree.first(by, "pobj")


def _slot(tree: Tree, head: int, cast: Cast) -> str:
    """Return the words of a slot; "" where it is asked for, or a pronoun."""
    if tree.words[head].tag in _ASKING or tree.lower(head) in PRONOUNS | {"it", "they", "them"}:
        return ""
    asked = any(tree.words[c].tag in _ASKING for c in tree.children(head, "det", "poss"))
    named = None if asked else naming(tree, head, cast)
    if named is not None:
        return named
    places = [p for p in tree.below(head, _APART) if tree.words[p].tag not in _ASKING]
    return " ".join(tree.words[p].text for p in places)


def _time(tree: Tree, clause: Clause) -> str:
    """Return the words of a clause that say when."""
    words = [tree.words[p] for p in clause.places]
    return " ".join(word.text for word in words if word.entity in ("DATE", "TIME"))
