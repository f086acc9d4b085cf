// Charts of topics: differences of two series of scores, sorted, with the names of the extreme topics.
const LABELS = 3; // at each end
const LABEL_WIDTH = 13; // of a name that stands upright

const shorten = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

// `topics` have topic, difference and href, the smallest difference first. A reader of the table below needs no chart.
const differenceChart = (topics, width) => {
  const height = 170, margin = 46, gap = 0.2;
  const largest = Math.max(...topics.map(one => Math.abs(one.difference)), 1e-12);
  const step = width / topics.length;
  const middle = height / 2, scale = (height / 2 - margin) / largest;
  const labels = step >= LABEL_WIDTH ? LABELS : step * 3 >= LABEL_WIDTH ? 1 : 1;
  const svg = buildSvg("svg", { class: "differences", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  topics.forEach((one, place) => {
    const length = Math.abs(one.difference) * scale, better = one.difference > 0;
    const bar = buildSvg("rect", {
      x: place * step + step * gap / 2, width: step * (1 - gap), y: better ? middle - length : middle,
      height: Math.max(length, 0.5), class: better ? "better" : "worse",
    });
    const area = buildSvg("rect", { x: place * step, width: step, y: 0, height, class: "area" });
    const link = buildSvg("a", { href: one.href, tabindex: "-1" }, area, bar);
    link.append(buildSvg("title", {}, `${one.topic}: ${signed(one.difference)}`));
    if ((place < labels && !better) || (place >= topics.length - labels && better)) {
      const x = place * step + step / 2, y = better ? middle - length - 4 : middle + length + 4;
      const text = buildSvg("text", { transform: `translate(${x + 4} ${y}) rotate(-90)` }, shorten(one.topic, 8));
      text.setAttribute("text-anchor", better ? "start" : "end");
      link.append(text);
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
