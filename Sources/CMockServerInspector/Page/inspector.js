"use strict";
// The inspector: everything it does goes through the calls that /__mock/openapi.json describes.
// Recorded text is shown by textContent alone; nothing here makes markup of text.

const most = 10000;
const $ = (id) => document.getElementById(id);
const api = new URL("./", location.href).pathname;

/// An element with attributes, listeners (onclick: …) and children; strings become text.
function el(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "text") node.textContent = value;
    else if (key === "value") node.value = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/// Puts other children into an element.
const fill = (node, ...children) =>
  node.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));

/// A number that JavaScript cannot hold, as it is written.
class Raw { constructor(text) { this.text = text; } }

function parse(text) {
  return JSON.parse(text, (key, value, context) =>
    typeof value === "number" && context && context.source !== undefined && String(value) !== context.source
      && !Number.isSafeInteger(value) ? new Raw(context.source) : value);
}

class Refusal extends Error { constructor(status, words) { super(words); this.status = status; } }

async function call(method, path, body) {
  const options = { method, headers: {}, cache: "no-store" };
  if (method !== "GET") options.headers["Content-Type"] = "application/json";
  if (body !== undefined) options.body = typeof body === "string" ? body : JSON.stringify(body);
  else if (method === "POST" || method === "PUT") options.body = "{}";
  const answer = await fetch(api + path, options);
  const text = await answer.text();
  if (answer.status === 401) { showLogin(); throw new Refusal(401, "log in first"); }
  if (!answer.ok) {
    let words = text;
    try { words = JSON.parse(text).detail || text; } catch { /* as it is */ }
    throw new Refusal(answer.status, words);
  }
  return (answer.headers.get("Content-Type") || "").includes("json") ? parse(text) : text;
}

/// Sends a request whose member `name`, which is null in `request`, is replaced by JSON that the user typed. The line
/// and column of an error refer to the typed text, not to the request that this page builds.
async function callWith(text, path, request, name) {
  // The server's parser reports the line and column; browsers report them differently or not at all.
  try { JSON.parse(text); } catch { await call("POST", "verify", text); }
  // The typed text starts on a new line, so that the server's line and column map to the typed text.
  const body = JSON.stringify(request).replace(`"${name}":null`, () => `"${name}":\n${text}\n`);
  const end = 1 + text.split("\n").length;
  try { return await call("POST", path, body); } catch (error) {
    error.message = error.message.replace(/^line (\d+), column (\d+): /, (place, line, column) =>
      line > 1 && line <= end ? `line ${line - 1}, column ${column} of the text: ` : "");
    throw error;
  }
}

let toastTimer;
function toast(words) {
  $("toast").textContent = words;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { $("toast").textContent = ""; }, 6000);
}

/// Does something, and says what went wrong.
const guarded = (act) => async (event) => {
  if (event && event.preventDefault) event.preventDefault();
  try { return await act(event); } catch (error) { toast(error.message); }
};

// MARK: the address: view and filters, so that they can be shared

const place = { view: "journal", q: "", method: "", status: "", session: null, states: [], id: null };

function readPlace() {
  const [view, query] = location.hash.slice(1).split("?");
  const terms = new URLSearchParams(query || "");
  place.view = views[view] ? view : "journal";
  place.q = terms.get("q") || "";
  place.method = terms.get("method") || "";
  place.status = terms.get("status") || "";
  place.session = terms.get("session");
  place.states = (terms.get("state") || "").split(",").filter((state) => states.includes(state));
  place.id = Number(terms.get("id")) || null;
}

function writePlace(isNew = false) {
  const terms = new URLSearchParams();
  if (place.view === "journal") {
    for (const key of ["q", "method", "status"]) if (place[key]) terms.set(key, place[key]);
    if (place.session !== null) terms.set("session", place.session);
    if (place.states.length) terms.set("state", place.states.join(","));
    if (place.id) terms.set("id", place.id);
  }
  const hash = "#" + place.view + (terms.size ? "?" + terms : "");
  if (hash !== location.hash) history[isNew ? "pushState" : "replaceState"](null, "", hash);
}

// MARK: the journal

const states = ["answered", "derived", "approximate", "missed", "refused", "passed on", "stub", "fault", "failed"];

function stateOf(entry) {
  switch (entry.outcome) {
    case "miss": return "missed";
    case "recorded": return "passed on";
    case "refused": case "fault": case "failed": return entry.outcome;
  }
  if (entry.approximate) return "approximate";
  if (entry.derived) return "derived";
  return entry.outcome === "stub" ? "stub" : "answered";
}

let rows = [];          // all that is kept, the oldest first
let shown = [];         // those that the filters let through
let known = new Set();  // their numbers
let lost = 0;           // requests that arrived too fast to be followed, and are not fetched yet
let fetched = null;     // the last request number before the lost ones; null while nothing has to be fetched
let isFetching = false;
let forgotten = 0;      // requests that the journal dropped before they were fetched
let isPaused = false;
let waiting = [];
const sessions = new Set();
const methods = new Set();

/// The part of a request that its row needs; the rest is asked for when it is opened.
function summary(entry) {
  return {
    number: entry.number, at: entry.at, method: entry.method || "", url: entry.url || "", status: entry.status,
    state: stateOf(entry), session: entry.session || "", duration: entry.duration, recording: entry.recording || "",
    cassette: entry.cassette || "", reason: entry.reason || "",
  };
}

function accepts(row) {
  if (place.method && row.method !== place.method) return false;
  if (place.session !== null && row.session !== place.session) return false;
  if (place.status && String(row.status || "")[0] !== place.status[0]) return false;
  if (place.states.length && !place.states.includes(row.state)) return false;
  if (!place.q) return true;
  const q = place.q.toLowerCase();
  return (row.method + " " + row.url + " " + row.recording + " " + row.cassette + " " + row.session).toLowerCase()
    .includes(q);
}

