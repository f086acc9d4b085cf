// Tables: sorting, searching, filtering, paging, and links into the systems that they name.
const ROWS_PER_PAGE = 500;

class TableView {
  constructor(details) {
    this.details = details;
    this.body = details.querySelector("tbody");
    this.headers = [...details.querySelectorAll("th")];
    this.tools = details.querySelector(".tools");
    this.search = this.tools.querySelector("input");
    this.status = this.tools.querySelector("[role=status]");
    this.pageButtons = [...this.tools.querySelectorAll("[data-step]")];
    this.order = { column: -1, descending: false };
    this.page = 0;
    this.headers.forEach((header, column) => {
      const button = build("button", { type: "button" }, ...header.childNodes);
      button.addEventListener("click", () => this.sort(column));
      header.replaceChildren(button);
      header.setAttribute("aria-sort", "none");
      explain(header, button);
    });
    this.search.addEventListener("input", debounce(() => { this.page = 0; this.show(); }, 150));
    for (const button of this.pageButtons) {
      button.addEventListener("click", () => { this.page += Number(button.dataset.step); this.show(); });
    }
    const csv = this.tools.querySelector("[data-csv]");
    csv.addEventListener("click", async () => {
      await this.load();
      download(csv.dataset.file, csvOf(this.data), "text/csv;charset=utf-8");
    });
    details.querySelector(".rest")?.remove();
    this.tools.hidden = false;
    details.addEventListener("toggle", () => { if (details.open && !this.shown) this.show(); });
  }

  async load() {
    if (this.data) return;
    this.data = await readData(this.details.querySelector("script"));
    this.columns = this.data.columns;
  }

  columnsOf(kind) { return this.columns.filter(column => column.filter === kind); }

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
    const measures = this.columnsOf("measure"), systems = this.columnsOf("system");
    for (let row = 0; row < this.data.rows; row += 1) {
      if (measures.length && !matchesMeasures(measures.map(column => cellText(column, row)))) continue;
      if (systems.length && !matchesSystems(systems.map(column => cellText(column, row)))) continue;
      if (words.length) {
        const all = this.columns.map(column => cellText(column, row)).join("\n").toLowerCase();
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

  async show() {
    this.shown = true;
    await this.load();
    const total = this.data.rows, rows = this.matchingRows();
    const pages = Math.max(1, Math.ceil(rows.length / ROWS_PER_PAGE));
    this.page = Math.min(Math.max(0, this.page), pages - 1);
    const low = this.page * ROWS_PER_PAGE, high = Math.min(rows.length, low + ROWS_PER_PAGE);
    const fragment = document.createDocumentFragment();
    for (const row of rows.slice(low, high)) fragment.append(this.line(row));
    this.body.replaceChildren(fragment);
    const count = number => number.toLocaleString("en");
    const summary = rows.length === total ? `${count(total)} rows` : `${count(rows.length)} of ${count(total)} rows`;
    this.status.textContent = pages > 1 ? `${summary}; shown: ${count(low + 1)} to ${count(high)}` : summary;
    this.pageButtons[0].hidden = this.pageButtons[1].hidden = pages === 1;
    this.pageButtons[0].disabled = this.page === 0;
    this.pageButtons[1].disabled = this.page === pages - 1;
  }

  line(row) {
    const line = document.createElement("tr");
    for (const column of this.columns) {
      const cell = document.createElement("td");
      if (!column.codes) cell.className = "number";
      const bold = column.bold !== undefined && column.values[row] > column.bold;
      const place = column.filter === "system" ? this.place(column, row) : null;
      const inner = place ? build("a", { href: addressOf(place) }) : bold ? build("b") : null;
      if (inner) cell.append(inner);
      (inner || cell).textContent = cellText(column, row);
      line.append(cell);
    }
    return line;
  }

  // What one can look into from the name of a system: the system, or the pair whose second system it is.
  place(column, row) {
    const names = this.columnsOf("system").map(one => cellText(one, row));
    const at = this.columnsOf("system").indexOf(column);
    if (!places.systems.includes(names[at])) return null;
    const context = {};
    for (const kind of ["measure", "collection"]) {
      const [first] = this.columnsOf(kind);
      if (first) context[kind] = cellText(first, row);
    }
    if (at === 1 && names[0] !== names[1] && places.systems.includes(names[0])) {
      return { system: names[0], with: names[1], ...context };
    }
    return { system: names[at], ...context };
  }

  refresh() {
    this.page = 0;
    if (this.details.open) this.show(); else this.shown = false;
  }
}
