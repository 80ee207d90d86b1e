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
  return (!kind || note.kind === kind)
    && (!tag || note.tags.some((own) => own === tag || own.startsWith(tag + "::")))
    && (!verdict || note.state === verdict || note.words.includes(verdict))
    && searched().every((word) => words(note).includes(word));
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

const show = listed({
  all: data.notes,
  into: list,
  make: article,
  batch: 30,
  chosen: matches,
  told: (shown) => {
    near.disconnect();
    list.classList.toggle("phone", control("phone").checked);
    const cards = shown.reduce((sum, note) => sum + note.cards.length, 0);
    control("count").textContent = shown.length + " of " + data.notes.length + " notes, " + cards + " cards";
  },
});
let pause;

choices("kind", data.notes.map((note) => note.kind), 2);
choices("tag", data.notes.flatMap((note) => note.tags), 2);
choices("verdict", data.notes.flatMap((note) => [note.state, ...note.words]), 2);
heedControls(show, ["kind", "tag", "verdict", "side", "phone"]);
control("search").addEventListener("input", () => { clearTimeout(pause); pause = setTimeout(show, 150); });
show();
