"""What lists say of the documents in them, and grades drawn for those that nobody judged."""

from irassay.compute.kernel import kernel
from irassay.compute.philox import four_words, open_uniform
from irassay.scoring.lanes import LANES

HIGH = 10.0  # ranks about the first so many count nearly alike


@kernel
def neighbours(
    codes, offsets, topic, grades, level, group, width, lists, best, other, lead, relevant, judged, high, quality
):
    """Adds up over the lists of a topic, for each entry of its pool, what stands around it.

    How many lists hold it, its best rank, the group whose list that is, and the best rank in lists of other groups (0:
    none). Of the documents at most `width` ranks away, itself left out, how many have at least the grade `level`, and
    how many are judged. And the sum of 1/(10 + rank): how high lists hold it together. `quality` [systems, 2] gets the
    weights 1/(10 + rank)² of each list's judged documents: of those with that grade, and of all.
    """
    for s in range(offsets.shape[1] - 1):
        first, last = offsets[topic, s], offsets[topic, s + 1]
        known = 0
        good = 0
        for i in range(first, min(first + width, last)):
            g = grades[codes[i]]
            known += g >= 0
            good += g >= level
        for i in range(first, last):
            if i + width < last:
                g = grades[codes[i + width]]
                known += g >= 0
                good += g >= level
            if i - width - 1 >= first:
                g = grades[codes[i - width - 1]]
                known -= g >= 0
                good -= g >= level
            c = codes[i]
            rank = i - first + 1
            lists[c] += 1
            weight = 1.0 / (HIGH + rank)
            high[c] += weight
            if grades[c] >= 0:
                quality[s, 0] += weight * weight * (grades[c] >= level)
                quality[s, 1] += weight * weight
            relevant[c] += good - (grades[c] >= level)
            judged[c] += known - (grades[c] >= 0)
            if best[c] == 0:
                best[c] = rank
                lead[c] = group[s]
            elif group[s] == lead[c]:
                best[c] = min(best[c], rank)
            elif rank < best[c]:
                other[c] = best[c]
                best[c] = rank
                lead[c] = group[s]
            elif other[c] == 0 or rank < other[c]:
                other[c] = rank


@kernel
def add_quality(codes, offsets, topic, quality, out):
    """Adds to each entry of a topic's pool the quality of the systems that hold it, by 1/(10 + rank)."""
    for s in range(offsets.shape[1] - 1):
        first = offsets[topic, s]
        for i in range(first, offsets[topic, s + 1]):
            out[codes[i]] += quality[s] / (HIGH + (i - first + 1))


@kernel
def draw_grades(rows, entries, key, odds, lead, shared, of_lead, level, seed, stream, first):
    """Grades of documents in 32 replicates from `first` on, where they are relevant; `rows` are [entries, 32], flat.

    `odds` [levels, documents] are those against at least the grade level[k]; in a replicate they are multiplied by
    shared[lane], and by of_lead[lead, lane]. The numbers are those of a document's own key.
    """
    for e in range(entries.shape[0]):
        base = entries[e] * LANES
        for step in range(LANES >> 2):
            words = four_words((first >> 2) + step, key[e], stream, seed)
            for k in range(4):
                lane = 4 * step + k
                factor = shared[lane] * of_lead[lead[e], lane]
                u = open_uniform(words[k])
                reached = 0
                while reached < level.shape[0] and u * (1.0 + odds[reached, e] * factor) < 1.0:
                    reached += 1
                if reached > 0:
                    rows[base + lane] = level[reached - 1]
