from functools import partial

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import ProbTreesError
from probtrees.ui.compare.another_table import validate_here
from probtrees.ui.compare.compare_page import COMPARE, TAB, TABS
from probtrees.ui.compare.run_history import history
from probtrees.ui.compare.scores import compare_here
from probtrees.ui.pages import start_page
from probtrees.ui.shared import permalink
from probtrees.ui.shared.data_bar import table_bar
from probtrees.ui.shared.session import state
from probtrees.ui.shared.workbench import workbench

start_page(COMPARE)
try:
    bench = workbench()
except ProbTreesError as problem:
    st.error(markdown_text(str(problem)))
    st.stop()
permalink.check(state.OUTCOME, len(bench.outcomes))
table_bar(bench.data, COMPARE, bench)
shows = (partial(compare_here, bench), partial(validate_here, bench), history)
for tab, show in zip(st.tabs(list(TABS), on_change="rerun", key=TAB), shows, strict=True):
    if tab.open:
        with tab:
            try:
                show()
            except ProbTreesError as problem:
                st.error(markdown_text(str(problem)))
permalink.store(COMPARE)
