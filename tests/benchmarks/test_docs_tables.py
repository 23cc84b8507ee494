"""The tables of the documentation say what the kept results say."""

import importlib
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchmarks import check_honesty
from probtrees.score.rank_test import critical_difference, friedman

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks" / "results"


def table_below(page, header):
    """Return a table of a page by the start of its header: cells by row and by column name."""
    lines = (ROOT / "docs" / page).read_text("utf-8").splitlines()
    (start,) = (n for n, line in enumerate(lines) if line.startswith(header))
    rows = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    names, cells = rows[0], rows[2:]
    return {row[0]: dict(zip(names[1:], row[1:], strict=True)) for row in cells}


def kept(name):
    return pd.read_csv(RESULTS / f"{name}.csv")


def short(value, digits=4):
    """Write a figure as the documents do: .2498."""
    return f"{value:.{digits}f}".lstrip("0")


def wins(ours, theirs, digits=4):
    """Count the data sets where the first is lower, equal and higher."""
    gap = (ours.round(digits) - theirs.round(digits)).round(digits)
    return f"{(gap < 0).sum()}-{(gap == 0).sum()}-{(gap > 0).sum()}"


def by_method(name, measure="rmse"):
    """Return one column per method, one row per data set."""
    results = kept(name)
    return results.pivot_table(index="dataset", columns="smoother", values=measure)


