"""Tables that programs print: bars and rules, columns of blanks, rows in quotes."""

import random

import pytest
from probtrees.table.formats.table_source import open_source
from probtrees.table.formats.text.printed_table import printed_table
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.table.read_table import read_table

ROWS = [(n, round(0.5 + n % 17 / 4, 2), "ab"[n % 2], "yn"[n % 3 == 0]) for n in range(40)]
NAMES = ("visit", "dose", "arm", "well")


def psql() -> str:
    lines = [" visit | dose | arm | well ", "-------+------+-----+------"]
    lines += [f" {n:5} | {d:4} | {a:3} | {w}" for n, d, a, w in ROWS]
    return "\n".join([*lines, "(40 rows)", ""])


def mysql() -> str:
    rule = "+-------+------+-----+------+"
    lines = [rule, "| visit | dose | arm | well |", rule]
    return "\n".join([*lines, *(f"| {n:5} | {d:4} | {a:3} | {w:4} |" for n, d, a, w in ROWS), rule])


def markdown() -> str:
    lines = ["visit | dose | arm | well", ":---|---:|---|---"]
    return "\n".join([*lines, *(f"{n} | {d} | {a} | {w}" for n, d, a, w in ROWS)])


def pages() -> str:
    rule, names = "-" * 28, "|visit | dose  |arm  |well  |"
    lines = ["Open items   page 1", "", rule, names, rule]
    for n, d, a, w in ROWS:
        if n == 20:
            lines += [rule, "", "Open items   page 2", "", rule, names, rule]
        lines.append(f"|{n:6}|{d:7}|{a:5}|{w:6}|")
    return "\n".join([*lines, rule, "|*     |  99.00|     |      |", rule])


def pages_of_blanks(gap: bool = True) -> str:
    head = "1       Open visits        PAGE {}"
    names, rule = "  visit  dose  arm  well", "-" * 24
    lines = []
    for page in range(4):
        lines += ["\f" + head.format(page + 1), "", names, rule]
        lines += [f"{n:7}  {d:4}  {a:3}  {w:4}" for n, d, a, w in ROWS[10 * page : 10 * page + 10]]
        lines += [*([""] if gap else []), "  PAGE TOTAL    10"]
    return "\n".join([*lines, "", "  *** END OF REPORT  40 VISITS ***"])


def placed() -> str:
    lines = ["Study 7, printed on Monday", "", "visit  dose  arm  well", "-----  ----  ---  ----"]
    return "\n".join([*lines, *(f"{n:5}  {d:<4}  {a:3}  {w}" for n, d, a, w in ROWS)])


def parted() -> str:
    return "\n".join([" ".join(NAMES), *(f'{n} {d} "{a}" {w}' for n, d, a, w in ROWS)])


def row_names() -> str:
    lines = ['"dose" "arm" "well"', *(f'"{n + 1}" {d} "{a}" "{w}"' for n, d, a, w in ROWS)]
    return "\n".join(lines)


def quoted(after: str = "") -> str:
    lines = [",".join(NAMES), *(f"{n},{d},{a},{w}" for n, d, a, w in ROWS)]
    return "\r\n".join(f'"{line}"{after}' for line in lines)


PRINTED = {
    "psql": psql(),
    "mysql": mysql(),
    "markdown": markdown(),
    "pages": pages(),
    "placed": placed(),
    "pages of blanks": pages_of_blanks(),
    "pages of blanks, sums close": pages_of_blanks(gap=False),
    "parted": parted(),
    "row names": row_names(),
    "quoted": quoted(),
    "quoted, semicolons behind": quoted(";;;"),
}


@pytest.mark.parametrize("kind", PRINTED)
def test_a_printed_table_has_the_cells_that_people_see(kind):
    data = read_table(("t.txt", PRINTED[kind].encode()), target="well", roles={"dose": "feature"})
    doses, arms = (data.values[:, data.schema.names.index(name)] for name in ("dose", "arm"))
    assert doses.tolist() == [dose for _, dose, _, _ in ROWS]
    column = data.schema.columns[data.schema.names.index("arm")]
    assert [column.categories[int(code)] for code in arms] == [arm for _, _, arm, _ in ROWS]
    assert [data.schema.classes[label] for label in data.labels] == [w for _, _, _, w in ROWS]


@pytest.mark.parametrize("kind", PRINTED)
def test_it_is_said_and_taken_back_by_a_click(kind):
    given = ("t.txt", PRINTED[kind].encode())
    (found,) = (f for f in inspect_table(given).findings if f.kind == "printed")
    assert [(fix.setting, fix.value) for fix in found.fixes] == [("as_written", "layout")]