function take(entries) {
  let isOrdered = true;
  for (const entry of entries) {
    if (known.has(entry.number)) continue;
    const row = summary(entry);
    known.add(row.number);
    if (rows.length && rows[rows.length - 1].number > row.number) isOrdered = false;
    rows.push(row);
    if (!methods.has(row.method)) { methods.add(row.method); option($("f-method"), row.method); }
    if (row.session && !sessions.has(row.session)) { sessions.add(row.session); option($("f-session"), row.session); }
    if (isOrdered && accepts(row)) shown.push(row);
  }
  if (rows.length > most + 500) {
    for (const row of rows.splice(0, rows.length - most)) known.delete(row.number);
    isOrdered = false;
  }
  if (!isOrdered) { rows.sort((a, b) => a.number - b.number); refilter(); } else scheduleRender();
  if (place.view === "recordings") showRecordings.later();
}

function option(select, text) {
  if ([...select.options].some((each) => each.value === text)) return;
  select.append(el("option", { value: text, text }));
}

function refilter() {
  shown = rows.filter(accepts);
  scheduleRender();
}

let isScheduled = false;
let follows = true;     // the list stays at its end until somebody scrolls away
function scheduleRender() {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(() => { isScheduled = false; render(); });
}

const pool = new Map();
let rowHeight = 28;

function render() {
  const list = $("list");
  rowHeight = matchMedia("(max-width: 560px)").matches ? 48 : 28;
  $("rows").style.height = shown.length * rowHeight + "px";
  if (follows && !isPaused) list.scrollTop = list.scrollHeight;
  const first = Math.max(0, Math.floor(list.scrollTop / rowHeight) - 8);
  const last = Math.min(shown.length, Math.ceil((list.scrollTop + list.clientHeight) / rowHeight) + 8);
  const wanted = new Set();
  for (let index = first; index < last; index++) wanted.add(shown[index].number);
  for (const [number, node] of pool) if (!wanted.has(number)) { node.remove(); pool.delete(number); }
  for (let index = first; index < last; index++) {
    const row = shown[index];
    let node = pool.get(row.number);
    if (!node) { node = makeRow(row); pool.set(row.number, node); $("rows").append(node); }
    node.style.transform = `translateY(${index * rowHeight}px)`;
    node.setAttribute("aria-posinset", index + 1);
    node.setAttribute("aria-setsize", shown.length);
    node.setAttribute("aria-selected", row.number === place.id);
  }
  if (place.id && pool.has(place.id)) list.setAttribute("aria-activedescendant", "row-" + place.id);
  else list.removeAttribute("aria-activedescendant");
  $("empty").hidden = shown.length > 0;
  $("empty").textContent = rows.length ? "No request passes the filters." : "No requests yet: they appear here as they come.";
  const left = (lost ? `, ${lost} more to fetch` : "") + (forgotten ? `, ${forgotten} no longer in the journal` : "");
  $("counts").textContent = `${shown.length === rows.length ? "" : shown.length + " of "}${rows.length} requests${left}`
    + (waiting.length ? `, ${waiting.length} waiting` : "");
}

function makeRow(row) {
  const time = (row.at || "").slice(11, 23);
  return el("div", { class: "row", role: "option", id: "row-" + row.number, onclick: () => open(row.number),
      "aria-label": `${row.number} ${row.state} ${row.method} ${row.url} ${row.status || ""}` },
    el("span", { class: "c-n", text: row.number }), el("span", { class: "c-t", text: time }),
    el("span", { class: "c-s s-" + row.state.split(" ")[0], text: row.state }),
    el("span", { class: "c-m", text: row.method }), el("span", { class: "c-u", text: row.url || row.reason, title: row.url || row.reason }),
    el("span", { class: "c-c", text: row.status || "–" }), el("span", { class: "c-d", text: took(row.duration) }),
    el("span", { class: "c-x", text: row.session }));
}

function took(seconds) {
  if (seconds instanceof Raw) seconds = Number(seconds.text);
  if (seconds === undefined) return "";
  if (seconds < 0.001) return Math.round(seconds * 1e6) + " µs";
  return seconds < 1 ? (seconds * 1000).toFixed(1) + " ms" : seconds.toFixed(2) + " s";
}

function move(step) {
  if (!shown.length) return;
  const at = shown.findIndex((row) => row.number === place.id);
  const next = Math.max(0, Math.min(shown.length - 1, at < 0 ? shown.length - 1 : at + step));
  select(next);
}

function select(index) {
  follows = false;
  place.id = shown[index].number;
  writePlace();
  const list = $("list");
  const top = index * rowHeight;
  if (top < list.scrollTop) list.scrollTop = top;
  if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight;
  render();
  if (!$("detail").hidden) showDetail(place.id);
}

let source;
async function connect() {
  if (source) source.close();
  const stream = source = new EventSource(api + "journal?follow=true&rate=500");
  stream.addEventListener("open", guarded(async () => {
    live(true);
    // Requests from before, and from while nobody was connected.
    const page = await call("GET", "journal");
    if (rows.length && page.requests < rows[rows.length - 1].number) forget();
    take(page.entries);
    updateHealth();
  }));
  stream.addEventListener("request", (event) => {
    const entry = parse(event.data);
    if (isPaused) { waiting.push(entry); if (waiting.length > most) waiting.shift(); scheduleRender(); } else take([entry]);
  });
  stream.addEventListener("lost", (event) => {
    lost += JSON.parse(event.data).requests;
    // Responses of different event loops may arrive out of numerical order.
    if (fetched === null) fetched = Math.max(0, newest() - 200);
    fetchLost();
    scheduleRender();
  });
  stream.addEventListener("error", guarded(async () => {
    live(false);
    // One that is refused does not try again by itself.
    if (stream.readyState === EventSource.CLOSED && stream === source) {
      setTimeout(() => { if (stream === source) start(); }, 2000);
    }
  }));
}

const newest = () => Math.max(0, rows.length ? rows[rows.length - 1].number : 0, ...waiting.slice(-1).map((entry) => entry.number));

/// Fetches requests from the journal, page by page, if events arrived too fast to be followed.
const fetchLost = guarded(async () => {
  if (isFetching || isPaused) return;
  isFetching = true;
  try {
    while (fetched !== null && !isPaused) {
      // A burst lasts for a moment; waiting fetches its last requests in the same call.
      await new Promise((done) => setTimeout(done, 200));
      const [before, number] = [lost, fetched];
      fetched = null;
      let gone = 0;
      for (let after = number; after !== undefined;) {
        const page = await call("GET", `journal?limit=500&after=${after}`);
        // The journal has dropped the requests before its first entry.
        const first = page.entries.length ? page.entries[0].number : 0;
        if (after === number && first > number + 1) {
          gone = first - number - 1 - rows.filter((row) => row.number > number && row.number < first).length;
        }
        take(page.entries);
        after = page.next;
      }
      lost = Math.max(0, lost - before);
      forgotten += gone;
    }
  } finally { isFetching = false; scheduleRender(); }
});

