// Figures: drawn again where they are seen, with tooltips and filters.
const NARROW = matchMedia("(max-width: 35rem)");

class FigureView {
  constructor(figure) {
    this.place = figure.querySelector(".drawing");
    this.source = figure.querySelector("script").textContent;
    this.visible = false;
  }

  // The specification with the rows that match the filters, narrow enough for a phone.
  spec() {
    const spec = JSON.parse(this.source);
    const rows = spec.data.values.filter(
      row => row.kind === "row" && matchesMeasures(row._m || []) && (!systemsOf(row) || matchesSystems(systemsOf(row)))
    ).map(matchingCells);
    const valuesOf = channel => new Set(rows.map(row => row[channel]));
    const facets = valuesOf("facet");
    const marks = spec.data.values.filter(row => row.kind !== "row" && (row.facet === null || facets.has(row.facet)));
    spec.data.values = [...rows, ...marks];
    this.rowCount = rows.reduce((sum, row) => sum + countCells(row), 0);
    if (spec.usermeta && spec.usermeta.names) {
      const panels = valuesOf("panel");
      if (spec.concat) spec.concat = spec.concat.filter((_, number) => panels.has(number)); // none is empty
      if (this.rowCount) fitNames(spec, this.place.clientWidth || 640);
      return spec;
    }
    const body = spec.spec || spec;
    for (const layer of body.layer) {
      for (const [name, channel] of Object.entries(layer.encoding || {})) {
        const domain = channel.scale && channel.scale.domain;
        const names = Array.isArray(domain) && typeof domain[0] === "string";
        if (names && (name === "x" || name === "y")) {
          const present = valuesOf(name);
          channel.scale.domain = domain.filter(one => present.has(one));
        } else if (names && channel.legend) { // names keep their colours; the legend lists those that remain
          const present = valuesOf("series");
          channel.legend.values = domain.filter(one => present.has(one));
        }
        if (NARROW.matches && channel.legend && channel.legend.columns) {
          channel.legend.columns = Math.max(1, Math.floor(channel.legend.columns * 0.68));
        }
      }
    }
    if (spec.facet) spec.facet.sort = spec.facet.sort.filter(one => facets.has(one));
    if (NARROW.matches && typeof body.width === "number") {
      body.width = 270;
      if (spec.columns) { spec.columns = 1; body.height = 130; }
    }
    return spec;
  }

  async draw() {
    if (!window.vegaEmbed) return; // the static picture stays
    const spec = this.spec();
    this.place.classList.toggle("empty", this.rowCount === 0);
    if (this.rowCount === 0) {
      this.place.replaceChildren("No data match these filters.");
      this.place.dataset.rows = "0";
      return;
    }
    const container = document.createElement("div");
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    // ast: expressions are interpreted, so that the page needs no eval
    const embedded = await window.vegaEmbed(container, spec, {
      mode: "vega-lite", renderer: "svg", actions: false, ast: true, defaultStyle: false, logLevel: 1,
      tooltip: { theme: dark ? "dark" : "light" },
    });
    this.view?.finalize();
    this.view = embedded.view;
    this.place.replaceChildren(container);
    if (spec.usermeta && spec.usermeta.names) { // laid out for this width: not stretched to it
      container.querySelector("svg").style.cssText = "width: auto; max-width: 100%";
    }
    this.place.dataset.rows = String(this.rowCount);
  }

  refresh() { if (this.visible) this.queue(); else this.stale = true; }

  queue() {
    // one after the other, so that the result of the latest filter stays
    this.queued = (this.queued || Promise.resolve()).then(() => this.draw()).catch(problem => console.error(problem));
  }

  appear() { if (!this.visible) { this.visible = true; this.queue(); } }
}
