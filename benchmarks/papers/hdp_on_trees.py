"""Thesis tables 14 and 15: how HDP's concentrations are tied, and how long it samples.

Usage: python benchmarks/papers/hdp_on_trees.py DATA_DIR --folds FOLDS_DIR --out RESULTS.csv
"""

from side_by_side import Method, Published, main

TREE = {"missing": "fraction"}
METHODS = [
    *(
        Method(f"tying {tying}", "hdp", {"tying": tying}, learner_options=TREE)
        for tying in ("single", "level", "parent", "none")
    ),
    Method("5000 sweeps", "hdp", {"tying": "single", "n_iterations": 5000}, learner_options=TREE),
]
PUBLISHED = Published(
    "Zhang (2020), thesis, tables 14 and 15; 143 data sets",
    means={
        "tying single": (0.2436, 0.2078, 4.9),
        "tying level": (0.2493, 0.2087, 4.7),
        "tying parent": (0.2525, 0.2090, 5.2),
        "tying none": (0.2533, 0.2091, 6.7),
        "5000 sweeps": (0.2450, 0.2074, 17.6),
    },
    records={
        ("tying single", other): ("", "")
        for other in ("tying level", "tying parent", "tying none", "5000 sweeps")
    },
)
REMARKS = [
    "In the published program every node owns a random generator, all with the same seed, and "
    "the root is not a proper Dirichlet; ours draws from the posterior.",
    "Times are of different machines: compare the ratios within a column.",
]

if __name__ == "__main__":
    main(METHODS, PUBLISHED, REMARKS)