function live(isOn) {
  $("live").textContent = isOn ? (isPaused ? "paused" : "live") : "not connected";
  $("live").className = isOn ? "on" : "off";
}

function forget() {
  rows = []; shown = []; known = new Set(); waiting = []; lost = 0; forgotten = 0; fetched = null;
  for (const node of pool.values()) node.remove();
  pool.clear();
  scheduleRender();
}

let isReadOnly = null;
async function updateHealth() {
  const health = await call("GET", "health");
  document.title = health.misses ? `(${health.misses}) mockserver` : "mockserver";
}

// MARK: one exchange

function open(number) {
  place.id = number;
  follows = false;
  writePlace(true);
  render();
  showDetail(number, true);
}

function closeDetail() {
  $("detail").hidden = true;
  place.id = null;
  writePlace();
  render();
  $("list").focus();
}

let detailNumber = null;
async function showDetail(number, focuses = false) {
  const pane = $("detail");
  detailNumber = number;
  pane.hidden = false;
  const close = el("button", { id: "close", type: "button", "aria-label": "Close", onclick: closeDetail, text: "✕" });
  let entry;
  try { entry = await call("GET", "journal/" + number); } catch (error) {
    if (detailNumber !== number) return;
    pane.replaceChildren(close, el("h2", { text: "Request " + number }), el("p", { text: error.message }));
    if (focuses) pane.focus();
    return;
  }
  if (detailNumber !== number) return;
  const state = stateOf(entry);
  const recorded = entry.interaction;
  const parts = [close, el("h2", { class: "mono", text: entry.url ? `${entry.method} ${entry.url}` : "What came is no request" }), actions(entry),
    facts([
      ["State", el("span", { class: "s-" + state.split(" ")[0], text: state })], ["Status", entry.status || "none"],
      ["Time", entry.at], ["Took", took(entry.duration) || "not measured"], ["Sent", bytes(entry.sentBytes)],
      ["Session", entry.session], ["Recording", entry.recording && `${entry.recording} in ${entry.cassette}`],
      ["Written at", entry.place], ["Derived", entry.derived],
      ["After the change", entry.after], ["Differs in", entry.approximate],
    ])].filter((part) => part);
  if (state === "refused") {
    parts.push(el("section", { class: "panel alert", "aria-label": "Why" }, el("p", { class: "words", text: entry.reason })));
    pane.replaceChildren(...parts);
    if (focuses) pane.focus();
    return;
  }
  if (state === "missed" || entry.nearest.length) parts.push(why(entry, state));
  else if (entry.recording) parts.push(el("p", { class: "soft", text: reason(entry) }));
  parts.push(el("h3", { text: "Request" }), fields(entry.headers), requestBody(entry));
  if (recorded && recorded.response) {
    parts.push(el("h3", { text: entry.derived ? "Recorded response (what was sent follows from it)" : "Response" }),
      fields(recorded.response.headers), responseBody(recorded.response));
  } else if (recorded && recorded.failure) {
    parts.push(el("h3", { text: "Failure" }), el("pre", { text: JSON.stringify(recorded.failure) }));
  } else if (state === "passed on") {
    parts.push(el("p", { class: "soft", text: "A live server answered: the recording is in the cassette once it is saved." }));
  }
  pane.replaceChildren(...parts);
  pane.scrollTop = 0;
  if (focuses) pane.focus();
}

function reason(entry) {
  if (entry.outcome === "stub") return "A stub that was added answers before every recording.";
  if (entry.after) return `This recording was made after "${entry.after}": of several recordings of the request it is the one for what was changed since.`;
  return "Method, path, query and body are those of the recording; of several the next in order plays, and the last repeats.";
}

const bytes = (count) => (count < 1000 ? `${count} bytes` : count < 1e6 ? `${(count / 1000).toFixed(1)} kB`
  : `${(count / 1e6).toFixed(1)} MB`);

function facts(list) {
  return el("dl", {}, list.filter(([, value]) => value !== undefined && value !== null && value !== "")
    .flatMap(([name, value]) => [el("dt", { text: name }), el("dd", {}, value instanceof Node ? value : String(value))]));
}

function fields(headers) {
  if (!headers || !headers.length) return el("p", { class: "soft", text: "no fields" });
  return el("table", { class: "fields mono" }, el("thead", { class: "unseen" },
    el("tr", {}, el("th", { scope: "col", text: "field" }), el("th", { scope: "col", text: "value" }))),
    el("tbody", {}, headers.map((pair) => el("tr", {}, el("td", { text: pair[0] }), el("td", { text: pair[1] })))));
}

const field = (headers, name) =>
  ((headers || []).find((pair) => pair[0].toLowerCase() === name) || [])[1] || "";

function requestBody(entry) {
  if (!entry.bodyBytes) return el("p", { class: "soft", text: "no body" });
  if (entry.body === null) return el("p", { class: "soft", text: `${bytes(entry.bodyBytes)} that are no text` });
  const cut = entry.bodyIsCut ? el("p", { class: "soft", text: `the first of ${bytes(entry.bodyBytes)}` }) : null;
  return el("div", {}, cut, content(field(entry.headers, "content-type"), { text: entry.body }));
}

function responseBody(response) {
  const body = response.body;
  if (!body) return el("p", { class: "soft", text: "no body" });
  if (body.file) return el("p", { class: "soft", text: `in the file ${body.file}` });
  const type = field(response.headers, "content-type");
  if (body.chunks) {
    const text = body.chunks.map((chunk) => chunk.text ?? "").join("");
    const gaps = body.chunks.map((chunk) => `${took(chunk.after) || "0"}: ${chunk.text ?? "(bytes)"}`).join("\n");
    return el("div", {}, content(type, { text }), el("details", {}, el("summary", { text: `${body.chunks.length} pieces` }),
      el("pre", { text: gaps })));
  }
  if (body.base64 !== undefined) {
    const raw = atob([].concat(body.base64).join(""));
    return content(type, { bytes: Uint8Array.from(raw, (letter) => letter.charCodeAt(0)) });
  }
  if (body.json !== undefined) return content(type, { json: body.json });
  return content(type, { text: [].concat(body.text ?? "").join("") });
}

