const KEYS = [
  ["j", "next", () => move(1), "ArrowDown"],
  ["k", "previous", () => move(-1), "ArrowUp"],
  ["y", "take", () => decide(chosen, "keep")],
  ["x", "leave out", () => decide(chosen, "leave-out")],
  ["Y", "take all of this rule in this file", () => decideRule("keep")],
  ["X", "leave all of them out", () => decideRule("leave-out")],
  ["u", "undo", () => undo()],
  ["e", "excellent", () => decide(chosen, "excellent")],
  ["Enter", "whole card", () => openCard(chosen)],
  ["o", "edit", () => follow(chosen)],
  ["c", "copy the path", () => copy(chosen)],
  ["?", "words", () => explain()],
];
const SHOWN = {
  "all notes": () => true,
  "suggestions": (note) => asked(note),
  "refused": (note) => note.state === "refused",
  "left out": (note) => note.state === "left-out",
  "taken and excellent": (note) => ["keep", "excellent"].includes(note.wish),
  "withheld or corrected": (note) => ["withheld", "corrected"].includes(note.state),
  "undecided": (note) => !note.wish,
};
const WORDS = [
  ["shipped", "in the deck with the next build"],
  ["suggested", "a guess: it is not in the deck until you take it"],
  ["unverified", "shipped, but what it claims could not be checked"],
  ["corrected", "shipped with what torch says in place of what the notes say"],
  ["withheld", "not in the deck: torch says otherwise, or it could not be asked"],
  ["refused", "no card was made of it, for the reason below; you may take it all the same"],
  ["left out", "you do not want it"],
  ["taken, excellent", "you want it, whatever a rule may say of it"],
  ["a word in italics", "the rule that found the note: what Y and X mean by \u201cthis rule\u201d"],
  ["doubt", "what speaks against a suggestion; the fewer doubts, the earlier it comes"],
  ["holds, matches, exists ...", "what torch said of the claims and names in the note"],
  ["proved, refuted", "torch agrees with just what its answer says; or denies something on it"],
  ["basic, choice, cloze, output, api", "the kind of card: question, options, gap, what code prints, what a name of torch is for"],
];
const GROUPS = ["notes", "suggestions", "not in the deck"];
const DECIDED = { "keep": "taken", "excellent": "excellent", "leave-out": "left out" };
const made = new Map(); // by id: what the server told of a note, and its article
const waiting = new Map(); // by suggestion that waits: how many of its rule and file do
const groups = new Map(); // where a note stood when it was decided about; it stays there while the page is open
const done = []; // what was decided here, the latest last: [{ note, wish, state } as they were before]
let sources = [];
let visible = [];
let chosen = null;
let position = -1; // of the chosen note among the visible ones
let told = {};
const pending = new Set(); // decisions that are not in the lock yet, in their order
const unread = new Set(); // decisions in the lock that the notes on the page, as the server read them, do not have yet
let writing = Promise.resolve();
let touched = Boolean(sessionStorage.getItem("chosen")); // somebody chose a note; until then it is the first suggestion

/* --- what is shown --- */

function group(note) {
  const away = ["refused", "left-out"].includes(note.state) || (note.state === "withheld" && !note.diff.length);
  const now = note.state === "suggested" ? 1 : away ? 2 : 0; // what torch denies stands first: its author mends it
  return groups.get(lasting(note)) ?? now;
}

/* A decision keeps its name when its note is reworded: that by which the note was known when it was made. */
function lasting(note) {
  return note.decision || note.note;
}

function asked(note) {
  return group(note) === 1;
}

function waits(note) {
  return asked(note) && !note.wish && note.state === "suggested";
}

function facts(note) {
  const line = element("div", "facts");
  const place = element("a", "place", note.place);
  place.href = note.edit;
  const state = note.state === "left-out" ? "left out" : note.state;
  line.append(element("span", note.state, state));
  if (note.wish && note.wish !== "leave-out") line.append(element("span", DECIDED[note.wish], DECIDED[note.wish] + " by you"));
  line.append(element("span", "rule", note.rule), element("span", "kind", note.kind), place);
  for (const text of [note.words.join(", "), note.tags.join(" ")]) if (text) line.append(element("span", "", text));
  const doubts = asked(note) ? note.doubts : [];
  if (note.why && !doubts.length && note.state !== "left-out") line.append(element("span", "why", note.why));
  for (const [name, reason] of doubts) {
    const box = element("span", "why doubt");
    box.append(element("span", "", "doubt: "), reason);
    box.title = name;
    line.append(box);
  }
  return line;
}

