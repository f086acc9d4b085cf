// Contents: the section in view is marked, and the menu of a narrow page closes behind a choice.
const contents = document.getElementById("contents");
const contentLinks = [...contents.querySelectorAll("a")];
const markSection = id => {
  for (const one of contentLinks) {
    if (one.hash === `#${id}`) one.setAttribute("aria-current", "true"); else one.removeAttribute("aria-current");
  }
  const side = contents.querySelector(".side"), current = side.querySelector("[aria-current]");
  if (!current || !side.clientHeight) return;
  const top = current.offsetTop - side.offsetTop;
  if (top < side.scrollTop || top + current.offsetHeight > side.scrollTop + side.clientHeight) side.scrollTop = top - 80;
};
const sections = [document.getElementById("top"), ...document.querySelectorAll("main > section")];
const findSection = () => {
  const passed = sections.filter(section => section.getBoundingClientRect().top < innerHeight / 3);
  markSection((passed.at(-1) || sections[0]).id);
};
let waitingForFrame = false;
addEventListener("scroll", () => {
  if (waitingForFrame) return;
  waitingForFrame = true;
  requestAnimationFrame(() => { waitingForFrame = false; findSection(); });
}, { passive: true });
contents.addEventListener("click", event => {
  if (event.target.closest("a")) contents.querySelector("details").open = false;
});
