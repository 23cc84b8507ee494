"""Thesis tables 5 to 10 and 12: ESKDB against other networks, forests, boosting, smoothers.

Usage: python benchmarks/papers/eskdb_tables.py DATA_DIR --cv 2 --repeats 5 --out RESULTS.csv

XGBoost is the extra "boosting" of this package; ``XGBoost tuned`` (a grid of 12 under 10 folds
for every model) is measured only with the name TUNED in the environment, for it takes longer
than all the rest.
"""

import os

from other_methods import OtherMethod, peer, tuned_boosting
from peers import RandomForest, XGBoost
from side_by_side import Method, Published, main

M = {"strength": 1.0}
SKDB = {"k": 5, "selection": "leave-one-out"}
ESKDB = {"size": 10}
METHODS = [
    Method("NB", "m-estimate", M, learner="nb"),
    Method("TAN", "m-estimate", M, learner="tan"),
    Method("KDB", "m-estimate", M, learner="kdb", learner_options={"k": 5}),
    Method("KDF", "m-estimate", M, learner="kdf"),
    Method("AODE", "m-estimate", M, learner="aode"),
    Method("SKDB", "m-estimate", M, learner="skdb", learner_options=SKDB),
    Method("ESKDB, m", "m-estimate", M, learner="eskdb", learner_options=ESKDB),
    Method("ESKDB, HDP", "hdp", learner="eskdb", learner_options=ESKDB),
    Method("ESKDB, HGS", "hgs", learner="eskdb", learner_options=ESKDB),
    Method("ESKDB, blend", "blend", learner="eskdb", learner_options=ESKDB),
]
OTHERS = [
    OtherMethod("random forest", peer(RandomForest())),
    OtherMethod("XGBoost", peer(XGBoost())),
]
TUNED = [OtherMethod("XGBoost tuned", tuned_boosting)] if "TUNED" in os.environ else []
RECORDS = {
    ("ESKDB, m", "NB"): ("63-0-9", "60-1-11"),
    ("ESKDB, m", "TAN"): ("64-0-8", "57-2-13"),
    ("ESKDB, m", "KDB"): ("64-0-8", "61-2-9"),
    ("ESKDB, m", "KDF"): ("71-0-1", "67-2-3"),
    ("ESKDB, m", "AODE"): ("62-1-9", "60-0-12"),
    ("ESKDB, m", "SKDB"): ("60-0-12", "59-3-10"),
    ("ESKDB, HDP", "ESKDB, m"): ("48-1-23", "38-7-27"),
    ("ESKDB, m", "random forest"): ("40-0-32", "30-2-40"),
    ("ESKDB, m", "XGBoost"): ("38-1-33", "30-3-39"),
    ("ESKDB, HDP", "random forest"): ("42-0-30", "36-2-34"),
    ("ESKDB, HDP", "XGBoost"): ("44-0-28", "36-1-35"),
    ("ESKDB, HGS", "ESKDB, m"): ("", ""),
    ("ESKDB, HGS", "ESKDB, HDP"): ("", ""),
}
TUNED_RECORDS = {
    ("ESKDB, m", "XGBoost tuned"): ("27-0-45", "26-2-44"),
    ("ESKDB, HDP", "XGBoost tuned"): ("33-1-38", "29-2-41"),
}
PUBLISHED = Published(
    "Zhang (2020), thesis, tables 5 to 9 and 12; 72 data sets",
    means={
        "NB": (0.2753, 0.2074, 3),
        "TAN": (0.2568, 0.1858, 5.7),
        "KDB": (0.2557, 0.1851, 3.6),
        "KDF": (0.2512, 0.1858, 5.7),
        "AODE": (0.2498, 0.1821, 5),
        "SKDB": (0.2418, 0.1706, 13.7),
        "ESKDB, m": (0.2252, 0.1559, 25),
        "ESKDB, HDP": (0.2227, 0.1536, 190),
        "random forest": (0.2314, 0.1563, 6.8),
        "XGBoost": (0.2288, 0.1565, 2.7),
        "XGBoost tuned": (0.2179, 0.1496, 60),
    },
    records={**RECORDS, **(TUNED_RECORDS if TUNED else {})},
)
REMARKS = [
    "Table 10 is the same without tic-tac-toe (RF .2304, XGBoost .2303, ESKDB with HDP .2210, "
    "XGBoost tuned .2191): leave that data set out of DATA_DIR.",
    "Whether HGS suits ESKDB is the thesis' open question; the last two records answer it.",
    "The published means include data sets of up to 5.7 million rows, where trees gain most; "
    "published cuts and orders are drawn with correlated seeds. Forests are scikit-learn's, on "
    "one column per category; the thesis used Weka's.",
    "Times are of different machines: compare the ratios within a column.",
]

if __name__ == "__main__":
    main(METHODS, PUBLISHED, REMARKS, [*OTHERS, *TUNED])
