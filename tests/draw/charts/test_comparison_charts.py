"""Charts of the Compare page."""

from probtrees.draw.charts.forecast_charts import curves_chart, reliability_chart
from probtrees.score.reliability import ReliabilityBin


def test_a_method_has_one_colour_in_every_chart_whatever_stands_beside_it() -> None:
    line, shown = ([0.0, 1.0], [0.2, 0.4]), {}
    for others in ((), ("MLE",), ("MLE", "Laplace")):
        curves = dict.fromkeys((*others, "HGS (area 0.75)"), line)
        shown[others] = {
            curves_chart(curves, "", "").data[-1].line.color,
            reliability_chart([_bin()], "yes", name="HGS").data[1].marker.color,
            reliability_chart([_bin()], "", name="HGS", is_small=True).data[1].marker.color,
        }
    assert len(set.union(*shown.values())) == 1


def _bin() -> ReliabilityBin:
    return ReliabilityBin(0.0, 1.0, 9, 4.5, 0.5, 0.5, 0.4, 0.6)
