"""All that can be said about a table before it is read: each with its flag and its help."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from probtrees.table.dataset import DatePart, Schema
from probtrees.table.option_fields import comma_separated, flagged
from probtrees.table.repeats import ReadRepeats
from probtrees.table.table_report import ColumnType, Role

DATE_PARTS: tuple[DatePart, ...] = ("days", "month", "weekday")
USUAL_DATE_PARTS: tuple[DatePart, ...] = ("days",)
DateOrder = Literal["day", "month"]
"""What comes first in a date such as 3/4/2020."""

DATE_ORDERS: tuple[DateOrder, ...] = get_args(DateOrder)

NEWEST, AS_TRAINED = "newest", "training"
"""Words for the day up to which ages and years are counted in a table to predict."""

Habit = Literal[
    "title",
    "totals",
    "dashes",
    "marks",
    "names",
    "blanks",
    "merged",
    "layout",
    "weights",
    "commas",
    "points",
]
"""What is done about tables as people write them: lines above the header are left out, so is a line
of totals at the end, dashes and marks such as "NA" are read as missing, lines that repeat the
names of the columns are left out, blanks of a target that is marked or empty mean no, merged cells
of a sheet are filled down, bars, rules and blanks of printed tables part their cells, weights that
are not whole are scaled to a mean of 1, commas that might group thousands are decimal marks where
the rest of a text does not speak against it, and points before three digits group thousands where
other columns of a text have decimal commas, and are decimal marks where nothing tells."""

DROP_LINES = "drop"
"""What is said of lines of another number of cells to have them left out."""

HABITS: tuple[Habit, ...] = get_args(Habit)


@dataclass(frozen=True)
class ReadFields:
    """What somebody says about a table; see :class:`.ReadOptions`, which checks it.

    Attributes
    ----------
    target : the column to predict; None: the last one without another role
    roles, types : by column name; columns not named are inferred
    bin_target : how many classes to cut a numeric target into; None: not at all
    date_parts : what to make of a date
    missing_spellings : further spellings that mean "missing"
    missing_in : the same by column name
    join_values : columns whose values that differ only in case and spaces, or seem to say the same,
        are one; dates that a spreadsheet made of ranges (10-Dec) are these ranges
    as_written : habits of people that nothing is done about
    schema : read the table for this schema; None: infer one
    repeats : what becomes of copies of rows
    all_columns : read ignored columns too, to describe them
    cut_target : a number that cuts a numeric target into two classes; None: not at all
    sheet : of a workbook, by name or number from 1; "all" of the same columns, or
        "nearly-all", see ``read_table``; None: the first one
    table : of a sheet or text that holds several, by number from 1; None: all as one
    header_lines : how many lines name the columns; two are joined, "group name"; 0: none does, they
        are called "column 1", "column 2", ...
    not_recorded : columns of the schema that the table may lack; they are missing in every row
    unused : columns of the schema that its model never asks for, which the table may lack too
    group_values : columns whose rare values are one, "other"
    renamed : columns of the table that the schema calls otherwise: its name for each
    recoded : by column, values of the table that the schema knows otherwise: pairs of a text and
        what it stands for; nothing stands for a value that is missing
    converted : by column, how numbers in another unit become those of the schema: "*1000", "/10",
        "C-F" or "F-C"
    date_order : what comes first in dates like 3/4/2020 that do not say it; None: as the table says
    empty_no : columns that are marked or empty, where empty means no
    split_choices : columns of several answers in a cell, which become one column per answer
    one_scale : columns with a hundredth of some numbers, 1.72 among 172, which are multiplied, or
        with commas and points, 12,5 and 2.345, which are both decimal marks
    encoding : of a text, by name; None: found by its bytes
    odd_lines : "drop" leaves out lines of a text that have another number of cells than there are
        columns; None: they are refused
    numbers_in : columns of texts of which the number in each cell is read; missing where none is
    split_numbers : columns of two numbers in a cell, "115/69", which become two columns
    ages : columns of birth dates that are used as ages in years, or of other dates as years since
    fill_down : columns of which every value also stands for the empty cells below it
    fill_from_same : columns that say whose row it is; what is empty in the rows that are used is
        taken from other rows of the same one
    keep_words : columns in which dashes and words for "no value" are values
    none_is_zero : columns in which codes that the file labels as none, and dashes, count as 0
    days_to : columns of dates that are used as the days to another one: its name for each
    turn_marks : columns of marks whose tendencies are read the other way: 2+ as 2.3
    join_outcomes : values of the target that are one class, against all its others
    count_until : the day up to which ages and years of a table to predict are counted: a date,
        "newest" of the table if that is later than the day of training, or "training"
    """

    target: str | None = flagged(None, "--target", "COL", "column to predict (default: the last)")
    roles: Mapping[str, Role] = flagged(
        dict,
        "--role",
        "COL=ROLE",
        "feature, target, ignore, weight, group (stays in one fold) or time (folds train on the "
        "past only)",
    )
    types: Mapping[str, ColumnType] = flagged(
        dict, "--type", "COL=TYPE", "numeric, nominal, boolean, date, text or identifier"
    )
    bin_target: int | None = flagged(
        None,
        "--bin-target",
        "N",
        "cut a numeric target into N classes of about equal size",
        read=int,
    )
    date_parts: tuple[DatePart, ...] = flagged(
        USUAL_DATE_PARTS,
        "--date-parts",
        "PARTS",
        "what to make of a date, separated by commas: days, month, weekday "
        f"(default: {','.join(USUAL_DATE_PARTS)})",
        read=comma_separated,
    )
    missing_spellings: tuple[str, ...] = flagged(
        (),
        "--missing-text",
        "[COL=]TEXT",
        "a text that means that there is no value, everywhere or in one column",
    )
    schema: Schema | None = None
    repeats: ReadRepeats = "auto"
    missing_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    join_values: tuple[str, ...] = flagged(
        (),
        "--join",
        "COL",
        "take values of a column that differ only in case and spaces for one, and dates that a "
        "spreadsheet made of ranges for these",
    )
    as_written: tuple[Habit, ...] = flagged(
        (),
        "--as-written",
        None,
        "do nothing about title lines above the names of the columns and units below them, a "
        "line of totals at the end, dashes where there is no value, marks such as NA and k.A., "
        "lines that repeat the names, merged cells of a sheet, the layout of a printed table, "
        "weights that are not whole, which are scaled to a mean of 1, commas that might be "
        "decimal marks but group thousands, or points before three digits, which are read the "
        "other way (8.024 for 8024, and 8024 where nothing tells)",
        choices=HABITS,
    )
    all_columns: bool = False
    sheet: str | None = flagged(
        None,
        "--sheet",
        "NAME|N",
        "sheet of a workbook or file of a zip archive, by name or number, 'all' that have the same "
        "columns, or 'nearly-all': those too in which one column has another name (default: the "
        "first with a table)",
    )
    cut_target: float | None = flagged(
        None,
        "--cut-target",
        "X",
        "cut a numeric target into two classes: up to X, and over it",
        read=float,
    )
    table: int | None = flagged(
        None,
        "--table",
        "N",
        "which table of a sheet or a text that holds several, by its number from 1 (default: all "
        "as one)",
        read=int,
    )
    header_lines: int = flagged(
        1,
        "--header-lines",
        "N",
        "how many lines name the columns (1); two are joined, as in 'group name'; 0: none does",
        read=int,
    )
    not_recorded: tuple[str, ...] = flagged(
        (),
        "--not-recorded",
        "COL",
        "a column of the model that the table lacks: take it as not recorded in every row",
    )
    unused: tuple[str, ...] = ()
    group_values: tuple[str, ...] = flagged(
        (), "--group", "COL", "take all but the most frequent values of a column for one, 'other'"
    )
    renamed: Mapping[str, str] = flagged(
        dict,
        "--rename",
        "COL=NAME",
        "a column of the table, and what the model calls it",
    )
    recoded: Mapping[str, tuple[tuple[str, str], ...]] = flagged(
        dict,
        "--recode",
        "COL=TEXT=VALUE",
        "a value of the table, and which of the model's it stands for",
    )
    converted: Mapping[str, str] = flagged(
        dict,
        "--convert",
        "COL=HOW",
        "a column in another unit than the model's: *1000, /10, C-F or F-C (temperatures)",
    )
    date_order: str | None = flagged(
        None,
        "--date-order",
        None,
        "what comes first in dates like 3/4/2020 where nothing in their column says so",
        choices=DATE_ORDERS,
    )
    empty_no: tuple[str, ...] = flagged(
        (), "--empty-no", "COL", "a column that is marked (X) or empty: empty means no"
    )
    split_choices: tuple[str, ...] = flagged(
        (), "--split-choices", "COL", "a column of several answers in a cell: one column for each"
    )
    one_scale: tuple[str, ...] = flagged(
        (),
        "--one-scale",
        "COL",
        "multiply by 100 what is a hundredth: 1.72 among 172, .05 among 5 %; where some numbers "
        "have commas and others points (12,5 and 2.345), take both for decimal marks",
    )
    encoding: str | None = flagged(
        None, "--encoding", "NAME", "encoding of a text, such as cp1251 (default: it is found)"
    )
    numbers_in: tuple[str, ...] = flagged(
        (), "--numbers-in", "COL", "read the number in each cell ('87.7 ± 0.5'); missing without"
    )
    split_numbers: tuple[str, ...] = flagged(
        (), "--split-numbers", "COL", "a column of two numbers in a cell (115/69): make two of it"
    )
    ages: tuple[str, ...] = flagged(
        (), "--age", "COL", "a column of birth or hire dates: use the years since then instead"
    )
    fill_down: tuple[str, ...] = flagged(
        (), "--fill-down", "COL", "a column of merged cells: fill each value down over empty cells"
    )
    fill_from_same: tuple[str, ...] = flagged(
        (),
        "--fill-from-same",
        "ID",
        "a column that says whose row it is: take what is empty in the rows that are used from "
        "other rows of the same one, unless these differ",
    )
    keep_words: tuple[str, ...] = flagged(
        (), "--keep-words", "COL", "a column in which dashes and words like UNK are values"
    )
    odd_lines: str | None = flagged(
        None,
        "--odd-lines",
        None,
        "leave out lines of a text that have another number of cells than there are columns",
        choices=(DROP_LINES,),
    )
    none_is_zero: tuple[str, ...] = flagged(
        (),
        "--none-is-zero",
        "COL",
        "a column of numbers in which codes that the file labels as none, such as 996 for 'does "
        "not work', or dashes count as 0",
    )
    days_to: Mapping[str, str] = flagged(
        dict,
        "--days-to",
        "COL=COL2",
        "a column of dates: use the days from it to another date of the same row instead",
    )
    turn_marks: tuple[str, ...] = flagged(
        (),
        "--turn-marks",
        "COL",
        "a column of marks with tendencies: read them the other way, 2+ as 2.3 where it was 1.7",
    )
    join_outcomes: tuple[str, ...] = flagged(
        (),
        "--join-outcomes",
        "VALUE",
        "an outcome of the target that is one with the others so named, against all the rest: "
        "--join-outcomes Likely --join-outcomes 'Very likely'",
    )
    count_until: str | None = flagged(
        None,
        "--count-until",
        "DATE",
        "the day up to which ages and years since a date are counted, such as 2026-12-31, or "
        "'training': the day of the model (default: the later one of that day and the newest date "
        "of the table)",
    )
