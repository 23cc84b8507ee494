"""What the numbers of patients, cases, samples and orders are called in hospitals and offices."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal

_A_NUMBER = re.compile(
    r"n|no|nr|num|º|°|number|numero|numer|nombre|nummer|cislo|c|αριθμος|номер|nro|kod|code"
)
_BETWEEN = re.compile(r"de|del|della|di|da|do|la|of|the|d|s")
_OF_PERSON = re.compile(
    r"nhc|nuhsa|nuss|(historia|hist|hist\w*) clin\w*|cartella clinica|codice (fiscale|sanitario)|"
    r"tessera sanitaria|prontuario( medico)?|processo clinico|dossier (patient|medical)|ipp|"
    r"securite sociale|medical record|hospital record|social security|tc kimlik|amka|αμκα|"
    r"rodne( cislo)?|kennitala|historii choroby|ksiegi glownej|история болезни|амбулаторная карта|"
    r"krankenblatt|patientenakte|\w*journalnr|hospital mrn|nhs|pesel|bsn|cpr"
)
"""What never means anything else."""
_OF_PERSON_BY_NUMBER = re.compile(
    r"historia|hc|cartella|utente|hospital|chi|kimlik|hasta|medical|chart|processo|dossier|"
    r"pasient|journal|karty|chorobopis\w*|health( card)?|medicare|medicaid|ss"
)
"""What means a person where it is a number: núm. historia, Nº HC, CHI number."""
_OF_CASE = re.compile(
    r"historia|hc|cartella|utente|chi|kimlik|processo|dossier|chorobopis\w*|expediente|folio|"
    r"sejour|nda|iep|nip|cip|sip|sns|nosologico|atendimento|aktenzeichen|az|akte|einsendung|"
    r"dosya|protokol|protocolo|protocollo|accession|encounter|csn|vardtillfalle"
)
"""What is numbered, though it may mean something else above small numbers."""
_OF_CASE_BY_NUMBER = re.compile(
    r"episodio|episode|ricovero|accettazione|internamento|guia|aufnahme|eingang|visit|admission|"
    r"specimen|lab|biopsy|biopsia|histologie|file|folder|unit|muestra|peticion|solicitud|"
    r"solicitacao|richiesta|referto|campione|amostra|prelevement|demande|zlecenia|probki|vzorku|"
    r"prov|rekvisition|remiss|opname|monster|aanvraag|request|requisition|orden|ordre|claim|"
    r"siniestro|sinistre|sinistro|schaden"
)
"""What is counted or paid for unless it is a number: claim number, Nº muestra."""


def record_called(words: Sequence[str]) -> Literal["person", "case", ""]:
    """Say whose number a column is called: that of a person, or perhaps that of a case or sample.

    >>> [record_called(name.split()) for name in ("no historia clínica", "historia", "n muestra")]
    ['person', 'case', 'case']
    >>> [record_called(name.split()) for name in ("historia familiar", "schaden", "no")]
    ['', '', '']
    """
    plain = [_without_accents(word) for word in words]
    named = [word for word in plain if not (_A_NUMBER.fullmatch(word) or _BETWEEN.fullmatch(word))]
    called = " ".join(named)
    if _OF_PERSON.fullmatch(called):
        return "person"
    by_number = any(map(_A_NUMBER.fullmatch, plain))
    if by_number and _OF_PERSON_BY_NUMBER.fullmatch(called):
        return "person"
    is_case = _OF_CASE.fullmatch(called) or (by_number and _OF_CASE_BY_NUMBER.fullmatch(called))
    return "case" if is_case else ""


def _without_accents(word: str) -> str:
    letters = unicodedata.normalize("NFD", word)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
