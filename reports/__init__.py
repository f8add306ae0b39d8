"""DataFrames -> tables, charts, pages. Knows nothing of games or kernels.

May import pandas, numpy, matplotlib, jinja2 and rich only.
"""
