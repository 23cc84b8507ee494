"""The web app: navigation only. Start it with ``probtrees app``."""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st

from probtrees.ui.pages import PAGES
from probtrees.ui.shared.session.bounded_cache import limits

limits()
st.set_page_config(page_title="probtrees", page_icon="🌳", layout="wide")
# The front page is the first page too; the menu marks the one of the two that is in the address.
front = PAGES[0]
by_name = urlsplit(st.context.url or "").path.endswith(f"/{front.name}")
st.navigation(
    [
        st.Page(
            front.script,
            title=front.title,
            default=True,
            url_path="start",
            visibility="hidden" if by_name else "visible",
        ),
        st.Page(
            front.script,
            title=front.title,
            url_path=front.name,
            visibility="visible" if by_name else "hidden",
        ),
        *(st.Page(page.script, title=page.title) for page in PAGES[1:]),
    ],
    position="top",
).run()
