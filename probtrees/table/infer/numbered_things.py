"""What has a number and many rows: the animals of a herd, the trips of a bus.

Fewer than so many are categories, and so are those that are called by their name alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_PLACES = {
    "herd": r"herd|flock|herden?|troupeau|rebaño|hato|mandria|stad[ao]|kudde|besætnings?",
    "farm": r"farm|holding|ranch|dairy|betriebs?|hof|élevage|exploitation|ferme|granja|explotación|"
    r"azienda|allevamento|gospodarstw[ao]|bedrijfs?|gård",
    "household": r"household|hh|family|haushalts?|ménage|foyer|hogar|famiglia|huishouden",
    "clinic": r"clinic|practice|hospital|praxis|klinik|cabinet|clinique|hôpital|clínica|ospedale",
    "store": r"store|shop|outlet|branch|filial(e|en)?|markt|magasin|tienda|negozio|sklepu?|winkel",
    "school": r"school|sch|schul(e|en)?|école|escuela|scuola|szkoły",
    "site": r"site|cluster|village|station|centre|center|plot|vessel",
}
_THINGS = {
    "vehicle": r"vehicle|veh|bus|coach|tram|fleet|truck|lorry|wagon|loco(motive)?|aircraft|"
    r"fahrzeug|kfz|lkw|wagen|lok|véhicule|voiture|autobus|autocar|camion|vehículo|coche|autobús|camión|"
    r"veículo|ônibus|autocarro|viatura|veicolo|automezzo|vettura|pojazdu|autobusu|wozu|tab|"
    r"taborowy|boczny|voertuig|fordons?|køretøj|kjøretøy|ajoneuvo|vozidla|vozu|jármű|vehicul",
    "machine": r"machine|mach|equipment|asset|maschinen?|anlagen?|équipement|máquina|maquina|"
    r"equipo|equipamento|macchina|impianto|maszyny|maskin|stroje|gép|kone|masina",
    "device": r"device|sensor|meter|terminal|geräte?|zähler|appareil|capteur|compteur|dispositivo|"
    r"aparato|medidor|contador|apparecchio|contatore|licznika|apparaat|toestel|laite",
    "driver": r"driver|operator|chauffeur|fahrer|lenker|bediener|conducteur|opérateur|conductor|"
    r"chofer|operador|motorista|autista|conducente|operatore|kierowcy|operatora|bestuurder|"
    r"förare|fører|kuljettaja|řidiče|mechanic|mechanik(er|a)?|technician|techniker|technicien",
}
"""What a number alone may stand for, under a name in one: bus 3017."""
_NUMBER = re.compile(
    r"ids?|no|nr|nummer|num|number|n[uú]mero|num[eé]ro|numer|codes?|kod|badge|matricule|matricola"
)
_BEHIND = re.compile(r"(.+?)(nr|nummer|id|code)")
_SMALL_WORDS = frozenset({"d", "l", "of", "de", "du", "des", "do", "da", "la", "le", "der"})


def thing_of_number(words: Sequence[str]) -> str:
    """Return a word for what a column holds the numbers of; nothing where it is no number.

    >>> thing_of_number(["herd", "no"]), thing_of_number(["numéro", "de", "véhicule"])
    ('herd', 'vehicle')
    >>> thing_of_number(["fahrernummer"]), thing_of_number(["bus"])
    ('driver', '')
    """
    words = [word for word in words if word not in _SMALL_WORDS]
    plain = [word for word in words if not _NUMBER.fullmatch(word)]
    behind = _BEHIND.fullmatch(words[0]) if len(words) == 1 else None
    called = behind[1] if behind else plain[0] if len(plain) == 1 < len(words) else ""
    return _of(called, _PLACES | _THINGS)


def thing_called(words: Sequence[str]) -> str:
    """Return a word for the vehicle, machine or driver that a column is called by, and no more.

    >>> thing_called(["bus"]), thing_called(["herd"]), thing_called(["bus", "type"])
    ('vehicle', '', '')
    """
    return _of(words[0], _THINGS) if len(words) == 1 else ""


def _of(word: str, things: Mapping[str, str]) -> str:
    return next((thing for thing, known in things.items() if re.fullmatch(known, word)), "")
