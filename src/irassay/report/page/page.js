// The page: every table and figure comes to life.
for (const header of document.querySelectorAll(".first-screen thead th[title]:not([title=''])")) explainHeader(header);
const tables = [...document.querySelectorAll("details.table")].map(details => new TableView(details));
const figures = new Map();
const observer = new IntersectionObserver(entries => {
  for (const entry of entries) if (entry.isIntersecting) figures.get(entry.target).appear();
}, { rootMargin: "600px" });
const drawFigures = () => {
  for (const figure of document.querySelectorAll("figure")) {
    figures.set(figure, new FigureView(figure));
    observer.observe(figure);
  }
};
// Vega's code stands behind this script, before the end of the page
if (window.vegaEmbed) drawFigures(); else addEventListener("DOMContentLoaded", drawFigures, { once: true });

// Tables are shown in full when they come near.
const views = new Map(tables.map(table => [table.details, table]));
const tableObserver = new IntersectionObserver(entries => {
  for (const { isIntersecting, target } of entries) {
    const view = views.get(target);
    if (isIntersecting && target.open && !view.shown) view.show();
  }
}, { rootMargin: "600px" });
for (const details of views.keys()) tableObserver.observe(details);

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
findSection();
if (places.systems.length) new LookInto();
document.documentElement.dataset.ready = "true";