const images = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp", "image/x-icon"];

/// A body as JSON, text, bytes, or an image; whatever it is, as text of this page and never as a part of it.
function content(type, { text, json, bytes: data }) {
  if (json === undefined && text !== undefined) { try { json = parse(text); } catch { /* no JSON */ } }
  if (json !== undefined && (typeof json !== "object" || json === null) && text !== undefined) json = undefined;
  if (text === undefined && json !== undefined) text = print(json);
  const octets = () => data || new TextEncoder().encode(text);
  const media = type.split(";")[0].trim().toLowerCase();
  const kinds = [];
  if (data && images.includes(media)) kinds.push(["Image", () => image(media, data)]);
  if (json !== undefined) kinds.push(["JSON", () => tree(json)]);
  if (text !== undefined) kinds.push(["Text", () => el("pre", { class: "body", tabindex: 0, "aria-label": "Body as text", text: text.slice(0, 2e6) })]);
  kinds.push(["Hex", () => el("pre", { class: "hex body", tabindex: 0, "aria-label": "Body as bytes", text: hex(octets()) })]);
  const holder = el("div", {});
  const buttons = kinds.map(([name, make]) => el("button", { type: "button", "aria-pressed": "false", text: name,
    onclick: (event) => {
      for (const other of buttons) other.setAttribute("aria-pressed", other === event.currentTarget);
      holder.replaceChildren(make());
    } }));
  buttons[0].setAttribute("aria-pressed", "true");
  holder.append(kinds[0][1]());
  return el("div", {}, el("div", { class: "bar", role: "group", "aria-label": "Show the body as" }, buttons), holder);
}

function image(media, data) {
  const url = URL.createObjectURL(new Blob([data], { type: media }));
  const drop = () => URL.revokeObjectURL(url);
  return el("img", { class: "body", src: url, alt: "The recorded image", onload: drop, onerror: drop });
}

function hex(data) {
  const lines = [];
  for (let at = 0; at < Math.min(data.length, 65536); at += 16) {
    const part = data.subarray(at, at + 16);
    const codes = [...part].map((byte) => byte.toString(16).padStart(2, "0")).join(" ").padEnd(48);
    const letters = [...part].map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : ".")).join("");
    lines.push(at.toString(16).padStart(8, "0") + "  " + codes + " " + letters);
  }
  if (data.length > 65536) lines.push(`… ${data.length - 65536} more bytes`);
  return lines.join("\n");
}

/// JSON over lines, numbers as they are written.
function print(value, indent = "") {
  if (value instanceof Raw) return value.text;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const inner = indent + "  ";
  const items = isList ? value.map((each) => print(each, inner))
    : Object.entries(value).map(([key, each]) => JSON.stringify(key) + ": " + print(each, inner));
  if (!items.length) return isList ? "[]" : "{}";
  return (isList ? "[" : "{") + "\n" + items.map((item) => inner + item).join(",\n") + "\n" + indent + (isList ? "]" : "}");
}

/// JSON that folds and is searched; branches are made when they are opened.
function tree(json) {
  const box = el("div", { class: "tree box", tabindex: 0, role: "group", "aria-label": "Body as JSON" });
  let root;
  const draw = (query) => {
    root = branch(null, json, query, 0);
    box.replaceChildren(root);
  };
  draw("");
  const count = el("span", { class: "soft", role: "status" });
  const search = el("input", { type: "search", placeholder: "Search in JSON", "aria-label": "Search in JSON",
    oninput: () => {
      const query = search.value.toLowerCase();
      draw(query);
      const marks = box.querySelectorAll("mark");
      count.textContent = query ? `${marks.length}${marks.length >= 500 ? " or more" : ""} found` : "";
      if (marks.length) marks[0].scrollIntoView({ block: "nearest" });
    } });
  return el("div", {}, el("div", { class: "bar" }, search, count,
    el("button", { type: "button", text: "Fold", onclick: () => { for (const each of box.querySelectorAll("details")) each.open = false; } })), box);
}

function holds(key, value, query) {
  if (key !== null && String(key).toLowerCase().includes(query)) return true;
  if (value instanceof Raw) return value.text.includes(query);
  if (typeof value !== "object" || value === null) return String(value).toLowerCase().includes(query);
  return Object.entries(value).some(([name, each]) => holds(Array.isArray(value) ? null : name, each, query));
}

function marked(text, query) {
  const at = query ? text.toLowerCase().indexOf(query) : -1;
  if (at < 0) return [text];
  return [text.slice(0, at), el("mark", { text: text.slice(at, at + query.length) }), text.slice(at + query.length)];
}

function branch(key, value, query, depth) {
  const label = key === null ? [] : [el("span", { class: "key" }, marked(String(key), query)), ": "];
  if (value instanceof Raw || typeof value !== "object" || value === null) {
    const text = value instanceof Raw ? value.text : JSON.stringify(value);
    const kind = typeof value === "string" ? "str" : "num";
    return el("div", { class: "leaf" }, label, el("span", { class: kind }, marked(text, query)));
  }
  const entries = Object.entries(value);
  const isList = Array.isArray(value);
  const size = isList ? `[${entries.length}]` : `{${entries.length}}`;
  const node = el("details", {}, el("summary", {}, label, el("span", { class: "soft", text: size })));
  let isMade = false;
  const make = (from) => {
    const part = entries.slice(from, from + 200);
    node.append(...part.map(([name, each]) => branch(isList ? Number(name) : name, each, query, depth + 1)));
    if (from + 200 < entries.length) {
      const more = el("button", { type: "button", text: `${entries.length - from - 200} more`,
        onclick: () => { more.remove(); make(from + 200); } });
      node.append(more);
    }
  };
  const grow = () => { if (!isMade) { isMade = true; make(0); } };
  node.addEventListener("toggle", () => { if (node.open) grow(); });
  if (query ? holds(null, value, query) && depth < 40 : depth < 2 && entries.length <= 200) { grow(); node.open = true; }
  return node;
}

// MARK: copies

// The server builds the command, because its tests run the quoting in shells and compilers.
const curl = (entry) => call("GET", `journal/${entry.number}?as=curl`);
const stub = (entry) => call("GET", `journal/${entry.number}?as=stub`);

