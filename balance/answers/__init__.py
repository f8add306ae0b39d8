"""How the studies' answers are shown: one module for each study, and one that shows them all."""
