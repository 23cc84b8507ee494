"""The web app: navigation only. Start it with ``probtrees app``."""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st

# The front page is the Tree page too; the menu marks the one of the two that is in the address.
by_name = urlsplit(st.context.url or "").path.endswith("/tree")
st.set_page_config(page_title="probtrees", page_icon="🌳", layout="wide")
st.navigation(
    [
        st.Page(
            "pages/tree.py",
            title="Tree",
            default=True,
            url_path="start",
            visibility="hidden" if by_name else "visible",
        ),
        st.Page(
            "pages/tree.py",
            title="Tree",
            url_path="tree",
            visibility="visible" if by_name else "hidden",
        ),
        st.Page("pages/network.py", title="Network"),
        st.Page("pages/compare.py", title="Compare"),
        st.Page("pages/learn.py", title="Learn"),
        st.Page("pages/data.py", title="Data"),
    ],
    position="top",
).run()
