"use strict";
const filters = document.getElementById("filters");
const search = document.getElementById("search");
const cards = [...document.querySelectorAll("article")].map((card) => ({
  card,
  text: card.textContent.toLowerCase(),
  who: card.dataset.who.split(" "),
}));
function chosen(name) {
  return new Set([...filters.querySelectorAll(`input[name=${name}]:checked`)].map((box) => box.value));
}
function apply() {
  const severity = chosen("severity"), who = chosen("who"), program = chosen("program");
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const { card, text, who: hit } of cards) {
    const fits = severity.has(card.dataset.severity)
      && hit.some((name) => who.has(name))
      && program.has(card.dataset.program)
      && words.every((word) => text.includes(word));
    card.hidden = !fits;
    shown += fits;
  }
  for (const section of document.querySelectorAll("section")) {
    section.hidden = !section.querySelector("article:not([hidden])");
  }
  document.getElementById("shown").textContent = `${shown} of ${cards.length}`;
  document.getElementById("none").hidden = shown > 0;
}
// A link to a change shows it whatever the filters say.
function target() {
  const place = document.getElementById(location.hash.slice(1));
  const card = place && place.closest("article");
  if (card) {
    card.hidden = card.closest("section").hidden = false;
    place.scrollIntoView();
  }
}
if (matchMedia("(max-width: 36rem)").matches) filters.open = false;
filters.addEventListener("input", apply);
addEventListener("hashchange", target);
apply();
target();
