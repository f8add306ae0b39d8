"""Settings of all tests."""

import numpy as np
import pytest
from hypothesis import settings

from balance.games.burgle import BURGLE, BurgleRules, SimplePolicy

# The machine may be busy and the kernels may have to compile: time says nothing about a test.
settings.register_profile("project", deadline=None, derandomize=True)
settings.load_profile("project")


@pytest.fixture(scope="session", autouse=True)
def compiled_kernels() -> None:
    """Compile the game before the first test, so that no test meets the first use by chance."""
    packed = BURGLE.pack(BurgleRules(tools=[]), [SimplePolicy()] * 4)
    packed.play(0, 0, np.zeros((1, len(BURGLE.columns)), np.int32))