def test_published_against_ours(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks" / "papers"))
    overview = importlib.import_module("overview").overview()
    lines = (RESULTS / "published_against_ours.md").read_text("utf-8").splitlines()
    assert lines[-len(overview) :] == overview


def cell(results, method, column):
    """Write what a column of a table says of a method; None where it repeats the papers'."""
    name, _, more = column.partition(" ")
    if name == "paper":
        return None
    by_method = results.pivot_table(index="name", columns="method", values="rmse")
    if name in ("beats", "beaten"):
        rival = more.format(learner=method.split(" ")[0])
        pair = (method, rival) if name == "beats" else (rival, method)
        return "" if method == rival else wins(*(by_method[one] for one in pair))
    own = results[results["method"] == method][name]
    if name == "seconds":
        return short(own.median() / 10, int(more))
    return f"{own.mean():.3f}" if name == "log_loss" else short(own.mean())


@pytest.mark.parametrize(
    ("header", "name", "columns", "n_rows"),
    [
        ("| smoother | mean RMSE | mean 0-1 loss |", "smoothers", "rmse, error", 10),
        (
            *("| who sits on the council |", "councils"),
            *("rmse, error, log_loss, beats council, seconds 2", 12),
        ),
        (
            *("| | mean RMSE | mean 0-1 loss | HGS wins", "validation_and_pruning"),
            *("rmse, error, beaten HGS, paper", 3),
        ),
    ],
)
def test_every_row_is_that_of_a_method(header, name, columns, n_rows):
    results = kept(name).rename(columns={"dataset": "name", "smoother": "method"})
    shown = [list(cells.values()) for cells in table_below("results.md", header).values()]
    assert len(shown) == n_rows
    for method in results["method"].dropna().unique():
        own = [cell(results, method, column) for column in columns.split(", ")]
        found = [row for row in shown if all(x in (None, y) for x, y in zip(own, row, strict=True))]
        assert len(found) <= 1
        shown = [row for row in shown if row not in found]
    assert shown == []


@pytest.mark.parametrize(
    ("header", "name", "rival"),
    [
        ("| | mean RMSE, ours (paper) |", "hgs_tables", "HGS"),
        ("| tying | mean RMSE, ours |", "hdp_on_trees", "tying single"),
    ],
)
def test_published_tables_rerun(header, name, rival):
    rmse = by_method(name)
    for label, cells in table_below("results.md", header).items():
        method = label if label in rmse else f"tying {label}"
        method = "5000 sweeps" if "sweeps" in label else method
        ours, *others = cells.values()
        assert ours.split(" ")[0] == short(rmse[method].mean())
        if method != rival and others[-1]:
            assert wins(rmse[rival], rmse[method]) in others


READABLE = {
    "[council](shaped_trees.md#council)": "council",
    "[shaped tree](shaped_trees.md)": "shaped tree",
    "shapes without the tree": "shapes without the tree",
    "scikit-learn's random forest of 100 trees": "forest of 100",
    "blend, rows routed softly": "blend, soft",
    "scikit-learn's random forest of 10 trees": "forest of 10",
    "blend": "blend",
    "logistic regression": "logistic regression",
    "XGBoost, default settings": "XGBoost",
    "HGS as published": "hgs-published",
}


def readable(measure):
    """Return one column per method of the data sets that all of the table have answered."""
    results = pd.concat([kept("shaped"), kept("smoothers")])
    return results.pivot_table(index="name", columns="method", values=measure)


def test_shaped_trees_and_councils():
    rmse = readable("rmse")[list(READABLE.values())].dropna()
    error, ranks = readable("error").loc[rmse.index], rmse.rank(axis=1).mean()
    own = kept("shaped")
    small = own.groupby("name")["rows"].first()[rmse.index] <= 500
    seconds = own[own["name"].isin(rmse.index)].groupby("method")["seconds"].median() / 10
    shown = table_below("results.md", "| method | mean RMSE | small tables |")
    assert set(shown) == set(READABLE)
    for label, method in READABLE.items():
        rival = "" if method == "forest of 100" else wins(rmse[method], rmse["forest of 100"])
        time = short(seconds[method], 2) if method in seconds else ""
        found = rmse[method], rmse[method][small], rmse[method][~small], error[method]
        means = [short(values.mean()) for values in found]
        assert list(shown[label].values()) == [*means, f"{ranks[method]:.1f}", rival, time]


def test_tables_of_the_paper():
    text = (ROOT / "docs/findings.md").read_text("utf-8")
    frontier, shown = kept("frontier"), table_below("findings.md", "| method, as it comes | RMSE")
    rivals = table_below("findings.md", "| against | sets |")
    is_quick = ~frontier["method"].str.contains("CatBoost|tuned|EBM")
    means = frontier[is_quick].pivot_table(index="name", columns="method").dropna()
    ranks = means["rmse"].rank(axis=1).mean()
    assert f"{len(means)} of the 90 sets" in text
    assert f"up to {means['rows'].max().max():,.0f} rows" in text
    for method, cells in shown.items():
        found = [means[figure][method].mean() for figure in ("rmse", "log_loss", "auc")]
        digits = [short(value, 3 + (place == 0)) for place, value in enumerate(found)]
        assert list(cells.values()) == [*digits, f"{ranks[method]:.1f}"]
    for label, cells in rivals.items():
        three = [label.split(" (")[0], "council", "shaped tree"]
        both = frontier[frontier["method"].isin(three)]
        both = both.pivot_table(index="name", columns="method").dropna()
        mean = both.mean()
        said = [f"{short(mean['rmse'][n])}, {short(mean['log_loss'][n], 3)}" for n in three]
        better = wins(both["rmse"]["council"], both["rmse"][three[0]], 12).split("-")[0]
        assert list(cells.values()) == [str(len(both)), *said, better]
    late = frontier.query("method == 'CatBoost'")["rmse"].isna().sum()
    assert f"CatBoost left {late} more unanswered" in text
    apart = critical_difference(friedman(means["rmse"].to_numpy()))
    assert f"critical difference of ranks is {apart:.1f}" in text
    honesty = kept("honesty").query("model == 'c45 hgs'").groupby("truth")
    for truth, cells in table_below("findings.md", "| truth | fresh loss").items():
        loss, leaf, width = honesty[["loss", "leaf", "leaf_width"]].mean().loc[truth]
        said = f"{loss:.3f}".removeprefix("0"), short(leaf, 2), short(width, 2)
        assert tuple(cells.values()) == said


def test_one_step_and_convergence():
    rmse = by_method("hgs_convergence")
    shown = table_below("results.md", "| weights | mean RMSE |")
    names = {
        "one step, as published": "one step, as published",
        "minimised to the end": "to the end, no prior",
        "minimised with a prior that keeps them near 4": "to the end, prior",
        "one weight, chosen on held-out rows": "one weight, held-out rows",
    }
    for label, method in names.items():
        mean, against = shown[label].values()
        assert mean == short(rmse[method].mean())
        if against:
            won, _, lost = wins(rmse[method], rmse["one step, as published"]).split("-")
            assert against == f"{won} wins, {lost} losses"


def test_hdp_against_the_m_estimate():
    rmse = by_method("hdp_tables_5x2")
    for network, cells in table_below("results.md", "| network | mean RMSE, HDP |").items():
        hdp, m = rmse[f"{network}, HDP"], rmse[f"{network}, m"]
        assert list(cells.values())[:3] == [short(hdp.mean()), short(m.mean()), wins(hdp, m)]


def test_smoothers_on_networks():
    results = kept("network_smoothers")
    rmse = results.pivot_table(index=["smoother", "dataset"], columns="model", values="rmse")
    shown = table_below("networks.md", "| smoother | NB | TAN |")
    smoothers = {
        "blend": "blend",
        "HDP": "hdp",
        "shrinkage": "shrinkage",
        "HGS (weights from held-out rows)": "hgs",
        "HGS as published (weights 1)": "hgs-published",
        "M-branch": "m-branch",
        "m-estimate": "m-estimate",
        "Laplace": "laplace",
    }
    models = {
        "NB": "nb",
        "TAN": "tan",
        "KDB5": "kdb",
        "`skdb`": "skdb-held-out",
        "`skdb-published`": "skdb-leave-one-out",
        "ESKDB": "eskdb-leave-one-out",
    }
    assert set(shown) == set(smoothers)
    for label, smoother in smoothers.items():
        for column, model in models.items():
            assert shown[label][column] == short(rmse.loc[smoother][model].mean(), 5)


def test_hdp_on_networks():
    results = kept("network_smoothers")
    rmse = results.pivot_table(index=["smoother", "dataset"], columns="model", values="rmse")
    columns = {"NB": "nb", "TAN": "tan", "KDB5": "kdb", "SKDB5, as published": "skdb-leave-one-out"}
    shown = table_below("networks.md", "| | NB | TAN | KDB5 | SKDB5")
    for column, model in columns.items():
        m, hdp = rmse.loc["m-estimate"][model], rmse.loc["hdp"][model]
        assert shown["m-estimate"][column] == short(m.mean(), 5)
        assert shown["HDP"][column] == short(hdp.mean(), 5)
        assert shown["HDP against m-estimate"][column] == wins(hdp, m)
    theirs = kept("network_reference").query("smoother == 'hdp'").groupby("model")
    means = theirs["reference_rmse"].mean()[["nb", "tan", "kdb", "skdb"]]
    printed = list(shown["HDP, published program"].values())
    assert printed == [short(mean, 5) for mean in means]


def test_cases_of_the_harness():
    runs, text = kept("trust_runs"), (ROOT / "docs" / "reliability.md").read_text("utf-8")
    runs["peak_mib"] = runs["peak_mib"].astype("Int64")  # that of some runs was not kept
    shown = table_below("reliability.md", "| part | cases | highest memory |")
    first = runs[runs["run"] == "first"].set_index("part")
    assert list(shown) == list(first.index)
    for part, cells in shown.items():
        cases, memory, command = cells.values()
        assert cases.split(" ")[0] == f"{first.loc[part, 'cases']:,}"
        assert memory == f"{first.loc[part, 'peak_mib']:,} MiB"
        assert command == f"`{first.loc[part, 'command']}`"
    assert f"{first['cases'].sum():,} cases in all" in text
    later = runs[runs["run"] != "first"]
    for part, cases in later.groupby("part")["cases"].sum().items():
        assert f"{cases:,} {part}" in text
    assert f"at most {later['peak_mib'].max():,} MiB" in text


def test_many_visitors():
    lines = (ROOT / "docs" / "reliability.md").read_text("utf-8").splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("| sessions | pause"))
    runs = kept("visitors")
    for line, (_, run) in zip(lines[start + 2 : start + 6], runs.iterrows(), strict=True):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        assert cells[0].startswith(f"{run['sessions']}, {run['minutes']:g} minutes")
        assert cells[1:] == [
            f"{run['pause_seconds']} s",
            f"{run['clicks']:,}",
            *(f"{run[name]:.2f} s" for name in ("median_seconds", "p95_seconds")),
            f"{run['longest_seconds']:.1f} s",
            f"{run['warm_mib']} MiB, {run['end_mib']} MiB",
            *(str(run[name]) for name in ("errors", "tables_of_others")),
        ]


