"""What Numba compiles: a file for each decoding method, and those they share.

All that a cached kernel is made from lies in this folder, the tuples it is given included: a
change to any file here makes all of them compile again (see nacc.compiled).
"""
