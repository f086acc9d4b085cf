// Data of tables and figures, which stand in the page as JSON; what is long is compressed.
const readData = async script => {
  if (script.dataset.encoding !== "deflate") return JSON.parse(script.textContent);
  const bytes = Uint8Array.from(atob(script.textContent), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
};

// The cell of a column as text: as a person reads it.
const cellText = (column, row) => {
  if (column.codes) return column.codes[row] < 0 ? "-" : column.texts[column.codes[row]];
  const value = column.values[row];
  if (value === null) return "-";
  if (typeof value === "string") return value;
  if (column.smallest !== undefined && (value === 0 || value < column.smallest / 2)) {
    return `< ${Number(column.smallest.toPrecision(4))}`;
  }
  const text = value.toFixed(column.digits);
  return /^-0\.?0*$/.test(text) ? text.slice(1) : text;
};

// Rows of a table as objects, each cell a text or, in columns of numbers, a number or null.
const rowsOf = data => Array.from({ length: data.rows }, (_, row) => Object.fromEntries(data.columns.map(
  column => [column.name, column.codes ? column.texts[column.codes[row]] ?? null : column.values[row]])));

// An element with attributes and children; text is never markup.
const build = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(key, value);
  element.append(...children.filter(child => child !== null));
  return element;
};
const buildSvg = (name, attributes = {}, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};