def rows_in_words(rows):
    """Write a number of rows as docs/scale.md does: 5·10^7."""
    power = len(str(rows)) - 1
    first = rows // 10**power
    return f"10^{power}" if first == 1 else f"{first}·10^{power}"


def test_times_noted_by_hand():
    noted = pd.read_csv(RESULTS / "noted_times.csv", dtype=str, keep_default_na=False)
    for _, one in noted.iterrows():
        text = (ROOT / "docs" / one["document"]).read_text("utf-8")
        figure = f"{one['least']} to {one['most']}" if one["most"] else one["least"]
        assert one["sentence"].format(figure) in text
        assert one["command"].split()[1] in text


def test_tables_larger_than_memory():
    times, text = kept("scale_times"), (ROOT / "docs" / "scale.md").read_text("utf-8")
    for _, run in times[times["memory"] != "2GB"].iterrows():
        kind = "nominal" if run["kind"] == "network" else "half numeric"
        cells = (f"`{run['model']}`", run["memory"], f"{run['peak_mb']} MB")
        assert f"| {rows_in_words(run['rows'])}, {kind} | {' | '.join(cells)} |" in text
    shown = table_below("scale.md", "| rows | by the clock |")
    networks = times.query("memory == '2GB' and model == 'skdb'")
    assert len(shown) == len(networks)
    for _, run in networks.iterrows():
        label = rows_in_words(run["rows"]) + (", HDP" if run["smoother"] == "hdp" else "")
        clock, processor, reading, peak = shown[label].values()
        assert float(clock.removesuffix(" s")) == run["seconds"]
        assert float(processor.split(" ")[0]) == run["cpu_seconds"]
        assert float(reading) == run["pyarrow_seconds"]
        most = "" if np.isnan(run["peak_mb_most"]) else f" to {run['peak_mb_most']:.0f}"
        assert peak == f"{run['peak_mb']}{most} MB"
    for _, run in times.query("memory == '2GB' and model == 'c45'").iterrows():
        rows, seconds = rows_in_words(run["rows"]), f"{run['cpu_seconds']:.0f}"
        size = f"{run['peak_mb']} MB ({run['nodes']:,.0f} nodes"
        assert re.search(
            rf"{re.escape(rows)} rows (take )?{seconds} (processor seconds )?and {re.escape(size)}",
            text,
        )


