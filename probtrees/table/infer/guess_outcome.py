"""Which class of a target one probably asks about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from probtrees.table.cells.category_order import in_order_of_scale
from probtrees.table.cells.same_words import folded, yes_or_no
from probtrees.table.infer.outcomes.grade_scales import asked_grade
from probtrees.table.infer.outcomes.tumour_outcomes import asked_of_tumours
from probtrees.table.infer.outcomes.undecided_outcomes import is_undecided

_ASKED = re.compile(
    r"yes|ja|oui|sí|sim|true|wahr|vrai|positive|positiv|pos|ill|sick|diseased|disease|krank|"
    r"malade|cancer|tumor|tumour|malignant|malign|bösartig|infected|infiziert|abnormal|affected|"
    r"relapse|relapsed|recurrence|rezidiv|readmitted|wiederaufnahme|died|dead|death|deceased|"
    r"verstorben|tot|gestorben|exitus|event|ereignis|case|complication|komplikation|churn|"
    r"churned|lost|attrited|gekündigt|kündigung|abgewandert|cancelled|canceled|storniert|"
    r"resigned|quit|failed|fail|failure|ausfall|ausgefallen|defect|defective|defekt|broken|"
    r"default|defaulted|bankrupt|insolvent|delinquent|overdue|late|verspätet|fraud|fraudulent|"
    r"betrug|spam|attack|anomaly|returned|rückgabe|retour|accident|unfall|claim|schaden|bought|"
    r"purchased|converted|gekauft|bad|schlecht|unsatisfied|dissatisfied|"
    r"left|leaver|leaving|terminated|departed|exited|attrition|ausgetreten|ausgeschieden|parti|"
    r"partie|démission|odszedł|odeszła|dimesso|dimissioni|baja|injured|injury|verletzt|wypadek|"
    r"hired|accepted|admitted|promoted|won|sold|eingestellt|zugesagt|angenommen|gewonnen|"
    r"embauché|embauchée|recruté|contratado|assunto|zatrudniony|"
    # dead, ill or hurt
    r"décédée?|mort|morte|fallecid[oa]|muert[oa]|falecid[oa]|óbito|decedut[oa]|zmarł[ay]?|zgon|"
    r"overleden|avliden|död|død|kuollut|zemřela?|elhunyt|умер|умерла|chor[yae]|zieke?|sjuk|syg|"
    r"enferm[oa]|doente|malat[oa]|blessée?|herid[oa]|ferid[oa]|ferit[oa]|ranny|gewond|"
    # broken, unpaid, late, gone
    r"nok|faulty|uszkodzon[yae]|zepsut[yae]|awaria|wadliw[yae]|defectuos[oa]|defeituos[oa]|averiad[oa]|"
    r"difettos[oa]|guast[oa]|kapot|trasig|impayée?s?|impag[oa]|impagad[oa]|moros[oa]|inadimplente|"
    r"insolut[oa]|wanbetaler|niespłacon[yae]|verspätung|laat|vertraagd|försenad|forsinket|retard|"
    r"retardée?|retrasad[oa]|atrasad[oa]|opóźnion[yae]|spóźnion[yae]|résiliée?|annulée?|cancelad[oa]|"
    r"annullat[oa]|anulowan[yae]|opgezegd|geannuleerd|uppsagd|noshow|condenad[oa]|evicted|"
    # failed
    r"durchgefallen|niezdan[yae]|reprobad[oa]|reprovad[oa]|bocciat[oa]|oblan[yae]|gezakt|recalée?|"
    r"underkänd|dropout|dropped|"
    # granted; or gone from bad to worse
    r"approved|granted|genehmigt|bewilligt|fatal|lethal|letal|tödlich|mortel|worse|worsened|"
    r"deteriorated|verschlechtert|aggravée?|empeorad[oa]|peggiorat[oa]"
)
"""Words of a class that people ask about, whatever its share."""

_NOT_ASKED = re.compile(
    r"no|nein|non|não|none|kein|keine|keiner|aucune?|ningun[oa]|ningún|nessun[oa]?|brak|geen|ingen|"
    r"clear|cleared|nil|absent|undetected|unauffällig|sans|senza|negatif|négatif|negativ[oa]|nothing|nichts|never|nie|not|nicht|without|"
    r"ohne|false|falsch|faux|negative|negativ|neg|normal|healthy|gesund|sain|benign|gutartig|"
    r"control|kontrolle|ok|okay|good|gut|fine|stable|stabil|stayed|geblieben|alive|survived|"
    r"lebt|existing|active|aktiv|unknown|unbekannt|missing|na|"
    r"remained|stays|staying|showed|attended|erschienen|pünktlich|punctual|"
    r"vivante?|viv[oa]|żyje|żyw[ya]|levend|leeft|levande|levende|guarit[oa]|curad[oa]|guérie?|"
    r"paid|bezahlt|payée?|pagad[oa]|pag[oa]|pagat[oa]|opłacon[yae]|betaald|honorée?|"
    r"sprawn[yae]|funcionando|zdrow[yae]|gezond|frisk|san[oa]|saudável"
)
_REST = re.compile(
    r"others?|sonstiges?|andere|autres?|otr[oa]s?|altr[oiae]|outr[oa]s?|inn[ey]|pozostałe"
)
"""Words of all that is left when the others are named."""
_REFUSED = re.compile(
    r"rejected|declined|refused|denied|abgelehnt|refusée?|rechazad[oa]|rifiutat[oa]|odrzucon[ya]|déchue?"
)
"""Words of a refusal, which is an outcome too, though one asks about the other if that has a name
for it."""
_NOT_PASSED = re.compile(
    r"\b(?:not|nicht|niet|nie|non|no|não|pas|ikke|inte) ?(?:passed|promoted|graduated|bestanden|"
    r"versetzt|geslaagd|promowan[ya]|zdała?|zdane|ukończyła?|admise?|reçue?|promoss[oa]|"
    r"ammess[oa]|apt[oa]|aprobad[oa]|aprovad[oa]|bestått|godkänd)\b"
)
"""Who fails is asked about as who passes is; the word for "not" does not mean that nothing is."""
_UNDECIDED = re.compile(
    r"undecided|neutral|neither|unsure|maybe|unentschieden|unentschlossen|vielleicht|weder|"
    r"indécis|indécise|indeciso|indecisa|niezdecydowany"
)
"""Words of the middle of a scale, which nobody asks about."""
_INCONCLUSIVE = re.compile(
    r"inconclusive|inconcl|indeterminate|equivocal|doubtful|borderline|unclear|unklar|fraglich|"
    r"douteux|dudoso|dubbio"
)
"""Words of tests that tell nothing; classes have no order by them."""
_NO_SHOW = re.compile(r"\b(?:no|not|non)[ _-]?(?:shows?|showed up)\b|\bnicht erschienen\b")
"""Who does not come is asked about; "no" does not mean that nothing is."""
_WON = re.compile(r"won|gewonnen|wygran[aey]|vint[aoie]|gagnée?s?|ganad[ao]|ganh[ao]|vunnen|vundet")
_LOST = re.compile(
    r"lost|verloren|przegran[aey]|pers[aoie]|perdue?s?|perdid[ao]|förlorad|tabt|stracon[aey]"
)
"""What becomes of deals: one asks which are won, though of customers one asks who is lost."""
_WORDS = re.compile(r"\w+")
_SHORTEST_SCALE = 3
_FEW_ROWS, _SMALL_SHARE = 5, 0.04
"""A class of three or more that has fewer rows, or a smaller share of them, may be a slip."""
_SHORT = 3
"""Letters of a class that may be its beginning: R of Responder, CR of CR rate."""


class GuessedOutcome(NamedTuple):
    """The number of a class, and in a few words why one probably asks about it."""

    number: int
    reason: str


def guess_outcome(counts: Sequence[tuple[str, int]], title: str = "") -> GuessedOutcome:
    """Return the class that one probably asks about.

    A word that says so decides; of a scale one of its ends, the upper one unless the lower has such
    a word; of grades the worse end, if ``title``, what the target is called, tells; else of two
    classes the rarer one, unless it means "nothing" or all the rest; of more the most frequent one
    that does not mean "nothing".

    >>> guess_outcome([("No", 90), ("Yes", 161), ("May", 14)])
    GuessedOutcome(number=1, reason='its name says so')
    >>> guess_outcome([("a", 5), ("b", 9)]).number, guess_outcome([("well", 40), ("flu", 9)]).number
    (0, 1)
    >>> guess_outcome([("aucune", 731), ("partielle", 116), ("totale", 53)]).number
    1
    """
    names = [name for name, _ in counts]
    rows = [n for _, n in counts]
    total = max(sum(rows), 1)
    numbers = [k for k, n in enumerate(rows) if n] or list(range(len(rows)))
    asked = [k for k in numbers if _is_asked(names[k], names)]
    enough = [k for k in numbers if rows[k] >= max(_FEW_ROWS, _SMALL_SHARE * total)]
    there = [k for k in numbers if rows[k] >= _FEW_ROWS]
    ends = _ends(names, there)
    known = asked_grade(names, there, title) or asked_of_tumours(names, numbers)
    if known is not None:
        return GuessedOutcome(*known)
    won = [k for k in numbers if _says(names[k], _WON) and not _is_passed_over(names[k])]
    if won and any(_says(names[k], _LOST) for k in numbers):
        return GuessedOutcome(max(won, key=lambda k: (rows[k], k)), "its name says so")
    if ends is not None:
        is_low = ends[0] in asked and ends[1] not in asked
        place = "lower" if is_low else "upper"
        return GuessedOutcome(ends[0] if is_low else ends[1], f"the {place} end of the scale")
    if asked:
        return GuessedOutcome(max(asked, key=lambda k: (rows[k], k)), "its name says so")
    if len(numbers) <= 2:
        return _of_two(names, rows, numbers, title)
    meant = [k for k in numbers if not _is_passed_over(names[k])] or numbers
    meant = [k for k in meant if not _tells_nothing(names[k])] or meant
    meant = [k for k in meant if k in enough] or meant
    best = max(meant, key=lambda k: (rows[k], k))
    passed = [names[k] for k in numbers if (rows[k], k) > (rows[best], best)]
    but = f" but for {' and '.join(map(repr, passed))}" if passed else ""
    return GuessedOutcome(best, f"the most frequent one{but}")


def _of_two(
    names: Sequence[str], rows: Sequence[int], numbers: Sequence[int], title: str = ""
) -> GuessedOutcome:
    """Return the rarer of two classes that have no word which people ask about.

    Of R and NR in a column that is called Responder it is R.

    >>> _of_two(["promowany", "nie promowany"], [2480, 120], [0, 1])
    GuessedOutcome(number=1, reason='the rarer of the two')
    >>> _of_two(["3 or 4", "other"], [80, 20], [0, 1]).reason
    'the other is all the rest'
    >>> _of_two(["NR", "R"], [91, 149], [0, 1], "Responder")
    GuessedOutcome(number=1, reason='it begins as the name of the column does')
    """
    for k in numbers:
        is_short = names[k].isalpha() and len(names[k]) <= _SHORT
        if is_short and f"N{names[k]}" in names and title.upper().startswith(names[k]):
            return GuessedOutcome(k, "it begins as the name of the column does")
    named = [k for k in numbers if not _says(names[k], _REST)]
    if len(named) == 1 and not _NOT_ASKED.fullmatch(folded(names[named[0]])):
        return GuessedOutcome(named[0], "the other is all the rest")
    meant = [k for k in numbers if not _means_nothing(names[k])] or numbers
    why = "the rarer of the two" if len(meant) == 2 else "the other means 'nothing'"
    return GuessedOutcome(min(meant, key=lambda k: (rows[k], -k)), why)


def _ends(names: Sequence[str], numbers: Sequence[int]) -> tuple[int, int] | None:
    """Find the two ends of a scale, by its words or by an undecided middle; None if there is none.

    >>> _ends(["Rather not", "Undecided", "Rather"], [0, 1, 2]), _ends(["a", "b", "c"], [0, 1, 2])
    ((0, 2), None)
    """
    there = [names[k] for k in numbers]
    if len(there) < _SHORTEST_SCALE:
        return None
    ranked = in_order_of_scale(there)
    middle = len(there) // 2
    if ranked is None and len(there) % 2 and _says(there[middle], _UNDECIDED):
        ranked = tuple(there)
    return None if ranked is None else (names.index(ranked[0]), names.index(ranked[-1]))


def _is_asked(name: str, names: Sequence[str]) -> bool:
    """Whether a class is called as what people ask about; "1" beside "0" is, too."""
    if len(names) == 2 and {yes_or_no(each) for each in names} == {"yes", "no"}:
        return yes_or_no(name) == "yes"
    if len(names) > 2 and _NOT_PASSED.search(folded(name)):
        return True
    is_yes = name.isalpha() and yes_or_no(name) == "yes"
    return not _is_passed_over(name) and (is_yes or _says(name, _ASKED))


def _is_passed_over(name: str) -> bool:
    """Whether a class is no word that people ask about where there is another."""
    is_other = any(_says(name, words) for words in (_NOT_ASKED, _REFUSED, _REST))
    return is_other or is_undecided(name)


def _means_nothing(name: str) -> bool:
    """Whether a class says that there is nothing, or not what the others say."""
    return _says(name, _NOT_ASKED) and not _NOT_PASSED.search(folded(name))


def _tells_nothing(name: str) -> bool:
    """Whether a class says that nobody knows, or not yet."""
    return _says(name, _UNDECIDED) or _says(name, _INCONCLUSIVE) or is_undecided(name)


def _says(name: str, words: re.Pattern[str]) -> bool:
    said = _NO_SHOW.sub("noshow", folded(name))
    return any(words.fullmatch(word) for word in _WORDS.findall(said))
