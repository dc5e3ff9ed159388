// The page: reads the controls, asks the service, shows what comes back.

import { latest, model, Problem, summarize, units, useKey } from "./api.js";
import { place, scale } from "./places.js";

const $ = (id) => document.getElementById(id);
const EXAMPLES = [
  "European Union leaders agreed on Thursday to spend 150 billion euros on new railways, saying that fast trains should replace most short flights by 2040.",
  "A 12-year-old girl who was lost for two days in the mountains above Lake Torren was found safe on Sunday by a shepherd's dog, police in the northern town of Aldvik said.",
  "The central bank left interest rates unchanged at 3.5% on Tuesday for the fourth time this year, although inflation fell faster than economists had expected.",
  "Scientists at the University of Marrow Bay have built a battery from sea water and iron that can be charged ten thousand times and costs half as much as those in today's cars.",
];
// Where the slider begins and ends in each unit, where it starts, and the lengths side by side.
const SCALES = {
  words: [1, 25, 8, [3, 5, 8, 12]],
  sms: [1, 3, 1, [1, 2]],
  pixels: [60, 600, 480, [150, 250, 350, 500]],
  other: [5, 150, 50, [20, 30, 50, 75]],
};
const DEFAULT_FONT = "Arial 20";
const state = { said: null, presets: [], example: 0 };

const unitName = () => $("unit").value.split(" ")[0].replace(/^px$/, "pixels");
const scaleOf = () => SCALES[unitName()] || SCALES.other;
const phrases = (id) => $(id).value.split(",").map((each) => each.trim()).filter(Boolean);

function asked() {
  return {
    text: $("text").value,
    max_length: Number($("amount").value),
    unit: $("unit").value,
    required: phrases("required"),
    forbidden: phrases("forbidden"),
    case: $("case").value,
    sentences: $("sentences").value || null,
    faithful: $("faithful").checked,
    style: $("style").value || null,
  };
}

// ---- asking

const ask = latest(async (question, isLatest) => {
  try {
    const answer = await summarize(question);
    if (!isLatest()) return;
    show(question, answer.results[0].summaries[0]);
    askMore(question);
  } catch (error) {
    if (isLatest()) complain(error);
  }
});

let moreLater;
/** What is not needed at once: alternatives and other lengths, when the hand rests. */
function askMore(question) {
  clearTimeout(moreLater);
  moreLater = setTimeout(() => more(question), 180);
}

const more = latest(async (question, isLatest) => {
  try {
    const lengths = scaleOf()[3];
    const others = await summarize({ ...question, max_length: lengths, partial: true });
    if (isLatest()) showLengths(others.results[0].summaries, lengths);
    const alternatives = await summarize({ ...question, alternatives: 4 });
    if (isLatest()) showOthers(alternatives.results[0].summaries[0].alternatives);
  } catch (error) {
    if (error.code === "unreachable") complain(error);
  }
});

let typing;
function refresh(delay = 0) {
  clearTimeout(typing);
  typing = setTimeout(() => {
    if ($("text").value.trim()) ask(asked());
    else empty();
  }, delay);
}

// ---- showing

function show(question, summary) {
  state.said = summary;
  $("problem").hidden = true;
  $("headline").classList.remove("stale");
  if ($("headline").textContent !== summary.text) $("headline").textContent = summary.text;
  $("copy").disabled = false;
  const [least, most] = scaleOf();
  // As the slider's thumb moves: its middle stays half a thumb inside either end.
  const share = (amount) => {
    const part = Math.max(0, Math.min(1, (amount - least) / (most - least)));
    return `calc(10px + ${part} * (100% - 20px))`;
  };
  $("room").style.width = share(summary.budget);
  $("used").style.width = share(summary.length);
  const length = `${amountIn(summary.length)} of ${amountIn(summary.budget, true)}`;
  $("length").textContent = [length, ...trust(summary)].join(" · ");
  if (question.text === $("text").value) mark(question.text, summary.words); // else another answer is on its way
  place(summary.text, question.text);
  scale();
}

