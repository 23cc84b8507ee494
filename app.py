"""The web app: navigation only. Start it with ``probtrees app``."""

from __future__ import annotations

import streamlit as st

st.set_page_config(page_title="probtrees", page_icon="🌳", layout="wide")
st.navigation(
    [
        st.Page("pages/tree.py", title="Tree", default=True, url_path="start"),
        st.Page("pages/tree.py", title="Tree", url_path="tree", visibility="hidden"),
        st.Page("pages/network.py", title="Network"),
        st.Page("pages/compare.py", title="Compare"),
        st.Page("pages/learn.py", title="Learn"),
        st.Page("pages/data.py", title="Data"),
    ],
    position="top",
).run()
