"""The paper's other rows: what a headline model has to beat."""
