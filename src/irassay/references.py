"""The papers that measures and studies cite, by key."""

REFERENCES = {
    "angelopoulos2023ppi": (
        "A. N. Angelopoulos, J. C. Duchi, T. Zrnic. PPI++: efficient prediction-powered inference. arXiv:2311.01453, "
        "2023."
    ),
    "angelopoulos2023prediction": (
        "A. N. Angelopoulos, S. Bates, C. Fannjiang, M. I. Jordan, T. Zrnic. Prediction-powered inference. Science "
        "382(6671), 2023."
    ),
    "arteaga1982confidence": (
        "C. Arteaga, S. Jeyaratnam, G. A. Franklin. Confidence intervals for proportions of total variance in the "
        "two-way cross component of variance model. Communications in Statistics: Theory and Methods 11(15), 1982."
    ),
    "box1954theorems": (
        "G. E. P. Box. Some theorems on quadratic forms applied in the study of analysis of variance problems, II: "
        "effects of inequality of variance and of correlation between errors in the two-way classification. Annals of "
        "Mathematical Statistics 25(3), 1954."
    ),
    "brennan2001generalizability": "R. L. Brennan. Generalizability theory. Springer 2001.",
    "brier1950verification": (
        "G. W. Brier. Verification of forecasts expressed in terms of probability. Monthly Weather Review 78(1), 1950."
    ),
    "buckley2000evaluating": "C. Buckley, E. M. Voorhees. Evaluating evaluation measure stability. SIGIR 2000.",
    "buckley2004bpref": "C. Buckley, E. M. Voorhees. Retrieval evaluation with incomplete information. SIGIR 2004.",
    "buckley2005evaluation": (
        "C. Buckley, E. M. Voorhees. Retrieval system evaluation. In: TREC: Experiment and Evaluation in Information "
        "Retrieval. MIT Press 2005."
    ),
    "carterette2006minimal": (
        "B. Carterette, J. Allan, R. Sitaraman. Minimal test collections for retrieval evaluation. SIGIR 2006."
    ),
    "carterette2007robust": "B. Carterette. Robust test collections for retrieval evaluation. SIGIR 2007.",
    "chapelle2009err": (
        "O. Chapelle, D. Metzler, Y. Zhang, P. Grinspan. Expected reciprocal rank for graded relevance. CIKM 2009."
    ),
    "cleverdon1967cranfield": (
        "C. Cleverdon. The Cranfield tests on index language devices. Aslib Proceedings 19(6), 1967."
    ),
    "cohen1960coefficient": (
        "J. Cohen. A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20(1), "
        "1960."
    ),
    "cohen1968weighted": (
        "J. Cohen. Weighted kappa: nominal scale agreement with provision for scaled disagreement or partial credit. "
        "Psychological Bulletin 70(4), 1968."
    ),
    "demsar2006statistical": "J. Demšar. Statistical comparisons of classifiers over multiple data sets. JMLR 7, 2006.",
    "efron1981jackknife": "B. Efron, C. Stein. The jackknife estimate of variance. Annals of Statistics 9(3), 1981.",
    "eguchi2003web": (
        "K. Eguchi, K. Oyama, E. Ishida, N. Kando, K. Kuriyama. Overview of the web retrieval task at the third NTCIR "
        "workshop. Technical report NII-2003-002E, 2003."
    ),
    "feldt1965approximate": (
        "L. S. Feldt. The approximate sampling distribution of Kuder-Richardson reliability coefficient twenty. "
        "Psychometrika 30(3), 1965."
    ),
    "gwet2008computing": (
        "K. L. Gwet. Computing inter-rater reliability and its variance in the presence of high agreement. British "
        "Journal of Mathematical and Statistical Psychology 61(1), 2008."
    ),
    "hsu1984constrained": (
        "J. C. Hsu. Constrained simultaneous confidence intervals for multiple comparisons with the best. Annals of "
        "Statistics 12(3), 1984."
    ),
    "jarvelin2002cumulated": (
        "K. Järvelin, J. Kekäläinen. Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4), 2002."
    ),
    "krippendorff2019content": (
        "K. Krippendorff. Content analysis: an introduction to its methodology, 4th edition. Sage 2019."
    ),
    "macavaney2022irmeasures": (
        "S. MacAvaney, C. Macdonald, I. Ounis. Streamlining evaluation with ir-measures. ECIR 2022."
    ),
    "mantel1959statistical": (
        "N. Mantel, W. Haenszel. Statistical aspects of the analysis of data from retrospective studies of disease. "
        "Journal of the National Cancer Institute 22(4), 1959."
    ),
    "moffat2008rbp": (
        "A. Moffat, J. Zobel. Rank-biased precision for measurement of retrieval effectiveness. ACM TOIS 27(1), 2008."
    ),
    "moffat2012models": (
        "A. Moffat, F. Scholer, P. Thomas. Models and metrics: IR evaluation as a user process. ADCS 2012."
    ),
    "moffat2015inst": (
        "A. Moffat, P. Bailey, F. Scholer, P. Thomas. INST: an adaptive metric for information retrieval evaluation. "
        "ADCS 2015."
    ),
    "mogstad2024inference": (
        "M. Mogstad, J. P. Romano, A. M. Shaikh, D. Wilhelm. Inference for ranks with applications to mobility across "
        "neighbourhoods and academic achievement across countries. Review of Economic Studies 91(1), 2024."
    ),
    "muennighoff2023mteb": "N. Muennighoff, N. Tazi, L. Magne, N. Reimers. MTEB: massive text embedding benchmark. "
    "EACL 2023.",
    "oosterhuis2024reliable": (
        "H. Oosterhuis, R. Jagerman, Z. Qin, X. Wang, M. Bendersky. Reliable confidence intervals for information "
        "retrieval evaluation using generative A.I. KDD 2024."
    ),
    "romano2005exact": (
        "J. P. Romano, M. Wolf. Exact and approximate stepdown methods for multiple hypothesis testing. JASA 100(469), "
        "2005."
    ),
    "sakai2004multigrade": (
        "T. Sakai. New performance metrics based on multigrade relevance: their application to question answering. "
        "NTCIR-4 2004."
    ),
    "sakai2007alternatives": "T. Sakai. Alternatives to bpref. SIGIR 2007.",
    "sakai2007bootstrap": (
        "T. Sakai. Evaluating information retrieval metrics based on bootstrap hypothesis tests. IPSJ Transactions on "
        "Databases 48(SIG 9), 2007."
    ),
    "sakai2007one": (
        "T. Sakai. On the properties of evaluation metrics for finding one highly relevant document. IPSJ TOD 48(SIG "
        "9), 2007."
    ),
    "sakai2008incomplete": (
        "T. Sakai, N. Kando. On information retrieval metrics designed for evaluation with incomplete relevance "
        "assessments. Information Retrieval 11(5), 2008."
    ),
    "sakai2011diversified": (
        "T. Sakai, R. Song. Evaluating diversified search results using per-intent graded relevance. SIGIR 2011."
    ),
    "sakai2016topic": "T. Sakai. Topic set size design. Information Retrieval Journal 19(3), 2016.",
    "shao1989jackknife": (
        "J. Shao, C. F. J. Wu. A general theory for jackknife variance estimation. Annals of Statistics 17(3), 1989."
    ),
    "thakur2021beir": (
        "N. Thakur, N. Reimers, A. Rücklé, A. Srivastava, I. Gurevych. BEIR: a heterogeneous benchmark for zero-shot "
        "evaluation of information retrieval models. NeurIPS datasets and benchmarks, 2021."
    ),
    "urbano2013measurement": (
        "J. Urbano, M. Marrero, D. Martín. On the measurement of test collection reliability. SIGIR 2013."
    ),
    "vanrijsbergen1979ir": "C. J. van Rijsbergen. Information retrieval, 2nd edition. Butterworths 1979.",
    "voorhees1999qa": "E. M. Voorhees. The TREC-8 question answering track report. TREC 1999.",
    "voorhees2002error": (
        "E. M. Voorhees, C. Buckley. The effect of topic set size on retrieval experiment error. SIGIR 2002."
    ),
    "voorhees2005robust": "E. M. Voorhees. The TREC robust retrieval track. SIGIR Forum 39(1), 2005.",
    "webber2010rbo": (
        "W. Webber, A. Moffat, J. Zobel. A similarity measure for indefinite rankings. ACM TOIS 28(4), 2010."
    ),
    "welch1947generalization": (
        "B. L. Welch. The generalization of 'Student's' problem when several different population variances are "
        "involved. Biometrika 34(1-2), 1947."
    ),
    "yang2018variance": ("M. Yang, P. Zhang, D. Song. A study of per-topic variance on system comparison. SIGIR 2018."),
    "yilmaz2006estimating": (
        "E. Yilmaz, J. A. Aslam. Estimating average precision with incomplete and imperfect judgments. CIKM 2006."
    ),
    "yilmaz2008tauap": (
        "E. Yilmaz, J. A. Aslam, S. Robertson. A new rank correlation coefficient for information retrieval. SIGIR "
        "2008."
    ),
    "zobel1998reliable": (
        "J. Zobel. How reliable are the results of large-scale information retrieval experiments? SIGIR 1998."
    ),
    "zobel2020corpus": (
        "J. Zobel, L. Rashidi. Corpus bootstrapping for assessment of the properties of effectiveness measures. "
        "CIKM 2020."
    ),
}
