import resource
import warnings
from functools import cache

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from probtrees.errors import DataError, ProbTreesError
from probtrees.experiment.fit import fit
from probtrees.explain.network_query import NetworkQuery
from probtrees.model.networks.bif import read_bif, read_xmlbif, write_bif, write_xmlbif
from probtrees.model.networks.dense_network import DenseNetwork, DenseTable, Variable, dense_network
from probtrees.model.networks.network_file import (
    NETWORK_FORMATS,
    network_format,
    open_network,
    parse_network,
    save_network,
)
from probtrees.model.networks.safe_names import with_properties
from tests.model.networks.networks import joint_table, networks
from tests.small_tables import HOSTILE, patients

AWKWARD = (*HOSTILE, "(0.5, 1.7]", "a & b < c", "a_b", "a-b", "table", "7", "", " ", "%41|;{}")


def same(found: DenseNetwork, expected: DenseNetwork, most: float = 0.0) -> None:
    """Compare networks whose variables, or parents, may stand in another order."""
    place = [found.numbers[name] for name in expected.names]
    assert tuple(found.variables[at] for at in place) == expected.variables
    assert found.target == expected.target
    for number, table in enumerate(expected.tables):
        other = found.tables[place[number]]
        names = [found.names[parent] for parent in other.parents]
        order = [names.index(expected.names[parent]) for parent in table.parents]
        probs = other.probs.transpose([*order, len(order)])
        assert probs.shape == table.probs.shape
        assert np.abs(probs - table.probs).max() <= most


def awkward() -> DenseNetwork:
    """A network of what other programs stumble over: names, values, cuts, missing values."""
    random = np.random.default_rng(1)
    values = tuple(dict.fromkeys(AWKWARD))
    age = Variable("age", ("(-inf, 54.5]", "(54.5, inf)", "not recorded"), (54.5,), True)
    variables = (age, *(Variable(name, values) for name in values[:4]))
    sizes = [len(variable.values) for variable in variables]
    tables = tuple(
        DenseTable((at - 1,) if at else (), random.dirichlet(np.ones(size), sizes[at - 1 : at]))
        for at, size in enumerate(sizes)
    )
    return DenseNetwork(variables, tables, values[1])


@settings(max_examples=30)
@given(network=networks())
def test_our_own_formats_keep_every_bit(network):
    for write, read in ((write_bif, read_bif), (write_xmlbif, read_xmlbif)):
        again = read(write(network))
        same(again, network)
        assert write(again) == write(network)


def test_awkward_names_cuts_and_missing_values_travel_in_every_format(tmp_path):
    network = awkward()
    for format in NETWORK_FORMATS:
        place = tmp_path / f"net{format.suffixes[0]}"
        save_network(network, place)
        same(open_network(place), network, 0 if format.digits == 17 else 1e-6)


def test_nodes_bear_their_true_names_where_a_format_has_a_place_for_them():
    names = ('Kündigung "neu" 5 %;', "a & b < c", "plain")
    table = DenseTable((), np.array([0.25, 0.75]))
    network = DenseNetwork(tuple(Variable(name, ("a", "b")) for name in names), (table,) * 3)
    net = network_format("n.net").write(network).decode()
    assert "label = \"Kündigung 'neu' 5 %;\";" in net
    assert 'label = "plain";' in net
    assert "<name>a &amp; b &lt; c</name>" in network_format("n.xdsl").write(network).decode()


def with_constants() -> DenseNetwork:
    """A network with columns of one value: at the top, in the middle, and a number without cuts."""
    random = np.random.default_rng(3)
    variables = (
        Variable("one", ("only",)),
        Variable("class", ("no", "yes")),
        Variable("uncut", ("All",), ()),
        Variable("last", ("a", "b", "c")),
    )
    shapes = [((), 1), ((0,), 2), ((1,), 1), ((1, 2, 0), 3)]
    tables = tuple(
        DenseTable(
            parents, random.dirichlet(np.ones(size), [len(variables[at].values) for at in parents])
        )
        for parents, size in shapes
    )
    return DenseNetwork(variables, tables, "class")


