from probtrees.draw.node_card import outline


def test_outline_reads_like_j48(small):
    assert outline(small.smoothed, small.schema).splitlines() == [
        "all rows (72 rows · 12 yes (16.7 %))",
        "age ≤ 54",
        "|   sex = female: yes 6.8 %, no 93.2 % (42 rows)",
        "|   sex = male: yes 6.8 %, no 93.2 % (0 rows)",
        "age > 54: yes 40.7 %, no 59.3 % (25 rows)",
        "age not recorded: yes 14.3 %, no 85.7 % (5 rows)",
        "",
        "Nodes: 6  Leaves: 4  Depth: 2",
    ]


def test_many_outcomes_are_summed_up(many_classes):
    text = outline(many_classes.smoothed, many_classes.schema)
    assert "11 others" in text


def test_one_line_per_node_whatever_the_names(hostile):
    lines = outline(hostile.smoothed, hostile.schema).splitlines()
    assert len(lines) == hostile.smoothed.tree.n_nodes + 2
