const KEYS = [
  ["j", "next", () => move(1), "ArrowDown"],
  ["k", "previous", () => move(-1), "ArrowUp"],
  ["x", "leave out", () => decide(chosen, "leave-out")],
  ["y", "keep", () => decide(chosen, "keep")],
  ["e", "excellent", () => decide(chosen, "excellent")],
  ["u", "undo", () => decide(undoable(), null)],
  ["o", "edit", () => follow(chosen)],
  ["c", "copy the path", () => copy(chosen)],
];
const SHOWN = {
  "all notes": () => true,
  "refused": (note) => note.state === "refused",
  "left out": (note) => note.state === "left-out",
  "kept and excellent": (note) => ["keep", "excellent"].includes(note.wish),
  "withheld or corrected": (note) => ["withheld", "corrected"].includes(note.state),
  "undecided": (note) => !note.wish,
};
const DECIDED = { "keep": "kept", "excellent": "excellent", "leave-out": "left out" };
const made = new Map(); // by id: what the server told of a note, and its article
let sources = [];
let visible = [];
let chosen = null;
let position = -1; // of the chosen note among the visible ones
let last = ""; // the id of the note that was decided about last, which a choice of notes may hide since
let told = {};

/* --- what is shown --- */

function facts(note) {
  const line = element("div", "facts");
  const place = element("a", "place", note.place);
  place.href = note.edit;
  const state = note.state === "left-out" ? "left out" : note.state;
  line.append(element("span", "kind", note.kind), element("span", note.state, state));
  if (note.wish && note.wish !== "leave-out") line.append(element("span", DECIDED[note.wish], DECIDED[note.wish] + " by you"));
  line.append(element("span", "rule", note.rule), place);
  for (const text of [note.words.join(", "), note.tags.join(" ")]) if (text) line.append(element("span", "", text));
  if (note.why) line.append(element("span", "why", note.why));
  return line;
}

function buttons(note) {
  const row = element("div", "does");
  const does = [
    ["leave out", "leave-out", note.state !== "left-out"],
    ["keep", "keep", ["refused", "left-out"].includes(note.state)],
    ["excellent", "excellent", note.wish !== "excellent"],
    ["undo", null, Boolean(note.wish)],
  ];
  for (const [text, wish, fits] of does) {
    if (!fits) continue;
    const button = element("button", "", text);
    button.type = "button";
    button.addEventListener("click", () => { choose(note, false); decide(note, wish); });
    row.append(button);
  }
  return row;
}

function head(note) {
  const box = element("div", "head");
  box.append(element("h2", "", note.title), facts(note), buttons(note));
  if (note.diff.length) box.append(difference(note));
  return box;
}

/* A note and its article. Cards that are as they were stay: an edit moves the lines of all notes below it. */
function entry(note, before) {
  const text = JSON.stringify(note);
  if (before && before.text === text) return before;
  const cards = JSON.stringify(note.cards);
  const box = before && before.cards === cards ? before.box : element("article");
  const decided = note.wish && note.wish !== "leave-out" ? [DECIDED[note.wish]] : [];
  box.className = [note.state, ...decided, ...(chosen && chosen.id === note.id ? ["chosen"] : [])].join(" ");
  if (box.firstChild) {
    box.firstChild.replaceWith(head(note));
    return { text, cards, note, box };
  }
  box.dataset.id = note.id;
  box.append(head(note), ...note.cards.map(() => element("div", "sides")));
  box.addEventListener("click", () => choose(made.get(note.id).note, false));
  filling.observe(box);
  return { text, cards, note, box };
}

/* The frames of a note are made when it comes near: a thousand of them at once would be slow. */
const filling = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    filling.unobserve(target);
    const note = made.get(target.dataset.id).note;
    [...target.querySelectorAll(".sides")].forEach((row, at) => {
      const card = note.cards[at];
      row.append(side(card.front, card.name + ", front", note.title), side(card.back, card.name + ", back", note.title));
    });
  }
}, { rootMargin: "1200px" });

function passages(source) {
  const box = element("details", "rest");
  box.append(element("summary", "", source.passages.length + (source.passages.length === 1 ? " passage" : " passages") + " without a note"));
  const items = element("ul");
  for (const { place, edit, why } of source.passages) {
    const item = element("li");
    const link = element("a", "", place);
    link.href = edit;
    item.append(link, ": " + why);
    items.append(item);
  }
  box.append(items);
  return box;
}

/* Puts children in their order; what is in its place stays, since a frame that is moved loads anew. */
function arrange(parent, children) {
  for (const old of [...parent.children]) if (!children.includes(old)) old.remove();
  children.forEach((child, at) => { if (parent.children[at] !== child) parent.insertBefore(child, parent.children[at] || null); });
}

const sections = new Map();
function section(source) {
  const box = sections.get(source.name) || element("section");
  sections.set(source.name, box);
  const known = box.querySelector(".rest");
  const wanted = SHOWN[control("show").value];
  const articles = source.notes.map((note) => {
    made.set(note.id, entry(note, made.get(note.id)));
    const { box } = made.get(note.id);
    box.hidden = !wanted(note);
    return box;
  });
  const title = element("h2", "source", source.name + " ");
  title.append(element("span", "", source.notes.length + (source.notes.length === 1 ? " note" : " notes")));
  const rest = source.passages.length ? [passages(source)] : [];
  if (known && rest.length) rest[0].open = known.open;
  arrange(box, [title, ...articles, ...rest]);
  return box;
}

