"""Whole numbers that name rather than measure: customer 100238 is not more than customer 100231.

What a column is called says most. Where its name says nothing, its numbers do: measurements that
lie as close together as numbers given one after the other would not all differ.
"""

from __future__ import annotations

import re

import numpy as np

from probtrees.table.infer.column_names.people_and_animals import ONE_EACH, PEOPLE
from probtrees.table.infer.column_names.record_numbers import record_called
from probtrees.table.infer.numbered_things import thing_called, thing_of_number
from probtrees.table.infer.row_weights import name_words
from probtrees.types import FloatArray

MIN_ROWS = 10
"""In shorter tables numbers and texts may all differ by chance."""

_FEW = 20
_MANY_ROWS, _SEVEN_DIGITS, _FOUR_DIGITS, _THREE_DIGITS = 50, 1e6, 1e3, 1e2
_NEARLY_ALL = 0.9
_ALL_BUT_A_FEW = 0.98
_GAPS, _MOST_ROWS_OF_ONE = 10.0, 50
_FIRST_YEAR, _LAST_YEAR = 1700.0, 2100.0
_CALLED_YEAR = re.compile(r"year|jahr|ann[ée]e|año|anno\b|\brok|год|\byob|jaar|\bår|年", re.I)
_EXPECTED_TWICE = 10.0
"""Of numbers drawn at random so many pairs would be alike; that none is happens once in 20,000."""

