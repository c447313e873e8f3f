"""The rules, compiled: arrays in, arrays out. One implementation for tables, bots, the laboratory and the GPU.

The rules know no I/O, clock, randomness or Python objects. `entry_points` is what Python calls; `playout` deals and
drives at random, `jit` compiles. Begin to read with `layout`, then `turn`.
"""
