"""The Network page: a Bayesian network classifier, and its tables as the trees they are."""
