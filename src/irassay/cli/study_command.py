"""The command of a registered study: options from its settings, tables on the screen, the whole result in a folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from irassay.choices import LAYOUTS, WIDTHS
from irassay.cli.options import Sectioned, build, command_line, explicit, from_settings, sentence
from irassay.cli.screen import screen, talk_of_hidden
from irassay.cli.talk import talk, work_is_done
from irassay.settings import DIGITS_HELP, Execution, Option
from irassay.settings import options as setting_options
from irassay.studies.collection_settings import StudyInput, study_inputs
from irassay.studies.collections import is_collections_file
from irassay.studies.execution import Outcome, run_collections
from irassay.studies.registry import Study, load

if TYPE_CHECKING:
    from irassay.result import Result


def _runs_or_collections(context: click.Context, parameter: click.Parameter, runs: tuple[str, ...]) -> tuple[str, ...]:
    """Only a collections file in place of judgments has its runs."""
    if not runs and not is_collections_file(context.params.get("qrels")):
        raise click.MissingParameter(ctx=context, param=parameter)
    return runs


QRELS = click.argument("qrels", type=str)
RUNS = click.argument("runs", nargs=-1, metavar="RUN...", callback=_runs_or_collections)
OPTIONAL_QRELS = click.argument("qrels", type=str, required=False)
OPTIONAL_RUNS = click.argument("runs", nargs=-1, metavar="RUN...")
COLLECTION = click.option(
    "--collection",
    multiple=True,
    metavar="NAME",
    help="Only this collection of a collections file (irassay.toml in place of QRELS and RUN); may be repeated.",
)
OUTPUT = click.option("-o", "--output", type=str, metavar="FILE", help="Write to this file instead of to the screen.")
JUDGMENTS = click.argument("runs", nargs=-1, metavar="QRELS2... [RUN...]")
INPUTS = {
    "runs": (QRELS, RUNS, COLLECTION),
    "scores": (OPTIONAL_QRELS, OPTIONAL_RUNS, COLLECTION),
    "judgments": (QRELS, JUDGMENTS, COLLECTION),
    "none": (),
}
PASTE = {
    "latex": "Only the main table, in LaTeX (--format latex).",
    "markdown": "Only the main table, in Markdown (--format markdown).",
    "csv": "Only the main table, as CSV with all digits (--format csv).",
}


PAPER = {
    "layout": click.option(
        "--layout",
        type=click.Choice(LAYOUTS),
        help="Of --latex and --markdown: systems by measures, with signs of significance, or a row for each.",
    ),
    "width": click.option(
        "--width", "page_width", type=click.Choice(WIDTHS), help="Of --latex: fit it into so many columns of a page."
    ),
    "caption": click.option("--caption", metavar="TEXT", help="Of --latex and --markdown: the caption."),
    "label": click.option("--label", metavar="TEXT", help="Of --latex: the label, for \\ref."),
}
DIGITS = click.option(
    "--digits", "decimals", type=click.IntRange(0, 17), metavar="N", help=sentence(Option(DIGITS_HELP))
)


def paper_layout(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with the options of tables for papers."""
    for option in reversed(PAPER.values()):
        command = option(command)
    return command


def formats(*names: str, help: str = "Tables to look at, or json with all digits.") -> Any:
    return click.option("--format", "form", type=click.Choice(names), default=names[0], show_default=True, help=help)


