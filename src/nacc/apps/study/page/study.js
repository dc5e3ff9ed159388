// One pair at a time. The server holds all there is to lose; here is only what is on the screen.

const $ = (id) => document.getElementById(id);
const CHOICES = [["A", "A"], ["tie", "Neither"], ["B", "B"]];
const KEYS = { a: "A", ArrowLeft: "A", b: "B", ArrowRight: "B", n: "tie", ArrowDown: "tie" };
const STORED = "nacc-study-judge";

let about; // the questions, by criterion
let turn; // what is on the screen
let busy = false;

async function ask(what, body = {}) {
  const response = await fetch(`api/${what}`, { method: "POST", body: JSON.stringify(body) });
  const found = await response.json();
  if (!response.ok) throw Object.assign(new Error(found.error), { refused: true });
  return found;
}

// Runs one thing at a time; what goes wrong is said, and nothing on the screen claims otherwise.
async function doing(work) {
  if (busy) return;
  busy = true;
  document.body.setAttribute("aria-busy", "true");
  try {
    await work();
    $("problem").hidden = true;
  } catch (error) {
    $("problem").textContent = error.refused ? error.message
      : "No connection: that was not kept. Please try again.";
    $("problem").hidden = false;
  } finally {
    busy = false;
    document.body.removeAttribute("aria-busy");
  }
}

const judge = () => new URLSearchParams(location.search).get("judge") || localStorage.getItem(STORED);

function show(id) {
  for (const each of ["welcome", "work", "end"]) $(each).hidden = each !== id;
}

async function next(place) {
  const asked = place === undefined ? {} : { place };
  const found = await ask("turn", { judge: judge(), ...asked });
  if (found.done) {
    turn = { place: found.of, of: found.of, answers: {} };
    show("end");
    return;
  }
  turn = found;
  $("source").textContent = turn.source;
  $("a").textContent = turn.a;
  $("b").textContent = turn.b;
  $("place").textContent = `${turn.place + 1} of ${turn.of}`;
  $("progress").max = turn.of;
  $("progress").value = turn.place;
  $("back").disabled = turn.place === 0;
  draw();
  show("work");
  scrollTo(0, 0);
}

const current = () => Object.keys(about.criteria).find((each) => !(each in turn.answers));

function draw() {
  $("next").hidden = current() !== undefined;
  for (const field of $("questions").children) {
    const criterion = field.dataset.criterion;
    field.classList.toggle("now", criterion === current());
    field.classList.toggle("said", criterion in turn.answers);
    for (const button of field.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(turn.answers[criterion] === button.value));
    }
  }
}

function say(criterion, choice) {
  doing(async () => {
    const { place } = turn;
    await ask("answer", { judge: judge(), place, criterion, choice });
    const changed = !current(); // a pair that was done already: then the page is not turned
    turn.answers[criterion] = choice;
    draw();
    if (!changed && !current()) await next();
  });
}

function questions() {
  for (const [criterion, question] of Object.entries(about.criteria)) {
    const field = document.createElement("fieldset");
    field.dataset.criterion = criterion;
    const legend = field.appendChild(document.createElement("legend"));
    legend.textContent = question;
    const choices = field.appendChild(document.createElement("div"));
    choices.className = "choices";
    for (const [value, text] of CHOICES) {
      const button = choices.appendChild(document.createElement("button"));
      Object.assign(button, { type: "button", value, textContent: text });
      button.addEventListener("click", () => say(criterion, value));
    }
    $("questions").append(field);
  }
}

function back() {
  if (turn && turn.place > 0) doing(() => next(turn.place - 1));
}

addEventListener("keydown", (event) => {
  if ($("work").hidden || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.key === "Backspace") back();
  else if (event.key in KEYS && current()) say(current(), KEYS[event.key]);
  else return;
  event.preventDefault();
});
$("back").addEventListener("click", back);
$("again").addEventListener("click", back);
$("next").addEventListener("click", () => doing(() => next()));
$("welcome").addEventListener("submit", (event) => {
  event.preventDefault();
  doing(async () => {
    const found = await ask("enrol", { name: $("name").value, invitation: $("invitation").value });
    localStorage.setItem(STORED, found.judge);
    history.replaceState(null, "", `?judge=${found.judge}`); // a link to go on with, anywhere
    await next();
  });
});

doing(async () => {
  about = await ask("about");
  questions();
  $("invited").hidden = !about.invitation;
  if (!judge()) return show("welcome");
  try {
    await next();
  } catch (error) {
    if (!error.refused) throw error;
    localStorage.removeItem(STORED);
    history.replaceState(null, "", location.pathname);
    show("welcome");
  }
});
