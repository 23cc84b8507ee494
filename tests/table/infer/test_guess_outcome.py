"""The class that one probably asks about."""

import pytest
from probtrees.table.infer.guess_outcome import guess_outcome


@pytest.mark.parametrize(
    ("classes", "asked"),
    [
        ({"no": 10, "yes": 90}, "yes"),
        ({"0": 10, "1": 90}, "1"),
        ({"Y": 10, "N": 90}, "Y"),
        ({"nein": 300, "ja": 20}, "ja"),
        ({"benign": 357, "malignant": 212}, "malignant"),
        ({"stayed": 20, "churned": 80}, "churned"),
        ({"not churned": 20, "other": 80}, "not churned"),
        ({"a": 30, "b": 10}, "b"),
        ({"No": 90, "Yes": 161, "May": 14}, "Yes"),
        ({"none": 500, "mild": 120, "severe": 40, "mlid": 2}, "severe"),
        ({"Bus": 3, "Car": 200, "Train": 150}, "Car"),
        ({"setosa": 50, "versicolor": 50, "virginica": 50}, "virginica"),
        ({"none": 500, "mild": 120, "severe": 40}, "severe"),
        (
            {
                "Very unlikely": 225,
                "Unlikely": 256,
                "Undecided": 338,
                "Likely": 233,
                "Very likely": 156,
            },
            "Very likely",
        ),
        ({"Very dissatisfied": 25, "Neutral": 338, "Very satisfied": 156}, "Very dissatisfied"),
        ({"Disagree": 25, "Neutral": 338, "Agree": 156}, "Agree"),
        ({"Rejected": 150, "Hired": 40}, "Hired"),
        ({"Rejected": 50, "Hired": 140, "Withdrawn": 200}, "Hired"),
        ({"Stays": 50, "Left the company": 140}, "Left the company"),
        ({"nie": 50, "tak": 140, "b.d.": 30}, "tak"),
        ({"gesund": 60, "krank": 30, "unbekannt": 80}, "krank"),
        ({"aucune": 731, "partielle": 116, "totale": 53}, "partielle"),
        ({"Clear": 4080, "Inconclusive": 82, "Reactor": 38}, "Reactor"),
        ({"promowany": 2480, "nie promowany": 120}, "nie promowany"),
        ({"bestanden": 90, "nicht bestanden": 10}, "nicht bestanden"),
        ({"Admis": 394, "Refusé": 246}, "Refusé"),
        ({"genehmigt": 60, "abgelehnt": 90}, "genehmigt"),
        ({"promoted": 60, "not promoted": 40}, "promoted"),
        ({"3 or 4": 80, "other": 20}, "3 or 4"),
        ({"claim accepted": 60, "claim rejected": 90}, "claim accepted"),
        ({"Lost": 300, "Won": 200}, "Won"),
        ({"Closed Lost": 90, "Closed Won": 110, "Open": 60}, "Closed Won"),
        ({"gewonnen": 70, "verloren": 30}, "gewonnen"),
        ({"przegrana": 70, "wygrana": 90}, "wygrana"),
        ({"persa": 70, "vinta": 90}, "vinta"),
        ({"gagné": 70, "perdu": 30}, "gagné"),
        ({"Active": 300, "Lost": 20}, "Lost"),
        ({"won": 70, "not won": 30}, "won"),
        ({"no finding": 90, "lesion": 12, "oedema": 9}, "lesion"),
    ],
)
def test_the_outcome_is_the_one_that_is_asked_about(classes, asked):
    assert list(classes)[guess_outcome(list(classes.items())).number] == asked


def test_the_reason_is_said():
    scale = [("never", 30), ("sometimes", 40), ("often", 20)]
    assert guess_outcome(scale).reason == "the upper end of the scale"
    assert guess_outcome([("a", 30), ("b", 10)]).reason == "the rarer of the two"
    of_three = guess_outcome([("Clear", 90), ("unclear", 12), ("swollen", 9)])
    assert of_three == (2, "the most frequent one but for 'Clear' and 'unclear'")
    assert guess_outcome([("Bus", 3), ("Car", 20), ("Van", 9)]).reason == "the most frequent one"


@pytest.mark.parametrize("refused", ["Refusé", "nie promowany", "abgelehnt", "declined", "other"])
def test_who_is_refused_or_another_is_not_nothing(refused):
    for rows in ((90, 10), (10, 90)):
        guessed = guess_outcome([("grade 4", rows[0]), (refused, rows[1])])
        assert "nothing" not in guessed.reason
    assert "nothing" in guess_outcome([("grade 4", 90), ("aucune", 10)]).reason


@pytest.mark.parametrize(
    ("title", "classes", "asked"),
    [
        ("y", "1 2 3 4", "4"),
        ("Schulnote", "1 2 3 4 5 6", "6"),
        ("Satisfaction", "1 2 3 4 5", "1"),
        ("q7 How satisfied are you with your work?", "1 2 3 4 5", "1"),
        ("Zufriedenheit", "5 4 3 2 1", "1"),
        ("Severity", "1 2 3", "3"),
        ("y", "Stage I, Stage II, Stage III, Stage IV", "Stage IV"),
        ("Grade", "A B C D E", "E"),
        ("Ocena", "1 2 3 4 5 6", "1"),
    ],
)
def test_of_grades_the_worse_end_is_asked_about(title, classes, asked):
    names = classes.split(", ") if ", " in classes else classes.split()
    counts = [(name, 90 if n == 1 else 30) for n, name in enumerate(names)]
    guessed = guess_outcome(counts, title)
    assert names[guessed.number] == asked
    assert "grades" in guessed.reason


def test_why_an_end_of_grades_is_asked_about_is_said():
    counts = [(grade, 30) for grade in "12345"]
    said = "the worse end of the grades 1 to 5, as 'satisfaction' in its name says"
    assert guess_outcome(counts, "Satisfaction").reason == said
    assert guess_outcome(counts, "y").reason == "the highest of the grades 1 to 5"


def test_a_grade_of_a_few_rows_is_passed_over():
    counts = [("1", 40), ("2", 70), ("3", 30), ("4", 20), ("5", 2)]
    assert guess_outcome(counts, "y").number == 3


@pytest.mark.parametrize("classes", ["1 2 3", "2 3 4 5", "A B C D", "1 2 3 4 5 6 7 8", "0 1 2 3"])
def test_other_numbers_and_letters_are_no_grades(classes):
    counts = [(name, 90 if n == 1 else 30) for n, name in enumerate(classes.split())]
    assert guess_outcome(counts, "y").reason == "the most frequent one"


@pytest.mark.parametrize(
    ("counts", "asked"),
    [
        ([("No-show", 126), ("Showed up", 274)], "No-show"),
        ([("avliden", 282), ("levande", 118)], "avliden"),
        ([("deceduto", 282), ("guarito", 118)], "deceduto"),
        ([("em atraso", 90), ("inadimplente", 153), ("pago", 157)], "inadimplente"),
        ([("op tijd", 100), ("te laat", 300)], "te laat"),
        ([("sprawna", 100), ("uszkodzona", 300)], "uszkodzona"),
        ([("honoré", 100), ("impayé", 300)], "impayé"),
        (
            [("bestanden", 300), ("nicht angetreten", 30), ("nicht bestanden", 60)],
            "nicht bestanden",
        ),
        ([("zdany", 100), ("niezdany", 300)], "niezdany"),
        ([("bezahlt", 300), ("nicht bezahlt", 100)], "nicht bezahlt"),
    ],
)
def test_what_goes_wrong_is_asked_about_in_many_languages(counts, asked):
    assert counts[guess_outcome(counts).number][0] == asked