_NUMBER_SIGN = re.compile(r"№|\b[Nn] ?[º°]")
_NAMES = re.compile(
    r"ids?|uuid|guid|pk|key|idx|index|[pucs]id|mrn|ssn|\w*nr|\w*nummer|matrikel|barcode|isbn|ean|"
    r"imei|iban|vin|sku|sir(en|et)|lfd"
)
_ID_BEFORE = re.compile(r"ID(?!ADE|IOMA|EAL|EAS?$|EB|LE|H)([A-Z]{3,})\d?")
"""IDSCHOOL in capitals; but IDADE is an age in Portuguese, and IDEB and IDH are indices."""
_REGISTERS = {
    "school": r"ukprn|laestab|uai|rne|nces",
    "student": r"upn|uln",
    "firm": r"siren|siret|duns|abn|krs|crn",
    "one": r"urn|insee|ipeds|unitid|npi",
}
"""Short names of numbers that registers give, by what they are given to."""
_LABELLED = re.compile(
    r"(?P<whose>.*\W)?(id|ids|identifier|identification( (number|code))?|identifiant|identificador|"
    r"identificativo|identyfikator|kennung|kennnummer|reference number)\W*",
    re.I,
)
"""Labels of columns that say whose row it is."""
_INDEX = re.compile(r"idx|index|indice")
"""What names rows only where nearly all differ: a body mass index measures."""
_NUMBERED = re.compile(r"key|\w*nr|\w*nummer")
_MOST_ROWS_OF_NUMBER = 20
"""Numbers of rooms or lines that repeat more often name a kind of rows, not one of them."""
_SIGNS = re.compile(
    r"(№|#|n[º°]|nr|no)?\W*(№|#|n[º°]|п/п|пп|номер|порядковый номер|л/?п|l\.? ?p|ssz|sorsz[aá]m|"
    r"sıra( no)?|p\.? ?č|poř\.? ?č|por\.? ?č|[sl]f?d\.? ?nr|sr\.? ?no|s\.? ?no|α/α|"
    r"序号|序號|编号|編號|番号|番號|連番|通し番号|번호|순번|연번)\W*",
    re.I,
)
"""What people write above a column that counts the rows."""
_COUNTERS = re.compile(r"no|num|number|row|rownum|record|serial|case|obs|n[uú]mero|num[eé]ro|n|pos")
_THINGS = re.compile(
    r"debitor|kreditor|kunden?|customer|client|cliente?|patient|paziente|paciente|account|acct|"
    r"konto|compte|cuenta|conto|invoice|rechnung|facture|factura|fattura|order|auftrag|bestellung|"
    r"commande|pedido|ordine|ticket|case|fall|member|mitglied|student|schüler|artikel|beleg|"
    r"document|vertrag|contract|contrat|contrato|polic(y|e)|lieferant|vendor|supplier|employee|"
    r"mitarbeiter|subject|proband|respondent|participant|probe|sample|spécimen|sendung|shipment|"
    r"parcel|tracking|fahrzeug|vehicle|gerät|device|seriennummer|serial|reference|ref|referenz|"
    r"bib|dossard|dorsal|pettorale|startnummer"
)
"""What is called by a number; "customers" are counted instead."""
_MANY_PLACES = 50
_END_OF_DAY, _MINUTES = 2400, 60
_GIVEN_BY_STATES = re.compile(
    r"pesel|nip|regon|nir|nhs|cpr|cpf|cnpj|dni|nie|nif|nuss|curp|rut|ssn|ssid|sin|ahv|avs|bsn|tckn|"
    r"egn|cnp|oib|jmbg|emšo|inn|инн|снилс|огрн|aadhaar|nino|personnummer|rodn[eé]|taj|nric|pps|hetu|"
    r"steueridnr|steuerid|ean|gtin|upc|iban|imei|imsi|msisdn|isbn|mrn|konto|account|acct|phone|"
    r"telefon|tel|mobile|handy|fax|chi|amka|αμκα|kimlik|kennitala|fnr"
)
"""Short names of numbers given to people, firms, accounts, phones and goods; some mean other things
above short numbers (dni are days in Polish)."""
_EIGHT_DIGITS, _FIVE_DIGITS = 1e7, 1e4
_EVEN_ROWS, _MOST_UNEVEN = 200, 0.12
"""How far the share of rows up to a number may lie from that of a straight line."""
_SAME_WIDTH, _MOST_ALIKE = 0.98, 0.05
_HARDLY_ANY_ROUND = 0.2
"""Of numbers given at random a tenth are multiples of ten; amounts of eight digits are rounded."""
_MOMENTS = (5e8, 2.2e9)
"""Seconds since 1970 that tables hold; milliseconds and so on are a thousand times as many."""
_UNITS_OF_TIME = (1.0, 1e3, 1e6, 1e9)
_BEHIND = re.compile(r"(.+?)(nr|nummer|id|code)")
_MEASURES = re.compile(
    r"\w*(income|price|amount|salary|cost|value|balance|revenue|sales|umsatz|preis|betrag|gehalt|"
    r"kosten|wert|saldo|einkommen|lohn|salaire|prix|montant|revenu|coût|precio|importe|ingreso|"
    r"sueldo|year|jahr|année|año|time|zeit|second|sek|minute|day|tag|hour|stunde|age|alter|weight|"
    r"gewicht|height|depth|tiefe|distance|entfernung|km|mileage|kilomet\w+|miles|meter|steps|count|"
    r"anzahl|menge|qty|quantity|total|sum|summe|population|einwohner|area|fläche|level|pressure|"
    r"druck|temp\w*|score|points|punkte|freq\w*|rate|size|views|clicks|visitors|besucher|limit)s?"
)
_LARGE = re.compile(
    r"pop|gdp|bip|pib|volumen?|[ck]apital|assets?|turnover|profits?|gewinne?|budget|bytes|loans?|"
    r"kredite?|debts?|savings|wages?|premium|tax(es)?|timestamp|epoch|unix|utc|ts|hz|salario|"
    r"stipendio|pensja|wynagrodzenie|loon|lön|løn|prezzo|preço|cena|kwota|importo|costo|custo|rent|"
    r"miete|loyer|charges?|expenses?|platelets|thrombo\w+|leu[ck]o\w+|ferritin\w*|ldh|bnp"
)
"""What else may be measured in many digits."""


