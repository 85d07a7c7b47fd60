"""What all tests share.  They test the installed package, not the sources."""

import os

import pytest
from hypothesis import HealthCheck, settings

# Neither the time that an example takes nor how many were too long to be tried
# says anything about the filter.
settings.register_profile(
    "tamis",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("tamis")

LONG = "TAMIS_LONG_TESTS" in os.environ


def pytest_collection_modifyitems(items):
    """Tests with "long" in their name only run if they are asked for."""
    skip = pytest.mark.skip(reason="set TAMIS_LONG_TESTS to run it")
    for item in items:
        if "long" in item.name and not LONG:
            item.add_marker(skip)