@pytest.mark.parametrize(("kind", "line"), [("psql", 5), ("pages", 8), ("placed", 7)])
def test_a_bad_cell_is_named_by_its_line_of_the_file(kind, line):
    text = PRINTED[kind].replace("1.0 ", "abc", 1).replace("    1.0|", "    abc|", 1)
    given = ("t.txt", text.encode())
    report = inspect_table(given, target="well", types={"dose": "numeric"})
    (found,) = (f for f in report.findings if f.kind == "mixed")
    assert found.cell is not None
    assert text.splitlines()[line - 1].count("abc") == 1
    assert f"line {line} " in found.sentence


def test_rows_below_a_new_page_keep_their_lines():
    text = pages().replace("|    25|    2.5|", "|    25|    abc|")
    report = inspect_table(("t.txt", text.encode()), types={"dose": "numeric"})
    (found,) = (f for f in report.findings if f.kind == "mixed")
    line = next(n for n, text in enumerate(text.splitlines(), start=1) if "abc" in text)
    assert f"line {line} " in found.sentence


@pytest.mark.parametrize(
    "text",
    [
        "x,y\n" + "1,a\n2,b\n" * 20,
        "a|b\n" + "1|x\n2|y\n" * 20,
        '"x","y"\n' + '"1","a"\n"2","b"\n' * 20,
        "remark\n" + "the patient slept well\nno complaints at all today\n" * 20,
        '"remark"\n' + '"tired, but well"\n"no change, none at all, none"\n' * 20,
        "dose;note\n" + "1;--\n2;---\n" * 20,
    ],
    ids=["comma", "bar", "quoted cells", "texts", "texts with commas", "dashes"],
)
def test_other_texts_are_left_alone(text):
    assert not [f for f in inspect_table(("t.csv", text.encode())).findings if f.kind == "printed"]


def test_whatever_it_is_given_it_never_fails():
    marks = random.Random(7)
    for _ in range(300):
        text = "\n".join(
            "".join(marks.choices('|+- "a1,;\t*\\', k=marks.randint(0, 12)))
            for _ in range(marks.randint(0, 14))
        )
        printed_table(open_source(("t.txt", text.encode())), 1)


@pytest.mark.parametrize("gap", ["", "\n"])
def test_pages_with_banners_and_names_of_several_words(gap: str) -> None:
    names = "EWE   FLOCK         LITTER  EWE KG  ASSIST  LAMB ALIVE 48H"
    flocks = ("HIGH MOOR FM", "BURNSIDE", "TOP FIELD")
    rows = [
        f"{1000 + 37 * n % 700:<6}{flocks[n % 3]:<14}{n % 4 + 1:>6}{50 + n % 30 + 0.5:>8}  "
        f"{('NONE', 'HARD')[n % 2]:<8}{('YES', 'NO')[n % 5 == 0]}"
        for n in range(60)
    ]
    pages = [
        f"{gap}HEALTH SERVICE 7        LAMBING 2024        PAGE {page + 1}\n{names}\n"
        f"{'-' * len(names)}\n" + "\n".join(rows[20 * page : 20 * page + 20]) + "\n"
        for page in range(3)
    ]
    text = "".join(pages) + "\nTOTAL EWES 60\n*** END OF LISTING ***\n"
    report = inspect_table(("lamb.lst.txt", text.encode()))
    assert report.n_rows == 60
    named = {column.name: column for column in report.columns}
    assert list(named) == ["EWE", "FLOCK", "LITTER", "EWE KG", "ASSIST", "LAMB ALIVE 48H"]
    assert named["FLOCK"].n_distinct == 3
    assert named["EWE KG"].type == "numeric"
    assert named["LAMB ALIVE 48H"].n_missing == 0


def test_one_page_may_have_names_and_cells_of_several_words() -> None:
    rows = "".join(
        f"{n:<5}{('OLD FIELD', 'NEW LAND')[n % 2]:<11}{n % 7:>4}  {('YES', 'NO')[n % 3 == 0]}\n"
        for n in range(30)
    )
    report = inspect_table(("t.txt", f"EWE  FARM        AGE  LAMB ALIVE 48H\n{rows}".encode()))
    assert [column.name for column in report.columns] == ["EWE", "FARM", "AGE", "LAMB ALIVE 48H"]
    assert report.n_rows == 30
