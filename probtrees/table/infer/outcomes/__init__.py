"""What the outcomes of a target are, and what tells them."""
