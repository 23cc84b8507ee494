import streamlit as st

st.title("probtrees")
