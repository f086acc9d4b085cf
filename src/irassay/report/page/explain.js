// Explanations: what an element's title says is shown on hovering and on focus, and read aloud.
const explanation = build("div", { id: "explanation", role: "tooltip", hidden: "" });
const meanings = build("div", { hidden: "" });
document.body.append(explanation, meanings);

const hideExplanation = () => { explanation.hidden = true; };

// The element around a control explains itself by the control, which a keyboard reaches.
const explain = (element, control) => {
  const text = element.title;
  if (!text) return;
  element.removeAttribute("title"); // it would be shown a second time
  const meaning = build("span", { id: `meaning-${meanings.children.length}` }, text);
  meanings.append(meaning);
  control.setAttribute("aria-describedby", meaning.id);
  const show = () => {
    (element.closest("dialog") || document.body).append(explanation);
    explanation.textContent = text;
    explanation.hidden = false;
    const box = element.getBoundingClientRect(), own = explanation.getBoundingClientRect();
    const below = box.bottom + own.height + 8 < innerHeight;
    explanation.style.top = `${below ? box.bottom + 4 : box.top - own.height - 4}px`;
    explanation.style.left = `${Math.max(8, Math.min(box.left, innerWidth - own.width - 8))}px`;
  };
  element.addEventListener("pointerenter", show);
  element.addEventListener("pointerleave", hideExplanation);
  control.addEventListener("focus", show);
  control.addEventListener("blur", hideExplanation);
};
addEventListener("keydown", event => { if (event.key === "Escape") hideExplanation(); });
addEventListener("scroll", hideExplanation, { capture: true, passive: true });

// A header that is no control becomes one.
const explainHeader = header => {
  const control = build("button", { type: "button", class: "term" }, ...header.childNodes);
  header.replaceChildren(control);
  explain(header, control);
};
