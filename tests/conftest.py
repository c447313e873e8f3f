"""Settings for all tests."""

import os

from hypothesis import HealthCheck, settings

# Whole races are slow examples; no test is timed, and a failure is repeatable.
settings.register_profile(
    "races",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "races"))
