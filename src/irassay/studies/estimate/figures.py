"""The figures of `irassay estimate`."""

from irassay.result import Figure, Mark

FIGURES = (
    Figure(
        "estimates",
        "intervals",
        "estimates",
        x="system",
        y="mean",
        low="low",
        high="high",
        series="method",
        facet="measure",
        labels={"y": "estimated mean"},
        caption="Estimated means of the trusted judge's scores, from its topics only and with the cheap judge's",
        alt="Intervals of each system's mean by each method side by side, by measure",
    ),
    Figure(
        "bias",
        "intervals",
        "cheap",
        x="system",
        y="bias",
        low="bias_low",
        high="bias_high",
        facet="measure",
        labels={"y": "cheap less trusted score"},
        caption="How far the cheap judge is off, on the topics that both judged",
        alt="An interval of the cheap judge's bias for each system, by measure",
        marks=(Mark("y", 0.0),),
    ),
)
