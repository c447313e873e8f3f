"""The rules, compiled: arrays in, arrays out. One implementation for tables, bots, the laboratory and the GPU.

It knows no I/O, clock, randomness or Python objects. Begin to read with `records`, then `turn`.
"""
