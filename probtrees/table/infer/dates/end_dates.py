"""Dates on which something was closed, paid or over: known only at the end, as the outcome is."""

from __future__ import annotations

import re

from probtrees.table.infer.row_weights import name_words

_OVER = re.compile(
    r"\b(?:actual ?)?(?:clos(?:e|ed|ing|ure)|end|exit|resolution|resolve|completion|cancell?ation|"
    r"termination|settlement|finish) ?(?:date|time|datetime|timestamp|day|at|on|dt)\b|"
    r"\b(?:date|time|day) ?(?:of |the )?(?:clos(?:ed|ing|ure)|end|ended|exit|resolution|resolved|"
    r"completion|completed|cancell?ation|cancell?ed|termination|terminated|settlement|settled|"
    r"paid|finished)\b|"
    r"\b(?:closed|closing|ended|exited|exit|resolved|completed|cancell?ed|terminated|settled|paid|"
    r"finished)(?: ?(?:on|at|date|time|dt))?$|^end$|"
    r"\b(?:end|abschluss|schluss|schließungs|schliessungs|austritts|kündigungs|storno|"
    r"stornierungs|erledigungs|bezahl|lösungs)(?:datum|tag|zeitpunkt)\b|"
    r"\b(?:ab)?geschlossen\b|\bbeendet\b|\berledigt\b|\bgelöst am\b|\bausgetreten\b|\baustritt\b|"
    r"\bgekündigt\b|\bstorniert\b|\bbezahlt\b|"
    r"\bdate (?:de |d )?(?:la )?(?:clôture|cloture|fin|résiliation|annulation)\b|"
    r"\b(?:clôturé|résilié|annulé|payé)e? le\b|"
    r"\bfecha (?:de |del )?(?:cierre|fin|finalización|baja|cancelación)\b|"
    r"\b(?:cerrado|pagado|cancelado) el\b|"
    r"\bdata (?:di |de |do |da )?(?:chiusura|fine|disdetta|recesso|fechamento|encerramento|fim|"
    r"cancelamento|zamknięcia|zakończenia|rozwiązania|anulowania)\b|"
    r"\b(?:chiuso|pagato|annullato) il\b|\b(?:zamknięto|zakończono)\b|"
    r"\b(?:eind|afsluit|opzeg)datum\b|\b(?:slut|avslutnings)(?:datum|dato)\b"
)
_AHEAD = re.compile(
    r"\b(?:expected|estimated|est|planned|scheduled|target|forecast|promised|due|budgeted|"
    r"previous|prev|prior|geplant\w*|plan|erwartet\w*|voraussichtlich\w*|soll|vorherig\w*|"
    r"prévue?|prevu|previst[oa]|estimad[oa]|stimat[oa]|planowan[ay]|verwachte?|"
    r"op|surgery|surgical|operation|procedure|anaesthesia|anesthesia)\b|"
    r"\b(?:expected|estimated|planned|scheduled|target|plan|soll)"
)
"""Words of ends that are planned, of another one before, or of an operation within the stay."""


def are_end_dates(name: str) -> bool:
    """Whether a date is called like the one on which what the row is about was over.

    The end of a stay is not meant: who is asked about afterwards has been discharged.

    >>> names = ("actualclosedate", "closed_at", "Enddatum", "PaidOn", "Abschlussdatum")
    >>> all(map(are_end_dates, names))
    True
    >>> others = ("createdon", "discharged", "estimatedclosedate", "geplantes Enddatum", "weekend")
    >>> any(map(are_end_dates, others))
    False
    """
    words = " ".join(name_words(name))
    return _OVER.search(words) is not None and _AHEAD.search(words) is None
