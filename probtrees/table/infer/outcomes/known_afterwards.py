"""Columns that their names call known at the end: predictions, the length of a last stay, a cause.

They seldom predict so well that it stands out: who dies may die soon or late. Yet nobody knows
them when a prediction is wanted. In registries of hospitals they stand beside what is known on
admission: days to death, date of last contact, discharged to, response after therapy.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from probtrees.table.infer.leaks import STRONG_COLUMN
from probtrees.table.infer.recognise_numbers import IGNORE
from probtrees.table.infer.row_weights import name_words
from probtrees.table.table_report import Finding

_PREDICTS = re.compile(
    r"pred|predicted|prediction|predictions|yhat|vorhersage|prognostiziert|prédiction|prédite?|"
    r"predicción|predicho|predizione|previsto|predição|predykcja|voorspelling|voorspeld"
)
"""First words of such names; behind a measure they may mean what is usual, as in FEV1 % pred."""
_UNITS = (
    r"(?: (?:d|days?|tage|jours|días|dias|giorni|dagen|dni|weeks?|m|mo|mos|months?|monate|mois|"
    r"meses|mesi|maanden|y|yrs?|years?|jahre|ans|años|anos|anni|time))"
)
_STAY = re.compile(
    rf"(?:hospital |hosp |icu )?(?:los|length of stay){_UNITS}?|(?:days|time) in (?:hospital|icu)|"
    r"(?:verweil|liege|aufenthalts)dauer(?: tage)?|durée(?: de| du)? séjour|"
    r"días de (?:estancia|ingreso|uci)|estancia(?: hospitalaria| uci)?|giorni di degenza|"
    r"(?:durata )?(?:della )?degenza|ligduur|opnameduur|czas pobytu|długość pobytu|vårdtid|"
    r"tempo de internação|dias de internação|(?:icu|itu|intensive care)(?: stay)? days|"
    r"days on (?:icu|ventilator)|ventilat(?:or|ion) days|(?:its|icu) (?:tage|dauer)|intensivtage|"
    r"beatmungs(?:tage|dauer)|date of discharge|discharge ?(?:date|time)|discharged(?: (?:on|at))?|"
    r"entlass(?:ungs?)?(?: ?datum|tag)|entlassung(?: am)?|entlassen am|date de sortie|"
    r"fecha de alta|data (?:di )?dimissione|data wypisu|ontslagdatum"
)
"""How long a stay was, or when it ended."""
_LEFT_FOR = re.compile(
    r"discharged? (?:to|destination|disposition|status|type)|hospital discharge status|"
    r"entlass(?:ungs)?(?:art|grund|ziel|status)|entlassen nach|mode de sortie|"
    r"destination de sortie|destino al alta|(?:tipo|motivo) de alta|modalità di dimissione"
)
"""Where somebody went at the end of a stay; hospices and morgues are among it."""
_CAUSE = re.compile(
    r"(?:underlying )?cause (?:of )?death|death cause|todesursache|cause (?:du |de )?décès|"
    r"causa (?:de |della )?(?:la )?(?:muerte|morte|óbito|fallecimiento)|doodsoorzaak|"
    r"przyczyna zgonu|dödsorsak"
)
_SURVIVED = re.compile(
    r"(?:days|months|years|time|weeks) (?:to|until|till) (?:death|event|progression|relapse|"
    r"recurrence|(?:last )?(?:contact|follow ?up|fu))|"
    rf"(?:overall |progression free |disease free |relapse free |event free )?survival{_UNITS}|"
    r"(?:tage|monate|zeit) bis (?:zum )?(?:tod|rezidiv|progress|ereignis|rehosp\w*)|"
    rf"(?:os|pfs|dfs|rfs|efs){_UNITS}|überlebens?zeit|überleben (?:monate|tage)"
)
"""How long it took until something happened, whatever that is."""
_FOLLOWED = re.compile(
    rf"(?:follow ?up|fu|fup)(?: duration| period)?{_UNITS}?|os|pfs|dfs|rfs|efs|"
    r"(?:duration|length|months|days|years) of follow ?up|"
    r"(?:overall |progression free |disease free |relapse free |event free )?survival|"
    r"(?:date (?:of )?)?(?:last|letzter|dernier|último) (?:contact|follow ?up|fu|seen|kontakt|"
    r"contacto)(?: date)?|(?:date (?:of )?)?death(?: date)?|todesdatum|sterbedatum|"
    r"datum letzter kontakt|nachbeobachtungs?(?:zeit|dauer)|durée de suivi|"
    r"date (?:de |du |des )?(?:décès|dernières nouvelles)|tiempo de seguimiento|"
    r"fecha de (?:muerte|fallecimiento|último contacto)|durata (?:del )?follow ?up|"
    rf"(?:seguimiento|suivi|survie|supervivencia|sobrevida|seguimento|acompanhamento){_UNITS}?|"
    rf"(?:sopravvivenza|osservazione){_UNITS}?|tempo de (?:seguimento|acompanhamento)|"
    rf"(?:nachsorge|(?:nach)?beobachtungs)(?:zeit|dauer|zeitraum){_UNITS}?|nachbeobachtung{_UNITS}?|"
    rf"durée de (?:suivi|survie){_UNITS}|tiempo de (?:seguimiento|supervivencia){_UNITS}|"
    r"(?:opvolg|overlevings)(?:duur|tijd)|(?:czas|okres) (?:obserwacji|przeżycia)|"
    r"(?:uppföljnings|överlevnads|opfølgnings)tid"
)
"""How long somebody was followed, or until when."""
_STATE = re.compile(
    r"vital ?status(?: \w+){0,4}|"
    r"(?:status|state) (?:at|on) (?:last )?(?:contact|follow ?up|fu|discharge)|"
    r"(?:in )?(?:hospital |icu )?(?:death|died|dead|deceased|mortality|alive|survived)"
    r"(?: (?:in|at|within|d|days?|m|months?|y|years?|hospital|icu|discharge|follow|up))*"
)
"""Who is alive at some time."""
_AFTER = re.compile(
    r"(?:\w+ )+(?:after|post|nach|après|después de|dopo|following) "
    r"(?:the |la |le |der |il )?(?:surgery|op|operation|therapy|treatment|chemo|chemotherapy|"
    r"resection|discharge|therapie|behandlung|entlassung|chirurgie|opération|traitement|cirugía|"
    r"tratamiento|intervento|terapia)|(?:post ?op|postoperative[rs]?|post operative|postopératoire|"
    r"posoperatori[oa]|postoperatori[oa]|post treatment|post therapy)(?: \w+)+|"
    r"(?:\w+ )+(?:postop|postoperative|postoperativ)"
)
"""What is found once the treatment is over."""

_DEATH = re.compile(
    r"died|dead|death|deceased|mortality|survived|survival|verstorben|tod|gestorben|mortalität|"
    r"überlebt|décédée?|décès|mortalité|fallecid[oa]|fallecimiento|muerte|éxitus|exitus|óbito|obito|"
    r"falecid[oa]|decedut[oa]|decesso|overleden|overlijden|sterfte|zgon|zmarła?|avliden|död|død|"
    r"vitalstatus|dod"
)
_RELAPSE = re.compile(
    r"relapsed?|recurrence|recurred|progression|progressed|rezidiv|rückfall|progress|récidive|"
    r"rechute|recaída|recidiva|nawrót|metastas[ie]s|progresión|progressione"
)
_COMPLICATION = re.compile(
    r"complications?|komplikation(?:en)?|complicaci(?:ón|ones)|complicanz[ae]|powikłani[ae]|"
    r"morbidity|ssi|infection|sepsis|reoperation|leak(?:age)?|clavien"
)
_EVENT = re.compile(r"event|status|censor(?:ed|ing)?|ereignis|événement|evento|mace")


def known_afterwards(name: str, target: str, classes: Iterable[str] = ()) -> Finding | None:
    """Ask whether a column was known, if its name says that it is known at the end.

    Parameters
    ----------
    classes : the outcomes, which may say what the name of the target does not: dead and alive

    >>> known_afterwards("Length of stay", "died").kind, known_afterwards("pred_prob", "y").kind
    ('strong', 'strong')
    >>> known_afterwards("length_of_stay", "readmitted"), known_afterwards("FEV1 pred", "y")
    (None, None)
    >>> known_afterwards("days_to_last_followup", "status", ["alive", "dead"]).kind
    'strong'
    """
    words = [word for word in name_words(name) if not word.isdigit()]
    why = _why(words, _outcomes(target, classes))
    if not why:
        return None
    sentence = f"Was {name!r} known beforehand? {why}"
    return Finding(name, STRONG_COLUMN, sentence, "", "warning", (IGNORE,))


def _outcomes(target: str, classes: Iterable[str]) -> set[str]:
    """Say what a target is about: death, relapse, a complication, or any event."""
    said = name_words(target)
    told = [word for text in classes for word in name_words(text)]
    found = {"event"} if any(map(_EVENT.fullmatch, said)) else set()
    for kind, pattern in (("death", _DEATH), ("relapse", _RELAPSE), ("trouble", _COMPLICATION)):
        if any(map(pattern.fullmatch, said)):
            found.add(kind)
    is_death = "vital status" in " ".join(said) or any(map(_DEATH.fullmatch, told))
    return found | ({"death"} if is_death else set())


def _why(words: list[str], outcomes: set[str]) -> str:
    """Say why a name tells that nobody knows a column beforehand; nothing where it may be known."""
    if words and _PREDICTS.fullmatch(words[0]):
        return "Its name calls it a prediction, perhaps one of the same outcome."
    did = "died" if "death" in outcomes else "had a complication"
    at_the_end = f"is known at its end, when it is known who {did}."
    followed = "How long somebody was followed is known at the end, as the outcome is."
    of_people = {"death", "relapse", "trouble"}
    reasons = (
        (_STAY, {"death", "trouble"}, f"How long a stay was {at_the_end}"),
        (_LEFT_FOR, {"death", "trouble"}, f"Where somebody went after a stay {at_the_end}"),
        (_CAUSE, {*of_people, "event"}, "A cause of death is known when somebody has died."),
        (_SURVIVED, {*of_people, "event"}, followed),
        (_FOLLOWED, of_people, followed),
        (_STATE, of_people, "Its name calls it an outcome of the same people."),
        (_AFTER, of_people, "Its name says that it is found after a treatment."),
    )
    called = " ".join(words)
    found = (why for names, about, why in reasons if about & outcomes and names.fullmatch(called))
    return next(found, "")