/** How the headline came about, where that is worth a word, and how sure the model is. */
function trust({ method, note, confidence }) {
  if (method === "as-is") return ["the text itself, which fits"];
  if (method === "trimmed") return ["the text itself, trimmed a little"];
  if (note) return [method === "lead" ? `the text's beginning: ${note}` : note];
  return confidence === null ? [] : [`${Math.round(100 * confidence)}% sure`];
}

function amountIn(amount, named = false) {
  const number = Number.isInteger(amount) ? amount : amount.toFixed(1);
  if (!named) return String(number);
  const name = unitName() === "sms" ? "text messages" : unitName();
  return `${number} ${amount === 1 ? name.replace(/s$/, "") : name}`;
}

/** Copied words get a mark in the source, neighbours one together; places are code points. */
function mark(text, said) {
  const letters = [...text];
  const copied = said.filter((word) => word.start !== null);
  const fresh = said.filter((word) => word.start === null && /\p{L}|\p{N}/u.test(word.text));
  const runs = [];
  for (const { start, end } of [...copied].sort((a, b) => a.start - b.start)) {
    const last = runs.at(-1);
    if (last && !letters.slice(last.end, start).join("").trim()) last.end = Math.max(last.end, end);
    else runs.push({ start, end });
  }
  const pieces = [];
  let done = 0;
  for (const { start, end } of runs) {
    const marked = document.createElement("mark");
    marked.textContent = letters.slice(start, end).join("");
    pieces.push(letters.slice(done, start).join(""), marked);
    done = end;
  }
  $("marks").replaceChildren(...pieces, `${letters.slice(done).join("")}\n`);
  const names = fresh.map((word) => word.text).join(", ");
  const count = ["No word copied", "1 word copied, marked above"][copied.length]
    || `${copied.length} words copied, marked above`;
  $("origin").textContent = `${count}; ${names ? `new: ${names}` : "none new"}.`;
}

function showOthers(alternatives) {
  $("others").replaceChildren(...alternatives.map((other) => {
    const item = document.createElement("li");
    item.dir = "auto";
    item.append(other.text, Object.assign(document.createElement("small"), { textContent: amountIn(other.length) }));
    return item;
  }));
}

function showLengths(summaries, lengths) {
  $("lengths").replaceChildren(...summaries.map((summary, i) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = amountIn(lengths[i], i === 0);
    button.setAttribute("aria-label", `Use ${amountIn(lengths[i], true)}`);
    button.addEventListener("click", () => { setAmount(lengths[i]); refresh(); });
    const text = document.createElement("span");
    text.textContent = summary.text || "Nothing sensible fits.";
    item.append(button, text);
    item.classList.toggle("none", !summary.text);
    return item;
  }));
}

function empty() {
  $("headline").textContent = "";
  $("problem").hidden = true;
  $("copy").disabled = true;
  for (const id of ["marks", "others", "lengths", "origin", "length"]) $(id).replaceChildren();
  for (const id of ["room", "used"]) $(id).style.width = "0";
  place("", "");
}

let again;
function complain(error) {
  const problem = error instanceof Problem ? error : new Problem("The page tripped over itself. Reload it.");
  $("headline").classList.add("stale");
  $("words").textContent = problem.message;
  $("problem").hidden = false;
  $("copy").disabled = true;
  const smallest = problem.smallest === null ? null : Math.ceil(problem.smallest);
  $("mend").hidden = smallest === null;
  if (smallest !== null) {
    $("mend").textContent = `Use ${amountIn(smallest, true)}`;
    $("mend").onclick = () => { setAmount(smallest); refresh(); };
  }
  $("key-form").hidden = problem.code !== "key_needed";
  $("marks").textContent = `${$("text").value}\n`;
  clearTimeout(again);
  if (problem.again !== null) again = setTimeout(begin, problem.again * 1000);
}