def test_selections_of_skdb():
    results, noise = kept("network_smoothers"), kept("network_noise")
    rmse = results.pivot_table(index=["smoother", "dataset"], columns="model", values="rmse")
    fresh = noise.groupby(["model", "selection", "smoother"])[["rmse", "sure"]].mean()
    shown = table_below("networks.md", "| | 31 sets, m-estimate |")
    rows = {
        "`skdb`": ("skdb", "held-out"),
        "`skdb-published`": ("skdb", "leave-one-out"),
        "ESKDB, held-out": ("eskdb", "held-out"),
        "ESKDB, leave-one-out": ("eskdb", "leave-one-out"),
    }
    for label, (model, selection) in rows.items():
        for column, smoother in (("m-estimate", "m-estimate"), ("HDP", "hdp")):
            mean = rmse.loc[smoother][f"{model}-{selection}"].mean()
            assert shown[label][f"31 sets, {column}"] == short(mean, 5)
            found = fresh.loc[(model, selection, smoother)]
            assert shown[label][f"noise, {column}"] == short(found["rmse"], 3)
        sure = fresh.loc[(model, selection, "m-estimate")]["sure"]
        words = f"{100 * sure:.0f} %" if sure > 0 else "none"
        assert shown[label]["noise, forecasts over .8 (m-estimate)"] == words


