"""The names of the package and where each comes from; ``__init__.py`` reads them here."""

from typing import Any

from probtrees.estimators.fitted_model import FittedModel as FittedModel
from probtrees.estimators.public_functions import column_importance as column_importance
from probtrees.estimators.public_functions import compare as compare
from probtrees.estimators.public_functions import cross_validate as cross_validate
from probtrees.estimators.public_functions import fit as fit
from probtrees.estimators.public_functions import fit_chunks as fit_chunks
from probtrees.estimators.public_functions import load_model as load_model
from probtrees.estimators.public_functions import predict_proba as predict_proba
from probtrees.estimators.public_functions import re_estimate as re_estimate
from probtrees.estimators.public_functions import validate as validate
from probtrees.estimators.sklearn_displays import LeafExplanationDisplay as LeafExplanationDisplay
from probtrees.estimators.sklearn_displays import ReliabilityDisplay as ReliabilityDisplay
from probtrees.experiment.registry import register_smoother as register_smoother
from probtrees.scale.learn.evaluate_chunks import evaluate_chunks as evaluate_chunks
from probtrees.score.decision import decide as decide
from probtrees.table.read_table import load_sample as load_sample
from probtrees.table.read_table import read_table as read_table
from probtrees.version import __version__ as __version__

__all__: list[str]

def __getattr__(name: str) -> Any:
    """Return an algorithm of the registry, or a classifier: ``C45``, ``HDP``, ``C45Classifier``."""
