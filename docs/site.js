// What scrolls sideways can be reached with the keyboard.
addEventListener("load", () => {
  for (const part of document.querySelectorAll(".md-typeset__scrollwrap, pre > code, .output"))
    if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
});