def test_super_parents():
    means = kept("super_parent_tables").groupby("dataset")[["cll-sp", "auc-sp", "sp", "tan", "nb"]]
    means = means.mean().round(4)
    ranks = (-means).rank(axis=1).mean()
    shown = table_below("networks.md", "| | CLL-SP | AUC-SP |")
    for name in means:
        assert shown["mean rank by CLL, ours"][name.upper()] == f"{ranks[name]:.2f}"
        if name != "cll-sp":
            won, lost = (means["cll-sp"] > means[name]).sum(), (means["cll-sp"] < means[name]).sum()
            assert shown["CLL-SP wins-losses, ours"][name.upper()] == f"{won}-{lost}"
    said = ", ".join(f"{name.upper()} {ranks[name]:.2f}" for name in means)
    text = (ROOT / "docs" / "results.md").read_text("utf-8")
    assert f"{len(means)} data sets): average ranks {said} (paper" in text


def test_agreement_without_the_habits():
    """Sets that are not listed agree to four decimals; the four largest have no row here."""
    results = kept("agreement").set_index(["dataset", "smoother"])
    gaps = (results["rmse"] - results["published_rmse"]).unstack()
    shown = table_below("agreement.md", "| data set | reason | rows in empty branches |")
    for dataset, cells in shown.items():
        if dataset in gaps.index:
            for smoother, gap in gaps.loc[dataset].items():
                cell = cells[smoother]
                assert gap == pytest.approx(0 if cell == "=" else float(cell), abs=1e-4)
    equal = gaps.drop(index=[name for name in gaps.index if name in shown])
    assert equal.abs().max().max() < 1e-4
    assert len(equal) == len(gaps) - 36


def test_what_models_say_of_themselves():
    """docs/evaluation.md prints the means of honesty.csv, learner by learner."""
    lines = pd.read_csv(RESULTS / "honesty.csv", dtype=str, keep_default_na=False)
    page = (ROOT / "docs" / "evaluation.md").read_text("utf-8")
    for row in check_honesty.summary(lines.to_dict("records"))[1:]:
        assert f"| {' | '.join(row)} |" in page


@pytest.mark.parametrize("table", check_honesty.TABLES)
def test_a_small_check_of_honesty(table):
    found = [
        check_honesty.measure("c45 hgs", truth, table, seed, 200)
        for truth in ("noise", "signal")
        for seed in (0, 1)
    ]
    losses = [float(line["loss"]) for line in found]
    assert max(losses[:2]) < 1.1  # on noise hardly worse than the base rate
    assert max(losses[2:]) < 1.0
    for figure in ("record", "rate", "leaf"):
        held = [float(line[figure]) for line in found if figure in line]
        assert not held or np.mean(held) > 0.7, figure


def test_trees_of_bins():
    results = kept("binned_trees").set_index("dataset")
    shown = table_below("scale.md", "| | exact | 256 bins |")
    columns = {"exact": "exact", "256 bins": "256", "64 bins": "64", "16 bins": "16"}
    for label, cells in shown.items():
        name = label.split(" ")[0]
        for column, bins in columns.items():
            rmse = results[f"rmse_{bins}"]
            if name == "mean":
                assert cells[column] == short(rmse.mean())
            elif name in results.index:
                assert cells[column] == short(rmse[name])


def test_every_file_of_results_that_is_named_is_kept_and_all_have_their_command():
    commands, files = (RESULTS / "README.md").read_text("utf-8"), list(RESULTS.glob("*.csv"))
    assert [path.name for path in files if f"`{path.name}`" not in commands] == []
    for page in (ROOT / "docs").glob("*.md"):
        named = re.findall(r"benchmarks/results/(\w+\.csv)", page.read_text("utf-8"))
        assert {*named} <= {path.name for path in files}, page.name


def test_the_base_rate_ranks_no_rows():
    for path in RESULTS.glob("*.csv"):
        results = pd.read_csv(path)
        if {"model", "auc"} <= set(results):
            base = results[results["model"] == "base-rate"]["auc"].dropna()
            assert (base == 0.5).all(), path.name
