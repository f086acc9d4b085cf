// Charts of topics: differences of two series of scores, sorted, with the names of the extreme topics.
const LABELS = 3; // at each end
const LABEL_WIDTH = 13; // of a name that stands upright

const shorten = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

// `topics` have topic, difference and href, the smallest difference first. A reader of the table below needs no chart.
const differenceChart = (topics, width) => {
  const margin = 46, gap = 0.2, length = 80; // the longest bar, and space for names at both ends
  const differences = topics.map(one => one.difference);
  const lowest = Math.min(0, ...differences), highest = Math.max(0, ...differences);
  const scale = length / Math.max(-lowest, highest, 1e-12), step = width / topics.length;
  const middle = margin + highest * scale, height = middle - lowest * scale + margin;
  const labels = step >= LABEL_WIDTH ? LABELS : 1;
  const svg = buildSvg("svg", { class: "differences", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  topics.forEach((one, place) => {
    const size = Math.abs(one.difference) * scale, better = one.difference > 0;
    const link = buildSvg("a", { href: one.href, tabindex: "-1" },
      buildSvg("rect", { x: place * step, width: step, y: 0, height, class: "area" }),
      buildSvg("rect", {
        x: (place + gap / 2) * step, width: step * (1 - gap), y: better ? middle - size : middle,
        height: Math.max(size, 0.5), class: better ? "better" : "worse",
      }),
      buildSvg("title", {}, `${one.topic}: ${signed(one.difference)}`));
    if (better ? place >= topics.length - labels : place < labels && one.difference < 0) {
      const x = (place + 0.5) * step + 4, y = better ? middle - size - 4 : middle + size + 4;
      link.append(buildSvg("text", {
        transform: `translate(${x} ${y}) rotate(-90)`, "text-anchor": better ? "start" : "end",
      }, shorten(one.topic, 8)));
    }
    svg.append(link);
  });
  svg.append(buildSvg("line", { x1: 0, x2: width, y1: middle, y2: middle, class: "axis" }));
  return svg;
};

const signed = value => `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(3)}`;

// A bar from the middle of a cell to the left or to the right.
const differenceBar = (value, largest) => {
  const length = largest ? 50 * Math.abs(value) / largest : 0;
  const bar = build("span", { class: value < 0 ? "worse" : "better" });
  bar.style.width = `${length}%`;
  bar.style.left = `${value < 0 ? 50 - length : 50}%`;
  return build("span", { class: "difference-bar", "aria-hidden": "true" }, bar);
};