// ---- controls

function setAmount(amount) {
  const [least, most] = scaleOf();
  Object.assign($("slider"), { min: least, max: most, value: amount });
  $("slider").setAttribute("aria-valuetext", amountIn(amount, true));
  $("amount").value = amount;
}

/** Choose from a list; what is not on it yet is added. */
function choose(id, value, name = value) {
  if (![...$(id).options].some((option) => option.value === value)) $(id).add(new Option(name, value));
  $(id).value = value;
}

const setUnit = (unit) => choose("unit", unit, unit.replace(/^px/, "pixels,"));

function setBudget(amount, unit) {
  setUnit(unit);
  setAmount(amount);
  refresh();
}

function usePreset(name) {
  const preset = state.presets.find((one) => one.name === name);
  const [, amount, unit] = preset.budget.match(/^([\d.]+)\s*(.*)$/);
  setBudget(Number(amount), unit);
  $("preset").value = name;
}

function fillChoices(known, { usual, styles }) {
  if ($("unit").options.length) return;
  for (const unit of known.units) {
    const pixels = unit.name === "pixels";
    $("unit").add(new Option(pixels ? `pixels, ${DEFAULT_FONT}` : unit.name, pixels ? `px ${DEFAULT_FONT}` : unit.name));
  }
  state.presets = known.presets;
  for (const preset of known.presets) {
    $("preset").add(new Option(`${preset.name} (${preset.budget})`, preset.name));
  }
  setAmount(scaleOf()[2]);
  if (usual.case) choose("case", usual.case);
  if (usual.sentences) choose("sentences", usual.sentences);
  $("faithful").checked = Boolean(usual.faithful);
  $("style").closest("label").hidden = !styles.length;
  for (const style of styles) $("style").add(new Option(style, style));
  if (usual.style) $("style").value = usual.style;
}

async function begin() {
  try {
    fillChoices(await units(), await model());
    if (!$("text").value) $("text").value = EXAMPLES[0];
    refresh();
  } catch (error) {
    complain(error);
  }
}

async function copy() {
  const text = state.said.text;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without the permission or a secure origin: the old way.
    const field = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  $("status").textContent = "Copied.";
  $("copy").textContent = "Copied";
  setTimeout(() => { $("copy").textContent = "Copy"; $("status").textContent = ""; }, 1500);
}

$("text").addEventListener("input", () => {
  $("marks").textContent = `${$("text").value}\n`;
  refresh(120);
});
$("slider").addEventListener("input", () => { $("preset").value = ""; setAmount(Number($("slider").value)); refresh(); });
$("amount").addEventListener("input", () => {
  if ($("amount").value === "") return;
  $("preset").value = "";
  $("slider").value = $("amount").value;
  refresh(120);
});
$("unit").addEventListener("change", () => { $("preset").value = ""; setAmount(scaleOf()[2]); refresh(); });
$("preset").addEventListener("change", () => { if ($("preset").value) usePreset($("preset").value); });
for (const id of ["required", "forbidden"]) $(id).addEventListener("input", () => refresh(200));
for (const id of ["case", "sentences", "faithful", "style"]) $(id).addEventListener("change", () => refresh());
$("copy").addEventListener("click", copy);
$("example").addEventListener("click", () => {
  state.example = (state.example + 1) % EXAMPLES.length;
  $("text").value = EXAMPLES[state.example];
  refresh();
});
$("key-form").addEventListener("submit", (event) => {
  event.preventDefault();
  useKey($("key").value);
  begin();
});
$("controls").addEventListener("submit", (event) => event.preventDefault());
document.querySelector(".mocks").addEventListener("click", ({ target }) => {
  if (target.dataset.preset) usePreset(target.dataset.preset);
  else if (target.dataset.amount) setBudget(Number(target.dataset.amount), target.dataset.unit);
});
new ResizeObserver(scale).observe(document.querySelector(".mocks"));
begin();
