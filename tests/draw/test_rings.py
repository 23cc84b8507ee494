from probtrees.draw.rings import Ring, ring_bar_html


def test_every_source_has_a_line_and_a_stretch_of_the_bar():
    rings = [Ring("these 7 rows", 0.5, 14.3, "2 of 7"), Ring("<i>the rest</i>", 0.5, 1.8)]
    html = ring_bar_html(rings)
    assert "these 7 rows" in html
    assert "+14.3 points" in html
    assert "2 of 7" in html
    assert html.count("flex:0.50000") == 2
    assert "<i>" not in html


def test_a_source_without_weight_is_listed_but_not_drawn():
    html = ring_bar_html([Ring("here", 1.0, 100.0), Ring("the uniform", 0.0, 0.0)], theme="dark")
    assert "the uniform" in html
    assert html.count("flex:") == 1 + html.count("display:flex:")
