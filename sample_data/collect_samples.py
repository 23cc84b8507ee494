"""Write the samples that were collected by others, from packages that carry them.

    pip download --no-deps scikit-learn palmerpenguins orange3 -d FOLDER
    (unzip every wheel into FOLDER)
    python sample_data/collect_samples.py FOLDER

Values are copied; names are made readable, codes are spelled out and the class is moved to the
last column. README.md says where the data come from and under which licence.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from make_samples import write

HEART_COLUMNS = (
    "age",
    "sex",
    "chest pain",
    "resting blood pressure",
    "cholesterol",
    "fasting blood sugar > 120",
    "resting ECG",
    "maximum heart rate",
    "angina after exercise",
    "ST depression",
    "ST slope",
    "coloured vessels",
    "thallium scan",
    "heart disease",
)
NO_YES = {"0": "no", "1": "yes"}


def iris(folder: Path) -> None:
    """Write Edgar Anderson's irises as scikit-learn carries them."""
    lines = (folder / "sklearn/datasets/data/iris.csv").read_text().split()
    species = lines[0].split(",")[2:]
    header = ("sepal length", "sepal width", "petal length", "petal width", "species")
    rows = [line.split(",") for line in lines[1:]]
    write("iris", header, [(*row[:4], species[int(row[4])]) for row in rows])


def penguins(folder: Path) -> None:
    """Write the Palmer penguins; the year of the visit is left out, it says nothing of the bird."""
    with open(folder / "palmerpenguins/data/penguins.csv", newline="") as file:
        found = list(csv.DictReader(file))
    names = ("island", "bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g", "sex")
    header = (*(name.replace("_", " ") for name in names), "species")
    rows = [(*(row[name].replace("NA", "") for name in names), row["species"]) for row in found]
    write("penguins", header, rows)


def heart(folder: Path) -> None:
    """Write the Cleveland patients of the UCI heart disease data, as Orange carries them."""
    lines = (folder / "Orange/datasets/heart_disease.tab").read_text().splitlines()[3:]
    rows = []
    for line in lines:
        cells = line.split("\t")
        for number in (5, 8, 13):
            cells[number] = NO_YES[cells[number]]
        cells[2] = cells[2].replace(" ang", " angina") if cells[2].endswith(" ang") else cells[2]
        cells[6] = cells[6].replace("vent ", "ventricular ")
        cells[12] = cells[12].replace("reversable", "reversible")
        rows.append(tuple(cells))
    write("heart", HEART_COLUMNS, rows)


if __name__ == "__main__":
    for collect in (iris, penguins, heart):
        collect(Path(sys.argv[1]))