async function copy(text, words) {
  try {
    await navigator.clipboard.writeText(text);
    toast(words + " copied");
  } catch {
    // A page that is not trusted with the clipboard (plain HTTP on another host) shows the text, to be copied by hand.
    const area = el("textarea", { "aria-label": words, value: text, readonly: true });
    $("detail").querySelector(".bar").after(area);
    area.select();
  }
}

function download(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = el("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

async function exported(entry, form) {
  const value = await call("GET", `journal?as=${form}&after=${entry.number - 1}&limit=1`);
  return typeof value === "string" ? value : print(value) + "\n";
}

async function asCassette(entry) {
  if (entry.interaction) return exported(entry, "cassette");
  const request = { method: entry.method, url: entry.url };
  if (entry.body) request.body = { text: entry.body };
  return print({ cassette: 1, interactions: [{ request, response: { status: 200 } }] }) + "\n";
}

function actions(entry) {
  const button = (text, act) => el("button", { type: "button", text, onclick: guarded(act) });
  if (!entry.url) return null;
  return el("div", { class: "bar" },
    button("Copy as curl", async () => copy(await curl(entry), "curl command")),
    button("Copy as Swift stub", async () => copy(await stub(entry), "Swift stub")),
    button("Copy as cassette", async () => copy(await asCassette(entry), "cassette")),
    button("Download HAR", async () => download(`request-${entry.number}.har`, "application/json", await exported(entry, "har"))));
}

// MARK: a miss, and what is done about it

function why(entry, state) {
  const panel = el("section", { class: "panel" + (state === "missed" ? " alert" : ""), "aria-label": "Why" },
    el("h3", { text: state === "missed" ? "Why nothing answered" : "What differs" }));
  if (entry.reason) panel.append(el("p", { class: "words", text: entry.reason + "." }));
  const problem = entry.accept && entry.accept.problem;
  const others = el("details", {}, el("summary", { text: `${entry.nearest.length - 1} more that are near` }));
  entry.nearest.forEach((near, index) => {
    const into = index ? others : panel;
    into.append(el("h3", { class: "mono words", text: `${index ? "Near" : "Nearest"}: ${near.request}` }),
      el("p", { class: "soft words", text: `${near.id}, ${near.place}` }),
      near.differs.length
        ? el("table", { class: "mono" }, el("thead", {}, el("tr", {},
            el("th", { scope: "col", text: "part" }), el("th", { scope: "col", text: "what differs" }))),
          el("tbody", {}, near.differs.map((one) => el("tr", {}, el("td", { text: one.part }),
            el("td", { text: one.words.replace(one.part + ": ", "") })))))
        : el("p", { text: "It has been played as often as it was recorded." }));
    if (!problem) into.append(ways(entry, near));
  });
  if (entry.nearest.length > 1) panel.append(others);
  if (!entry.nearest.length && !problem) panel.append(ways(entry, null));
  if (problem) panel.append(el("p", { class: "soft", text: "It cannot be accepted here: " + problem }));
  if (entry.remedies && entry.remedies.length) {
    panel.append(el("details", {}, el("summary", { text: "From the command line" }),
      el("ul", {}, entry.remedies.map((remedy) => el("li", { class: "words", text: remedy })))));
  }
  return panel;
}

/// The ways to accept: one click shows the edit, a second one writes it.
function ways(entry, near) {
  const area = el("div", {});
  const bar = el("div", { class: "bar", role: "group", "aria-label": "Accept" });
  const start = (text, wish) => bar.append(el("button", { type: "button", text,
    onclick: guarded(() => propose(entry, { ...wish(), nearest: near ? near.id : undefined }, area)) }));
  const file = near && near.isInCassette ? null
    : el("input", { value: "inspector", "aria-label": "Cassette to add to", size: 14 });
  if (file) bar.append(el("label", {}, "Cassette ", file));
  const target = () => (file ? { cassette: file.value } : {});
  const can = near ? near.differs.filter((one) => one.canBeIgnored) : [];
  if (near && near.isInCassette && can.length) {
    const boxes = can.map((one) => ({ part: one.part, box: el("input", { type: "checkbox" }) }));
    for (const one of boxes) one.box.checked = true;
    if (can.length > 1) {
      area.append(el("div", { class: "bar" }, "Leave out ", boxes.map((one) => el("label", { class: "mono" }, one.box, " " + one.part))));
    }
    start(can.length === 1 ? `Ignore ${can[0].part}…` : "Ignore what differs…",
      () => ({ how: "ignore", parts: boxes.filter((one) => one.box.checked).map((one) => one.part) }));
  }
  start(near ? "Copy it and edit…" : "Add a recording…", () => ({ how: "copy", ...target() }));
  const origin = entry.accept.origin;
  if (origin || !near) {
    const name = origin ? null : el("input", { placeholder: "https://api.example.com", "aria-label": "Live server", size: 22 });
    if (name) bar.append(el("label", {}, "Live server ", name));
    start(origin ? `Take the answer of ${origin}…` : "Take its answer…",
      () => ({ how: "upstream", ...target(), ...(name && name.value ? { origin: name.value } : {}) }));
  }
  return el("div", {}, bar, area);
}

function diffed(text) {
  return el("pre", { class: "diff", tabindex: 0, "aria-label": "The edit as a diff" }, text.replace(/\n$/, "").split("\n").map((line) =>
    el("span", { class: /^\+(?!\+\+)/.test(line) ? "add" : /^-(?!--)/.test(line) ? "del" : "", text: line || " " })));
}

async function propose(entry, wish, area) {
  const edit = await call("POST", `journal/${entry.number}/accept`, { ...wish, dryRun: true });
  const write = el("button", { type: "button", class: "primary", text: `Write to ${edit.cassette.split("/").pop()}` });
  const panel = el("div", { class: "proposal" }, diffed(edit.diff));
  let text = null;
  if (edit.recording) {
    text = el("textarea", { "aria-label": "The recording that is added", spellcheck: "false", value: print(edit.recording) });
    const before = text.value;
    panel.prepend(el("details", {}, el("summary", { text: "Edit the recording first" }), text));
    text.isChanged = () => text.value !== before;
  }
  if (!edit.answers) panel.append(el("p", { class: "bad", text: "With this alone the request would not be answered yet." }));
  panel.append(el("div", { class: "bar" }, write, el("button", { type: "button", text: "Cancel", onclick: () => panel.remove() })));
  write.addEventListener("click", guarded(async () => {
    write.disabled = true;
    try {
      const written = text && text.isChanged()
        ? await callWith(text.value, `journal/${entry.number}/accept`,
          { how: "copy", cassette: wish.cassette || undefined, nearest: wish.nearest || undefined, interaction: null }, "interaction")
        : await call("POST", `edits/${edit.edit}/apply`);
      await settled(written, panel);
    } finally { write.disabled = false; }
  }));
  area.querySelectorAll(".proposal").forEach((old) => old.remove());
  area.append(panel);
  write.focus();
}

/// Says once the edit is served, and offers to take it back.
async function settled(edit, panel) {
  const words = el("p", { class: "good", role: "status", text: "Written." });
  const undo = el("button", { type: "button", text: "Undo", onclick: guarded(async () => {
    const undone = await call("POST", `edits/${edit.edit}/undo`);
    panel.replaceChildren(el("p", { role: "status", text: "Taken back." }));
    if (undone.generation) await call("GET", `health?generation=${undone.generation}`);
    toast("taken back: the file is as it was");
  }) });
  panel.replaceChildren(words, diffed(edit.diff), el("div", { class: "bar" }, undo));
  undo.focus();
  if (edit.generation) {
    await call("GET", `health?generation=${edit.generation}`);
    words.textContent = "Written and served: the next such request is answered.";
  } else words.textContent = "Written; this server does not watch its files, so it is served after a restart.";
}

// MARK: the other views

const table = (heads, lines, label) => el("div", { class: "wide-table", tabindex: 0, role: "region", "aria-label": label },
  el("table", {}, el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col", text: head })))),
    el("tbody", {}, lines.map((line) => el("tr", {}, line.map((cell) => el("td", {}, cell instanceof Node ? cell : String(cell ?? ""))))))));

const act = (text, what, label) => el("button", { type: "button", text, "aria-label": label, onclick: guarded(what) });

async function showRecordings(view) {
  const list = async () => (await call("GET", "interactions?session=" + encodeURIComponent(showRecordings.session || ""))).interactions;
  let [interactions, recorded, { sessions: all }] = await Promise.all([list(), recordings(), call("GET", "sessions")]);
  const session = el("select", { "aria-label": "Session whose turns are shown" });
  for (const one of all) option(session, one.name || "");
  for (const name of ["", ...sessions]) option(session, name);
  for (const one of session.options) one.textContent = "Turns of " + (one.value || "all who name no session");
  session.value = showRecordings.session || "";
  const q = el("input", { type: "search", placeholder: "Search recordings", "aria-label": "Search recordings", value: showRecordings.q || "" });
  const holder = el("div", {});
  const draw = () => {
    showRecordings.q = q.value;
    const found = interactions.filter((one) => !one.stub
      && `${one.method} ${one.url} ${one.id} ${one.cassette}`.toLowerCase().includes(q.value.toLowerCase()));
    holder.replaceChildren(el("p", { class: "soft", text: `${found.length} recordings, ${found.filter((one) => !one.plays && !one.firstPlayedBy).length} not played` }),
      table(["id", "cassette", "request", "status", "plays", "turn", "first played by", "after"], found.slice(0, 1000).map((one) => [
        el("span", { class: "mono", text: one.id }), el("span", { text: (one.place || one.cassette).split("/").pop(), title: one.place || one.cassette }),
        el("span", { class: "mono", text: `${one.method} ${one.url}` }), one.status ?? one.failure, one.plays || "–", turn(one.position),
        one.firstPlayedBy ? el("a", { href: `#journal?id=${one.firstPlayedBy}`, text: "request " + one.firstPlayedBy }) : "–",
        one.after]), "Recordings"));
  };
  const refresh = guarded(async () => { interactions = await list(); draw(); });
  showRecordings.refresh = refresh;
  q.addEventListener("input", draw);
  session.addEventListener("change", () => { showRecordings.session = session.value; refresh(); });
  draw();
  fill(view, ...(recorded ? [progress(recorded)] : []), el("h2", { text: "Recordings" }),
    el("div", { class: "bar" }, q, session), holder);
}

/// Counts and turns move on as requests come: they are asked for again, once a second at most.
showRecordings.later = () => {
  showRecordings.timer ??= setTimeout(() => {
    showRecordings.timer = undefined;
    if (place.view === "recordings") showRecordings.refresh();
  }, 1000);
};

/// The place of a session among the recordings that take turns; a recording that always answers has no turn.
function turn(position) {
  if (!position) return "always";
  const mark = position.isNext ? el("strong", { text: "next" }) : position.plays ? "played" : "";
  return el("span", {}, position.of > 1 ? `${position.turn} of ${position.of} ` : "", mark, position.plays > 1 ? ` ${position.plays} times` : "");
}

/// The recordings under way; null where nothing is recorded.
async function recordings() {
  if (!can("/__mock/recordings")) return null;
  const recorded = await call("GET", "recordings");
  return recorded.cassette ? recorded : null;
}

function progress(recorded) {
  const one = el("div", {});
  const look = (number) => act("Look", async () => {
    const kept = await call("GET", `recordings/${number}`);
    one.replaceChildren(el("h3", { text: "As it is to be saved" }), tree(kept.interaction));
    one.scrollIntoView({ block: "nearest" });
  }, "Look at exchange " + number);
  return el("section", { class: "panel" }, el("h2", { text: "Being recorded" }), facts([
    ["Into", recorded.cassette], ["New", recorded.new], ["Unchanged", recorded.unchanged], ["Not kept", recorded.refused],
    ["No answer", recorded.failed], ["Content", bytes(recorded.bytes)]]),
    table(["request", "status", "in the cassette", "redacted", ""], (recorded.exchanges || []).slice(-200).reverse().map((kept) => [
      el("span", { class: "mono", text: `${kept.method} ${kept.url}` }), kept.status ?? "",
      el("span", { class: kept.isNew ? "s-approximate" : "soft", text: kept.isNew ? "new" : "unchanged" }),
      kept.redacted ? `${kept.redacted} values` : "", look(kept.exchange)]), "Exchanges, before they are saved"), one);
}

async function showStubs(view) {
  const { interactions } = await call("GET", "interactions");
  const input = (id, label, attributes = {}, wide = false) => el("label", { class: wide ? "wide" : "" }, label,
    el(attributes.rows ? "textarea" : "input", { id, ...attributes }));
  const check = (id, label) => el("label", { class: "check" }, el("input", { id, type: "checkbox" }), label);
  const form = el("form", { class: "form", onsubmit: guarded(async () => {
    const type = $("s-type").value.trim();
    const text = $("s-body").value;
    const isJSON = text !== "" && /json/.test(type);
    const stub = {
      request: { method: $("s-method").value, url: $("s-url").value },
      response: { status: Number($("s-status").value), headers: type ? [["Content-Type", type]] : undefined,
        body: isJSON ? { json: null } : text ? { text } : undefined },
      replay: $("s-once").checked ? { repeat: "once" } : undefined, keep: $("s-keep").checked || undefined,
      session: $("s-session").value || undefined };
    const made = isJSON ? await callWith(text, "interactions", stub, "json") : await call("POST", "interactions", stub);
    toast(`stub ${made.ids[0]} added`);
    await showStubs(view);
  }) }, input("s-method", "Method", { value: "GET", required: true }), input("s-url", "Path and query", { value: "/", required: true }),
  input("s-status", "Status", { type: "number", value: 200, min: 100, max: 999 }),
  input("s-type", "Content-Type", { value: "application/json" }),
  input("s-session", "Session (everybody without one)"),
  input("s-body", "Body", { rows: 6, spellcheck: "false" }, true),
  check("s-once", "Plays once"), check("s-keep", "Outlasts a reset"),
  el("div", { class: "wide" }, el("button", { type: "submit", class: "primary", text: "Add the stub" })));
  const name = el("input", { value: "stubs", "aria-label": "Cassette to save stubs to", size: 14 });
  const stubs = interactions.filter((one) => one.stub);
  fill(view, el("h2", { text: "Add a stub" }), form, el("h2", { text: `Stubs (${stubs.length})` }),
    stubs.length ? el("div", { class: "bar" }, el("label", {}, "Save to cassette ", name),
      act("Remove all", async () => { await call("DELETE", "interactions"); await showStubs(view); })) : null,
    stubs.length ? table(["id", "request", "status", "session", ""], stubs.map((one) => [el("span", { class: "mono", text: one.id }),
      el("span", { class: "mono", text: `${one.method} ${one.url}` }), one.status, one.session,
      el("span", {}, act("Remove", async () => { await call("DELETE", `interactions/${encodeURIComponent(one.id)}`); await showStubs(view); }, "Remove " + one.id), " ",
        act("Save", async () => {
          const saved = await call("POST", `interactions/${encodeURIComponent(one.id)}/save`, { cassette: name.value });
          toast("saved to " + saved.cassette);
        }, "Save " + one.id))]), "Stubs") : el("p", { class: "soft", text: "none" }));
}

async function showState(view) {
  const [{ sessions: all, forgotten }, resources] = await Promise.all([call("GET", "sessions"),
    can("/__mock/resources") ? call("GET", "resources") : null]);
  const scenarios = [];
  for (const session of ["", ...all.map((one) => one.name).filter((name) => name)]) {
    const found = await call("GET", "scenarios" + (session ? `?session=${encodeURIComponent(session)}` : ""));
    for (const one of found.scenarios) scenarios.push({ ...one, session });
    if (scenarios.length > 200) break;
  }
  fill(view,
    el("div", { class: "bar" }, act("Reset everything", async () => { await call("POST", "reset"); forget(); await showState(view); })),
    el("h2", { text: "Sessions" }),
    table(["session", "played", "stubs", ""], all.map((one) => [one.name || "(none named)", one.played, one.stubs,
      act("Reset", async () => { await call("POST", "reset", { session: one.name }); await showState(view); }, "Reset session " + one.name)]), "Sessions"),
    forgotten ? el("p", { class: "soft", text: `${forgotten} sessions were too many, and forgotten` }) : null,
    el("h2", { text: "Scenarios" }),
    scenarios.length ? table(["scenario", "session", "state"], scenarios.map((one) => {
      const choice = el("select", { "aria-label": `State of ${one.name}`, onchange: guarded(async () => {
        await call("PUT", `scenarios/${encodeURIComponent(one.name)}`, { state: choice.value, ...(one.session ? { session: one.session } : {}) });
        toast(`${one.name} is ${choice.value}`);
      }) }, one.states.map((state) => el("option", { value: state, text: state })));
      choice.value = one.state;
      return [one.name, one.session, choice];
    }), "Scenarios") : el("p", { class: "soft", text: "no recording waits for a state" }),
    ...(resources ? [el("h2", { text: "Resources" }), tree(resources)] : []));
}

async function showSettings(view) {
  const settings = await call("GET", "settings");
  const set = async (change, words) => { await call("PUT", "settings", print(change)); toast(words); await showSettings(view); };
  const level = el("select", { id: "v-matching", onchange: guarded(() => set({ matching: level.value }, "matching is " + level.value)) },
    ["exact", "careful", "loose"].map((one) => el("option", { value: one, text: one })));
  level.value = settings.matching;
  const size = el("input", { type: "number", min: 0, value: settings.journal.bodyBytes,
    onchange: guarded(() => set({ journal: { bodyBytes: Number(size.value) } }, "the journal keeps " + size.value + " bytes")) });
  const others = Object.entries(settings).filter(([name]) => name !== "matching" && name !== "journal");
  fill(view, el("h2", { text: "Settings" }), el("div", { class: "form" },
    el("label", {}, "How requests are compared", level), el("label", {}, "Bytes of a body that the journal keeps", size),
    others.map(([name, value]) => setting(name, value, set))),
  el("p", { class: "soft", text: `The journal has the last ${settings.journal.requests} requests; secrets are ${settings.journal.secrets ? "shown" : "masked"}.` }));
}

/// A setting that this page knows nothing of: a switch, a number, a word, or JSON.
function setting(name, value, set) {
  if (typeof value === "boolean") {
    const box = el("input", { type: "checkbox", onchange: guarded(() => set({ [name]: box.checked }, `${name} is ${box.checked}`)) });
    box.checked = value;
    return el("label", { class: "check" }, box, name);
  }
  const isPlain = typeof value === "number" || typeof value === "string" || value === null;
  const input = el(isPlain ? "input" : "textarea", { value: typeof value === "string" ? value : value === null ? "" : print(value), spellcheck: "false" });
  const apply = act("Set", () => {
    let wanted = input.value;
    // A number that JavaScript cannot represent, such as a 64-bit seed, is sent exactly as typed.
    try { wanted = parse(input.value); } catch { /* a word */ }
    return set({ [name]: wanted === "" ? null : wanted }, name + " is set");
  }, "Set " + name);
  return el("div", { class: isPlain ? "" : "wide" }, el("label", {}, name, input), apply);
}

async function showEdits(view) {
  const { edits, readOnly } = await call("GET", "edits");
  fill(view, el("h2", { text: "Edits of cassettes" }),
    readOnly ? el("p", { class: "soft", text: "Nothing is written: " + readOnly }) : null,
    edits.length ? null : el("p", { class: "soft", text: "none yet: open a missed request to accept it" }),
    ...edits.slice().reverse().map((edit) => el("section", { class: "panel", "aria-label": "Edit " + edit.edit },
      el("h3", { text: `${edit.edit}: ${edit.how} for request ${edit.request}, ${edit.state}` }), diffed(edit.diff),
      el("div", { class: "bar" }, edit.state === "written"
        ? act("Undo", async () => { await call("POST", `edits/${edit.edit}/undo`); await showEdits(view); }, "Undo edit " + edit.edit)
        : act("Write", async () => { await call("POST", `edits/${edit.edit}/apply`); await showEdits(view); }, "Write edit " + edit.edit)))));
}

const views = { journal: null, recordings: showRecordings, stubs: showStubs, state: showState, settings: showSettings, edits: showEdits };

async function show() {
  readPlace();
  for (const name of Object.keys(views)) $(name).hidden = name !== place.view;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.view === place.view) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  $("login").hidden = true;
  if (place.view !== "journal") return guarded(() => views[place.view]($(place.view)))();
  $("q").value = place.q;
  $("f-method").value = place.method;
  if (place.method && $("f-method").value !== place.method) { option($("f-method"), place.method); $("f-method").value = place.method; }
  $("f-status").value = place.status;
  if (place.session) option($("f-session"), place.session);
  $("f-session").value = place.session ?? "";
  for (const button of $("f-states").children) button.setAttribute("aria-pressed", place.states.includes(button.dataset.state));
  refilter();
  if (place.id) { follows = false; showDetail(place.id); } else $("detail").hidden = true;
}

// MARK: login, theme, keys

function showLogin() {
  for (const name of Object.keys(views)) $(name).hidden = true;
  $("login").hidden = false;
  $("token").focus();
}

$("login-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await call("POST", "login", { token: $("token").value });
    $("token").value = "";
    $("login-problem").textContent = "";
    $("logout").hidden = false;
    start();
  } catch (error) { $("login-problem").textContent = error.message; }
});

