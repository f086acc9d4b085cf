"""What `uncertainty` says on the first screen: who is first, which differences to trust, what threatens that."""

from collections.abc import Sequence
from typing import Any

from irassay.ask.letters import spell_out
from irassay.report.text import undefined
from irassay.result import Concern, Headline, Result
from irassay.studies.concerns import LEFT_OUT, POOL, bounded, few_topics, systems
from irassay.studies.phrases import join, percent, rows_of, safe
from irassay.studies.tables import Rows, grouped
from irassay.studies.uncertainty.scenarios import OWN_GROUP, source_in_words
from irassay.tolerance import EQUAL

NAMED = 3  # systems that a sentence can name
SHOWN = 3  # decimals of a score in a sentence
PLACES = ("budget", "leaderboard", "topic_scores", "top_documents")
HARDLY_ANY = 0.98  # pairs resolved from which on a source of variation hardly matters
ALONE = ("topics", "documents")  # what is sampled, if nothing else is drawn with it


def headline(result: Result) -> Headline:
    verdict = {"first": first(result), "trust": trust(result), "threat": threat(result)}
    return Headline(
        verdict={question: text for question, text in verdict.items() if text},
        tables={place: place for place in PLACES if place in result and len(result[place])},
        concerns=tuple(concerns(result)),
    )


def first(result: Result) -> str:
    """Who is first by the first measure, by how many other measures, and from whom the tests do not tell it."""
    board = _board(result)
    measure, rows = next(iter(board.items()))
    leaders = _leaders(rows)
    best, by = leaders[0], safe(measure)
    places = min(SHOWN, result["leaderboard"].digits["mean"])
    score = f"{best['mean']:.{places}f}"
    if len(leaders) == len(rows):
        return f"{_all(len(rows))} systems have the same {by}, {score}."
    names = _names([row["system"] for row in leaders])
    if len(leaders) > 1:
        return f"{names} share the first place by {by} ({score}).{_not_told(rows, leaders)}"
    if not undefined(best["mean_low"]):
        score += f", 95% interval {best['mean_low']:.{places}f} to {best['mean_high']:.{places}f}"
    others = [safe(name) for name, of in board.items() if name != measure and best["system"] in _first_systems(of)]
    also = _also(others, len(board) - 1)
    share = best.get("share_first")
    in_samples = ""
    if share is not None and not undefined(share):
        often = "but only in" if share < 0.5 else "and in"
        in_samples = f", {often} {percent(share)} of {source_in_words(_sampled(result))}"
    return f"{names} is first by {by} ({score}){also}{in_samples}.{_not_told(rows, leaders)}"


def _also(others: list[str], measures: int) -> str:
    """By how many of the other measures the same system is first."""
    if measures == 0:
        return ""
    if len(others) == measures:
        return f" and {others[0]}" if measures == 1 else f" and all {measures} other measures"
    if measures == 1:
        return " but not by the other measure"
    return f" and {len(others)} of {measures} other measures" if others else " but by no other measure"


def _not_told(rows: Rows, leaders: Rows) -> str:
    """Which systems the tests do not tell from the first, or how many."""
    best = leaders[0]
    if undefined(best["rank_high"]):
        return ""
    others = len(rows) - len(leaders)
    equal = round(best["rank_high"]) - len(leaders)  # neither first nor told from it
    it = "it" if len(leaders) == 1 else "them"
    if equal <= 0:
        return (
            f" Paired t tests tell {it} from {'the other system' if others == 1 else f'{_all(others).lower()} others'}."
        )
    own = spell_out(best["letters"] or "")
    named = [row["system"] for row in rows if row not in leaders and own & spell_out(row["letters"] or "")]
    if len(named) == equal <= NAMED:
        return f" Paired t tests do not tell {it} from {_names(named)}."
    if equal == others:
        return f" Paired t tests tell {it} from no other system."
    return f" Paired t tests tell {it} from {others - equal} of {others} others."