function draw() {
  const header = document.querySelector("header").offsetHeight;
  const before = chosen ? made.get(chosen.id) : [...made.values()].find(({ box }) => box.getBoundingClientRect().bottom > header);
  const top = before && before.box.isConnected ? before.box.getBoundingClientRect().top : null;
  const was = chosen ? position : before ? visible.findIndex((note) => note.id === before.note.id) : -1;
  arrange(list, sources.map(section));
  const every = sources.flatMap((source) => source.notes.map((note) => made.get(note.id).note));
  for (const id of [...made.keys()]) if (!every.some((note) => note.id === id)) made.delete(id);
  visible = every.filter((note) => !made.get(note.id).box.hidden);
  // an edited note has another id: it is the one in its place; a file that is being saved may have no note for a moment
  const id = chosen ? chosen.id : before && before.note.id;
  const there = visible.find((note) => note.id === id) || visible[Math.min(was, visible.length - 1)];
  if (chosen && there) choose(there, false);
  if (there && top !== null) hold(made.get(there.id).box, top);
  const count = (state) => every.filter((note) => note.state === state).length;
  const parts = [every.length - count("refused") - count("left-out") + " notes", count("refused") + " refused", count("left-out") + " left out"];
  control("count").textContent = parts.join(", ");
}

function redraw() {
  made.clear();
  document.documentElement.classList.toggle("night", control("night").checked);
  list.classList.toggle("phone", control("phone").checked);
  draw();
}

function say(text, state) {
  control("status").textContent = text;
  control("status").className = state || "";
}

/* --- what the author does --- */

function choose(note, scroll) {
  if (chosen && made.has(chosen.id)) made.get(chosen.id).box.classList.remove("chosen");
  chosen = note;
  if (!note) return;
  position = visible.indexOf(note);
  const { box } = made.get(note.id);
  box.classList.add("chosen");
  sessionStorage.setItem("chosen", note.id);
  const { top, bottom } = box.getBoundingClientRect();
  const header = document.querySelector("header").getBoundingClientRect().bottom;
  if (!scroll) return;
  if (top < header || bottom > innerHeight - 60) box.scrollIntoView({ block: "start" });
  hold(box);
}

/* What was looked at stays where it is while cards above it get their height; for a moment, or until somebody scrolls. */
let held = null;
function hold(box, top = box.getBoundingClientRect().top) {
  held = { box, top, until: performance.now() + 3000 };
  settle();
}

function settle() {
  if (!held || !held.box.isConnected || performance.now() > held.until) return;
  const off = held.box.getBoundingClientRect().top - held.top;
  if (Math.abs(off) > 1) scrollBy(0, off);
}
new ResizeObserver(settle).observe(list);
for (const scrolls of ["wheel", "touchstart", "pointerdown"]) addEventListener(scrolls, () => { held = null; }, { passive: true });

function move(step) {
  const at = visible.indexOf(chosen);
  choose(visible[Math.max(0, Math.min(visible.length - 1, at < 0 ? 0 : at + step))] || null, true);
}

function undoable() {
  return chosen && chosen.wish ? chosen : (made.get(last) || {}).note;
}

async function decide(note, wish) {
  if (!note || !made.has(note.id)) return;
  last = note.id;
  const { box } = made.get(note.id);
  box.classList.add("waiting");
  say("writing the decision ...", "busy");
  try {
    const answer = await fetch("decide", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ note: note.note, wish }),
    });
    const text = (await answer.json()).message;
    if (answer.ok) { // what becomes of it the server tells when it has read the notes again
      note.wish = wish;
      if (wish === "leave-out") note.state = "left-out";
      draw();
    }
    say(text, answer.ok ? "" : "wrong");
  } catch {
    say("not written: the server does not answer", "wrong");
  }
  box.classList.remove("waiting");
}

function follow(note) {
  if (note) location.href = note.edit;
}

async function copy(note) {
  if (!note) return;
  await navigator.clipboard.writeText(note.place).then(() => say("copied " + note.place), () => say(note.place));
}

for (const [key, text, , other] of KEYS) {
  const item = element("span");
  item.append(element("kbd", "", key), ...(other ? [" ", element("kbd", "", other === "ArrowDown" ? "↓" : "↑")] : []), " " + text);
  control("keys").append(item);
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
  held = null;
  const found = KEYS.find(([key, , , other]) => event.key === key || event.key === other);
  if (!found) return;
  event.preventDefault();
  found[2]();
});
for (const text of Object.keys(SHOWN)) control("show").append(new Option(text, text));
control("show").addEventListener("change", () => { control("show").blur(); draw(); }); // or it would take the keys
for (const id of ["night", "phone"]) control(id).addEventListener("change", redraw);
control("controls").addEventListener("submit", (event) => event.preventDefault());

/* --- what the server tells --- */

async function listen() {
  for (;;) {
    try {
      const answer = await fetch("state?since=" + (told.beat || 0) + "&have=" + (told.version || 0));
      if (!answer.ok) throw new Error(answer.statusText);
      const before = told;
      told = await answer.json();
      if (told.sources) {
        sources = told.sources;
        draw();
        const known = made.get(sessionStorage.getItem("chosen"));
        if (!before.version && known) choose(known.note, true);
      }
      if (told.beat !== before.beat) say(told.error || told.doing, told.error ? "wrong" : told.doing && "busy");
    } catch {
      told = {};
      say("the server has ended: start `deckgen preview --serve` again", "wrong");
      await new Promise((done) => setTimeout(done, 2000));
    }
  }
}
control("night").checked = matchMedia("(prefers-color-scheme: dark)").matches;
redraw();
listen();
