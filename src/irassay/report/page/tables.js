// Tables: sorting, searching, filtering, paging.
const ROWS_PER_PAGE = 500;

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
