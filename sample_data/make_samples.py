"""Write the samples that are generated rather than collected.

Run from anywhere: ``python sample_data/make_samples.py``. Each table follows exactly from the
numbers below or from the rules of a game, so running it again changes nothing.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path

FOLDER = Path(__file__).parent

# gene, sex, disease: rows. Below "no gene" the disease is as frequent among women as among men,
# so that the sex tells nothing there and everything among carriers.
GENE_COUNTS = {
    ("yes", "female", "yes"): 10,
    ("yes", "male", "no"): 1,
    ("no", "female", "yes"): 45,
    ("no", "female", "no"): 450,
    ("no", "male", "yes"): 45,
    ("no", "male", "no"): 450,
}

# weight, height, stroke
STROKE_ROWS = """
heavy tall yes; light short no; heavy med no; light med no; light short no; heavy med no;
heavy short yes; heavy tall no; heavy tall no; light short no; heavy tall no; light med no;
heavy med no; light med no; heavy med yes
"""

# class, age, sex: rows that died, rows that survived (Dawson 1995, table 1)
TITANIC_COUNTS = {
    ("1st", "adult", "male"): (118, 57),
    ("1st", "adult", "female"): (4, 140),
    ("1st", "child", "male"): (0, 5),
    ("1st", "child", "female"): (0, 1),
    ("2nd", "adult", "male"): (154, 14),
    ("2nd", "adult", "female"): (13, 80),
    ("2nd", "child", "male"): (0, 11),
    ("2nd", "child", "female"): (0, 13),
    ("3rd", "adult", "male"): (387, 75),
    ("3rd", "adult", "female"): (89, 76),
    ("3rd", "child", "male"): (35, 13),
    ("3rd", "child", "female"): (17, 14),
    ("crew", "adult", "male"): (670, 192),
    ("crew", "adult", "female"): (3, 20),
}

SQUARES = tuple(
    f"{row}-{column}"
    for row in ("top", "middle", "bottom")
    for column in ("left", "middle", "right")
)
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def gene_rows() -> Iterator[tuple[str, ...]]:
    """List people with a gene that makes women ill, seen in eleven carriers (thesis, figure 2)."""
    for cells, rows in GENE_COUNTS.items():
        for _ in range(rows):
            yield cells


def stroke_rows() -> Iterator[tuple[str, ...]]:
    """List fifteen patients: stroke given weight and height."""
    for row in STROKE_ROWS.replace("\n", " ").split(";"):
        yield tuple(row.split())


def titanic_rows() -> Iterator[tuple[str, ...]]:
    """List everybody aboard the Titanic: class or crew, sex, age and fate."""
    for (travel_class, age, sex), (died, survived) in TITANIC_COUNTS.items():
        for fate, rows in (("no", died), ("yes", survived)):
            for _ in range(rows):
                yield travel_class, sex, age, fate


def tic_tac_toe_rows() -> list[tuple[str, ...]]:
    """List every board on which a game of tic-tac-toe can end when x begins, and whether x won."""
    ends: set[str] = set()
    boards = {" " * 9}
    for move in range(9):
        player = "xo"[move % 2]
        after = {
            board[:square] + player + board[square + 1 :]
            for board in boards
            for square in range(9)
            if board[square] == " "
        }
        ended = {board for board in after if _won(board, player) or " " not in board}
        ends |= ended
        boards = after - ended
    names = {"x": "x", "o": "o", " ": "empty"}
    return [
        (*(names[square] for square in board), "yes" if _won(board, "x") else "no")
        for board in sorted(ends, reverse=True)
    ]


def _won(board: str, player: str) -> bool:
    return any(all(board[square] == player for square in line) for line in LINES)


def write(name: str, header: Iterable[str], rows: Iterable[tuple[str, ...]]) -> None:
    """Write one sample with unix line ends, so that its hash is the same everywhere."""
    with open(FOLDER / f"{name}.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def main() -> None:
    """Write all generated samples."""
    write("gene", ("gene", "sex", "disease"), gene_rows())
    write("stroke", ("weight", "height", "stroke"), stroke_rows())
    write("titanic", ("class", "sex", "age", "survived"), titanic_rows())
    write("tic-tac-toe", (*SQUARES, "x wins"), tic_tac_toe_rows())


if __name__ == "__main__":
    main()