def trust(result: Result) -> str:
    """From which difference on the order survives, by two measures; how many pairs, where systems are few.

    What survives keeps its sign in 95% of the samples: the budget has a column of that name.
    """
    drawn = _sampled(result)
    what = source_in_words(drawn)
    rows = [row for row in rows_of(result["budget"]) if row["variation"] == drawn]
    known = [row for row in rows if not undefined(row["pairs_resolved"])]
    if not known:
        return _trust_pairs(result, drawn)
    shown = known[:2]
    if all(row["pairs_resolved"] == 1 for row in shown):
        return f"By {join([safe(row['measure']) for row in shown])} every difference survives {what}."
    lasting = [row for row in shown if not undefined(row["surviving_difference"])]
    never = [safe(row["measure"]) for row in shown if undefined(row["surviving_difference"])]
    sentences = []
    if lasting:
        parts = [f"{row['surviving_difference']:.3f} by {safe(row['measure'])}" for row in lasting]
        sentences.append(f"Differences of at least {join(parts)} survive {what}.")
    if never:
        sentences.append(f"By {join(never)} no difference is so large that it survives {what}.")
    return " ".join(sentences)


def _trust_pairs(result: Result, drawn: str) -> str:
    """Of a few systems, the pairs that keep their order by the first measure."""
    if not drawn or "pairs" not in result:
        return ""
    measure, pairs = next(iter(grouped(rows_of(result["pairs"]), "measure").items()))
    pairs = [row for row in pairs if row["variation"] == drawn and not undefined(row["reversed"])]
    if not pairs:
        return ""
    safe_pairs = sum(row["reversed"] <= 0.05 for row in pairs)
    name = safe(measure[0])
    if len(pairs) == 1:
        return f"The difference by {name} {'survives' if safe_pairs else 'does not survive'} {source_in_words(drawn)}."
    if safe_pairs == len(pairs):
        return f"{_all(len(pairs))} differences by {name} survive {source_in_words(drawn)}."
    survive = "survives" if safe_pairs == 1 else "survive"
    return f"Of {len(pairs)} differences by {name} {safe_pairs or 'none'} {survive} {source_in_words(drawn)}."


def _sampled(result: Result) -> str:
    """The first of what is drawn from a population: topics, or documents where topics do not vary."""
    names = dict.fromkeys(row["variation"] for row in rows_of(result["budget"]) if _alone(row))
    return next((name for kind in ALONE for name in names if name.split(" ")[0] == kind), "")


def threat(result: Result) -> str:
    """How many pairs each source leaves open by the first measure: samples from the worst on, then the worst scenario.

    Kinds of sources stand side by side and are not compared: only samples have an order.
    """
    measure = next(iter(_board(result)))
    rows = [row for row in rows_of(result["budget"], "pairs_resolved") if row["measure"] == measure]
    if not rows:
        return ""
    kinds = grouped(sorted(rows, key=lambda row: row["pairs_resolved"]), "kind")
    samples = [row for row in kinds.get(("sampling",), []) if _alone(row)]
    ties = [row for row in kinds.get(("model",), []) if row["variation"] == "ties"]
    listed = [*samples, *ties, *kinds.get(("scenario",), [])[:1]]
    parts = [
        (source_in_words(row["variation"]), percent(1 - row["pairs_resolved"]))
        for row in listed
        if row["pairs_resolved"] < HARDLY_ANY
    ]
    if not listed:
        return ""
    if not parts:
        return f"No source of variation leaves the order of more than 2% of the pairs open by {safe(measure)}."
    (source, share), *others = parts
    more = "".join(f", {other} {part}" for other, part in others)
    start = f"{source[0].upper()}{source[1:]} leave the order of {share} of the pairs open by {safe(measure)}"
    return f"{start}{more}."


def concerns(result: Result) -> list[Concern]:
    """What of the data makes its conclusions doubtful, from what was tested and varied here."""
    topics: Any = result.provenance.get("topics", ())
    listed = [few_topics(len(topics)), _no_verdicts(result), _own_groups(result), _left_out(result)]
    return [one for one in listed if one is not None]


