// Figures: drawn again where they are seen, as wide as the page, with tooltips and filters; saved as SVG and PNG.
const NARROW = matchMedia("(max-width: 35rem)");
const BETWEEN = 18; // pixels between small figures
const DOTS = 300 / 72; // of a saved PNG, for each point

class FigureView {
  constructor(figure) {
    this.figure = figure;
    this.place = figure.querySelector(".drawing");
    this.source = figure.querySelector("script").textContent;
    this.visible = false;
    this.margins = {}; // what axes and labels add to the width of a small figure, by the number of columns
    this.offerFiles();
  }

  // The specification with the rows that match the filters.
  spec() {
    const spec = JSON.parse(this.source);
    const rows = spec.data.values.filter(
      row => row.kind === "row" && matchesMeasures(row._m || []) && (!systemsOf(row) || matchesSystems(systemsOf(row)))
    ).map(matchingCells);
    const valuesOf = channel => new Set(rows.map(row => row[channel]));
    const panels = valuesOf("panel"), series = valuesOf("series");
    const beside = spec.data.values.filter(row => row.kind !== "row"
      && (row.panel === undefined || panels.has(row.panel)) && (row.series === undefined || series.has(row.series)));
    this.rowCount = rows.reduce((sum, row) => sum + countCells(row), 0);
    this.filtered = rows.length + beside.length < spec.data.values.length;
    spec.data.values = [...rows, ...beside];
    if (spec.concat) spec.concat = spec.concat.filter((_, number) => panels.has(number));
    for (const body of bodiesOf(spec)) {
      for (const layer of body.layer) {
        for (const [name, channel] of Object.entries(layer.encoding || {})) {
          const domain = channel.scale && channel.scale.domain;
          if (!Array.isArray(domain) || typeof domain[0] !== "string") continue;
          if (name === "x" || name === "y") {
            const present = valuesOf(name);
            channel.scale.domain = domain.filter(one => present.has(one));
          } else if (channel.legend) { // names keep their colours; the legend lists those that remain
            const present = valuesOf(channel.field);
            channel.legend.values = domain.filter(one => present.has(one));
          }
        }
      }
    }
    return spec;
  }

  // As many small figures side by side as the width holds, all of one width; the fonts keep their size.
  fit(spec, width, margins) {
    if (spec.usermeta.names) return fitNames(spec, width, margins);
    const settings = spec.usermeta, bodies = bodiesOf(spec);
    const space = settings.narrowest + settings.margin + BETWEEN;
    const most = Math.max(1, Math.min(bodies.length, Math.floor((width + BETWEEN) / space)));
    const columns = Math.ceil(bodies.length / Math.ceil(bodies.length / most)); // no row much shorter than the others
    const margin = margins[columns] ?? settings.margin;
    const inner = Math.max(90, Math.floor((width - (columns - 1) * BETWEEN) / columns - margin));
    if (spec.concat) spec.columns = columns;
    for (const body of bodies) {
      if (settings.square) body.width = body.height = Math.min(inner, settings.square);
      else if (typeof body.width === "number") body.width = inner;
      else if (body.width && body.width.step) {
        const names = body.layer[0].encoding.x.scale?.domain?.length || 1;
        body.width.step = Math.max(8, Math.min(56, Math.floor(inner / names)));
        if (body.height && body.height.step) body.height.step = Math.min(body.width.step, 30);
      }
      for (const layer of body.layer) {
        for (const { legend } of Object.values(layer.encoding || {})) {
          if (!legend || !legend.columns) continue;
          const entries = legend.values ? legend.values.length : settings.entries;
          const lines = Math.ceil(entries / Math.max(1, Math.floor(width / settings.entry)));
          legend.columns = Math.max(1, Math.ceil(entries / Math.max(1, lines)));
        }
      }
    }
    return { columns, inner };
  }

