"""Columns that name the same customer or patient in several rows.

Such a column is no feature: a model would learn customers by heart, and rows of one customer would
test what the others have trained.
"""

from __future__ import annotations

import re

from probtrees.table.cells.raw_table import Texts
from probtrees.table.infer.identifying_numbers import (
    are_many_places,
    is_called_by_person,
    is_called_identifier,
    is_of_register,
    named_thing,
)
from probtrees.table.infer.row_weights import name_words
from probtrees.table.table_report import Finding, Fix

REPEATED = "repeated identifier"
"""The kind of a finding about such a column."""

MOST_DISTINCT = 0.9
"""With more different values, as a share of the rows, they repeat by copies or mistakes at most."""

_FEW = 20
"""So many values are categories, whatever the column is called."""

_MOST_ROWS_EACH = 10
"""Shops and products of more rows each on average are categories, even if they are numbered."""

_MOST_ROWS_OF_ONE = 50
"""The same for what a person is called by."""

_SHARED = {
    "route": r"routes?|ruta|trasa|itinéraire|rota|percorso|маршрут",
    "line": r"line|linien?|ligne|línea|linea|linha|linia|linii|lijn|linje",
    "trip": r"trip|tour|fahrt|trajet|viaje|viagem|viaggio|kurs|rit",
    "flight": r"flight|flug|vol|vuelo|volo|voo|lot",
    "district": r"district|bezirks?|distrito|distretto|arrondissement|dzielnica|wijk",
    "ward": r"ward|station|abteilungs?|service|sala|oddział",
    "order": r"order|bestell|bestellung|auftrags?|commande|pedido|encomenda|ordine|zamówienia",
    "invoice": r"invoice|rechnungs?|facture|factura|fatura|fattura|faktury|factuur",
    "batch": r"batch|charge|chargen|lote|lotto|partii|partij",
    "sample": r"sample|proben?|échantillon|muestra|amostra|campione|próbki|monster",
    "product": r"product|article|artikel|item|sku|produkt|produit|producto|produto|prodotto",
    "project": r"project|projekt|projet|proyecto|projeto|progetto",
}
"""What several rows may belong to that is nobody, by words of a column's name."""
_CODE = re.compile(r"([A-Za-z]{1,4}[-_/. #]?)(\d{3,})")


def name_in_several_rows(name: str, column: Texts, n_known: int) -> bool:
    """Whether texts that repeat say whose rows they are: by the column's name, or as codes do."""
    n_distinct = column.n_distinct
    can_be = column.repeats and n_distinct > _FEW
    if not can_be or not few_rows_each(name, n_distinct, n_known):
        return False
    is_named = is_called_by_person(name) or is_called_identifier(name)
    is_named = is_named or is_of_register(name) or are_many_places(name, n_distinct, n_known)
    return is_named or _are_codes(column.texts)


def few_rows_each(name: str, n_distinct: int, n_known: int, *, is_number: bool = False) -> bool:
    """Whether values repeat as names of customers do: not as copies do, nor as categories.

    ``is_number``: they are numbers that name something, such as the bus 3017.
    """
    if are_many_places(name, n_distinct, n_known):
        return n_distinct <= MOST_DISTINCT * n_known
    is_one = is_called_by_person(name) or (is_number and named_thing(name) != "one")
    most = _MOST_ROWS_OF_ONE if is_one else _MOST_ROWS_EACH
    return n_distinct <= MOST_DISTINCT * n_known and n_known < most * n_distinct


def _are_codes(texts: tuple[str, ...]) -> bool:
    """Whether all are the same letters before a number of as many digits: K-1023, K-1024."""
    found = [_CODE.fullmatch(text) for text in texts]
    shapes = {(match[1], len(match[2])) if match else None for match in found}
    return len(shapes) == 1 and None not in shapes


def repeated_finding(name: str, n_distinct: int, n_known: int, called: str = "") -> Finding:
    """Report a column that names the same one in several rows, and ask for them to stay together.

    Rows of one customer are alike: where some of them train what tests the others, a model looks
    better than it is for new customers. ``called`` is another name that says whose rows they are.
    """
    thing = shared_thing(called or name)
    names = "something" if thing == "one" else f"the same {thing}"
    return Finding(
        name,
        REPEATED,
        f"Column {name!r} names {names} in several rows ({n_distinct:,} in {n_known:,} rows) and "
        f"is ignored. Unless {_rows_of(thing)} stay together, a tree looks better on unseen rows "
        "than it is.",
        f"Give it the role 'group' to keep {_rows_of(thing)} together when models are tested, or "
        "'feature' to use it.",
        "warning",
        (
            Fix(f"Keep {_rows_of(thing)} together", "role", "group"),
            Fix("Use it anyway", "role", "feature"),
        ),
    )


def shared_thing(name: str) -> str:
    """Return a word for whom or what a column names in several rows, also if it is nobody.

    >>> [shared_thing(name) for name in ("RouteID", "Kunden-ID", "Auftragsnr", "URN")]
    ['route', 'customer', 'order', 'one']
    """
    thing = named_thing(name)
    if thing != "one":
        return thing
    words = [re.sub("(?<=.)(nr|nummer|id|code)$", "", word) for word in name_words(name)]
    found = (each for each, known in _SHARED.items() for w in words if re.fullmatch(known, w))
    return next(found, "one")


def why_shared(name: str) -> str:
    """Say in a few words why such a column is not used.

    >>> why_shared("RouteID"), why_shared("URN")
    ('it names the same route in several rows', 'it names something that several rows share')
    """
    thing = shared_thing(name)
    if thing == "one":
        return "it names something that several rows share"
    return f"it names the same {thing} in several rows"


def _rows_of(thing: str) -> str:
    return "rows of the same value" if thing == "one" else f"rows of one {thing}"


def kept_together(name: str) -> Finding:
    """Say that rows are kept together, with the way back."""
    whose = _rows_of(shared_thing(name))
    return Finding(
        name,
        "said",
        f"{whose.capitalize()} (column {name!r}) are kept together when models are tested.",
        fixes=(Fix("Take it back", "role", "ignore"),),
    )
