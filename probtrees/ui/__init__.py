"""What pages of the app share. Besides app.py and pages/, the only place for streamlit."""
