"""What lists say of the documents in them, and grades drawn for those that nobody judged."""

from irassay.compute.kernel import kernel
from irassay.compute.philox import four_words, open_uniform
from irassay.scoring.lanes import LANES


@kernel
def neighbours(codes, offsets, topic, grades, group, width, lists, best, other, lead, relevant, judged):
    """Adds up over the lists of a topic, for each entry of its pool, what stands around it.

    How many lists hold it, its best rank, the group whose list that is, and the best rank in lists of other groups (0:
    none). Of the documents at most `width` ranks away, itself left out, how many are relevant and how many are judged.
    """
    for s in range(offsets.shape[1] - 1):
        first, last = offsets[topic, s], offsets[topic, s + 1]
        known = 0
        good = 0
        for i in range(first, min(first + width, last)):
            g = grades[codes[i]]
            known += g >= 0
            good += g >= 1
        for i in range(first, last):
            if i + width < last:
                g = grades[codes[i + width]]
                known += g >= 0
                good += g >= 1
            if i - width - 1 >= first:
                g = grades[codes[i - width - 1]]
                known -= g >= 0
                good -= g >= 1
            c = codes[i]
            rank = i - first + 1
            lists[c] += 1
            relevant[c] += good - (grades[c] >= 1)
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
def draw_grades(rows, entries, key, odds, lead, shared, of_lead, tail, level, seed, stream, first):
    """Grades of documents in 32 replicates from `first` on, where they are relevant; `rows` are [entries, 32], flat.

    A document's odds against it are multiplied by shared[lane], and by of_lead[lead, lane]. `tail[k]` is the chance
    that a relevant one has grade level[k] at least. The numbers are those of a document's own key.
    """
    for e in range(entries.shape[0]):
        base = entries[e] * LANES
        for step in range(LANES >> 2):
            words = four_words((first >> 2) + step, key[e], stream, seed)
            for k in range(4):
                lane = 4 * step + k
                against = odds[e] * shared[lane] * of_lead[lead[e], lane]
                u = open_uniform(words[k]) * (1.0 + against)
                if u < 1.0:
                    last = 0
                    while last + 1 < tail.shape[0] and u < tail[last + 1]:
                        last += 1
                    rows[base + lane] = level[last]