def study_command(study: Study) -> click.Command:
    """The command of a study. One that has no --out DIR can write to a file instead."""
    settings = load(study.settings)

    def run(form: str, output: str | None = None, decimals: int | None = None, **options: Any) -> None:
        import irassay.report as report
        from irassay.studies.merge import merge_findings, merge_results, merge_tables

        out = options.get("out")
        paper = paper_options(form, options)
        outcomes: dict[str, Outcome] = {}

        def result_of_all() -> Result:
            outcomes.update(outcomes_of(study, options))
            for name, (configured, one) in outcomes.items():
                tables = tuple(report.with_digits(table, decimals) for table in one.tables)
                outcomes[name] = Outcome(configured, replace(one, tables=tables))
            return merge_results({name: outcome.result for name, outcome in outcomes.items()})

        result = run_and_save(result_of_all, options, lambda: inputs_of(study, options))
        if form in ("json", "csv"):
            write(report.to_json(result) if form == "json" else report.to_csv(result[study.paste]), output)
            return
        if form in PASTE:
            write(getattr(result, f"to_{form}")(**paper), output)
            return
        tables = merge_tables(
            {
                # again: what only the screen shows has decimals of its own
                name: [
                    report.with_digits(table, decimals) for table in study.tables_for_screen(one.result, one.settings)
                ]
                for name, one in outcomes.items()
            }
        )
        write(screen(tables, result, output, out), output)
        if out:
            tell_saved(f"The whole result is in {out}.")
        elif "out" in options:
            talk_of_hidden(tables, result)
        if study.advice:
            advice = load(study.advice)
            for sentence in merge_findings({name: advice(one.result) for name, one in outcomes.items()}):
                talk(sentence)

    for add_parameter in reversed(_parameters(study, settings)):
        run = add_parameter(run)
    return click.command(study.name, cls=Sectioned, help=settings.__doc__)(run)


def paper_options(form: str, options: dict[str, Any]) -> dict[str, Any]:
    """What the command line says about a table for a paper, taken out of the options; of other forms an error."""
    values = {name: options.pop("page_width" if name == "width" else name, None) for name in PAPER}
    chosen = {name: value for name, value in values.items() if value is not None}
    allowed = {"latex": set(values), "markdown": {"layout", "caption"}}.get(form, set())
    if not chosen.keys() <= allowed:
        name = next(name for name in chosen if name not in allowed)
        raise click.UsageError(
            f"--{name} is for {'--latex' if name in ('width', 'label') else '--latex and --markdown'}"
        )
    return chosen


def outcomes_of(study: Study, options: dict[str, Any]) -> dict[str, Outcome]:
    """A study of what the command line names: judgments and runs, score tables, or collections."""
    values, data, names = _named(study, options)
    return run_collections(study, values, *data, names=names, execution=build(Execution, options))


def inputs_of(study: Study, options: dict[str, Any]) -> Sequence[StudyInput]:
    """The data and settings that the command line names."""
    values, data, names = _named(study, options)
    return study_inputs(load(study.settings), values, *data, names)


def _named(study: Study, options: dict[str, Any]) -> tuple[dict[str, Any], tuple[Any, Any], Sequence[str]]:
    """The given settings, judgments and runs, and names of collections."""
    data = (None, None) if study.data == "none" else (options["qrels"], list(options["runs"]))
    return explicit(load(study.settings), options), data, options.get("collection", ())


def _parameters(study: Study, settings: type) -> list[Any]:
    """Arguments and options, in the order of the help."""
    own_digits = "digits" in setting_options(settings)
    parameters = [*INPUTS[study.data], from_settings(settings, load(f"irassay.settings:{study.execution}"))]
    if study.paste:
        help = "Tables to look at, json with all digits, or only the main table to paste it somewhere."
        parameters.append(formats("table", "json", *PASTE, help=help))
        parameters += [click.option(f"--{name}", "form", flag_value=name, help=text) for name, text in PASTE.items()]
        taken = set(setting_options(settings))  # `design` has a width of its own
        parameters += [option for name, option in PAPER.items() if name not in taken]
    else:
        parameters.append(formats("table", "json"))
    parameters += [] if own_digits else [DIGITS]
    return parameters if study.execution != "Threads" else [*parameters, OUTPUT]


def write(payload: bytes | str, output: str | None = None) -> None:
    """Write to a file, or to stdout."""
    import irassay.report as report

    work_is_done()
    report.write(payload, Path(output) if output else None)


def run_and_save(
    study: Callable[[], Result], options: dict[str, Any], inputs: Callable[[], Sequence[StudyInput]], **more: str
) -> Result:
    """The result of a study, saved where `--out` says, with the running command in its provenance."""
    if not options.get("out"):
        return study()
    from irassay.studies.saving import saved, settings_record

    record = settings_record(inputs(), **more)
    return saved(options["out"], record, study, force=options["force"], command=command_line())


def tell_saved(message: str) -> None:
    """Tell where results are, and whether Parquet was left out for want of its extra."""
    from irassay.errors import MissingExtraError
    from irassay.report.parquet import available

    try:
        available()
    except MissingExtraError as error:
        message = f"{message}\nLeft out: {error}"
    talk(message)