$("logout").addEventListener("click", guarded(async () => { await call("POST", "logout"); forget(); start(); }));

const dark = matchMedia("(prefers-color-scheme: dark)");
function theme() {
  let chosen = null;
  try { chosen = localStorage.getItem("theme"); } catch { /* as the system says */ }
  const name = chosen || (dark.matches ? "dark" : "light");
  document.documentElement.dataset.theme = name;
  $("theme").textContent = name === "dark" ? "Light" : "Dark";
}
dark.addEventListener("change", theme);
$("theme").addEventListener("click", () => {
  try { localStorage.setItem("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark"); } catch { /* not kept */ }
  theme();
});

$("filters").addEventListener("submit", (event) => event.preventDefault());
$("q").addEventListener("input", () => { place.q = $("q").value; writePlace(); refilter(); });
$("f-method").addEventListener("change", () => { place.method = $("f-method").value; writePlace(); refilter(); });
$("f-status").addEventListener("change", () => { place.status = $("f-status").value; writePlace(); refilter(); });
$("f-session").addEventListener("change", () => { place.session = $("f-session").value || null; writePlace(); refilter(); });
for (const state of states) {
  $("f-states").append(el("button", { type: "button", "data-state": state, "aria-pressed": "false", text: state, onclick: (event) => {
    place.states = place.states.includes(state) ? place.states.filter((one) => one !== state) : [...place.states, state];
    event.currentTarget.setAttribute("aria-pressed", place.states.includes(state));
    writePlace();
    refilter();
  } }));
}
$("pause").addEventListener("click", () => {
  isPaused = !isPaused;
  $("pause").setAttribute("aria-pressed", isPaused);
  if (!isPaused) { const held = waiting; waiting = []; take(held); fetchLost(); }
  live(source && source.readyState === EventSource.OPEN);
  scheduleRender();
});
$("clear").addEventListener("click", guarded(async () => { await call("POST", "reset"); forget(); closeDetail(); }));

