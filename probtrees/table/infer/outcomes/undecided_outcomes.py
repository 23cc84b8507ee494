"""Outcomes that are not known yet: pending, Em análise, in Bearbeitung, w toku, lost to follow-up.

Such rows have no outcome to learn from: who is still being judged will be accepted or rejected, and
who was lost is alive or dead.
Beside two outcomes or more it is asked whether they are to be left out.
"""

from __future__ import annotations

import re
import shlex

from probtrees.table.cells.raw_table import Texts
from probtrees.table.cells.same_words import folded
from probtrees.table.infer.text_habits import listed
from probtrees.table.read_options import SEVERAL
from probtrees.table.table_report import Finding, Fix
from probtrees.words import quoted, rows_text

_ASKED = "Is that not decided yet?"
UNDECIDED = "undecided outcomes"
"""The kind of the question."""
_STILL = r"(?:still|yet|currently|noch|derzeit|encore|toujours|aún|ainda|ancora|nog|jeszcze)"
_WORDS = re.compile(
    rf"(?:{_STILL} )?(?:"
    # English
    r"pending(?: (?:review|decision|approval|investigation))?|open|ongoing|on-going|unresolved|"
    r"in (?:progress|process|review|treatment)|"
    r"under (?:review|investigation|consideration|treatment|assessment)|on hold|"
    r"await(?:ing|s) (?:decision|result|results|review|outcome|approval|reply|response)|"
    r"not (?:decided|determined|resolved|closed)|not yet(?: \w+)?|not \w+ yet|"
    r"to be (?:decided|determined)|no decision|decision pending|"
    # German
    r"offen|ausstehend|laufend|läuft|in (?:bearbeitung|prüfung|klärung|behandlung)|anhängig|"
    r"schwebend|unerledigt|(?:noch )?nicht entschieden|noch nicht \w+|"
    # French
    r"en (?:cours|attente|suspens|instance|traitement)(?: de .+| d'.+)?|à l'étude|ouvert|"
    r"non (?:résolue?|décidée?)|pas encore \w+|"
    # Spanish, Portuguese, Italian
    r"pendiente|en (?:curso|proceso|trámite|revisión|estudio|espera)|abiert[oa]|sin resolver|"
    r"pendente|em (?:análise|analise|andamento|curso|processo|aberto|espera|avaliação|aprovação)|"
    r"aguardando(?: .+)?|in (?:corso|attesa|sospeso|lavorazione|valutazione)|apert[oa]|"
    # Dutch, Scandinavian languages, Finnish
    r"in behandeling|lopend|hangend|in afwachting|openstaand|pågående|pågår|under (?:behandling|"
    r"utredning|handläggning)|väntar|igangværende|afventer|pågående|avventer|kesken|käsittelyssä|"
    r"avoinna|"
    # Polish, Czech, Slovak, Hungarian, Romanian
    r"w (?:toku|trakcie|realizacji|rozpatrywaniu)|oczekując[aey]|nierozstrzygnięt[aey]|otwart[aey]|"
    r"probíhá|v řešení|nevyřízeno|čeká|prebieha|v riešení|folyamatban|függőben|în curs|"
    r"în așteptare|"
    # Russian, Ukrainian, Turkish, Greek
    r"в (?:процессе|работе|ожидании)|на рассмотрении|ожидает|рассматривается|в процесі|"
    r"на розгляді|очікує|beklemede|devam ediyor|incelemede|sürüyor|εκκρεμεί|σε εξέλιξη|"
    # Chinese, Japanese, Korean
    r"进行中|待定|审核中|處理中|处理中|審査中|進行中|保留中|未定|처리중|진행중|보류|심사중"
    r")",
    re.I,
)
_LOST = re.compile(
    r"(?:patients? )?lost(?: to| for| in)? ?(?:follow[ -]?-?up|fu|f/u)|l\.?t\.?f\.?u|l/?fu|"
    r"not (?:evaluable|assessable)|nicht (?:beurteilbar|auswertbar)|unbekannt verzogen|"
    r"perdue? de vue|non évaluable|perdid[oa] (?:de vista|(?:en el|de|al) seguimiento)|"
    r"pérdida de seguimiento|no evaluable|pers[oa] al follow[ -]?up|non valutabile|"
    r"perd(?:a|id[oa]) d[eo] (?:seguimento|acompanhamento)|utracon[yae] z obserwacji|"
    r"niet evalueerbaar",
    re.I,
)
"""Words for those of whom nobody knows what became of them."""
_LOST_ASKED = "Is it not known what became of them?"
_FEWEST_DECIDED = 2


def is_undecided(text: str) -> bool:
    """Whether an outcome says that it is not known yet, or to nobody any more.

    >>> [is_undecided(text) for text in ("Em análise", "Under review", "noch offen", "closed")]
    [True, True, True, False]
    >>> [is_undecided(text) for text in ("Lost to follow-up", "LTFU", "lost")]
    [True, True, False]
    """
    return _WORDS.fullmatch(folded(text).strip(".…")) is not None or is_lost(text)


def is_lost(text: str) -> bool:
    """Whether an outcome says that nobody knows what became of somebody."""
    return _LOST.fullmatch(folded(text).replace("_", " ").strip(".…")) is not None


def asks_if_decided(note: str) -> bool:
    """Whether a note asks if some outcomes are not decided yet."""
    return note.startswith("Target ") and (_ASKED in note or _LOST_ASKED in note)


def ask_undecided(name: str, column: Texts) -> tuple[Finding, ...]:
    """Ask whether rows that are not decided yet are to be left out, where two outcomes stay."""
    there = [text for text, n in zip(column.texts, column.rows_of.tolist(), strict=True) if n]
    words = sorted(text for text in there if is_undecided(text))
    if not words or len(there) - len(words) < _FEWEST_DECIDED:
        return ()
    asked = _LOST_ASKED if all(map(is_lost, words)) else _ASKED
    n_rows, shown = column.rows_with(words), listed([quoted(text) for text in words])
    flags = " ".join(f"--missing-text {shlex.quote(f'{name}={text}')}" for text in words)
    return (
        Finding(
            name,
            UNDECIDED,
            f"Target {name!r} is {shown} in {rows_text(n_rows)}. {asked} Then "
            "these rows have no outcome to learn from; it is used as an outcome like the others.",
            f"Leave them out by treating it as missing ({flags}).",
            "warning",
            (Fix(f"Leave {_these(n_rows)} out", "missing", SEVERAL.join(words)),),
        ),
    )


def _these(n_rows: int) -> str:
    return "this row" if n_rows == 1 else f"these {n_rows:,} rows"
