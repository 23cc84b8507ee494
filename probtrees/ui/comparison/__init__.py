"""The Compare page: models and smoothers on the same folds, judged without naming a winner."""
