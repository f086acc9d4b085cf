// The page is complete without this script: it has pictures and the first rows of every table. The script adds tooltips,
// sorting, searching, filtering and paging. Names in the data are always inserted as text, never as markup.
"use strict";

const filters = { measures: null, system: "" }; // null: every measure

const debounce = (work, wait) => {
  let timer;
  return () => { clearTimeout(timer); timer = setTimeout(work, wait); };
};

const matchesMeasures = names => filters.measures === null || names.every(name => filters.measures.has(name));
const matchesSystems = names => !filters.system || names.some(name => name.toLowerCase().includes(filters.system));