def identify(name: str, values: FloatArray, lowest: float, highest: float) -> bool:
    """Whether numbers say whose row it is, by the column's name or by how they are given."""
    years = may_be_years(lowest, highest)
    called_year = years and _CALLED_YEAR.search(name) is not None
    last = _last_word(name)
    if called_year or len(values) < MIN_ROWS or not is_whole(values):
        return not called_year and _have_points(last, values[~np.isnan(values)])
    is_sign = _SIGNS.fullmatch(name.strip()) is not None
    named = is_sign or is_called_identifier(name)
    if (named or _COUNTERS.fullmatch(last)) and counts_rows(values, lowest, highest):
        return True
    known = values[~np.isnan(values)]
    n_different = len(np.unique(known))
    are_places = are_many_places(name, n_different, len(known)) or are_many_things(name, known)
    are_places = are_places or (is_of_register(name) and lowest >= _FOUR_DIGITS)
    if n_different <= _FEW or are_places or _long_and_given(name, known, n_different):
        return n_different > _FEW
    differ = n_different >= _NEARLY_ALL * len(known)
    is_case = differ and np.median(known) >= _FIVE_DIGITS and record_called(_words(name)) != ""
    if named or is_case:
        return differ or not _repeats_like_a_measure(name, known, n_different)
    same_width = lowest > 0 and len(f"{lowest:.0f}") == len(f"{highest:.0f}")
    given = _given_in_turn(known, n_different)
    if _THINGS.fullmatch(last) or ONE_EACH.fullmatch(last) or _COUNTERS.fullmatch(last):
        return (differ and (same_width or given)) or _name_people(name, known, n_different)
    measures = years or _MEASURES.fullmatch(last) is not None or _may_be_times(known)
    return same_width and not measures and _nameless(values, lowest, given)


def _have_points(last: str, known: FloatArray) -> bool:
    """Whether numbers with a point name rows, 1890.59 the 59th that a museum got in that year.

    Their name calls them numbers, all begin with a year, and no two are alike.
    """
    return (
        len(known) > _FEW
        and may_be_years(float(known.min()), float(known.max()))
        and len(np.unique(known)) == len(known)
        and not is_whole(known)
        and _NUMBERED.fullmatch(last) is not None
    )


def _may_be_times(known: FloatArray) -> bool:
    """Whether whole numbers are all times of a day without a colon, 615 and 1430.

    Of numbers given in turn two of five would end in 60 and more.
    """
    return bool(known.max() < _END_OF_DAY and (known % 100 < _MINUTES).all())


def may_be_years(lowest: float, highest: float) -> bool:
    """Whether numbers lie where years do: tables by year count them, and they name no rows."""
    return lowest >= _FIRST_YEAR and highest <= _LAST_YEAR


def _long_and_given(name: str, known: FloatArray, n_different: int) -> bool:
    """Whether numbers of eight digits and more are given to somebody, like a PESEL or an account.

    Under another name they are if hardly any is round, all have as many digits, none is in many
    rows and they nevertheless return: measures of so many digits do not. Moments may.
    """
    if np.median(known) < _EIGHT_DIGITS or known.min() < 0:
        return False
    words = _words(name)
    measures = [bool(_MEASURES.fullmatch(w) or _LARGE.fullmatch(w)) for w in words]
    if any(_GIVEN_BY_STATES.fullmatch(word) for word in words) and not measures[-1]:
        return True
    if any(measures) or _are_moments(known):
        return False
    different, n_rows = np.unique(known, return_counts=True)
    widths = np.floor(np.log10(np.maximum(different, 1.0)))
    same_width = (widths == np.median(widths)).mean() >= _SAME_WIDTH
    round_ones = max((different % 10 == 0).mean(), 10 * (different % 100 == 0).mean())
    alike = n_rows.max() > max(2.0, _MOST_ALIKE * len(known))
    returns = n_different < len(known) < _MOST_ROWS_OF_ONE * n_different
    return bool(same_width and returns and not alike and round_ones <= _HARDLY_ANY_ROUND)


def may_name_rows(name: str, values: FloatArray) -> bool:
    """Whether numbers may name the rows though nothing says so: five or six digits, never twice.

    They are spread evenly over far more numbers than there are rows, and no rounder than chance
    makes them; amounts are, or lie closer in the middle.

    >>> given = np.random.default_rng(1).choice(np.arange(1e5, 1e6), 300, replace=False)
    >>> may_name_rows("K", given), may_name_rows("Umsatz", given)
    (True, False)
    >>> may_name_rows("K", np.random.default_rng(1).normal(5e5, 1e5, 300).round())
    False
    """
    n_rows = len(values)
    if n_rows < _EVEN_ROWS or np.isnan(values).any() or not is_whole(values):
        return False
    ordered = np.unique(values)
    lowest, span = float(ordered[0]), float(ordered[-1] - ordered[0])
    same_width = len(f"{lowest:.0f}") == len(f"{ordered[-1]:.0f}")
    if len(ordered) < n_rows or lowest < _FIVE_DIGITS or not same_width or span < _GAPS * n_rows:
        return False
    if any(_MEASURES.fullmatch(w) or _LARGE.fullmatch(w) for w in _words(name)):
        return False
    round_ones = max((ordered % 10 == 0).mean(), 10 * (ordered % 100 == 0).mean())
    evenly = np.abs((ordered - lowest) / span - np.arange(n_rows) / n_rows).max()
    return bool(round_ones <= _HARDLY_ANY_ROUND and evenly < _MOST_UNEVEN)


