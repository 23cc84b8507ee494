"""What becomes of HGS when its leave-one-out loss is really minimised.

The HGS paper stops its descent when the loss falls by less than 1e-4, which is after one step.

Usage: python benchmarks/papers/hgs_convergence.py DATA_DIR --folds FOLDS_DIR --out RESULTS.csv
"""

from side_by_side import Method, Published, main

TREE = {"missing": "fraction"}
FREE = {"fit": "map", "weights": "node", "prior_spread": 1000.0}
METHODS = [
    Method("one step, as published", "hgs-published", learner_options=TREE),
    Method("to the end, no prior", "hgs", FREE, learner_options=TREE),
    Method("to the end, prior", "hgs", {"fit": "map", "weights": "node"}, learner_options=TREE),
    Method("one weight, held-out rows", "hgs", learner_options=TREE),
]
PUBLISHED = Published(
    "Zhang, Petitjean and Buntine (2020), section 3; the paper prints no figures for this",
    records={
        ("one step, as published", "to the end, no prior"): ("", ""),
        ("one weight, held-out rows", "one step, as published"): ("", ""),
    },
)

if __name__ == "__main__":
    main(METHODS, PUBLISHED)