$("list").addEventListener("scroll", () => {
  const list = $("list");
  follows = list.scrollTop + list.clientHeight >= list.scrollHeight - 2 * rowHeight && !place.id;
  render();
});
$("list").addEventListener("keydown", (event) => {
  const page = Math.max(1, Math.floor($("list").clientHeight / rowHeight) - 1);
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
  if (steps[event.key]) move(steps[event.key]);
  else if (event.key === "Home" && shown.length) select(0);
  else if (event.key === "End" && shown.length) { select(shown.length - 1); }
  else if (event.key === "Enter" && place.id) open(place.id);
  else return;
  event.preventDefault();
});
document.addEventListener("keydown", (event) => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  if (event.key === "Escape" && !$("detail").hidden) closeDetail();
  else if (event.key === "/" && !isTyping && place.view === "journal") { event.preventDefault(); $("q").focus(); }
});
addEventListener("hashchange", show);
addEventListener("popstate", show);
addEventListener("resize", scheduleRender);

let paths = {};
const can = (path) => Object.keys(paths).some((one) => one === path || one.startsWith(path + "/"));

async function start() {
  try {
    paths = (await call("GET", "openapi.json")).paths;
  } catch (error) {
    if (error.status !== 401) { $("empty").hidden = false; $("empty").textContent = error.message; live(false); }
    return;
  }
  await show();
  connect();
}

theme();
start();
