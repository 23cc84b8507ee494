"""What a table is probably about, guessed from names, kinds and places of its columns."""

from dataclasses import replace

import pytest
from probtrees.table.infer.guess_reading import guess_for, guess_reading, guess_target
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.errors import OptionError
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table, sample_names, sample_path


def looker(source):
    return lambda reading: inspect_table(source, **reading.arguments)


def csv(header, row, n=120):
    return ("t.csv", "\n".join([header, *(",".join(map(str, row(i))) for i in range(n))]).encode())


TABLES = {
    "last": csv("a,b,c", lambda i: (i % 9, i % 7, "pq"[i % 3 > 1])),
    "year behind": csv(
        "species,island,mass,sex,year",
        lambda i: ("abc"[i % 3], "xy"[i % 2], 30 + i % 40, "fm"[i % 2], 2007 + i % 3),
    ),
    "remarks behind": csv(
        "age,outcome,remarks",
        lambda i: (i % 60, "yn"[i % 2], f"he said {i} words on that day and left"),
    ),
    "answers in own words behind": csv(
        "v1,vote,v3",
        lambda i: (i % 60, "abcd"[i % 4], f"word{i % 16}" if i % 3 else ""),
        n=400,
    ),
    "battery before, date behind": csv(
        "Q3_1,Q3_2,Q3_3,SURR,INTDATE",
        lambda i: ("ab"[i % 2], "ab"[i % 3 > 1], "ab"[i % 5 > 2], "nyz"[i % 7 % 3], "2023-05-01"),
    ),
    "first": csv("class,x,y1", lambda i: ("eo"[i % 4 > 1], i / 7, i * 1.5)),
    "price": csv("id,rooms,city,price", lambda i: (f"H{i}", i % 5, "AB"[i % 2], 1000 + i * 3.5)),
    "school year before, reasons of some behind": csv(
        "pupil,lunch,school yr,letter,exit reason",
        lambda i: (
            f"P{i:04d}",
            "fpr"[i % 3],
            ("2022/23", "2023/24")[i % 2],
            "ABCD"[i * 7 % 4],
            ("W1 moved", "W3 transfer")[i % 2] if i % 9 == 0 else "",
        ),
        n=400,
    ),
    "school grade, question, and why": csv(
        "sex,grade,q3,q17,q17_why",
        lambda i: (
            "fm"[i % 2],
            7 + i % 6,
            "abcde"[i * 3 % 5],
            ("Yes", "No", "No", "Refused")[i * 5 % 7 % 4],
            ("bullied", "bored", "work")[i // 3 % 3] if i % 3 == 0 else "",
        ),
        n=300,
    ),
    "quarters": csv(
        "arm,won,quarter of sale",
        lambda i: ("ab"[i % 2], ("yes", "no")[i * 3 % 7 > 3], ("2023 Q1", "2023 Q2")[i % 2]),
    ),
    "german": csv("nr,alter,befund,datum", lambda i: (i, i % 50, "jn"[i % 3 > 0], "2020-01-02")),
}
TABLES["result before what came of it"] = csv(
    "herd,Prev. breakdown (3y),Result,vet",
    lambda i: (i % 9, "YN"[i % 3 > 0], ("Clear", "Clear", "Reactor", "open")[i % 4], "abc"[i % 3]),
)
TABLES["toxicity before what is done about it"] = csv(
    "age,tox_g34,dose_red", lambda i: (i % 60, i % 5 // 4, i % 4 // 3), n=300
)
TABLES["events of REDCap"] = csv(
    "record_id,redcap_event_name,ldl,mace,visit_complete",
    lambda i: (i // 2, ("baseline", "month_12")[i % 2], i % 90, i % 5 // 4, i % 3),
    n=300,
)
EXPECTED = {
    "toxicity before what is done about it": "tox_g34",
    "events of REDCap": "mace",
    "result before what came of it": "Result",
    "battery before, date behind": "SURR",
    "last": "c",
    "year behind": "species",
    "remarks behind": "outcome",
    "answers in own words behind": "vote",
    "first": "class",
    "price": "price",
    "german": "befund",
    "school year before, reasons of some behind": "exit reason",
    "school grade, question, and why": "q17",
    "quarters": "won",
}


@pytest.mark.parametrize("name", TABLES)
def test_the_target_is_found_and_the_table_can_be_used(name):
    guess = guess_reading(looker(TABLES[name]), ReadOptions())
    report = inspect_table(TABLES[name], **guess.reading.arguments)
    assert report.target == EXPECTED[name]
    assert report.usable
    assert guess.reason.startswith("Guessed")


def test_numbers_with_limits_are_not_lost():
    source = csv(
        "crp,a,b,ill",
        lambda i: ("<0.6" if i % 9 == 0 else f"{i / 7:.2f}", i % 7, i % 5, "yn"[i % 2]),
    )
    guess = guess_reading(looker(source), ReadOptions())
    found = inspect_table(source, **guess.reading.arguments).column("crp")
    assert (found.type, found.role) == ("numeric", "feature")
    assert any("'<0.6'" in finding.sentence for finding in found.findings)


CELLS = {
    "n": lambda i, k: round(20 + (i * 37 + k * 11) % 97 * 1.3, 1),
    "m": lambda i, k: 20 + (i * 37 + k * 11) % 60,
    "b": lambda i, k: (i * 7 + k) % 5 // 3,
    "w": lambda i, k: ("no", "yes")[(i * 3 + k) % 4 == 0],
    "c": lambda i, k: ("red", "blue", "green")[(i * 5 + k) % 3],
    "d": lambda i, k: f"2021-{1 + i % 12:02d}-{1 + i * 5 % 28:02d}",
    "i": lambda i, k: f"P{i:05d}",
    "k": lambda i, k: i + 1,
    "t": lambda i, k: f"seen on ward {i} and sent home without any further complaint",
}
"""Cells by kind: numbers, whole numbers, 0/1, yes/no, words, dates, names, counters, remarks."""

HEADERS = """
PassengerId:k Survived*:b Pclass:c Name:i Sex:c Age:m Fare:n Embarked:c
customerID:i gender:c tenure:m MonthlyCharges:n Contract:c Churn*:w
RowNumber:k CustomerId:k Surname:i CreditScore:m Geography:c Age:m Balance:n Exited*:b
id:k diagnosis*:c radius_mean:n texture_mean:n area_mean:n
species*:c island:c bill_length_mm:n body_mass_g:m sex:c year:m
age:m job:c marital:c education:c balance:n duration:m y*:w
Loan_ID:i Gender:c Married:w ApplicantIncome:m LoanAmount:n Property_Area:c Loan_Status*:w
Age:m Attrition*:w BusinessTravel:c DailyRate:m Department:c YearsAtCompany:m
age:m sex:b cp:c trestbps:m chol:m thal:c target*:b
Pregnancies:m Glucose:m BMI:n Age:m Outcome*:b
fixed_acidity:n pH:n alcohol:n quality*:m
patient_id:i admission_date:d age:m ward:c readmitted*:w discharge_note:t
id:k gender:c age:m hypertension:b bmi:n smoking_status:c stroke*:b
Date:d Location:c MinTemp:n Rainfall:n RainToday:w RainTomorrow*:w
class*:c cap-shape:c cap-color:c odor:c habitat:c
Time:m V1:n V2:n Amount:n Class*:b
buying:c maint:c doors:m safety:c class*:c
sepal_length:n sepal_width:n petal_length:n species*:c
ID:k LIMIT_BAL:m SEX:b AGE:m PAY_0:m default.payment.next.month*:b
age:m workclass:c education:c occupation:c hours-per-week:m income*:c
Patient:i Alter:m Geschlecht:c Befund*:c Bemerkung:t
Kunde:i Umsatz:n Region:c Gekündigt*:w
mpg*:n cylinders:m horsepower:n weight:n
subject:i arm:c baseline:n response*:w visit_date:d
case:i tumour_size:n grade:c malignant*:w comment:t
house:i rooms:m area:n city:c price*:n
emp_id:i dept:c salary:n left*:b
order_id:i amount:n country:c is_fraud*:b created_at:d
title:i text_length:m sender:c spam*:w
student:i studytime:m absences:m school:c passed*:w
plot:i rainfall:n soil:c yield*:n
patient:i age:m sex:c died_30d*:b ward:c
age:m bp:n sugar:n ckd*:w
customer:i visits:m purchased*:w last_visit:d
flight:i carrier:c dep_delay:m distance:m cancelled*:b
user:i clicks:m device:c converted*:b
sample:i ph:n turbidity:n potability*:b
machine:i temp:n torque:n failure*:b
claim:i amount:n type:c fraud_reported*:w
region:c bmi:n smoker:w charges*:n
"""
"""Columns as public tables and those of firms and wards have them; a star marks what is asked."""


def test_the_target_is_found_wherever_it_stands():
    wrong = []
    for line in HEADERS.split("\n")[1:-1]:
        columns = [column.split(":") for column in line.split()]
        (asked,) = (name[:-1] for name, _ in columns if name.endswith("*"))
        header = ",".join(name.rstrip("*") for name, _ in columns)
        kinds = [kind for _, kind in columns]
        source = csv(
            header, lambda i, kinds=kinds: [CELLS[c](i, k) for k, c in enumerate(kinds)], n=50
        )
        guess = guess_reading(looker(source), ReadOptions())
        if inspect_table(source, **guess.reading.arguments).target != asked:
            wrong.append(asked)
    assert len(wrong) <= 0.05 * HEADERS.count("*"), wrong


@pytest.mark.parametrize("name", sample_names())
def test_every_sample_is_about_its_last_column(name):
    report = inspect_table(sample_path(name))
    guess = guess_reading(looker(sample_path(name)), ReadOptions())
    assert guess.reading.target_name([c.name for c in report.columns]) == report.columns[-1].name


def test_a_leak_is_set_aside_for_the_target_it_tells():
    source = csv("x,leak,ill", lambda i: (i % 9, "dh"[i % 5 > 0], "yn"[i % 5 > 0]))
    assert guess_for(looker(source), ReadOptions(), "ill").reading.roles["leak"] == "ignore"
    report = inspect_table(source, roles={"leak": "ignore"})
    (found,) = report.column("leak").findings
    assert (found.kind, found.severity) == ("leak", "note")
    assert guess_for(looker(source), ReadOptions(), "x").reading.roles == {"x": "target"}


def test_a_number_is_cut_in_its_middle_or_where_one_says():
    source = csv("g,y", lambda i: ("ab"[i % 2], i * 0.5))
    reading = guess_for(looker(source), ReadOptions(), "y").reading
    assert reading.cut_target == 29.5
    data = read_table(source, cut_target=10)
    assert data.schema.classes == ("up to 10", "over 10")
    assert data.values[:, -1].sum() == 99
    assert read_table(source, schema=data.schema).values[:, -1].sum() == 99
    assert data.provenance.options == {"cut_target": 10}


@pytest.mark.parametrize(
    "wrong", [{"cut_target": float("nan")}, {"cut_target": 1, "bin_target": 3}]
)
def test_a_cut_that_is_none_is_refused(wrong):
    with pytest.raises(OptionError, match="cut_target="):
        ReadOptions(**wrong)


def test_a_table_without_a_possible_target_is_left_as_it_is():
    source = csv("id,remark", lambda i: (f"P{i}", f"he said {i} words on that day and left"))
    assert guess_reading(looker(source), ReadOptions()).reading == ReadOptions()


def test_a_column_that_counts_the_rows_is_set_aside_with_its_reason() -> None:
    rows = "".join(f"{n + 1},{n % 7},{'yn'[n % 2]}\n" for n in range(40))
    content = ("t.csv", f"caseid,x,ill\n{rows}".encode())
    guess = guess_reading(
        lambda reading: inspect_table(content, **reading.arguments), ReadOptions()
    )
    assert guess.reading.roles["caseid"] == "ignore"
    report = inspect_table(content, **guess.reading.arguments)
    assert [found.kind for found in report.column("caseid").findings] == ["counter"]


def test_a_column_that_is_mostly_empty_is_no_target() -> None:
    wants = ["ja", "JA", "nein", "Nein"] * 10
    rows = "".join(f"{n},{w},{n * 3 % 7},{n % 2 if n < 4 else ''}\n" for n, w in enumerate(wants))
    source = ("t.csv", f"age,wants,visits,class\n{rows}".encode())
    assert guess_target(inspect_table(source))[0] == "wants"


@pytest.mark.parametrize(
    ("name", "least", "target"),
    [
        ("gew", 0.4, "agrees"),
        ("poids", 0.4, "agrees"),
        ("survey_weight", 0.4, "agrees"),
        ("Hochrechnungsfaktor", 1200, "agrees"),
        ("poids", 52, "poids"),
    ],
)
def test_what_weighs_the_rows_of_a_survey_is_no_target(name, least, target) -> None:
    source = csv(
        f"age,agrees,{name}",
        lambda i: (20 + i % 50, "abcdefg"[i * 5 % 7], least + i * 37 % 100 / 100),
    )
    assert guess_target(inspect_table(source))[0] == target


def test_a_fee_that_some_rows_hold_is_not_what_one_wants_to_know():
    states = ("on time", "late", "reminded")
    lines = [f"{n % 13},{states[n % 3]},{'5.00 €' if n % 3 == 2 else ''}" for n in range(90)]
    content = ("t.csv", "\n".join(["x,status,fee", *lines]).encode())
    report = inspect_table(content)
    assert guess_target(report) == ("status", "Guessed by its name; it has 3 values.")


def test_yes_and_no_in_several_spellings_are_two_values():
    words = ("ja", "ja", "J", "Ja", "nein", "nein", "N", "-")
    lines = [f"{n % 13},{words[n % 8]},{n * 7 % 50}" for n in range(90)]
    content = ("t.csv", "\n".join(["x,mastitis,cells", *lines]).encode())
    name, reason = guess_target(inspect_table(content))
    assert name == "mastitis"
    assert "two different values, written in several ways" in reason
    (join,) = (
        f for f in inspect_table(content, target="mastitis").findings if f.kind == "variants"
    )
    assert "'J', 'Ja' and 'ja'" in join.sentence
    data = read_table(
        content, target="mastitis", join_values=["mastitis"], missing_spellings=("-",)
    )
    assert data.schema.target.categories == ("ja", "nein")


def test_remarks_of_any_language_are_not_what_one_wants_to_know():
    said = ("", "ruft an", "schon gemahnt")
    lines = [f"{n % 13},{'jn'[n % 3 > 0]},{said[n % 3]}" for n in range(90)]
    content = ("t.csv", "\n".join(["x,zu spät bezahlt,Bemerkung", *lines]).encode())
    assert guess_target(inspect_table(content))[0] == "zu spät bezahlt"


@pytest.mark.parametrize(("values", "kind"), [(31, "numeric"), (5, "nominal")])
def test_limits_among_many_numbers_are_read_as_numbers(values, kind):
    lines = [f"{f'{values}+' if n % 9 == 0 else n % values},{'ab'[n % 3 > 0]}" for n in range(180)]
    content = ("t.csv", "\n".join(["days,y", *lines]).encode())
    look = looker(content)
    reading = guess_reading(look, ReadOptions()).reading
    assert look(reading).column("days").type == kind
    assert look(ReadOptions()).column("days").type == kind  # the command line reads it alike


def test_classes_that_differ_only_in_spelling_are_one_and_that_is_said():
    source = csv("a,b,hurt", lambda i: (i % 9, i % 7, ("Ja", "ja.", "nein ", "nein")[i % 4]))
    plain = inspect_table(source)
    assert len(plain.class_counts) == 3  # nobody asked for a guess
    guess = guess_reading(looker(source), ReadOptions())
    assert guess.reading.join_values == ("hurt",)
    report = inspect_table(source, **guess.reading.arguments)
    assert sorted(n for _, n in report.class_counts) == [60, 60]
    (said,) = [found for found in report.findings if found.kind == "said"]
    assert said.sentence == (
        "Values of column 'hurt' are joined over case and spaces: 'ja.' as 'Ja'."
    )
    assert said.fixes[0].setting == "take back"


def test_positive_and_negative_are_one_however_they_are_shortened():
    results = ("POS", "pos.", "Positive", "NEG", "neg.", "Negative", "inconcl.")
    source = csv("a,b,status", lambda i: (i % 9, i % 5, results[i % 7]), n=210)
    guess = guess_reading(looker(source), ReadOptions())
    report = inspect_table(source, **guess.reading.arguments)
    assert sorted(n for _, n in report.class_counts) == [30, 90, 90]
    (said,) = [found for found in report.findings if found.kind == "said"]
    assert "joined where they seem to say the same: " in said.sentence
    assert "as 'Positive'" in said.sentence or "'Positive' as " in said.sentence


def test_what_is_joined_with_what_is_asked_and_said():
    sexes = ("w", "weiblich", "weiblich", "m", "männlich", "männlich")
    source = csv("a,sex,ill", lambda i: (i % 9, sexes[i % 6], "yn"[i % 5 > 2]))
    (asked,) = inspect_table(source).column("sex").findings
    assert "'m' and 'männlich'; 'w' and 'weiblich'." in asked.sentence
    findings = inspect_table(source, join_values=["sex"]).findings
    (said,) = [found for found in findings if found.kind == "said"]
    assert "the same: 'm' as 'männlich' and 'w' as 'weiblich'." in said.sentence


def test_a_word_that_is_cut_short_is_offered_as_the_whole_one():
    kinds = ("Bov.", "bovine", "ovine", "Cap.")
    source = csv("a,kind,ill", lambda i: (i % 9, kinds[i % 4], "yn"[i % 3 > 0]))
    (found,) = inspect_table(source).column("kind").findings
    assert "seem to say the same: 'Bov.' and 'bovine'" in found.sentence
    joined = inspect_table(source, join_values=["kind"]).column("kind")
    assert (joined.n_distinct, joined.findings) == (3, ())


def test_classes_that_only_seem_to_say_the_same_are_asked_about():
    answers = ("Ja", "ja", "J", "nein")
    source = csv("a,b,hurt", lambda i: (i % 9, i % 7, answers[i % 4]))
    guess = guess_reading(looker(source), ReadOptions())
    assert guess.reading.join_values == ()
    report = inspect_table(source, **guess.reading.arguments)
    assert any(fix.setting == "join" for f in report.column("hurt").findings for fix in f.fixes)


@pytest.mark.parametrize(
    "weights", [(0.63, 0.91, 1.08, 1.44), tuple(0.5 + n / 40 for n in range(40))]
)
def test_weights_of_a_survey_are_never_what_one_wants_to_know(weights):
    source = csv(
        "q1,q2,q9,gew", lambda i: (i % 5, i % 4, "yn"[i % 3 > 1], weights[i % len(weights)])
    )
    assert guess_target(inspect_table(source))[0] == "q9"
    codes = csv("q1,q2,gewicht", lambda i: (i % 50, i % 40, 1 + i % 2))
    assert guess_target(inspect_table(codes))[0] == "gewicht"  # light and heavy


def test_ticks_of_one_table_are_read_alike():
    def row(i):
        return (i % 60, "x" * (i % 4 == 0), "letter" * (i % 5 == 0), "x" * (i % 7 == 0))

    source = csv("age,diabetes,post,infection", row)
    guess = guess_reading(looker(source), ReadOptions())
    assert guess.reading.empty_no == ("diabetes",)  # a letter may be one of several ways
    report = inspect_table(source, **guess.reading.arguments)
    assert report.target == "infection"
    assert report.column("diabetes").missing_share == 0
    alone = csv("age,diabetes,ill", lambda i: (i % 60, "x" * (i % 4 == 0), "yn"[i % 3 > 1]))
    guess = guess_reading(looker(alone), ReadOptions())
    assert guess.reading.empty_no == ()
    (asked,) = inspect_table(alone, **guess.reading.arguments).column("diabetes").findings
    assert (asked.severity, asked.fixes[0].setting) == ("warning", "empty_no")


@pytest.mark.parametrize(
    ("label", "target"),
    [
        ("I intend to leave teaching within the next 5 years", "Q50"),
        ("Ich beabsichtige, das Unternehmen in den nächsten 12 Monaten zu verlassen", "Q50"),
        ("Wechselabsicht", "Q50"),
        ("J'ai l'intention de quitter mon emploi", "Q50"),
        ("Tengo la intención de dejar mi trabajo", "Q50"),
        ("Pretendo sair da empresa", "Q50"),
        ("Ho intenzione di lasciare il mio lavoro", "Q50"),
        ("Ik ben van plan mijn baan op te zeggen", "Q50"),
        ("Zamierzam odejść z pracy", "Q50"),
        ("Jag planerar att lämna mitt arbete", "Q50"),
        ("Aion vaihtaa työpaikkaa", "Q50"),
        ("Plánuji odejít ze zaměstnání", "Q50"),
        ("Tervezem, hogy felmondok", "Q50"),
        ("Я собираюсь уволиться", "Q50"),
        ("İşimden ayrılmayı düşünüyorum", "Q50"),
        ("Number of pupils who leave", "Q1"),
    ],
)
def test_the_label_of_a_question_says_what_is_wanted(label, target):
    rows = [f"{'ab'[n % 2]},{'wxyz'[n % 4]},{n * 7 % 90}" for n in range(100)]
    report = inspect_table(("t.csv", "\n".join(["Q1,Q50,minutes", *rows]).encode()))
    columns = tuple(replace(c, label=label if c.name == "Q50" else "") for c in report.columns)
    guessed, reason = guess_target(replace(report, columns=columns))
    assert guessed == target
    assert ("by its label" in reason) == (target == "Q50")


def test_a_label_of_one_word_counts_as_the_name_does():
    rows = [f"{'ab'[n % 2]},{'xy'[n // 2 % 2]},{n * 7 % 90}" for n in range(100)]
    report = inspect_table(("t.csv", "\n".join(["Q1,Q50,minutes", *rows]).encode()))
    columns = tuple(replace(c, label="Gender" if c.name == "Q1" else "") for c in report.columns)
    assert guess_target(report)[0] == "Q1"
    assert guess_target(replace(report, columns=columns))[0] != "Q1"


@pytest.mark.parametrize(
    ("target", "last"),
    [
        ("fallecido", "fumador"),
        ("abbandono", "regione"),
        ("zgon", "płeć"),
        ("opgezegd", "geslacht"),
        ("avliden", "kön"),
        ("óbito", "sexo"),
        ("résiliation", "sexe"),
    ],
)
def test_an_outcome_before_the_last_column_is_found_by_its_name_in_many_languages(target, last):
    cells = [f"{20 + n % 50},{'01'[n % 5 > 3]},{'ab'[n % 3 > 1]}" for n in range(200)]
    source = ("t.csv", "\n".join([f"x,{target},{last}", *cells]).encode())
    guess = guess_reading(lambda reading: inspect_table(source, **reading.arguments), ReadOptions())
    assert guess.reading.roles[target] == "target"
    assert guess.reason.startswith("Guessed by its name")


@pytest.mark.parametrize(
    ("names", "target"),
    [
        ("stacja,opóźnienie_min,wagony", "opóźnienie_min"),
        ("station,delay_min,cars", "delay_min"),
        ("exceeded,ph,sector", "exceeded"),
    ],
)
def test_a_count_or_a_number_of_something_behind_is_not_taken_for_the_outcome(names, target):
    cells = [f"{'ny'[n % 5 > 3]},{n * 7 % 31},{1 + n % 7}" for n in range(200)]
    source = ("t.csv", "\n".join([names, *cells]).encode())
    guess = guess_reading(lambda reading: inspect_table(source, **reading.arguments), ReadOptions())
    assert guess.reading.roles[target] == "target"
