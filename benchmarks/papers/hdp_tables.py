"""HDP paper, table 1 and fig. 5: HDP against m-estimates in Bayesian network classifiers.

Usage: python benchmarks/papers/hdp_tables.py DATA_DIR --cv 2 --repeats 5 --out RESULTS.csv
"""

from side_by_side import Method, Published, main

LEARNERS = {
    "NB": ("nb", {}),
    "TAN": ("tan", {}),
    **{f"KDB-{k}": ("kdb", {"k": k}) for k in range(1, 6)},
    "SKDB": ("skdb", {"k": 5}),
}
PRINTED = {
    "NB": ("40-0-28", "41-4-23"),
    "TAN": ("52-1-15", "45-4-19"),
    "KDB-1": ("50-1-17", "45-4-19"),
    "KDB-2": ("54-0-14", "54-2-12"),
    "KDB-3": ("53-2-13", "52-4-12"),
    "KDB-4": ("56-0-12", "56-4-8"),
    "KDB-5": ("60-2-6", "60-4-4"),
    "SKDB": ("54-0-14", "45-4-19"),
}
METHODS = [
    Method(f"{name}, {words}", smoother, learner=learner, learner_options=options)
    for name, (learner, options) in LEARNERS.items()
    for words, smoother in (("HDP", "hdp"), ("m", "m-estimate"))
]
PUBLISHED = Published(
    "Petitjean, Buntine, Webb and Zaidi (2018), table 1 and fig. 5b; 68 data sets",
    records={
        **{(f"{name}, HDP", f"{name}, m"): record for name, record in PRINTED.items()},
        **{
            (f"KDB-5, {words}", f"KDB-{k}, {words}"): ("", "")
            for words in ("HDP", "m")
            for k in range(1, 5)
        },
    },
)
REMARKS = [
    "The paper chose m by cross-validation; ours is 1 with the same back-off. Fig. 5b's shape: "
    "with m-estimates KDB-5 loses to smaller networks, with HDP it does not."
]

if __name__ == "__main__":
    main(METHODS, PUBLISHED, REMARKS)
