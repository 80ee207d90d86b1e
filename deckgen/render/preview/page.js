const BATCH = 30;
let shown = [];
let next = 0;

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

function facts(note) {
  const line = element("div", "facts");
  line.append(element("span", "kind", note.kind), element("span", note.state, note.state));
  for (const text of [note.words.join(", "), note.tags.join(" "), note.place, note.why]) {
    if (text) line.append(element("span", "", text));
  }
  return line;
}

function article(note) {
  const made = element("article");
  made.append(question(note), facts(note));
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
