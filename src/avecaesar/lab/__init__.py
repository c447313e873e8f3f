"""The laboratory: many races with the same drivers, and what comes of it.

>>> from avecaesar.courses import load_course
>>> from avecaesar.rules import Rules
>>> experiment = Experiment(100, load_course("white"), Rules(), ("greedy", "random", "random"), seed=1)
>>> report = report_on(experiment, run(experiment))
>>> report.by_driver[0].driver, report.by_driver[0].wins.value > 0.9
('greedy', True)
"""

from avecaesar.lab.experiment import MOST_RACES, MOST_SEEDS, Experiment, line_up
from avecaesar.lab.figures import Figure
from avecaesar.lab.racing import record_name
from avecaesar.lab.report import Player, Report, ReportRow, report_on
from avecaesar.lab.workers import prepare, run
from avecaesar.renamed import renamed

__all__ = [
    "MOST_RACES",
    "MOST_SEEDS",
    "Experiment",
    "Figure",
    "Player",
    "Report",
    "ReportRow",
    "line_up",
    "prepare",
    "record_name",
    "report_on",
    "run",
]

__getattr__ = renamed(__name__, {"Row": ("avecaesar.lab.ReportRow", ReportRow)})
