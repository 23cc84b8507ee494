import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import ProbTreesError
from probtrees.ui.compare.benchmark_file import read_results, show_results
from probtrees.ui.compare.compare_page import COMPARE
from probtrees.ui.compare.table_tab import compare_here
from probtrees.ui.pages import start_page
from probtrees.ui.shared import permalink, state
from probtrees.ui.shared.data_bar import table_bar
from probtrees.ui.shared.workbench import workbench

start_page(COMPARE)
try:
    bench = workbench()
except ProbTreesError as problem:
    st.error(markdown_text(str(problem)))
    st.stop()
permalink.check(state.OUTCOME, len(bench.outcomes))
table_bar(bench.data, COMPARE, bench)
here_tab, file_tab = st.tabs(["On this table", "A benchmark's results"])
with file_tab:
    file = st.file_uploader(
        "Results of 'probtrees benchmark'",
        type=["csv"],
        help="The file that --out names: one row per data set, model and smoother.",
    )
    if file is None:
        st.info("Upload a results file to see who beats whom over many data sets.")
    else:
        try:
            show_results(read_results(file.getvalue()))
        except ProbTreesError as problem:
            st.error(markdown_text(str(problem)))
with here_tab:
    try:
        compare_here(bench)
    except ProbTreesError as problem:
        st.error(markdown_text(str(problem)))
permalink.store(COMPARE)
