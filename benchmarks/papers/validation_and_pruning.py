"""Thesis tables 20 and 21: separate rows for the leaves, and pruning, against smoothing.

Usage: python benchmarks/papers/validation_and_pruning.py DATA_DIR --folds FOLDS_DIR --out FILE
"""

from side_by_side import Method, Published, main

AS_PUBLISHED = {"as_published": True}
PRUNED = "pruning + MLE"
METHODS = [
    Method("validation", "mle", learner_options={"missing": "fraction", "separate_rows": True}),
    Method(PRUNED, "mle", learner_options={"missing": "fraction", "prune": "reduced-error"}),
    Method("MLE", "mle", settings=AS_PUBLISHED),
    Method("Laplace", "laplace", settings=AS_PUBLISHED),
    Method("m-estimate", "m-estimate", settings=AS_PUBLISHED),
    Method("M-branch", "m-branch", settings=AS_PUBLISHED),
    Method("HGS", "hgs-published", settings=AS_PUBLISHED),
    Method("HDP", "hdp", {"tying": "single"}, learner_options={"missing": "fraction"}),
]
PUBLISHED = Published(
    "Zhang (2020), thesis, tables 20 and 21; 143 data sets",
    means={
        "validation": (0.2653, 0.2353, 0.7),
        "MLE": (0.2596, 0.2093, 1.1),
        "HGS": (0.2410, 0.2059, 1.1),
    },
    records={
        ("HGS", "validation"): ("", ""),
        ("MLE", PRUNED): ("70-4-69", "84-11-48"),
        ("Laplace", PRUNED): ("92-1-50", "84-11-48"),
        ("m-estimate", PRUNED): ("92-2-49", "84-11-48"),
        ("HDP", PRUNED): ("93-2-48", "84-9-50"),
        ("M-branch", PRUNED): ("120-1-22", "92-11-40"),
        ("HGS", PRUNED): ("123-1-19", "95-12-36"),
    },
)
REMARKS = [
    "Which rows decide about pruning, and which about the leaves, is a matter of chance, and the "
    "thesis does not say how they were drawn: records may differ by a few data sets.",
    "HDP is ours, a proper sampler of the posterior. Times are of different machines: compare "
    "the ratios within a column.",
]

if __name__ == "__main__":
    main(METHODS, PUBLISHED, REMARKS)