  // Draws into a new element; a second time where axes and labels needed another width than thought.
  async embed(prepare, width, margins) {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    for (let attempt = 0; ; attempt++) {
      const spec = prepare(), container = document.createElement("div");
      const { columns, inner } = this.fit(spec, width, margins);
      // ast: expressions are interpreted, so that the page needs no eval
      const embedded = await window.vegaEmbed(container, spec, {
        mode: "vega-lite", renderer: "svg", actions: false, ast: true, defaultStyle: false, logLevel: 1,
        tooltip: { theme: dark ? "dark" : "light" },
      });
      const whole = Number(container.querySelector("svg").getAttribute("width"));
      const fits = whole <= width + 0.5 && whole >= width - 3 * columns - 5;
      if (fits || attempt > 1 || spec.usermeta.square) return { container, view: embedded.view };
      margins[columns] = (whole - (columns - 1) * BETWEEN) / columns - inner + 1;
      embedded.view.finalize();
    }
  }

  async draw() {
    if (!window.vegaEmbed) return; // the static picture stays
    const width = Math.floor(this.place.getBoundingClientRect().width);
    this.spec();
    this.keepStill();
    this.place.classList.toggle("empty", this.rowCount === 0);
    this.place.classList.toggle("filtered", this.filtered);
    this.width = width;
    if (this.rowCount === 0) {
      this.live.replaceChildren("No data match these filters.");
      this.place.dataset.rows = "0";
      return;
    }
    const { container, view } = await this.embed(() => this.spec(), width, this.margins);
    this.view?.finalize();
    this.view = view;
    this.live.replaceChildren(container);
    this.place.dataset.rows = String(this.rowCount);
  }

  // The picture that came with the page is the one for print.
  keepStill() {
    if (this.live) return;
    const still = document.createElement("div");
    still.className = "still";
    still.append(...this.place.childNodes);
    this.live = document.createElement("div");
    this.live.className = "live";
    this.place.replaceChildren(still, this.live);
    new ResizeObserver(debounce(() => {
      if (Math.abs(this.place.getBoundingClientRect().width - this.width) > 2) this.refresh();
    }, 150)).observe(this.place);
  }

  refresh() { if (this.visible) this.queue(); else this.stale = true; }

  queue() {
    // one after the other, so that the result of the latest filter stays
    this.queued = (this.queued || Promise.resolve()).then(() => this.draw()).catch(problem => console.error(problem));
  }

  appear() { if (!this.visible) { this.visible = true; this.queue(); } }

  offerFiles() {
    if (!window.vegaEmbed) return;
    let buttons = this.figure.querySelector(".export");
    if (!buttons) {
      buttons = document.createElement("div");
      buttons.className = "export";
      this.figure.append(buttons);
    }
    for (const form of ["SVG", "PNG"]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = form;
      button.title = `Save this figure as ${form}`;
      button.setAttribute("aria-label", button.title);
      button.addEventListener("click", () => this.save(form).catch(problem => console.error(problem)));
      buttons.append(button);
    }
  }

  // As for a publication: on white, in the fonts and the width of a page of text, with the rows that are shown.
  async fileView() {
    const prepare = () => {
      const spec = this.spec(), { config, width, scale } = spec.usermeta.file;
      spec.config = config;
      for (const body of bodiesOf(spec)) {
        body.layer = body.layer.filter(layer => layer.mark.opacity !== 0); // only for pointing at
        if (typeof body.height === "number") body.height = Math.round(body.height * scale);
        for (const { mark } of body.layer) if (mark.fontSize) mark.fontSize = Math.round(10 * mark.fontSize * scale) / 10;
      }
      spec.usermeta.square = Math.round(spec.usermeta.square * scale);
      spec.usermeta.narrowest *= scale * 0.6;
      spec.usermeta.margin *= scale;
      return JSON.parse(JSON.stringify(spec).replaceAll("P⁺", "P+")); // a sign that the fonts lack
    };
    return this.embed(prepare, JSON.parse(this.source).usermeta.file.width, {});
  }

  async save(form) {
    const { view } = await this.fileView();
    let blob;
    if (form === "SVG") {
      blob = new Blob([await view.toSVG()], { type: "image/svg+xml" });
    } else {
      const canvas = await view.toCanvas(DOTS);
      blob = await new Promise(ready => canvas.toBlob(ready, "image/png"));
    }
    view.finalize();
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${this.figure.dataset.file || this.figure.id}.${form.toLowerCase()}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }
}

// The small figures of a specification, or its only one.
function bodiesOf(spec) { return spec.concat || [spec]; }
