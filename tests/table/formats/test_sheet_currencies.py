"""Sheets that are read as one table though their amounts are in different currencies."""

from __future__ import annotations

import io
import warnings

import pytest
import xlsxwriter
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table, TableCell, TableRow
from odf.text import P
from probtrees.table.formats.sheet_currencies import CURRENCIES
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.ui.shared.finding_words import is_question

from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table
from probtrees.table.table_report import Finding
from tests.table.formats.test_same_columns import Sheets, as_ods, as_xlsx, as_zip

NAMES = ("customer", "amount", "paid")


def rows(write=lambda amount: amount, more=()) -> list[tuple[object, ...]]:
    """Make thirty customers with an amount each."""
    answers = ("no", "yes")
    return [(f"k{n % 7}", write(n * 17 % 90 + 5), *more, answers[n % 3 % 2]) for n in range(30)]


def asked(sheets: Sheets, write=as_xlsx) -> list[Finding]:
    report = inspect_table(write(sheets), "paid", sheet="all")
    return [f for f in report.findings if f.kind == CURRENCIES and is_question(f, report)]


WITH_CODES = ("customer", "amount", "currency", "paid")
TOLD: dict[str, Sheets] = {
    "by its name": {"EUR": [NAMES, *rows()], "Sales CHF": [NAMES, *rows()]},
    "above the names": {
        "Ulm": [("Sales in EUR",), (), NAMES, *rows()],
        "Bern": [("All amounts in CHF",), (), NAMES, *rows()],
    },
    "in cells": {
        "Ulm": [NAMES, *rows(lambda amount: f"{amount},50 €")],
        "Bern": [NAMES, *rows(lambda amount: f"CHF {amount}.50")],
    },
    "in cells of one": {
        "Ulm": [NAMES, *rows(lambda amount: f"{amount} EUR")],
        "CHF": [NAMES, *rows()],
    },
    "in a column": {
        "Ulm": [WITH_CODES, *rows(more=("EUR",))],
        "Bern": [WITH_CODES, *rows(more=("CHF",))],
    },
}


@pytest.mark.parametrize("write", [as_xlsx, as_ods, as_zip])
@pytest.mark.parametrize("how", TOLD)
def test_different_currencies_are_asked_about_in_sight(how, write) -> None:
    (found,) = asked(TOLD[how], write)
    assert "EUR in" in found.sentence
    assert "CHF in" in found.sentence
    (back,) = found.fixes
    assert back.label == "Read one of them only"
    reading = ReadOptions(sheet="all").with_fix(None, back.setting, back.value)
    assert reading == ReadOptions()


@pytest.mark.parametrize("write", [as_xlsx, as_ods, as_zip])
@pytest.mark.parametrize("how", TOLD)
def test_the_offer_to_join_sheets_says_that_currencies_differ(how, write) -> None:
    report = inspect_table(write(TOLD[how]), "paid")
    offers = [found.sentence for found in report.findings if found.kind == "sheets"]
    if write is as_zip and how == "above the names":
        assert not offers  # of texts only those with the same first line are offered
        return
    (offer,) = offers
    assert "Their amounts seem to be in different currencies (EUR in" in offer
    assert "CHF in" in offer


@pytest.mark.parametrize(
    "sheets",
    [
        {"January": [NAMES, *rows()], "Fr": [NAMES, *rows()], "Sa": [NAMES, *rows()]},
        {"EUR 2023": [NAMES, *rows()], "€ 2024": [NAMES, *rows()]},
        {"EUR and CHF": [NAMES, *rows()], "CHF": [NAMES, *rows()]},
        {"Ulm": [NAMES, *rows(lambda amount: f"{amount} €")], "Bern": [NAMES, *rows()]},
        {"EUR": [NAMES, *rows(lambda _: "x")], "CHF": [NAMES, *rows(lambda _: "z")]},
    ],
)
def test_one_currency_or_none_is_not_asked_about(sheets: Sheets) -> None:
    assert not asked(sheets)
    offers = [f for f in inspect_table(as_xlsx(sheets), "paid").findings if f.kind == "sheets"]
    assert offers
    assert "currencies" not in offers[0].sentence


def test_names_of_columns_tell_the_currency_too() -> None:
    names = ("customer", "amount (EUR)", "city", "paid")
    others = ("customer", "amount (CHF)", "city", "paid")
    cells = rows(more=("Ulm",))
    book = as_xlsx({"north": [names, *cells], "south": [others, *cells]})
    report = inspect_table(book, "paid", sheet="nearly-all")
    (found,) = (f for f in report.findings if f.kind == CURRENCIES)
    assert "EUR in 'north'; CHF in 'south'" in found.sentence


def test_a_scored_file_of_two_currencies_is_told() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        data = read_table(as_xlsx({"EUR": [NAMES, *rows()]}), "paid")
        scored = read_table(as_xlsx(TOLD["by its name"]), schema=data.schema, sheet="all")
    assert any("different currencies" in note for note in scored.provenance.notes)


def _shown_as(formats: dict[str, str]) -> tuple[str, bytes]:
    """Write a workbook whose sheets show the same numbers in formats of their own."""
    content = io.BytesIO()
    book = xlsxwriter.Workbook(content, {"in_memory": True})
    for name, code in formats.items():
        sheet, shown = book.add_worksheet(name), book.add_format({"num_format": code})
        sheet.write_row(0, 0, NAMES)
        for number, (customer, amount, paid) in enumerate(rows(), 1):
            sheet.write_row(number, 0, (customer, "", paid))
            sheet.write_number(number, 1, amount, shown)
    book.close()
    return "shown.xlsx", content.getvalue()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('#,##0.00 "€"', "[$CHF-807] #,##0.00"),
        ("#,##0.00 [$€-407]", "#,##0.00 [$Fr.-807]"),
        ('_-* #,##0.00 "EUR"_-', "[$$-409]#,##0.00"),
    ],
)
def test_formats_of_a_workbook_tell_the_currency(one: str, other: str) -> None:
    report = inspect_table(_shown_as({"Ulm": one, "Bern": other}), "paid", sheet="all")
    (found,) = (f for f in report.findings if f.kind == CURRENCIES)
    assert "EUR in 'Ulm'" in found.sentence


def test_formats_of_one_currency_or_of_dates_tell_nothing() -> None:
    for other in ("#,##0.00 [$€-807]", "[$-407]0.00", "0.0"):
        report = inspect_table(
            _shown_as({"Ulm": '#,##0.00 "€"', "Bern": other}), "paid", sheet="all"
        )
        assert not [f for f in report.findings if f.kind == CURRENCIES]


def test_an_opendocument_file_says_the_currency_of_its_cells() -> None:
    book = OpenDocumentSpreadsheet()
    for name, code in (("Ulm", "EUR"), ("Bern", "CHF")):
        sheet = Table(name=name)
        for record in (NAMES, *rows()):
            line = TableRow()
            for cell in record:
                kind = {"valuetype": "string"}
                if isinstance(cell, int):
                    kind = {"valuetype": "currency", "currency": code, "value": str(cell)}
                written = TableCell(**kind)
                written.addElement(P(text=str(cell)))
                line.addElement(written)
            sheet.addElement(line)
        book.spreadsheet.addElement(sheet)
    content = io.BytesIO()
    book.write(content)
    report = inspect_table(("t.ods", content.getvalue()), "paid", sheet="all")
    (found,) = (f for f in report.findings if f.kind == CURRENCIES)
    assert "EUR in 'Ulm'; CHF in 'Bern'" in found.sentence
