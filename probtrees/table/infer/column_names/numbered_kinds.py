"""Names of what is numbered from 1 on, and seldom counted: districts, lines, shifts, courts.

A column that is called by one of them alone, or as its number, says which one it is. The word is in
the singular: "zones" may be how many were crossed. In some languages both are the same, and the
word is left out where it is often counted.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from probtrees.table.infer.row_weights import name_words
from probtrees.types import FloatArray

_SURELY = re.compile(
    r"district|distrito|distretto|distrikt|dystrykt|bezirks?|stadtbezirk|kreis|landkreis|borough|"
    r"arrondissement|powiat|okręg|rejon|dzielnica|comarca|precinct|parish|stadsdel|gemeinde|gmina|"
    r"commune|comune|municipio|município|municipality|gemeente|kommune?|voivodeship|województwo|"
    r"departamento|département|prefecture|quartier|barrio|bairro|quartiere|wijk|buurt|revier|"
    r"neighbou?rhood|stadtteil|ortsteil|watershed|catchment|район|область|okres|kraj|judet|județ|"
    # lines and what stands along them
    r"route|ruta|linie|linien|ligne|línea|linea|linha|linia|linii|lijn|linje|trasa|itinéraire|"
    r"flight|flug|vuelo|volo|voo|train|zug|pociąg|pociag|маршрут|depot|dépôt|depósito|deposito|"
    r"zajezdnia|haltestelle|arrêt|parada|paragem|fermata|przystanek|hållplats|"
    # who decides, plays or works there
    r"court|gericht|tribunale?|juzgado|sąd|rechtbank|domstol|judge|richter|juge|juez|juiz|giudice|"
    r"sędzia|rechter|domare|officer|policjant|polizist|cashier|kassierer|caissier|cajero|cassiere|"
    r"kasjer|operario|operário|inspector|inspektor|inspecteur|doctor|surgeon|physician|arzt|chirurg|"
    r"médecin|chirurgien|médico|medico|lekarz|läkare|nurse|referee|schiedsrichter|arbitre|árbitro|"
    r"arbitro|caseworker|interviewer|enumerator|technician|mannschaft|équipe|squadra|drużyna|"
    r"firm|firma|agency|agenzia|agencia|agence|agência|agentur"
)
_GIVEN = re.compile(
    r"zone|zona|strefa|tarifzone|sector|sektor|secteur|setor|settore|line|streife|tour|terminal|"
    r"garage|warehouse|entrepôt|almacén|armazém|magazzino|magazyn|magazijn|plant|werk|usine|"
    r"fábrica|stabilimento|zakład|fabriek|gate|pier|dock|berth|platform|gleis|bahnsteig|quai|andén|"
    r"binario|peron|perron|shift|schicht|turno|zmiana|skift|batch|lote|lotto|partia|partij|"
    r"plot|parcela|parcelle|parzelle|particella|działka|perceel|field|schlag|block|bloque|bloc|blok|"
    r"blocco|bloco|cage|käfig|jaula|gabbia|gaiola|klatka|kooi|paddock|pond|greenhouse|gewächshaus|"
    r"stall|barn|hive|team|equipe|equipo|ploeg|club|verein|broker|dealer|insurer|agent|agente|"
    r"site|standort|clinic|klinik|clinique|clínica|hospital|krankenhaus|hôpital|ospedale|szpital|"
    r"ziekenhuis|centre|center|centro|ośrodek|cluster|village|dorf|aldea|wieś|school|schule|école|"
    r"escuela|escola|scuola|szkoła|library|bücherei|sensor|antenna|antena|antenne|brunnen|laboratory|"
    r"machine|maschine|máquina|maquina|macchina|maszyna|maskin|stroj|engine|turbine|turbina|robot|"
    r"furnace|vehicle|fahrzeug|véhicule|vehículo|veículo|veicolo|pojazd|voertuig|fordon|truck|lkw|"
    r"camion|camión|bus|tram|aircraft|flugzeug|avion|avión|aereo|samolot|vliegtuig|room|zimmer|"
    r"chambre|habitación|camera|quarto|pokój|kamer|aisle|shelf|regal|rayon|pasillo|scaffale|półka|"
    r"rack|locker|complex|building|gebäude|bâtiment|edificio|edifício|budynek|gebouw"
)
"""The same if their numbers lie close together: an engine of 1598 has this much of something."""
_SORTS = re.compile(
    r"type|typ|tipo|art|sorte|soort|rodzaj|\w{3,}(art|typ)|cause|ursache|causa|przyczyna|oorzaak|"
    r"crop|cultivo|coltura|uprawa|gewas|variety|cultivar|breed|rasse|raza|razza|raça|ras|brand|"
    r"marke|marque|marca|merk|product|produkt|produit|producto|prodotto|channel|kanal|canal|canale|"
    r"segment|segmento|kundensegment|klasse|kundenklasse|gruppe|kundengruppe|produktgruppe|"
    r"group|groupe|grupo|gruppo|grupa|groep"
)
_MOST_SORTS, _GAPS = 100, 10.0
_NUMBER = re.compile(
    r"ids?|no|nr|nummer|num|number|n[uú]mero|num[eé]ro|numer|nummer|codes?|kode|kod|código|codigo|"
    r"codice|n|#"
)
_SMALL_WORDS = frozenset({"d", "l", "of", "de", "du", "des", "do", "da", "di", "la", "le", "der"})
_WHOSE = re.compile(
    r"police|school|court|sales|postal|health|fire|delivery|tariff|fare|climate|council|voting|"
    r"electoral|census|bus|tram|train|metro|assembly|production|departure|arrival|study|trial|"
    r"treatment|offen[cs]e|crime|fuel|vehicle|payment|contract|property|housing|soil|roof|"
    r"accident|incident|claim|product|customer|room|road|crop|engine"
)
"""What stands before them: a police district, a fuel type."""
_COMPOUND = re.compile(r"(.+?)s?(nr|nummer|id|code)")
_NO_SORTS = re.compile(r"start|part|wart|chart|smart|heart|cart|gegenwart|apart")
"""English and German words that end like compounds of "Art"."""


class NumberedKind(NamedTuple):
    """What a column is called by.

    Attributes
    ----------
    has_rows : one of them may have rows that belong together
    is_sure : the numbers need not lie close together
    """

    has_rows: bool
    is_sure: bool

    def fits(self, known: FloatArray) -> bool:
        """Whether these different numbers, in order, may name such ones."""
        close = bool(known[-1] - known[0] < _GAPS * len(known))
        return self.is_sure or (close and (self.has_rows or len(known) <= _MOST_SORTS))


def numbered_kind(name: str) -> NumberedKind | None:
    """Say by what of all that is numbered a column is called; None where by nothing of it.

    >>> [numbered_kind(n) is not None for n in ("district", "Numéro de ligne", "BezirksNr")]
    [True, True, True]
    >>> [numbered_kind(n) is not None for n in ("fuel_type", "Zahlungsart", "heart", "zones")]
    [True, True, False, False]
    >>> numbered_kind("team size"), numbered_kind("engine")
    (None, NumberedKind(has_rows=True, is_sure=False))
    """
    words = [word for word in name_words(name) if not word.isdigit()]
    plain = [w for w in words if w not in _SMALL_WORDS and not _NUMBER.fullmatch(w)]
    if len(plain) == 2 and _WHOSE.fullmatch(plain[0]):
        plain = plain[1:]
    if len(plain) != 1 or _NO_SORTS.fullmatch(plain[0]):
        return None
    compound = _COMPOUND.fullmatch(plain[0])
    called = [plain[0], *([compound[1]] if compound else [])]
    is_sure = any(_SURELY.fullmatch(word) for word in called)
    if is_sure or any(_GIVEN.fullmatch(word) for word in called):
        return NumberedKind(has_rows=True, is_sure=is_sure)
    return NumberedKind(has_rows=False, is_sure=False) if _SORTS.fullmatch(plain[0]) else None