def test_columns_of_one_value_are_opened_by_others_and_come_back(tmp_path):
    import pyagrum  # noqa: PLC0415  slow

    network = with_constants()
    ours = NetworkQuery([network], "class").ask({"last": "b"}).target
    for format in NETWORK_FORMATS:
        suffix = ".bifxml" if ".bifxml" in format.suffixes else format.suffixes[0]
        place = tmp_path / f"net{suffix}"
        save_network(network, place)
        theirs = pyagrum.loadBN(str(place))
        engine = pyagrum.LazyPropagation(theirs)
        engine.setEvidence({sorted(theirs.nodes())[3]: 1})
        engine.makeInference()
        found = engine.posterior(sorted(theirs.nodes())[1]).toarray()
        assert found == pytest.approx(ours, abs=1e-6)
        same(open_network(place), network, 0 if format.digits == 17 else 1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("made", ["patients", "awkward"])
@pytest.mark.parametrize("suffix", [".bif", ".bifxml"])
def test_other_programs_open_our_files_and_answer_alike(made, suffix, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pyagrum  # noqa: PLC0415  slow

        pytest.importorskip("pgmpy")
        from pgmpy.inference import VariableElimination  # noqa: PLC0415
        from pgmpy.readwrite import BIFReader, XMLBIFReader  # noqa: PLC0415

        network = (
            awkward()
            if made == "awkward"
            else dense_network(fit(patients(60), "kdb", "m-estimate"))
        )
        place = tmp_path / f"net{suffix}"
        save_network(network, place)
        theirs = pyagrum.loadBN(str(place))
        reader = BIFReader if suffix == ".bif" else XMLBIFReader
        others = reader(str(place)).get_model()
        assert others.check_model()
        safe = [theirs.variable(node).name() for node in sorted(theirs.nodes())]
        asked, known = safe[0], safe[-1]
        engine = pyagrum.LazyPropagation(theirs)
        engine.setEvidence({known: 0})
        engine.makeInference()
        last = network.variables[-1]
        ours = NetworkQuery([network], network.names[0]).ask({last.name: last.values[0]})
        assert engine.posterior(asked).toarray() == pytest.approx(ours.target, abs=1e-6)
        evidence = {known: theirs.variable(known).label(0)}
        found = VariableElimination(others).query([asked], evidence, show_progress=False)
        by_state = [found.get_value(**{asked: label}) for label in theirs.variable(asked).labels()]
        assert by_state == pytest.approx(ours.target.tolist(), abs=1e-6)


THEIRS = """
// made by another program
network "some net" { property author me; }
variable "A b" { type discrete[2] { yes no }; }
variable C { /* three */ type discrete [ 3 ] { <5, 0-3_days, "x y" }; }
variable D { type discrete [ 2 ] { t, f }; }
probability ( "A b" ) { table 0.2 0.8; }
probability ( C | "A b" ) { default 0.1, 0.2, 0.7; (no) 0.3, 0.3, 0.4; }
probability ( D | C, "A b" ) {
  table 0.1 0.2 0.3 0.4 0.5 0.6, 0.9 0.8 0.7 0.6 0.5 0.4;
}
"""


def test_what_others_write_is_read():
    network = read_bif(THEIRS)
    assert network.names == ("A b", "C", "D")
    assert network.variable("C").values == ("<5", "0-3_days", "x y")
    assert network.tables[1].probs.tolist() == [[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]
    # In one piece the variable's own value varies slowest: p(D = t | C = <5, A b = no) is 0.2.
    assert network.tables[2].probs[0, 1].tolist() == [0.2, 0.8]
    assert network.target is None
    assert joint_table(network).sum() == pytest.approx(1)


@pytest.mark.parametrize("cut", [":60.5", "nan", "1e999"])
def test_cuts_that_are_no_numbers_are_refused_in_a_sentence(cut):
    with pytest.raises(DataError, match="must have numbers as cuts"):
        with_properties(Variable("age", ("low", "high")), {"probtrees_cuts": cut})


@cache
def whole_file(format):
    return format.write(dense_network(fit(patients(40), "nb", "laplace")))


@settings(max_examples=60)
@example(cut=31, other="0", at=NETWORK_FORMATS[1])  # an encoding that nobody knows
@given(cut=st.integers(0, 1500), other=st.characters(), at=st.sampled_from(NETWORK_FORMATS[:2]))
def test_damaged_files_never_end_in_anything_else_than_a_sentence(cut, other, at):
    text = whole_file(at).decode()
    damaged = text[:cut] + other + text[cut + 1 :]
    try:
        network = parse_network(f"net{at.suffixes[0]}", damaged.encode("utf-8", "replace"))
    except ProbTreesError:
        return
    assert isinstance(network, DenseNetwork)


def test_files_of_pyagrum_that_are_damaged_are_one_sentence():
    for suffix in (".net", ".xdsl"):
        with pytest.raises(DataError, match="must"):
            parse_network(f"x{suffix}", b"nothing of the kind")


@pytest.mark.parametrize(
    "content", [b"BAYES 2 9999 9999 0", b"BAYES\n2\n20000 20000\n2\n1 0\n2 0 1\n", b"\x00"]
)
def test_a_file_that_promises_a_huge_table_is_refused_in_a_sentence(content: bytes) -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    with pytest.raises(DataError, match=r"must be a whole|sum to 1"):
        parse_network("small.uai", content)
    most = max(before, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
    assert most < 2 << 20  # kilobytes
