"""Pictures of trees, networks and scores. Nothing here knows the web app."""
