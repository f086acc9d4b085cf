"""Draws of all systems at once, some replicates side by side, and the largest differences in each."""

import math

import numpy as np

from irassay.compute.kernel import helper, kernel
from irassay.compute.philox import four_words, normals, open_uniform
from irassay.tolerance import EQUAL

LANES = 16  # replicates gone through together: their draws stay in the cache


@helper
def combine(factor, z, out):
    """`out[s, lane]` = Σ_f factor[s, f]·z[lane, f]."""
    for s in range(factor.shape[0]):
        row = out[s]
        row[:] = 0.0
        for f in range(factor.shape[1]):
            w = factor[s, f]
            for lane in range(LANES):
                row[lane] += w * z[lane, f]


@kernel
def normal_draws(factor, seed, stream, first, out):
    """`out[block, s, lane]`: draws with mean 0 and covariance factor·factorᵀ, a replicate in each lane."""
    z = np.empty((LANES, factor.shape[1]))
    for block in range(out.shape[0]):
        for lane in range(LANES):
            normals(z[lane], seed, first + block * LANES + lane, stream)
        combine(factor, z, out[block])


@kernel
def weighted_draws(scores, seed, stream, first, out):
    """`out[block, s, lane]`: means of scores [systems, collections] under weights that are uniform on the simplex."""
    collections = scores.shape[1]
    z = np.empty((LANES, collections))
    for block in range(out.shape[0]):
        for lane in range(LANES):
            row = z[lane]
            total = 0.0
            for k in range(collections):
                word = four_words(k, first + block * LANES + lane, stream, seed)[0]
                row[k] = -math.log(open_uniform(word))  # exponential numbers over their sum: Dirichlet(1)
                total += row[k]
            for k in range(collections):
                row[k] /= total
        combine(scores, z, out[block])


@kernel
def row_maxima(draws, weight, ahead, behind):
    """`ahead[block, s, lane]`: over j the largest (d_s - d_j)·weight[s, j], at least 0; `behind` the smallest."""
    systems = weight.shape[0]
    for block in range(draws.shape[0]):
        d = draws[block]
        for s in range(systems):
            up, down = ahead[block, s], behind[block, s]
            up[:] = 0.0
            down[:] = 0.0
            for j in range(systems):
                w = weight[s, j]
                if w == 0.0:
                    continue
                for lane in range(LANES):
                    t = (d[s, lane] - d[j, lane]) * w
                    up[lane] = t if t > up[lane] else up[lane]
                    down[lane] = t if t < down[lane] else down[lane]


@kernel
def count_ahead(draws, ahead):
    """Adds to `ahead[s, j]`, s < j, the draws in which s has the higher mean, and to `ahead[j, s]` those with j."""
    systems = ahead.shape[0]
    for block in range(draws.shape[0]):
        d = draws[block]
        for s in range(systems):
            for j in range(s + 1, systems):
                above, below = np.int64(0), np.int64(0)
                for lane in range(LANES):
                    gap = d[s, lane] - d[j, lane]
                    above += gap > EQUAL
                    below += gap < -EQUAL
                ahead[s, j] += above
                ahead[j, s] += below
