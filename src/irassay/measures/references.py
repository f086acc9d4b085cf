"""Where the measures come from: the citation keys that records use, spelled out."""

REFERENCES = {
    "buckley2004bpref": ("C. Buckley, E. M. Voorhees. Retrieval evaluation with incomplete information. SIGIR 2004."),
    "buckley2005evaluation": (
        "C. Buckley, E. M. Voorhees. Retrieval system evaluation. In: TREC: Experiment and Evaluation in "
        "Information Retrieval. MIT Press 2005."
    ),
    "cleverdon1967cranfield": (
        "C. Cleverdon. The Cranfield tests on index language devices. Aslib Proceedings 19(6), 1967."
    ),
    "jarvelin2002cumulated": (
        "K. Järvelin, J. Kekäläinen. Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4), 2002."
    ),
    "macavaney2022irmeasures": (
        "S. MacAvaney, C. Macdonald, I. Ounis. Streamlining evaluation with ir-measures. ECIR 2022."
    ),
    "moffat2008rbp": (
        "A. Moffat, J. Zobel. Rank-biased precision for measurement of retrieval effectiveness. ACM TOIS 27(1), 2008."
    ),
    "sakai2007bootstrap": "T. Sakai. Evaluating IR metrics based on bootstrap hypothesis tests. 2007.",
    "voorhees1999qa": "E. M. Voorhees. The TREC-8 question answering track report. TREC 1999.",
}
