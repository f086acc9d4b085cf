// The page is complete without this script: it has pictures and the first rows of every table. The script adds tooltips,
// sorting, searching, filtering and paging. Names in the data are always inserted as text, never as markup.
"use strict";

const ROWS_PER_PAGE = 500;
const NARROW = matchMedia("(max-width: 35rem)");
const filters = { measures: null, system: "" }; // null: every measure

const debounce = (work, wait) => {
  let timer;
  return () => { clearTimeout(timer); timer = setTimeout(work, wait); };
};

const matchesMeasures = names => filters.measures === null || names.every(name => filters.measures.has(name));
const matchesSystems = names => !filters.system || names.some(name => name.toLowerCase().includes(filters.system));

// Tables ------------------------------------------------------------------------------------------------------------

class TableView {
  constructor(details) {
    this.details = details;
    this.body = details.querySelector("tbody");
    this.headers = [...details.querySelectorAll("th")];
    this.tools = details.querySelector(".tools");
    this.search = this.tools.querySelector("input");
    this.status = this.tools.querySelector("[role=status]");
    this.pageButtons = [...this.tools.querySelectorAll("button")];
    this.order = { column: -1, descending: false };
    this.page = 0;
    this.headers.forEach((header, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...header.childNodes);
      button.addEventListener("click", () => this.sort(column));
      header.replaceChildren(button);
      header.setAttribute("aria-sort", "none");
    });
    this.search.addEventListener("input", debounce(() => { this.page = 0; this.show(); }, 150));
    for (const button of this.pageButtons) {
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

  sortKeys(column) {
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

  matchingRows() {
    const rows = [];
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const columnsOf = kind => this.columns.map((c, i) => (c.filter === kind ? i : -1)).filter(i => i >= 0);
    const measures = columnsOf("measure"), systems = columnsOf("system");
    for (let row = 0; row < this.loaded.rows; row += 1) {
      if (measures.length && !matchesMeasures(measures.map(c => this.text(c, row)))) continue;
      if (systems.length && !matchesSystems(systems.map(c => this.text(c, row)))) continue;
      if (words.length) {
        const all = this.columns.map((_, c) => this.text(c, row)).join("\n").toLowerCase();
        if (!words.every(word => all.includes(word))) continue;
      }
      rows.push(row);
    }
    if (this.order.column >= 0) {
      const keys = this.sortKeys(this.order.column), sign = this.order.descending ? -1 : 1;
      rows.sort((a, b) => {
        const x = keys[a], y = keys[b];
        if (x === null || y === null) return (x === null) - (y === null); // undefined values are last in both directions
        return x === y ? a - b : (x < y ? -sign : sign);
      });
    }
    return rows;
  }

  sort(column) {
    const again = this.order.column === column;
    this.order = { column, descending: again && !this.order.descending };
    this.headers.forEach((header, place) => {
      header.setAttribute("aria-sort", place !== column ? "none" : this.order.descending ? "descending" : "ascending");
    });
    this.page = 0;
    this.show();
  }

  show() {
    this.shown = true;
    const total = this.data.rows, rows = this.matchingRows();
    const pages = Math.max(1, Math.ceil(rows.length / ROWS_PER_PAGE));
    this.page = Math.min(Math.max(0, this.page), pages - 1);
    const low = this.page * ROWS_PER_PAGE, high = Math.min(rows.length, low + ROWS_PER_PAGE);
    const fragment = document.createDocumentFragment();
    for (const row of rows.slice(low, high)) {
      const line = document.createElement("tr");
      this.columns.forEach((record, column) => {
        const cell = document.createElement("td");
        if (!record.codes) cell.className = "number";
        const bold = record.bold !== undefined && record.values[row] > record.bold;
        (bold ? cell.appendChild(document.createElement("b")) : cell).textContent = this.text(column, row);
        line.append(cell);
      });
      fragment.append(line);
    }
    this.body.replaceChildren(fragment);
    const count = number => number.toLocaleString("en");
    const summary = rows.length === total ? `${count(total)} rows` : `${count(rows.length)} of ${count(total)} rows`;
    this.status.textContent = pages > 1 ? `${summary}; shown: ${count(low + 1)} to ${count(high)}` : summary;
    this.pageButtons[0].hidden = this.pageButtons[1].hidden = pages === 1;
    this.pageButtons[0].disabled = this.page === 0;
    this.pageButtons[1].disabled = this.page === pages - 1;
  }

  refresh() {
    this.page = 0;
    if (this.details.open) this.show(); else this.shown = false;
  }
}

// Figures -----------------------------------------------------------------------------------------------------------

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
      row => row.kind === "row" && matchesMeasures(row._m || []) && (!row._s || matchesSystems(row._s)));
    const valuesOf = channel => new Set(rows.map(row => row[channel]));
    const facets = valuesOf("facet");
    const marks = spec.data.values.filter(row => row.kind !== "row" && (row.facet === null || facets.has(row.facet)));
    spec.data.values = [...rows, ...marks];
    this.rowCount = rows.length;
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
    this.place.dataset.rows = String(this.rowCount);
  }

  refresh() { if (this.visible) this.queue(); else this.stale = true; }

  queue() {
    // one after the other, so that the result of the latest filter stays
    this.queued = (this.queued || Promise.resolve()).then(() => this.draw()).catch(problem => console.error(problem));
  }

  appear() { if (!this.visible) { this.visible = true; this.queue(); } }
}

// The page ----------------------------------------------------------------------------------------------------------

const tables = [...document.querySelectorAll("details.table")].map(details => new TableView(details));
const figures = new Map([...document.querySelectorAll("figure")].map(figure => [figure, new FigureView(figure)]));
const observer = new IntersectionObserver(entries => {
  for (const entry of entries) if (entry.isIntersecting) figures.get(entry.target).appear();
}, { rootMargin: "600px" });
for (const figure of figures.keys()) observer.observe(figure);

const refresh = () => {
  for (const one of [...tables, ...figures.values()]) one.refresh();
};
NARROW.addEventListener("change", () => { for (const one of figures.values()) one.refresh(); });

const form = document.getElementById("filters");
if (form) {
  form.hidden = false;
  const boxes = [...form.querySelectorAll("input[name=measure]")];
  const system = form.querySelector("input[name=system]");
  const apply = debounce(() => {
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
