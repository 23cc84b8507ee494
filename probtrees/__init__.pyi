"""The names of the package and where each comes from; ``__init__.py`` reads them here."""

from probtrees.estimators import AODEClassifier as AODEClassifier
from probtrees.estimators import C45Classifier as C45Classifier
from probtrees.estimators import ESKDBClassifier as ESKDBClassifier
from probtrees.estimators import ForestClassifier as ForestClassifier
from probtrees.estimators import KDBClassifier as KDBClassifier
from probtrees.estimators import KDFClassifier as KDFClassifier
from probtrees.estimators import NaiveBayesClassifier as NaiveBayesClassifier
from probtrees.estimators import SKDBClassifier as SKDBClassifier
from probtrees.estimators import SuperParentClassifier as SuperParentClassifier
from probtrees.estimators import TANClassifier as TANClassifier
from probtrees.experiment.cross_validate import compare as compare
from probtrees.experiment.cross_validate import cross_validate as cross_validate
from probtrees.experiment.fit import fit as fit
from probtrees.experiment.load_model import load_model as load_model
from probtrees.experiment.registry import register_smoother as register_smoother
from probtrees.model.fitted_model import predict_proba as predict_proba
from probtrees.scale.learn.evaluate_chunks import evaluate_chunks as evaluate_chunks
from probtrees.scale.learn.fit_chunks import fit_chunks as fit_chunks
from probtrees.table.read_table import read_table as read_table
from probtrees.table.samples import load_sample as load_sample
from probtrees.version import __version__ as __version__

__all__: list[str]
