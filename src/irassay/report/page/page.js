// The page works without this: pictures and the first rows of every table stand in it. This adds hovering, sorting,
// searching, filtering and turning pages. Names in the data are only ever text: nothing here makes markup of them.
"use strict";

const ROWS = 500;
const NARROW = matchMedia("(max-width: 35rem)");
const filters = { measures: null, system: "" }; // null: every measure

const later = (work, wait) => {
  let timer;
  return () => { clearTimeout(timer); timer = setTimeout(work, wait); };
};

const keepsMeasures = names => filters.measures === null || names.every(name => filters.measures.has(name));
const keepsSystems = names => !filters.system || names.some(name => name.toLowerCase().includes(filters.system));

// Tables ------------------------------------------------------------------------------------------------------------

class Sheet {
  constructor(details) {
    this.details = details;
    this.body = details.querySelector("tbody");
    this.heads = [...details.querySelectorAll("th")];
    this.tools = details.querySelector(".tools");
    this.search = this.tools.querySelector("input");
    this.status = this.tools.querySelector("[role=status]");
    this.steps = [...this.tools.querySelectorAll("button")];
    this.sorted = { column: -1, down: false };
    this.page = 0;
    this.heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => this.sort(column));
      head.replaceChildren(button);
      head.setAttribute("aria-sort", "none");
    });
    this.search.addEventListener("input", later(() => { this.page = 0; this.show(); }, 150));
    for (const button of this.steps) {
      button.addEventListener("click", () => { this.page += Number(button.dataset.step); this.show(); });
    }
    details.querySelector(".rest")?.remove();
    this.tools.hidden = false;
    details.addEventListener("toggle", () => { if (details.open && !this.shown) this.show(); });
    if (details.open) this.show();
  }

  get data() {
    if (!this.loaded) {
      this.loaded = JSON.parse(this.details.querySelector("script").textContent);
      this.columns = this.loaded.columns;
    }
    return this.loaded;
  }

  text(column, row) {
    const record = this.columns[column];
    if (record.codes) return record.codes[row] < 0 ? "-" : record.texts[record.codes[row]];
    const value = record.values[row];
    if (value === null) return "-";
    if (typeof value === "string") return value;
    if (record.smallest !== undefined && (value === 0 || value < record.smallest / 2)) {
      return `< ${Number(record.smallest.toPrecision(4))}`;
    }
    const text = value.toFixed(record.digits);
    return /^-0\.?0*$/.test(text) ? text.slice(1) : text;
  }

  key(column) {
    const record = this.columns[column];
    if (record.codes) {
      const order = record.texts.map((text, code) => [text, code])
        .sort((a, b) => a[0].localeCompare(b[0], undefined, { numeric: true }));
      const places = new Array(record.texts.length);
      order.forEach(([, code], place) => { places[code] = place; });
      return record.codes.map(code => (code < 0 ? null : places[code]));
    }
    return record.values.map(value => (value === "inf" ? Infinity : value === "-inf" ? -Infinity : value));
  }

  kept() {
    const rows = [];
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const named = kind => this.columns.map((c, i) => (c.filter === kind ? i : -1)).filter(i => i >= 0);
    const measures = named("measure"), systems = named("system");
    for (let row = 0; row < this.loaded.rows; row += 1) {
      if (measures.length && !keepsMeasures(measures.map(c => this.text(c, row)))) continue;
      if (systems.length && !keepsSystems(systems.map(c => this.text(c, row)))) continue;
      if (words.length) {
        const all = this.columns.map((_, c) => this.text(c, row)).join("\n").toLowerCase();
        if (!words.every(word => all.includes(word))) continue;
      }
      rows.push(row);
    }
    if (this.sorted.column >= 0) {
      const keys = this.key(this.sorted.column), sign = this.sorted.down ? -1 : 1;
      rows.sort((a, b) => {
        const x = keys[a], y = keys[b];
        if (x === null || y === null) return (x === null) - (y === null); // undefined stays last either way
        return x === y ? a - b : (x < y ? -sign : sign);
      });
    }
    return rows;
  }

  sort(column) {
    const again = this.sorted.column === column;
    this.sorted = { column, down: again && !this.sorted.down };
    this.heads.forEach((head, place) => {
      head.setAttribute("aria-sort", place !== column ? "none" : this.sorted.down ? "descending" : "ascending");
    });
    this.page = 0;
    this.show();
  }

  show() {
    this.shown = true;
    const total = this.data.rows, rows = this.kept();
    const pages = Math.max(1, Math.ceil(rows.length / ROWS));
    this.page = Math.min(Math.max(0, this.page), pages - 1);
    const low = this.page * ROWS, high = Math.min(rows.length, low + ROWS);
    const fragment = document.createDocumentFragment();
    for (const row of rows.slice(low, high)) {
      const line = document.createElement("tr");
      this.columns.forEach((record, column) => {
        const cell = document.createElement("td");
        if (!record.codes) cell.className = "number";
        const strong = record.bold !== undefined && record.values[row] > record.bold;
        (strong ? cell.appendChild(document.createElement("b")) : cell).textContent = this.text(column, row);
        line.append(cell);
      });
      fragment.append(line);
    }
    this.body.replaceChildren(fragment);
    const count = number => number.toLocaleString("en");
    const found = rows.length === total ? `${count(total)} rows` : `${count(rows.length)} of ${count(total)} rows`;
    this.status.textContent = pages > 1 ? `${found}; shown: ${count(low + 1)} to ${count(high)}` : found;
    this.steps[0].hidden = this.steps[1].hidden = pages === 1;
    this.steps[0].disabled = this.page === 0;
    this.steps[1].disabled = this.page === pages - 1;
  }

  refresh() {
    this.page = 0;
    if (this.details.open) this.show(); else this.shown = false;
  }
}

