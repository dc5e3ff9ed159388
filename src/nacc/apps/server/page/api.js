// Talks to the service: one question at a time, the latest wins, and errors in words.

let key = "";
export const useKey = (value) => { key = value; };

/** What went wrong, for people; `smallest`, `code` and `again` (seconds) for the page. */
export class Problem extends Error {
  constructor(words, { code = "", smallest = null, again = null } = {}) {
    super(words);
    Object.assign(this, { code, smallest, again });
  }
}

async function call(path, options = {}) {
  let response;
  try {
    response = await fetch(path, {
      ...options,
      headers: { ...(options.headers || {}), ...(key ? { Authorization: `Bearer ${key}` } : {}) },
    });
  } catch {
    throw new Problem("The server does not answer. Is it still running? Trying again…",
      { code: "unreachable", again: 1 });
  }
  const answer = await response.json().catch(() => null);
  if (response.ok && answer) return answer;
  throw problem(response, answer && answer.error);
}

function problem(response, error) {
  const code = error ? error.code : "";
  const wait = Number(response.headers.get("Retry-After")) || 1;
  switch (code) {
    case "loading": return new Problem("The model is being loaded. One moment…", { code, again: 1 });
    case "queue_full": return new Problem(`The server is busy. Trying again in ${wait} s…`,
      { code, again: wait });
    case "draining": return new Problem("The server is stopping. Trying again…", { code, again: 2 });
    case "key_needed": return new Problem("This server asks for a key.", { code });
    case "timed_out": return new Problem("That took the server too long. Ask for less.", { code });
    case "text_too_long": return new Problem(
      `This text is too long: the server takes ${error.limit.toLocaleString("en")} characters.`,
      { code });
    case "body_too_large": return new Problem("This text is too long for the server.", { code });
    default: return new Problem(error ? sentence(error.message)
      : `The server answered ${response.status}.`, { code, smallest: error && error.smallest });
  }
}

const sentence = (words) => words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? "" : ".");

export const units = () => call("v1/units");

/** What the model's folder says of options that nobody sets, and the styles it has. */
export async function model() {
  const { models: [known] } = await call("v1/models");
  return { usual: known.config.generation || {}, styles: known.styles };
}

export function summarize(asked) {
  return call("v1/summarize", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(asked),
  });
}

/** Runs `work(what)` one at a time; while it runs, only the latest `what` is kept. */
export function latest(work) {
  let running = false;
  let waiting = null;
  return async function ask(what) {
    waiting = { what };
    if (running) return;
    running = true;
    while (waiting) {
      const { what: now } = waiting;
      waiting = null;
      await work(now, () => waiting === null);
    }
    running = false;
  };
}
