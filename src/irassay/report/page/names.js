// Figures with names along an axis: narrowed by the filters, and laid out again for the width that there is.

// The systems of a row; one of a matrix has lists of cells.
function systemsOf(row) {
  return Array.isArray(row.x) ? [row.y, ...row.x] : row._s;
}

// How many rows of the table it stands for: a system beside itself is none.
function countCells(row) {
  return Array.isArray(row.x) ? row.shade.filter(shade => shade >= 0).length : 1;
}

// A row of a matrix with the cells that match the filter; other rows as they are.
function matchingCells(row) {
  if (!Array.isArray(row.x)) return row;
  const kept = row.x.map((name, place) => [name, place]).filter(([name]) => matchesSystems([row.y, name]));
  const lists = Object.entries(row).filter(([key, value]) => Array.isArray(value) && !key.startsWith("_"));
  return { ...row, ...Object.fromEntries(lists.map(([key, list]) => [key, kept.map(([, place]) => list[place])])) };
}

// As many small figures side by side as have the width they need.
function fitNames(spec, width, margins = {}) {
  const fit = spec.usermeta.names;
  const rows = spec.data.values.filter(row => row.kind === "row");
  const bodies = spec.concat || [spec];
  let columns = Math.max(1, Math.min(bodies.length, fit.most));
  const least = fit.steps ? leastSide(fit, rows) : fit.least;
  while (columns > 1 && width / columns - fit.beside < least) columns -= 1;
  columns = Math.ceil(bodies.length / Math.ceil(bodies.length / columns));
  if (spec.concat) spec.columns = columns;
  const margin = margins[columns]; // of a first drawing, without the space between small figures
  const own = margin === undefined ? width / columns - fit.beside : (width - (columns - 1) * BETWEEN) / columns - margin;
  const inner = Math.floor(Math.max(fit.least, own));
  if (fit.outliers) placeOutliers(rows, fit.outliers, inner);
  for (const body of bodies) {
    if (fit.steps) fitCells(body, fit, inner / systemsIn(rows));
    else body.width = inner;
    for (const layer of body.layer) {
      for (const channel of Object.values(layer.encoding || {})) {
        if (channel.axis && channel.axis.tickCount) channel.axis.tickCount = Math.max(3, Math.min(8, inner / 52));
        if (channel.legend && channel.legend.columns) {
          channel.legend.columns = Math.max(1, Math.floor(Math.min(width, 700) / 130));
        }
      }
    }
  }
  return { columns, inner };
}

// The names of outliers stand above or below their lines, towards the middle; where both are taken they are left out.
function placeOutliers(rows, sizes, width) {
  const lines = new Map();
  for (const row of rows) {
    const line = JSON.stringify([row.panel, row.y]);
    lines.set(line, [...(lines.get(line) || []), row]);
  }
  const ends = panel => {
    const values = rows.filter(row => row.panel === panel).map(row => row.x);
    return [Math.min(...values), Math.max(...values)];
  };
  for (const line of lines.values()) {
    const [low, high] = ends(line[0].panel), middle = (low + high) / 2, taken = [[], []];
    for (const row of [...line].sort((a, b) => Math.abs(b.x - middle) - Math.abs(a.x - middle))) {
      row.side = 0;
      if (!row.text) continue;
      const at = width * (row.x - low) / ((high - low) || 1);
      const length = Math.min(sizes.longest, sizes.character * row.text.length + 5);
      const [from, to] = row.right ? [at - length, at] : [at, at + length];
      const free = from < 0 || to > width ? -1 : taken.findIndex(others => others.every(([a, b]) => to < a || b < from));
      if (free < 0) continue;
      row.side = free + 1;
      taken[free].push([from, to]);
    }
  }
}

const systemsIn = rows => Math.max(2, new Set(rows.flatMap(row => [row.y, ...row.x])).size);

// The side of a matrix in which every name has a line, or the smallest one.
function leastSide(fit, rows) {
  const readable = fit.steps.label * systemsIn(rows);
  return readable <= fit.steps.whole ? readable : fit.least;
}

// Cells of a matrix; numbers in them, and every name beside them, only where they have space.
function fitCells(body, fit, space) {
  const step = Math.max(fit.steps.smallest, Math.min(fit.steps.largest, space));
  const height = Math.min(step, fit.steps.highest);
  body.width = { step };
  body.height = { step: height };
  body.layer = body.layer.filter(layer => layer.mark.type !== "text" || step >= fit.steps.text);
  for (const layer of body.layer) {
    for (const [name, size] of [["x", step], ["y", height]]) {
      layer.encoding[name].axis.labelOverlap = size >= fit.steps.label ? false : "parity";
      layer.encoding[name].axis.labelFontSize = Math.max(fit.steps.font - 2.5, Math.min(fit.steps.font, size));
    }
  }
}
