"""How a tree is split: coded columns, candidate cuts, nodes in level order."""
