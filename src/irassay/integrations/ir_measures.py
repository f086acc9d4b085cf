"""ir_measures' calls, computed by irassay: importing this module registers the provider.

    import ir_measures
    import irassay.integrations.ir_measures
    ir_measures.calc_aggregate([ir_measures.AP, ir_measures.nDCG @ 10], qrels, run)  # irassay's numbers

It comes first among the providers of ir_measures' own calls, and takes the measures that give the same values here
(those that `irassay.measures.parse` takes); the others go on to the next provider. PyTerrier's Experiment calls
ir_measures, so its numbers are irassay's too. `unregister()` undoes it.
"""

import warnings
from collections.abc import Iterable, Iterator
from typing import Any

from irassay.errors import InputError, IrassayWarning, import_extra
from irassay.measures import Measure, parse
from irassay.panel.alignment import align
from irassay.read import Qrels, read_qrels

ir_measures = import_extra("ir_measures", "ir-measures", "the provider for ir_measures")


class IrassayProvider(ir_measures.Provider):  # type: ignore[misc, name-defined]
    """Measures of ir_measures, computed by irassay; ties are broken as trec_eval does."""

    NAME = "irassay"

    def supports(self, measure: Any) -> bool:
        measure.validate_params()
        try:
            parse(measure)
        except (InputError, TypeError):
            return False
        return True

    def install_instructions(self) -> str:
        return "pip install irassay"

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> Any:
        judgments = ir_measures.util.QrelsConverter(qrels).as_dict_of_dict()
        return _Evaluator(list(measures), judgments)


class _Evaluator(ir_measures.Evaluator):  # type: ignore[misc, name-defined]
    def __init__(self, measures: list[Any], qrels: dict[str, dict[str, int]]) -> None:
        super().__init__(measures, set(qrels))
        self.qrels: Qrels = read_qrels(qrels)
        self.ours: dict[Any, Measure] = {measure: parse(measure)[0] for measure in measures}

    def _iter_calc(self, run: Any) -> Iterator[Any]:
        lists = ir_measures.util.RunConverter(run).as_dict_of_dict()
        lists = {topic: ranking for topic, ranking in lists.items() if ranking and topic in self.qrel_qids}
        if not lists:
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", IrassayWarning)  # who calls ir_measures knows its rules
            scores = align(self.qrels, {"run": lists}, order="trec9").score(list(self.ours.values()))
        for measure, ours in self.ours.items():
            for topic, value in zip(scores.topics, scores[str(ours)].values[0].tolist(), strict=True):
                yield ir_measures.Metric(query_id=topic, measure=measure, value=value)


def register() -> IrassayProvider:
    """Make irassay the first provider of ir_measures' calls, after measures that a program defines; once."""
    provider: IrassayProvider | None = ir_measures.providers.registry.get(IrassayProvider.NAME)
    if provider is None:
        provider = IrassayProvider()
        ir_measures.providers.register(provider)
    listed = ir_measures.DefaultPipeline.providers
    if provider not in listed:
        listed.insert(1, provider)
    return provider


def unregister() -> None:
    """Give ir_measures' calls back to its own providers."""
    provider = ir_measures.providers.registry.pop(IrassayProvider.NAME, None)
    if provider in ir_measures.DefaultPipeline.providers:
        ir_measures.DefaultPipeline.providers.remove(provider)


register()