function buttons(note) {
  const row = element("div", "does");
  const does = [
    ["take", "keep", ["suggested", "refused", "left-out"].includes(note.state)],
    ["leave out", "leave-out", note.state !== "left-out"],
    ["excellent", "excellent", note.wish !== "excellent" && note.state !== "suggested"],
    ["undo", null, Boolean(note.wish)],
  ];
  const others = waiting.get(note) || 0;
  const add = (text, act) => {
    const button = element("button", "", text);
    button.type = "button";
    button.addEventListener("click", (event) => { event.stopPropagation(); choose(note, false); act(); });
    row.append(button);
  };
  for (const [text, wish, fits] of does) if (fits) add(text, () => (wish ? decide(note, wish) : undo()));
  if (others > 1) {
    add("take all " + others + " of " + note.rule, () => decideRule("keep"));
    add("leave all " + others, () => decideRule("leave-out"));
  }
  return row;
}

function head(note) {
  const box = element("div", "head");
  box.append(question(note), facts(note), buttons(note));
  if (note.diff.length) box.append(difference(note));
  return box;
}

/* A note and its article. Cards that are as they were stay: an edit moves the lines of all notes below it. */
function entry(note, before) {
  const unwritten = [...pending].some(({ names }) => names.has(note.note));
  const text = JSON.stringify(note) + (waiting.get(note) || "") + unwritten; // which its buttons tell
  if (before && before.text === text) return before;
  const cards = JSON.stringify(note.cards);
  const box = before && before.cards === cards ? before.box : element("article");
  const decided = note.wish && note.wish !== "leave-out" ? [DECIDED[note.wish]] : [];
  box.className = [note.state, ...decided, ...(unwritten ? ["waiting"] : []), ...(chosen && chosen.id === note.id ? ["chosen"] : [])].join(" ");
  if (box.firstChild) {
    box.firstChild.replaceWith(head(note));
    return { text, cards, note, box };
  }
  box.dataset.id = note.id;
  box.append(head(note), element("div", "cards"));
  box.addEventListener("click", () => choose(made.get(note.id).note, false));
  filling.observe(box);
  return { text, cards, note, box };
}

/* The frames of a note are made when it comes near: a thousand of them at once would be slow. */
const filling = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    filling.unobserve(target);
    fill(target);
  }
}, { rootMargin: "1200px" });

/* Answers small, and all of them below each other; or both sides of each card as they are. */
function fill(box) {
  const note = made.get(box.dataset.id).note;
  const whole = box.classList.contains("whole");
  box.lastChild.replaceChildren(...note.cards.slice(0, whole ? note.cards.length : 1).map((card) => {
    const row = element("div", "sides");
    if (whole) row.append(side(card.front, card.name + ", front", note.title));
    row.append(side(card.back, card.name + ", back", note.title, whole ? "" : " compact"));
    return row;
  }));
  if (note.cards.length > 1 && !whole) box.lastChild.append(element("div", "more", "and " + (note.cards.length - 1) + " more: Enter"));
}

function openCard(note) {
  if (!note) return;
  const { box } = made.get(note.id);
  box.classList.toggle("whole");
  fill(box);
  choose(note, true);
}

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
  const wanted = new Set(children);
  for (const old of [...parent.children]) if (!wanted.has(old)) old.remove();
  let next = parent.firstElementChild;
  for (const child of children) {
    if (child === next) next = next.nextElementSibling;
    else parent.insertBefore(child, next);
  }
}

function counted(count, noun) {
  return count + " " + noun + (count === 1 ? "" : "s");
}

const sections = new Map();
function section(source) {
  const box = sections.get(source.name) || element("section");
  sections.set(source.name, box);
  const known = box.querySelector(".rest");
  const wanted = SHOWN[control("show").value];
  const title = element("h2", "source", source.name + " ");
  const children = [title];
  const counts = [];
  inOrder(source).forEach((notes, at) => {
    if (notes.length) counts.push(at === 2 ? notes.length + " " + GROUPS[2] : counted(notes.length, GROUPS[at].slice(0, -1)));
    const articles = notes.map((note) => {
      made.set(note.id, entry(note, made.get(note.id)));
      const { box } = made.get(note.id);
      box.hidden = !wanted(note);
      return box;
    });
    if (at && articles.some((article) => !article.hidden)) {
      const left = notes.filter(waits).length;
      const more = at === 1 ? (notes.length > 1 ? ", best first" : "") + (left ? "; " + left + " to decide" : "; all decided") : "";
      children.push(element("h3", "group", notes.length + " " + (notes.length === 1 && at === 1 ? "suggestion" : GROUPS[at]) + more));
    }
    children.push(...articles);
  });
  title.append(element("span", "", counts.join(", ") || "no note"));
  const rest = source.passages.length ? [passages(source)] : [];
  if (known && rest.length) rest[0].open = known.open;
  arrange(box, [...children, ...rest]);
  return box;
}

