"""Numbering the documents of each topic: judged ones first, then the others as they were first seen."""

import numpy as np

from irassay.compute.kernel import kernel
from irassay.panel.constants import DROPPED, FRESH


@kernel
def number_pool(entry, position, topic, evaluated, following, code):
    """Give judged documents their positions as codes, then every other entry of an evaluated topic the next one.

    `entry` (-1: in no run) and `position` are those of the judged documents, `following` their number in each
    topic. `code` holds FRESH, or DROPPED for entries that are to have none.
    """
    for i in range(entry.shape[0]):
        if entry[i] >= 0 and code[entry[i]] != DROPPED:
            code[entry[i]] = position[i]
    last = np.int32(-1)
    t = np.int64(-1)
    coming = np.int32(0)  # of topic t: entries of one topic stand together, so it is seldom put back
    for e in range(topic.shape[0]):
        if topic[e] != last:
            if t >= 0:
                following[t] = coming
            last = topic[e]
            t = np.int64(evaluated[last])
            coming = np.int32(following[t]) if t >= 0 else np.int32(0)
        if t >= 0:
            held = code[e]
            fresh = held == FRESH
            code[e] = coming if fresh else held  # no branch: judged documents come at random
            coming += np.int32(fresh)
    if t >= 0:
        following[t] = coming
