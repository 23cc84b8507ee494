import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import ProbTreesError
from probtrees.ui import permalink, state
from probtrees.ui.comparison import views
from probtrees.ui.comparison.benchmark_file import read_results, show_results
from probtrees.ui.comparison.plan import choose_plan, estimate_words
from probtrees.ui.comparison.run import current_run
from probtrees.ui.data_bar import table_bar
from probtrees.ui.page import start_page
from probtrees.ui.workbench import workbench

start_page("compare")
bench = workbench()
permalink.check(state.OUTCOME, len(bench.outcomes))
table_bar(bench.data, "compare", bench)
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
    plan = choose_plan(bench)
    if not plan.models or not plan.smoothers:
        st.info("Choose at least one model and one smoother.")
        st.stop()
    st.caption(estimate_words(plan, bench))
    start = st.button("Compare", type="primary", icon=":material/play_arrow:")
    run = current_run(bench, plan, start=start)
    if run is None:
        st.info("Press Compare to measure these settings on rows that did not train them.")
        st.stop()
    for sentence in run.problems:
        st.warning(markdown_text(sentence))
    if not run.results:
        st.stop()
    if run.plan != plan:
        st.caption("The results below are of the settings compared last; press Compare anew.")
    views.score_table(run)
    tabs = st.tabs(["Reliability", "One against another", "Costs", "Learning curve"])
    for tab, show in zip(
        tabs, (views.reliability, views.scatter, views.costs, views.curve), strict=True
    ):
        with tab:
            show(run, bench)
