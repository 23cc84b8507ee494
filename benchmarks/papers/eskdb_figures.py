"""Thesis fig. 10 to 14 and table 11: what makes ESKDB's members differ, how many, which prior.

Usage: python benchmarks/papers/eskdb_figures.py DATA_DIR --cv 2 --repeats 5 --out RESULTS.csv

Fig. 10 to 12: members differ in the order of attributes, in the cuts of numbers, or in both.
Fig. 13: 1, 10, 20, 30 members. Fig. 14: HDP with every tying and two priors.
Table 11: numbers cut once on all rows, test rows included.
"""

from other_methods import OtherMethod, cut_on_all_rows
from side_by_side import Method, Published, main

TYINGS = ("single", "level", "parent", "none")
PRIORS = {"Gamma(2, 1)": (2.0, 1.0), "Gamma(1, 2)": (1.0, 2.0), "flat": (1.0, 1e-6)}
"""Shape and rate: of the thesis, of the HDP paper, and what the thesis says that one is."""
METHODS = [
    Method("ESKDB", "m-estimate", learner="eskdb", learner_options={"size": 10}),
    *(
        Method(
            f"only {draws} drawn",
            "m-estimate",
            learner="eskdb",
            learner_options={"size": 10, "draws": draws},
        )
        for draws in ("orders", "cuts")
    ),
    *(
        Method(f"{size} members", "m-estimate", learner="eskdb", learner_options={"size": size})
        for size in (1, 20, 30)
    ),
    *(
        Method(
            f"HDP {tying}, {prior}",
            "hdp",
            {"tying": tying, "prior_shape": shape, "prior_rate": rate},
            learner="eskdb",
            learner_options={"size": 10},
        )
        for tying in TYINGS
        for prior, (shape, rate) in PRIORS.items()
        if prior != "flat" or tying == "level"
    ),
]
OTHERS = [OtherMethod("cut on all rows", cut_on_all_rows("eskdb", {"size": 10, "draws": "orders"}))]
PUBLISHED = Published(
    "Zhang (2020), thesis, fig. 10 to 14 and table 11; 72 data sets",
    means={
        "ESKDB": (0.2248, 0.1565),
        "only orders drawn": (0.2326,),
        "only cuts drawn": (0.2312,),
        "cut on all rows": (0.2204, 0.1552),
    },
    records={
        ("ESKDB", "only orders drawn"): ("", ""),
        ("ESKDB", "only cuts drawn"): ("", ""),
        ("only cuts drawn", "only orders drawn"): ("", ""),
        ("ESKDB", "1 members"): ("", ""),
        ("20 members", "ESKDB"): ("", ""),
        ("30 members", "20 members"): ("", ""),
        ("cut on all rows", "only orders drawn"): ("", ""),
        **{
            (f"HDP {tying}, Gamma(2, 1)", f"HDP {tying}, Gamma(1, 2)"): ("", "") for tying in TYINGS
        },
        **{
            ("HDP level, Gamma(2, 1)", f"HDP {tying}, Gamma(2, 1)"): ("", "")
            for tying in TYINGS
            if tying != "level"
        },
    },
)
REMARKS = [
    "Published in words: both kinds of randomness help, and about equally; the step from 1 to 10 "
    "members is large, those to 20 and 30 are small; Gamma(2, 1) always beats the uniform prior, "
    "and level is the best tying; cutting on all rows is slightly better, for it has seen the "
    "test rows.",
    "A table of nominal columns only has no cuts to draw: there 'only cuts drawn' averages ten "
    "equal members. 'cut on all rows' draws orders only, so its row to compare with is 'only "
    "orders drawn'; the thesis does not say what its members differ in.",
    "The thesis calls the prior it replaces uniform; the HDP paper prints Gamma(1, 2). A prior "
    "that is flat has no posterior: concentrations run away, and with them every context's "
    "probabilities to those of all rows.",
]

if __name__ == "__main__":
    main(METHODS, PUBLISHED, REMARKS, OTHERS)
