"use strict";
/* Everything of the notes is put in as text, or into a frame that may not run scripts. */
const data = JSON.parse(document.getElementById("data").textContent);
const control = (id) => document.getElementById(id);
const list = control("notes");
const BATCH = 30;
let shown = [];
let next = 0;

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function words(note) {
  if (!note.text) {
    const bare = note.cards.map((card) => card.front + " " + card.back).join(" ");
    const decoded = new DOMParser().parseFromString(bare, "text/html").body.textContent;
    note.text = (note.title + " " + note.place + " " + decoded).toLowerCase();
  }
  return note.text;
}

function matches(note) {
  const { kind, tag, verdict } = Object.fromEntries(["kind", "tag", "verdict"].map((id) => [id, control(id).value]));
  const asked = control("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  return (!kind || note.kind === kind)
    && (!tag || note.tags.some((own) => own === tag || own.startsWith(tag + "::")))
    && (!verdict || note.state === verdict || note.words.includes(verdict))
    && asked.every((word) => words(note).includes(word));
}

function side(html, label, title) {
  const frame = element("iframe");
  const night = control("night").checked ? " nightMode night_mode" : "";
  frame.setAttribute("sandbox", "allow-same-origin"); // for measuring its height; scripts stay off
  frame.title = label + ": " + title;
  frame.dataset.html = "<!doctype html><meta charset=utf-8><base target=_blank><style>" + data.css
    + "</style><body class=\"card" + night + "\"><div id=qa>" + html + "</div>";
  frame.addEventListener("load", () => {
    const body = frame.contentDocument && frame.contentDocument.body;
    if (body && body.firstElementChild) frame.style.height = Math.ceil(body.getBoundingClientRect().height) + 3 + "px";
  });
  near.observe(frame);
  return frame;
}

const near = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    near.unobserve(entry.target);
    entry.target.srcdoc = entry.target.dataset.html;
    delete entry.target.dataset.html;
  }
}, { rootMargin: "800px" });

function facts(note) {
  const line = element("div", "facts");
  line.append(element("span", "kind", note.kind), element("span", note.state, note.state));
  for (const text of [note.words.join(", "), note.tags.join(" "), note.place, note.why]) {
    if (text) line.append(element("span", "", text));
  }
  return line;
}

function difference(note) {
  const box = element("pre", "diff");
  box.append(element("span", "legend", "- the notes   + torch\n"));
  for (const line of note.diff) {
    const sign = { "-": "minus", "+": "plus" }[line[0]] || "";
    box.append(element("span", sign, line + "\n"));
  }
  return box;
}

function article(note) {
  const made = element("article");
  made.append(element("h2", "", note.title), facts(note));
  if (note.diff.length) made.append(difference(note));
  const wanted = control("side").value;
  for (const card of note.cards) {
    const row = element("div", "sides");
    if (wanted !== "back") row.append(side(card.front, card.name + ", front", note.title));
    if (wanted !== "front") row.append(side(card.back, card.name + ", back", note.title));
    made.append(row);
  }
  return made;
}

function more() {
  for (const note of shown.slice(next, next + BATCH)) list.append(article(note));
  next = Math.min(next + BATCH, shown.length);
}

function show() {
  near.disconnect();
  document.documentElement.classList.toggle("night", control("night").checked);
  list.classList.toggle("phone", control("phone").checked);
  shown = data.notes.filter(matches);
  next = 0;
  list.replaceChildren();
  const cards = shown.reduce((sum, note) => sum + note.cards.length, 0);
  control("count").textContent = shown.length + " of " + data.notes.length + " notes, " + cards + " cards";
  more();
  end.disconnect();
  end.observe(control("end"));
}

const end = new IntersectionObserver((entries) => {
  if (!entries.some((entry) => entry.isIntersecting) || next >= shown.length) return;
  more();
  end.disconnect();
  end.observe(control("end")); // still in view? then it reports again
}, { rootMargin: "1500px" });

function choices(id, values) {
  for (const value of [...new Set(values)].sort()) control(id).append(new Option(value, value));
  control(id).hidden = control(id).length < 2; // nothing to choose from
}

choices("kind", data.notes.map((note) => note.kind));
choices("tag", data.notes.flatMap((note) => note.tags));
choices("verdict", data.notes.flatMap((note) => [note.state, ...note.words]));
for (const id of ["kind", "tag", "verdict", "side", "night", "phone"]) control(id).addEventListener("change", show);
let pause;
control("search").addEventListener("input", () => { clearTimeout(pause); pause = setTimeout(show, 150); });
control("controls").addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !["INPUT", "SELECT"].includes(document.activeElement.tagName)) {
    event.preventDefault();
    control("search").focus();
  }
});
control("night").checked = matchMedia("(prefers-color-scheme: dark)").matches;
show();
