const wrong = new Set(data.wrong);
const open = new Set(data.open);

function head() {
  const row = element("tr");
  row.append(element("th", "", ""));
  for (const one of data.environments) {
    const cell = element("th", "", one.name);
    const told = one.error || [one.environment && "Python " + one.environment.python, ...one.reasons].filter(Boolean).join("; ");
    cell.append(element("small", "", told));
    row.append(cell);
  }
  row.append(element("th", "", ""));
  control("head").append(row);
}

function verdict(cell) {
  if (!cell) return element("td", "open", "\u2013");
  const made = element("td", wrong.has(cell.verdict) ? "wrong" : open.has(cell.verdict) ? "open" : "fine");
  const button = element("button", "", cell.verdict);
  const told = [cell.observed, cell.signature, cell.reason].filter(Boolean).join("\n");
  button.disabled = !told;
  button.setAttribute("aria-expanded", "false");
  button.addEventListener("click", () => {
    const shownText = made.querySelector("pre");
    if (shownText) shownText.remove();
    else made.append(element("pre", "", told));
    button.setAttribute("aria-expanded", String(!shownText));
  });
  made.append(button);
  return made;
}

function line(row) {
  const made = element("tr");
  const what = element("th");
  what.append(element("code", "", (row.asks ? row.asks + ": " : "") + row.claimed), element("small", "", row.path + ":" + row.line));
  made.append(what, ...row.cells.map(verdict));
  made.append(element("td", "bound", row.bound ? row.bound + (row.not_run ? " (" + row.not_run + " not run)" : "") : ""));
  return made;
}

function matches(row) {
  const text = (row.path + " " + row.claimed + " " + (row.asks || "")).toLowerCase();
  return (!control("differs").checked || !row.same)
    && (!control("source").value || row.path === control("source").value)
    && (!control("word").value || row.cells.some((cell) => cell && cell.verdict === control("word").value))
    && searched().every((word) => text.includes(word));
}

const show = listed({
  all: data.rows,
  into: control("rows"),
  make: line,
  batch: 200,
  chosen: matches,
  told: (shown) => {
    control("count").textContent = shown.length + " of " + data.rows.length + " claims and names";
  },
});

choices("source", data.rows.map((row) => row.path), 3);
choices("word", data.rows.flatMap((row) => row.cells.filter(Boolean).map((cell) => cell.verdict)), 3);
heedControls(show, ["source", "word", "differs"]);
control("search").addEventListener("input", show);
head();
show();