/* Notes as they stand, suggestions the best first, then what no card is made of. */
function inOrder(source) {
  const found = GROUPS.map(() => []);
  for (const note of source.notes) found[group(note)].push(note);
  found[1].sort((one, other) => one.rank.map((rank, at) => rank - other.rank[at]).find(Boolean) || 0);
  return found;
}

function every() {
  return sources.flatMap((source) => inOrder(source).flat());
}

/* The suggestions of the same rule in the same source that wait for a decision now. */
function ofRule(note) {
  const source = sources.find((one) => one.notes.includes(note)) || { notes: [] };
  return source.notes.filter((one) => waits(one) && one.rule === note.rule);
}

/* How many wait with each suggestion that waits: asked for each of them, all were looked through for each. */
function countWaiting() {
  waiting.clear();
  for (const source of sources) {
    const counts = {};
    const left = source.notes.filter(waits);
    for (const { rule } of left) counts[rule] = (counts[rule] || 0) + 1;
    for (const note of left) waiting.set(note, counts[note.rule]);
  }
}

function draw() {
  countWaiting();
  const header = document.querySelector("header").offsetHeight;
  const before = chosen ? made.get(chosen.id) : [...made.values()].find(({ box }) => box.getBoundingClientRect().bottom > header);
  const top = before && before.box.isConnected ? before.box.getBoundingClientRect().top : null;
  const was = chosen ? position : before ? visible.findIndex((note) => note.id === before.note.id) : -1;
  arrange(list, sources.map(section));
  const notes = every();
  const ids = new Set(notes.map((note) => note.id));
  for (const id of [...made.keys()]) if (!ids.has(id)) made.delete(id);
  visible = notes.filter((note) => !made.get(note.id).box.hidden);
  // an edited note has another id: it is the one in its place; a file that is being saved may have no note for a moment
  const id = chosen ? chosen.id : before && before.note.id;
  const there = visible.find((note) => note.id === id) || visible[Math.min(was, visible.length - 1)];
  if (chosen && there) choose(there, false);
  if (there && top !== null) hold(made.get(there.id).box, top);
  const count = (...states) => notes.filter((note) => states.includes(note.state)).length;
  const parts = [[count("shipped", "unverified", "corrected"), "shipped"], [count("suggested"), "suggested"],
    [count("withheld"), "withheld"], [count("refused"), "refused"], [count("left-out"), "left out"]];
  control("count").textContent = parts.filter(([number], at) => number || at < 2).map((part) => part.join(" ")).join(", ");
  tellWhere();
}

function tellWhere() {
  const suggestions = every().filter(asked);
  const at = chosen ? suggestions.findIndex((note) => note.id === chosen.id) : -1;
  control("where").textContent = at < 0 ? "" : "suggestion " + (at + 1) + " of " + suggestions.length;
}

function redraw() {
  made.clear();
  document.documentElement.classList.toggle("night", control("night").checked);
  list.classList.toggle("phone", control("phone").checked);
  draw();
}

let readable = 0; // until when what was said of a decision stands, unless something is wrong
function answer(text, state) {
  say(text, state);
  readable = performance.now() + 4000;
}

function say(text, state) {
  if (state !== "wrong" && performance.now() < readable) return;
  if (state === "wrong") readable = 0; // what mends it may come at once
  control("status").textContent = text;
  control("status").className = state || "";
}

/* --- what the author does --- */

