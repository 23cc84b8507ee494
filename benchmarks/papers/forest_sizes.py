"""HGS paper fig. 4, thesis fig. 26: forests with and without smoothing, against one tree.

Usage: python benchmarks/papers/forest_sizes.py DATA_DIR --folds FOLDS_DIR --out RESULTS.csv
"""

from side_by_side import Method, Published, main

SIZES = (1, 3, 5, 7, 10)
METHODS = [
    Method("one tree, HGS", "hgs-published", settings={"as_published": True}),
    Method("one tree, blend", "blend", learner_options={"missing": "fraction"}),
    *(
        Method(
            f"forest of {size}, {words}", smoother, learner="forest", learner_options={"size": size}
        )
        for size in SIZES
        for words, smoother in (("raw", "mle"), ("HGS", "hgs-published"))
    ),
]
PUBLISHED = Published(
    "Zhang, Petitjean and Buntine (2020), fig. 4; read off: one tree with HGS is about as good "
    "as 7 unsmoothed trees, and smoothing hurts forests of more than 3",
    means={"one tree, HGS": (0.2410, 0.2059)},
    records={
        **{("one tree, HGS", f"forest of {size}, raw"): ("", "") for size in (3, 5, 7, 10)},
        **{(f"forest of {size}, HGS", f"forest of {size}, raw"): ("", "") for size in SIZES},
    },
)
REMARKS = [
    "Published as a picture without figures. Forests here are C4.5 trees on drawn rows with "
    "log2(attributes) + 1 attributes to choose from at every split; the paper used Weka's."
]

if __name__ == "__main__":
    main(METHODS, PUBLISHED, REMARKS)
