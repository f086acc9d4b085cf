// A table as a CSV file, all its rows, with the columns' names in files; as report/csv_text.py writes it.
const FORMULA = /^'*[=+\-@\t\r]/; // a spreadsheet would run it; an apostrophe makes it text

const csvText = text => {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const csvCell = (column, row) => {
  if (column.codes) {
    const text = column.codes[row] < 0 ? "" : column.texts[column.codes[row]];
    return column.boolean && text ? (text === "yes" ? "True" : "False") : csvText(text);
  }
  const value = column.values[row];
  return value === null ? "" : String(value);
};

const csvOf = data => {
  const lines = [data.columns.map(column => csvText(column.name)).join(",")];
  for (let row = 0; row < data.rows; row += 1) lines.push(data.columns.map(column => csvCell(column, row)).join(","));
  return `${lines.join("\n")}\n`;
};

const download = (name, content, type) => {
  const url = URL.createObjectURL(new Blob([content], { type }));
  build("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};
