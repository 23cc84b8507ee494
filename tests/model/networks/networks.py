"""Small networks for tests, and every answer worked out by adding up the whole joint table."""

import itertools

import numpy as np
from hypothesis import strategies as st

from probtrees.model.networks.dense_network import DenseNetwork, DenseTable, Variable


@st.composite
def networks(draw, most: int = 5):
    """Any network of a few variables; some tables have zeros."""
    n_variables = draw(st.integers(1, most))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    sizes = [draw(st.integers(1, 3)) for _ in range(n_variables)]
    variables, tables = [], []
    for number, size in enumerate(sizes):
        parents = [at for at in range(number) if draw(st.booleans())][:3]
        order = tuple(draw(st.permutations(parents)))
        probs = random.dirichlet(np.full(size, 0.7), [sizes[parent] for parent in order])
        if draw(st.booleans()):
            probs = np.where(probs < 0.1, 0.0, probs)
            probs /= probs.sum(axis=-1, keepdims=True)
        variables.append(Variable(f"x{number}", tuple(f"v {at}" for at in range(size))))
        tables.append(DenseTable(order, probs))
    target = draw(st.sampled_from([variable.name for variable in variables]))
    return DenseNetwork(tuple(variables), tuple(tables), target)


def joint_table(network: DenseNetwork) -> np.ndarray:
    """Multiply all tables for every row there can be."""
    sizes = [len(variable.values) for variable in network.variables]
    joint = np.empty(sizes)
    for row in itertools.product(*(range(size) for size in sizes)):
        joint[row] = np.prod(
            [
                table.probs[(*(row[parent] for parent in table.parents), row[number])]
                for number, table in enumerate(network.tables)
            ]
        )
    return joint


def observed(network: DenseNetwork, fits: dict[str, np.ndarray]) -> np.ndarray:
    """Weigh the joint table by how well each value fits."""
    joint = joint_table(network)
    for name, weights in fits.items():
        shape = [1] * joint.ndim
        shape[network.numbers[name]] = -1
        joint = joint * np.reshape(weights, shape)
    return joint


def one_column(joint: np.ndarray, number: int) -> np.ndarray:
    """Sum all others out."""
    others = tuple(axis for axis in range(joint.ndim) if axis != number)
    return joint.sum(axis=others)
