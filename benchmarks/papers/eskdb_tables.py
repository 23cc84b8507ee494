"""Thesis tables 5 to 9: ESKDB against other networks, forests and its own smoothing.

Usage: python benchmarks/papers/eskdb_tables.py DATA_DIR --cv 2 --repeats 5 --out RESULTS.csv
"""

from side_by_side import Method, Published, main

M = {"strength": 1.0}
ESKDB = {"size": 10}
METHODS = [
    Method("NB", "m-estimate", M, learner="nb"),
    Method("TAN", "m-estimate", M, learner="tan"),
    Method("KDB", "m-estimate", M, learner="kdb", learner_options={"k": 5}),
    Method("KDF", "m-estimate", M, learner="kdf"),
    Method("AODE", "m-estimate", M, learner="aode"),
    Method("SKDB", "m-estimate", M, learner="skdb", learner_options={"k": 5}),
    Method("ESKDB, m", "m-estimate", M, learner="eskdb", learner_options=ESKDB),
    Method("ESKDB, HDP", "hdp", learner="eskdb", learner_options=ESKDB),
    Method("ESKDB, HGS", "hgs", learner="eskdb", learner_options=ESKDB),
    Method("ESKDB, blend", "blend", learner="eskdb", learner_options=ESKDB),
]
PUBLISHED = Published(
    "Zhang (2020), thesis, tables 5 to 9 and 12; 72 data sets",
    means={
        "NB": (0.2753, 0.2074),
        "TAN": (0.2568, 0.1858),
        "KDB": (0.2557, 0.1851),
        "AODE": (0.2498, 0.1821),
        "ESKDB, m": (0.2252, 0.1559),
        "ESKDB, HDP": (0.2227, 0.1536),
    },
    records={
        ("ESKDB, m", "NB"): ("63-0-9", "60-1-11"),
        ("ESKDB, m", "TAN"): ("64-0-8", "57-2-13"),
        ("ESKDB, m", "KDB"): ("64-0-8", "61-2-9"),
        ("ESKDB, m", "KDF"): ("71-0-1", "67-2-3"),
        ("ESKDB, m", "AODE"): ("62-1-9", "60-0-12"),
        ("ESKDB, m", "SKDB"): ("60-0-12", "59-3-10"),
        ("ESKDB, HDP", "ESKDB, m"): ("48-1-23", "38-7-27"),
        ("ESKDB, HGS", "ESKDB, HDP"): ("", ""),
    },
)
REMARKS = ["Whether HGS suits ESKDB is the thesis' open question; the last record answers it."]

if __name__ == "__main__":
    main(METHODS, PUBLISHED, REMARKS)