function choose(note, scroll) {
  if (chosen && made.has(chosen.id)) made.get(chosen.id).box.classList.remove("chosen");
  chosen = note;
  if (!note) return;
  position = visible.indexOf(note);
  tellWhere();
  const { box } = made.get(note.id);
  box.classList.add("chosen");
  if (touched) sessionStorage.setItem("chosen", note.id);
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
for (const scrolls of ["wheel", "touchstart", "pointerdown"]) addEventListener(scrolls, () => { held = null; touched = true; }, { passive: true });

function move(step) {
  const at = visible.indexOf(chosen);
  choose(visible[Math.max(0, Math.min(visible.length - 1, at < 0 ? 0 : at + step))] || null, true);
}

/* On to the next suggestion that waits, or the first of those that were passed over. */
function goOn() {
  const from = visible.indexOf(chosen);
  const next = visible.slice(from + 1).find(waits) || visible.find(waits);
  if (next) choose(next, true);
}

function decide(note, wish) {
  if (!note || !made.has(note.id)) return;
  const waited = waits(note);
  write([note], wish);
  if (waited) goOn();
}

function decideRule(wish) {
  if (!chosen || !waits(chosen)) {
    answer("choose a suggestion first: this is about all suggestions of its rule in its file");
    return;
  }
  const notes = ofRule(chosen);
  const what = wish === "keep" ? " taken" : " left out";
  write(notes, wish, counted(notes.length, "note") + " of " + notes[0].rule + what + "; u undoes it");
  goOn();
}

function undo() {
  const last = done[done.length - 1];
  if (last && (!chosen || !chosen.wish || last.some(({ note }) => note === chosen.note))) takeBack(last, last[0].wish);
  else if (chosen && chosen.wish) takeBack([{ note: chosen.note, wish: null }], null);
}

/* What was decided about these notes is undone: they are what they were before, if that is known. */
function takeBack(before, wish) {
  const at = done.indexOf(before);
  if (at >= 0) done.splice(at, 1);
  const notes = every().filter((note) => before.some((one) => one.note === note.note));
  if (!notes.length) return;
  write(notes, wish, notes.length === 1 ? "undone" : notes.length + " decisions undone", before);
  choose(notes[0], true);
}

/* Decides about some notes of a source: the page shows it at once, and what cannot be written is shown as it was before. */
function write(notes, wish, message, before) {
  const names = new Set(notes.map((note) => note.note));
  const were = notes.map(({ note, wish, state }) => ({ note, wish, state }));
  for (const note of notes) groups.set(lasting(note), group(note));
  const decision = { names, wish, before };
  pending.add(decision);
  if (!before) done.push(were);
  apply(decision);
  draw();
  writing = writing.then(() => post(decision, were, message));
}

async function post(decision, were, message) {
  say("writing the decision ...", "busy");
  let text = "not written: the server does not answer";
  let written = false;
  try {
    const reply = await fetch("decide", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ notes: [...decision.names], wish: decision.wish }),
    });
    const said = await reply.json();
    text = said.message;
    decision.number = said.decision;
    written = reply.ok; // what becomes of it besides, the server tells when it has read the notes again
  } catch { /* said below */ }
  pending.delete(decision);
  if (written && decision.number > (told.decisions || 0)) unread.add(decision);
  if (!written) {
    if (done.includes(were)) done.splice(done.indexOf(were), 1);
    apply({ names: decision.names, wish: were[0].wish, before: were });
  }
  draw();
  readable = 0;
  answer(written && message || text, written ? "" : "wrong");
}

function apply({ names, wish, before }) {
  for (const note of every()) if (names.has(note.note)) become(note, wish, before && before.find((one) => one.note === note.note));
}

function become(note, wish, was) {
  note.wish = wish;
  if (was && was.state) note.state = was.state;
  else if (wish === "leave-out") note.state = "left-out";
  else if (asked(note)) note.state = wish ? "shipped" : "suggested";
}

function follow(note) {
  if (note) location.href = note.edit;
}

async function copy(note) {
  if (!note) return;
  await navigator.clipboard.writeText(note.place).then(() => answer("copied " + note.place), () => answer(note.place));
}

function explain() {
  const shown = control("legend").hidden;
  control("legend").hidden = !shown;
  control("words").setAttribute("aria-expanded", String(shown));
}

const words = element("dl");
for (const [word, meaning] of WORDS) words.append(element("dt", "", word), element("dd", "", meaning));
control("legend").append(words);
control("words").addEventListener("click", () => { control("words").blur(); explain(); });
for (const [key, text, , other] of KEYS) {
  const item = element("span", "YXeocEnter?".includes(key) ? "rare" : "");
  item.append(element("kbd", "", key), ...(other ? [" ", element("kbd", "", other === "ArrowDown" ? "↓" : "↑")] : []), " " + text);
  control("keys").append(item);
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
  if (event.key === "Enter" && ["BUTTON", "A", "SUMMARY"].includes(event.target.tagName)) return;
  if (event.key === "Escape" && !control("legend").hidden) explain();
  held = null;
  const found = KEYS.find(([key, , , other]) => event.key === key || event.key === other);
  if (!found) return;
  event.preventDefault();
  touched = true;
  found[2]();
});
addEventListener("beforeunload", (event) => { if (pending.size) event.preventDefault(); });
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
        for (const decision of unread) if (decision.number <= told.decisions) unread.delete(decision);
        [...unread, ...pending].forEach(apply); // when these notes were read, these decisions were not in the lock
        draw();
        const known = touched ? !before.version && made.get(sessionStorage.getItem("chosen")) : { note: visible.find(waits) };
        if (known && known.note) choose(known.note, true);
      }
      if (told.beat !== before.beat) say(told.error || told.doing, told.error ? "wrong" : told.doing && "busy");
    } catch {
      told = {};
      say("the server has ended: start `deckgen review` again", "wrong");
      await new Promise((done) => setTimeout(done, 2000));
    }
  }
}
control("night").checked = matchMedia("(prefers-color-scheme: dark)").matches;
redraw();
listen();