def _are_moments(known: FloatArray) -> bool:
    """Whether numbers may be moments: since 1970 in seconds or finer, or 20240131093000."""
    first, last = float(known.min()), float(known.max())
    if any(_MOMENTS[0] * unit <= first and last <= _MOMENTS[1] * unit for unit in _UNITS_OF_TIME):
        return True
    digits = len(f"{first:.0f}")
    years = 10.0 ** (digits - 4)
    return digits == len(f"{last:.0f}") and may_be_years(first // years, last // years)


def _repeats_like_a_measure(name: str, known: FloatArray, n_different: int) -> bool:
    """Whether numbers repeat more often than those that name somebody or something do."""
    if is_called_by_person(name):
        return False
    if _INDEX.fullmatch(_last_word(name)):
        return True
    often = len(known) >= _MOST_ROWS_OF_NUMBER * n_different
    return often and _NUMBERED.fullmatch(_last_word(name)) is not None


def _nameless(values: FloatArray, lowest: float, given: bool) -> bool:
    """Whether numbers of equally many digits name rows although the column's name is silent."""
    if len(values) < _MANY_ROWS or np.isnan(values).any():
        return False
    if lowest >= _SEVEN_DIGITS and len(np.unique(values)) == len(values):
        return True
    return lowest >= _FOUR_DIGITS and given


def _name_people(name: str, known: FloatArray, n_different: int) -> bool:
    """Whether numbers name people who have several rows: close together as those given in turn.

    A number of employees has no such order.
    """
    span = float(known.max()) - float(known.min()) + 1.0
    close = span <= _GAPS * n_different and len(known) < _MOST_ROWS_OF_ONE * n_different
    last = _last_word(name)
    called = ONE_EACH.fullmatch(last) is not None or _COUNTERS.fullmatch(last) is not None
    return close and called and is_called_by_person(name)


def _given_in_turn(known: FloatArray, n_different: int) -> bool:
    """Whether all differ though they lie so close that measurements would coincide.

    Of n numbers drawn at random from a range of m whole ones, n (n - 1) / (2 m) pairs are alike on
    average.
    """
    if n_different < len(known):
        return False
    span = float(known.max()) - float(known.min()) + 1.0
    return len(known) * (len(known) - 1.0) / (2.0 * span) >= _EXPECTED_TWICE


def is_whole(values: FloatArray) -> bool:
    """Whether all known numbers are whole."""
    known = values[~np.isnan(values)]
    return bool((np.floor(known) == known).all())


def counts_rows(values: FloatArray, lowest: float, highest: float) -> bool:
    """Whether the values are consecutive whole numbers, each once, with hardly a row without."""
    span = float(highest) - float(lowest)  # plain numbers: infinite without a warning
    known = values[~np.isnan(values)]
    if len(known) < max(MIN_ROWS, _ALL_BUT_A_FEW * len(values)) or span != len(known) - 1:
        return False
    if not is_whole(known):
        return False
    return bool((np.bincount((known - lowest).astype(np.int64)) == 1).all())


def is_called_identifier(name: str) -> bool:
    """Whether a name says that the column names the rows: patient_id, Kundennr, IDSCHOOL."""
    named = _ID_BEFORE.fullmatch(name.strip()) or _NAMES.fullmatch(_last_word(name))
    return named is not None or record_called(_words(name)) == "person"


def labelled_identifier(label: str) -> str:
    """Return a name for a column whose label says that it names the rows; nothing for others.

    >>> labelled_identifier("School identifier"), labelled_identifier("Has an ID card")
    ('School ID', '')
    >>> labelled_identifier("Nº historia clínica")
    'Nº historia clínica'
    """
    found = _LABELLED.fullmatch(label.strip())
    if found is None:
        return label if record_called(_words(label)) else ""
    return f"{found['whose'] or ''}ID"


def is_of_register(name: str) -> bool:
    """Whether a column is called like the numbers of a register: URN, UAI, SIRET."""
    return bool(_register(name))


def _register(name: str) -> str:
    """Return a word for what a register gave the numbers of a column to; nothing for others."""
    last = _last_word(name)
    return next((thing for thing, known in _REGISTERS.items() if re.fullmatch(known, last)), "")


def named_thing(name: str) -> str:
    """Return a word for whom or what the values of a column name; "one" where its name is silent.

    >>> named_thing("Kunden-ID"), named_thing("PatientNo"), named_thing("customer type")
    ('customer', 'patient', 'one')
    >>> named_thing("kundennr"), named_thing("userid"), named_thing("Anzahl Kunden")
    ('customer', 'person', 'one')
    >>> named_thing("Herd No"), named_thing("Betriebsnr."), named_thing("Herd")
    ('herd', 'farm', 'one')
    >>> named_thing("Nr tab."), named_thing("operator_badge"), named_thing("bus")
    ('vehicle', 'driver', 'vehicle')
    >>> named_thing("site index"), named_thing("Numéro d'élevage")
    ('one', 'farm')
    >>> named_thing("IDSCHOOL"), named_thing("UPN"), named_thing("IDADE")
    ('school', 'student', 'one')
    """
    if registered := _register(name):
        return registered
    words = _words(name)
    if record_called(words) == "person":
        return "person"
    numbered = [w for w in words if _NAMES.fullmatch(w) or _COUNTERS.fullmatch(w)]
    plain = [word for word in words if word not in numbered] or numbered
    if numbered_thing := thing_of_number(words) or thing_called(words):
        return numbered_thing
    if len(plain) != 1:
        return "one"
    behind = _BEHIND.fullmatch(plain[0])
    called = (plain[0], behind[1] if behind else "")
    found = (thing for thing, pattern in PEOPLE.items() for w in called if re.fullmatch(pattern, w))
    return next(found, "one")


def is_called_by_person(name: str) -> bool:
    """Whether the values of a column name people, such as customers and patients."""
    return named_thing(name) in PEOPLE


def are_many_places(name: str, n_distinct: int, n_known: int) -> bool:
    """Whether values are the numbers of so many herds or stores that they say whose rows they are.

    >>> are_many_places("Herd No", 209, 4200), are_many_places("Herd No", 12, 4200)
    (True, False)
    """
    are_many = n_distinct > _MANY_PLACES and n_known < _MOST_ROWS_OF_ONE * n_distinct
    # Numbers of registers are long, which is seen elsewhere: UAI may be an index of 8 to 112.
    return are_many and not is_of_register(name) and bool(thing_of_number(_words(name)))


def are_many_things(name: str, known: FloatArray) -> bool:
    """Whether whole numbers under the name of a vehicle or machine alone say which one it is.

    They have three digits or more and lie close together, as numbers that are given do.

    >>> buses = np.repeat(np.arange(3000.0, 3140.0), 20)
    >>> are_many_things("bus", buses), are_many_things("bus", buses - 2999.0)
    (True, False)
    """
    different = np.unique(known)
    if not thing_called(_words(name)) or not len(different) > _MANY_PLACES:
        return False
    close = different[-1] - different[0] < _GAPS * len(different)
    few_rows = len(known) < _MOST_ROWS_OF_ONE * len(different)
    return bool(close and few_rows and different[0] >= _THREE_DIGITS)


def numbered(name: str) -> str:
    """Return a word for what a column says the number of: a vehicle, a herd; nothing for others.

    >>> numbered("Wagen-Nr."), numbered("Wagen"), numbered("nº de máquina")
    ('vehicle', '', 'machine')
    """
    return "" if is_of_register(name) else thing_of_number(_words(name))


def _last_word(name: str) -> str:
    """Return the last word of a name: patient_id, PatientID, patient nr."""
    found = _words(name)
    return found[-1] if found else ""


def _words(name: str) -> list[str]:
    """Take a name apart, in small letters: patient_id, PatientID, IDSCHOOL."""
    behind = _ID_BEFORE.fullmatch(name.strip())
    if behind:
        return ["id", behind[1].lower()]
    return [w for w in name_words(_NUMBER_SIGN.sub(" no ", name)) if not w.isdigit()]