// Figures -----------------------------------------------------------------------------------------------------------

class Drawing {
  constructor(figure) {
    this.place = figure.querySelector(".drawing");
    this.source = figure.querySelector("script").textContent;
    this.visible = false;
  }

  // The figure with the rows that the filters leave, and as wide as a phone where it is on one.
  spec() {
    const spec = JSON.parse(this.source);
    const rows = spec.data.values.filter(
      row => row.kind === "row" && keepsMeasures(row._m || []) && (!row._s || keepsSystems(row._s)));
    const left = channel => new Set(rows.map(row => row[channel]));
    const facets = left("facet");
    const marks = spec.data.values.filter(row => row.kind !== "row" && (row.facet === null || facets.has(row.facet)));
    spec.data.values = [...rows, ...marks];
    this.marks = rows.length;
    const body = spec.spec || spec;
    for (const layer of body.layer) {
      for (const [name, channel] of Object.entries(layer.encoding || {})) {
        const domain = channel.scale && channel.scale.domain;
        const names = Array.isArray(domain) && typeof domain[0] === "string";
        if (names && (name === "x" || name === "y")) {
          const present = left(name);
          channel.scale.domain = domain.filter(one => present.has(one));
        } else if (names && channel.legend) { // colours stay with their names, the legend lists those that are left
          const present = left("series");
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
    if (!window.vegaEmbed) return; // the still picture stays
    const spec = this.spec();
    this.place.classList.toggle("empty", this.marks === 0);
    if (this.marks === 0) {
      this.place.replaceChildren("Nothing is left to draw with these filters.");
      this.place.dataset.marks = "0";
      return;
    }
    const fresh = document.createElement("div");
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    // ast: expressions are interpreted, so that the page needs no eval
    const done = await window.vegaEmbed(fresh, spec, {
      mode: "vega-lite", renderer: "svg", actions: false, ast: true, defaultStyle: false, logLevel: 1,
      tooltip: { theme: dark ? "dark" : "light" },
    });
    this.view?.finalize();
    this.view = done.view;
    this.place.replaceChildren(fresh);
    this.place.dataset.marks = String(this.marks);
  }

  refresh() { if (this.visible) this.queue(); else this.stale = true; }

  queue() {
    // one after the other: a later filter must not be overtaken by an earlier one
    this.turn = (this.turn || Promise.resolve()).then(() => this.draw()).catch(problem => console.error(problem));
  }

  appear() { if (!this.visible) { this.visible = true; this.queue(); } }
}

// The page ----------------------------------------------------------------------------------------------------------

const sheets = [...document.querySelectorAll("details.table")].map(details => new Sheet(details));
const drawings = new Map([...document.querySelectorAll("figure")].map(figure => [figure, new Drawing(figure)]));
const watch = new IntersectionObserver(entries => {
  for (const entry of entries) if (entry.isIntersecting) drawings.get(entry.target).appear();
}, { rootMargin: "600px" });
for (const figure of drawings.keys()) watch.observe(figure);

const refresh = () => {
  for (const one of [...sheets, ...drawings.values()]) one.refresh();
};
NARROW.addEventListener("change", () => { for (const one of drawings.values()) one.refresh(); });

const form = document.getElementById("filters");
if (form) {
  form.hidden = false;
  const boxes = [...form.querySelectorAll("input[name=measure]")];
  const system = form.querySelector("input[name=system]");
  const apply = later(() => {
    const chosen = boxes.filter(box => box.checked);
    filters.measures = chosen.length === boxes.length ? null : new Set(chosen.map(box => box.value));
    filters.system = system ? system.value.trim().toLowerCase() : "";
    const count = form.querySelector("[data-count]");
    if (count) count.textContent = filters.measures ? `${chosen.length} of ${boxes.length}` : `all ${boxes.length}`;
    refresh();
  }, 200);
  form.addEventListener("input", apply);
  form.addEventListener("submit", event => event.preventDefault());
  for (const [name, checked] of [["data-all", true], ["data-none", false]]) {
    form.querySelector(`[${name}]`)?.addEventListener("click", () => {
      for (const box of boxes) box.checked = checked;
      apply();
    });
  }
}
document.documentElement.dataset.ready = "true";
