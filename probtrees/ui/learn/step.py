"""What a step of the lesson is made of.

What a reader sets changes the numbers in a sentence at once, so sentences hold places for them:
``{name%}`` a percentage, ``{name@}`` percentage points, ``{name#}`` a count, ``{name&}`` a number
of rows, ``{name~}`` a number, ``{name:word}`` a count of things (1 step, 2 steps), ``{name}`` a
text. The names are those of ``lessonFacts`` in ``assets/lesson_facts.js``, which fills them in the
browser.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

THESIS = "Zhang (2020), thesis, Monash University"
HGS = "Zhang, Petitjean and Buntine (2020), HGS"
HDP = "Petitjean, Buntine, Webb and Zaidi (2018), HDP"

LEAF_COUNTS = {
    "n_k": "{cases#}: rows of the leaf with {outcome}",
    "n": "{rows#}: rows of the leaf",
}

HOLDER_COUNTS = {
    "n_k": "{ownCases#}: rows of {holder} with {outcome}",
    "n": "{ownRows#}: rows of {holder}",
}
"""Of methods that pass over an empty leaf to the nearest ancestor that has rows."""


@dataclass(frozen=True)
class Guess:
    """What is guessed before the answer is shown.

    Attributes
    ----------
    answer : the name of the fact that it is compared with; empty where nobody knows the answer
    said : shown beside the answer; ``{guess%}`` is the guess, ``{off@}`` how far it is off
    is_chance : whether it is the chance in the leaf, which has its place on the axis
    options : what can be chosen, by name, where the guess is no number
    """

    answer: str
    said: str
    is_chance: bool = True
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Exercise:
    """A question whose answer is a number, checked in the browser.

    Attributes
    ----------
    question : what is asked
    answer : the name of the fact that answers it
    off : how far off an answer may be
    solution : shown once the answer is right, or on request
    unit : what the number counts, as it may be typed after it
    needs : a fact without which (none, or 0) the question makes no sense
    """

    question: str
    answer: str
    off: float
    solution: str
    unit: str = ""
    needs: str = "outcomes"


@dataclass(frozen=True)
class Step:
    """One step of the lesson.

    Attributes
    ----------
    name : what links and the browser know it by
    number : what links of the first format know it by; it never changes
    title, question : the name in the list of steps, and what is asked
    clue : what one may know while guessing
    guess : what is guessed
    explanation : what is shown once that is answered, sentence by sentence
    takeaway : the one sentence to remember
    sources : papers by name, with the numbers of their equations
    formulas : in the language of ``assets/formula.js``
    symbols : what each symbol of the formulas is
    exercise : a question to try
    empty : sentences shown instead, by their place in ``explanation``, where the leaf has no rows
    no_rows : the same where the whole tree has none
    """

    name: str
    number: int
    title: str
    question: str
    clue: str
    guess: Guess
    explanation: tuple[str, ...]
    takeaway: str
    sources: tuple[str, ...]
    formulas: tuple[str, ...]
    symbols: Mapping[str, str]
    exercise: Exercise
    empty: Mapping[int, str] = field(default_factory=dict)
    no_rows: Mapping[int, str] = field(default_factory=dict)
