"""Settings of all tests."""

from hypothesis import settings

# The machine may be busy and the kernels may have to compile: time says nothing about a test.
settings.register_profile("project", deadline=None, derandomize=True)
settings.load_profile("project")
