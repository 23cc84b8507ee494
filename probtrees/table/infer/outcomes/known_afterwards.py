"""Columns that their names call known at the end: a model's predictions, the length of a last stay.

They seldom predict so well that it stands out: who dies may die soon or late. Yet nobody knows
them when a prediction is wanted.
"""

from __future__ import annotations

import re

from probtrees.table.infer.leaks import STRONG_COLUMN
from probtrees.table.infer.recognise_numbers import IGNORE
from probtrees.table.infer.row_weights import name_words
from probtrees.table.table_report import Finding

_PREDICTS = re.compile(
    r"pred|predicted|prediction|predictions|yhat|vorhersage|prognostiziert|prédiction|prédite?|"
    r"predicción|predicho|predizione|previsto|predição|predykcja|voorspelling|voorspeld"
)
"""First words of such names; behind a measure they may mean what is usual, as in FEV1 % pred."""
_STAY = re.compile(
    r"(hospital |hosp |icu )?los( days)?|(hospital |icu )?length of stay( days)?|"
    r"(verweil|liege|aufenthalts)dauer( tage)?|durée( de| du)? séjour|días de (estancia|ingreso)|"
    r"estancia( hospitalaria)?|(durata )?(della )?degenza|giorni di degenza|ligduur|opnameduur|"
    r"czas pobytu|długość pobytu|vårdtid|tempo de internação|dias de internação"
)
_DEATH = re.compile(
    r"died|dead|death|deceased|mortality|survived|survival|verstorben|tod|gestorben|mortalität|"
    r"überlebt|décédée?|décès|mortalité|fallecid[oa]|fallecimiento|muerte|éxitus|exitus|óbito|obito|"
    r"falecid[oa]|decedut[oa]|decesso|overleden|overlijden|sterfte|zgon|zmarła?|avliden|död|død"
)


def known_afterwards(name: str, target: str) -> Finding | None:
    """Ask whether a column was known, if its name says that it is known at the end.

    >>> known_afterwards("Length of stay", "died").kind, known_afterwards("pred_prob", "y").kind
    ('strong', 'strong')
    >>> known_afterwards("length_of_stay", "readmitted"), known_afterwards("FEV1 pred", "y")
    (None, None)
    """
    words = [word for word in name_words(name) if not word.isdigit()]
    if words and _PREDICTS.fullmatch(words[0]):
        why = "Its name calls it a prediction, perhaps one of the same outcome."
    elif _STAY.fullmatch(" ".join(words)) and any(map(_DEATH.fullmatch, name_words(target))):
        why = "How long a stay was is known at its end, when it is known who died."
    else:
        return None
    sentence = f"Was {name!r} known beforehand? {why}"
    return Finding(name, STRONG_COLUMN, sentence, "", "warning", (IGNORE,))
