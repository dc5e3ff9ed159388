// The headline where it will stand, drawn to scale: a notification, a search result, a sign.

import { draw, lettering } from "./led.js";

const COLUMNS = 32;
const SIGN = 579;
const byId = (id) => document.getElementById(id);

function verdict(id, fits) {
  const words = byId(id).querySelector("em");
  words.textContent = fits ? "fits" : "is cut off";
  words.classList.toggle("cut", !fits);
}

export function place(headline, source) {
  for (const title of document.querySelectorAll(".said.title")) title.textContent = headline;
  document.querySelector(".snippet").textContent = source.slice(0, 400);
  const sign = lettering(headline);
  draw(byId("sign").querySelector("canvas"), sign.slice(0, COLUMNS), COLUMNS, SIGN);
  verdict("sign", sign.length <= COLUMNS);
  for (const id of ["phone", "search"]) {
    const title = byId(id).querySelector(".said");
    const whole = title.scrollWidth <= title.clientWidth && title.scrollHeight <= title.clientHeight;
    verdict(id, whole);
  }
}

/** Each picture at its own size, or as much smaller as the page is narrower. */
export function scale() {
  for (const box of document.querySelectorAll(".scaled")) {
    const width = Number(box.dataset.width);
    const drawn = box.firstElementChild;
    const shrink = Math.min(1, box.clientWidth / width);
    drawn.style.transform = shrink < 1 ? `scale(${shrink})` : "";
    box.style.height = `${drawn.offsetHeight * shrink}px`;
  }
}
