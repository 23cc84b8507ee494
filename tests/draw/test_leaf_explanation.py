from probtrees.draw.leaf_explanation import Ring, ring_bar_html


def test_every_source_has_a_line_and_a_stretch_of_the_bar():
    rings = [
        Ring("these 7 rows", 0.5, "50 %", "+14.3 points"),
        Ring("<i>the rest</i>", 0.5, "50 %", "+1.8 points"),
    ]
    html = ring_bar_html(rings)
    assert "these 7 rows" in html
    assert "+14.3 points" in html
    assert html.count("flex:0.50000") == 2
    assert "<i>" not in html


def test_a_source_without_weight_is_listed_but_not_drawn():
    rings = [Ring("here", 1.0, "100 %", "+5 points"), Ring("uniform", 0.0, "0 %", "+0 points")]
    html = ring_bar_html(rings, theme="dark")
    assert "uniform" in html
    assert html.count("flex:1.00000") == 1
    assert "flex:0.0" not in html