def _no_verdicts(result: Result) -> Concern | None:
    """Tests that tell no two systems apart, by some measures or all."""
    board = _board(result)
    tested = {name: rows for name, rows in board.items() if not undefined(rows[0]["rank_high"])}
    silent = [
        safe(name)
        for name, rows in tested.items()
        if all(row["rank_high"] - row["rank_low"] + 1 == len(rows) for row in rows)
    ]
    if not silent:
        return None
    by = "any measure" if len(silent) == len(tested) > 1 else join(silent)
    severity = 0.85 if len(silent) == len(tested) else 0.5 if next(iter(board)) in silent else 0.3
    text = f"Paired t tests (Holm) tell no two systems apart by {by}, which does not show that they are equal."
    return Concern(severity, "No significant difference", text)


def _own_groups(result: Result) -> Concern | None:
    """A system whose score rests on judgments that only its own group brought into the pool."""
    if "scenarios" not in result:
        return None
    rows = [row for row in rows_of(result["scenarios"], "largest_shift") if row["scenario"] == OWN_GROUP]
    measure = next(iter(_board(result)))
    row = next((row for row in rows if row["measure"] == measure), None)
    if row is None or not row["largest_shift"]:
        return None
    shift, lost = abs(row["largest_shift"]), row["ranks_lost_most"]
    lasting = _surviving(result, measure)
    number = len(next(iter(_board(result).values())))
    parts = (0.25 * shift / lasting if lasting else 0.25, max(0.0, lost) / number)
    severity = bounded(min(0.75, max(parts)))
    loses = "lose" if row["largest_shift"] < 0 else "gain"
    most = f"; a system would lose up to {lost:g} {'rank' if lost == 1 else 'ranks'} by {safe(measure)}"
    ranks = most if lost > 0 else ""
    text = (
        f"{safe(row['system'])} would {loses} {shift:.3f} {safe(measure)} if its own group had not contributed to "
        f"the pool{ranks}."
    )
    return Concern(severity, POOL, text)


def _surviving(result: Result, measure: str) -> float | None:
    drawn = _sampled(result)
    values = [
        row["surviving_difference"]
        for row in rows_of(result["budget"], "surviving_difference")
        if (row["measure"], row["variation"]) == (measure, drawn)
    ]
    return values[0] if values else None


def _left_out(result: Result) -> Concern | None:
    """Systems that a variation cannot take, and that therefore nothing here is about."""
    left = [each for one in result.warnings if one.code == "system-left-out" for each in one.messages]
    if not left:
        return None
    kept = len(next(iter(_board(result).values())))
    severity = bounded(0.25 + 0.5 * len(left) / (len(left) + kept))
    text = f"{systems(len(left))} of {len(left) + kept} left out of the budget and the leaderboard: {left[0].what}."
    return Concern(severity, LEFT_OUT, text)


def _alone(row: dict[str, Any]) -> bool:
    """Whether a row of the budget is about samples of topics or of documents: both together count topics twice."""
    return row["variation"].split(" ")[0] in ALONE


def _board(result: Result) -> dict[str, Rows]:
    """The rows of the leaderboard by measure, each from the best on."""
    return {measure: rows for (measure,), rows in grouped(rows_of(result["leaderboard"]), "measure").items()}


def _leaders(rows: Rows) -> Rows:
    """The first system, and those with the same score."""
    return [row for row in rows if rows[0]["mean"] - row["mean"] <= EQUAL]


def _first_systems(rows: Rows) -> list[str]:
    return [row["system"] for row in _leaders(rows)]


def _all(number: int) -> str:
    return "Both" if number == 2 else f"All {number}"


def _names(names: Sequence[str]) -> str:
    shown = [safe(name) for name in names]
    return join(shown) if len(shown) <= NAMED else f"{', '.join(shown[:NAMED])} and {len(shown) - NAMED} more"
