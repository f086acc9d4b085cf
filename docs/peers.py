"""Writes docs/peers.md from the claims that tests/measures/test_peers.py proves: `make docs`."""

from __future__ import annotations

from pathlib import Path

from tests.helpers.peer_claims import CLAIMS

PAGE = Path(__file__).parent / "peers.md"
HEAD = """# Where irassay agrees with its peers, and where not

Made by `make docs` from the claims in `tests/helpers/peer_claims.py`, each of which is a test: agreement to 1e-9 on
random collections with ties, unjudged documents, missing topics and negative grades, and on the TREC-8 and Robust 2003
runs; disagreement on at least one list. The measures' own pages name further peers (cwl-eval for RBP, INSQ and INST;
gdeval for ERR), checked in `tests/measures/test_definitions_against_peers.py`.

pytrec_eval here is pytrec-eval-terrier, which wraps trec_eval 9. It compares scores as 32-bit floats, so it is compared
under `--order trec9`; NTCIREVAL (pyNTCIREVAL) goes by file order. `-l2` is trec_eval's relevance level, `-J` its and
our condensed lists. The last five rows of the first table are differences of definition, for completeness; they are
not among the claims.

## Known disagreements

| irassay | peer | on | why |
|---|---|---|---|
"""
MORE = [
    (
        "IPrec@0.3",
        "pytrec_eval iprec_at_recall_0.30",
        "R = 57, and a few other R",
        "version 9 rounds r·R + 0.9 down, which slips; here recall >= r decides, and with variant='trec' the two agree",
    ),
    ("INSQ, INST", "cwl-eval", "everything", "the peer normalises over 1000 ranks, the definition over all"),
    (
        "GM(AP)",
        "trec_eval gm_map",
        "topics with AP near 0",
        "trec_eval takes max(x, 1e-5), Sakai adds and subtracts 1e-5; gm_map is GM(AP,variant='trec') here",
    ),
    ("ERR", "gdeval", "everything", "gdeval divides by 2^4 whatever grades there are: ERR(max_grade=4)"),
    (
        "RBP",
        "ranx, trec_eval's HEAD",
        "graded judgments",
        "raw or topic-wise grades there; gain over gain(H) of the whole judgments here",
    ),
]


def page() -> str:
    differ = [
        *((f"`{c.measure}`", f"{c.peer} {c.name}", c.on, c.reason) for c in CLAIMS if not c.agrees),
        *((f"`{ours}`", peer, where, why) for ours, peer, where, why in MORE),
    ]
    lines = [HEAD + "\n".join(f"| {' | '.join(row)} |" for row in differ), "", "## Agreements", ""]
    for peer in dict.fromkeys(claim.peer for claim in CLAIMS):
        pairs = dict.fromkeys((c.measure, c.name) for c in CLAIMS if c.agrees and c.peer == peer)
        lines += [f"**{peer}**: " + ", ".join(f"`{ours}` = {name}" for ours, name in pairs) + ".", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
