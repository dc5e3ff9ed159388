"""Many rows: files in, the same files with summaries out, on all cores or on a cluster.

A `job` is cut into parts (`parts`), stretches of its files that know nothing of each other. A part
is read, summarized and written to a file of its own by whoever has time: processes of this machine
(`processes`) or actors of a cluster (`ray_data`). `run` sees that every part is done once, joins
them in order, and finds its way back after a run that was killed: a part is there whole or not at
all, and its content depends on nothing but the job.

`summaries` and `columns` are what `nacc fit` shares: rows to results, results to new columns.
"""
