const BATCH = 200;
const control = (id) => document.getElementById(id);
const data = JSON.parse(control("data").textContent);
const wrong = new Set(data.wrong);
const open = new Set(data.open);
let shown = [];
let next = 0;

function element(tag, kind, text) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  if (text) made.textContent = text;
  return made;
}

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
  const asked = control("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const text = (row.path + " " + row.claimed + " " + (row.asks || "")).toLowerCase();
  return (!control("differs").checked || !row.same)
    && (!control("source").value || row.path === control("source").value)
    && (!control("word").value || row.cells.some((cell) => cell && cell.verdict === control("word").value))
    && asked.every((word) => text.includes(word));
}

function more() {
  for (const row of shown.slice(next, next + BATCH)) control("rows").append(line(row));
  next = Math.min(next + BATCH, shown.length);
}

function show() {
  document.documentElement.classList.toggle("night", control("night").checked);
  shown = data.rows.filter(matches);
  next = 0;
  control("rows").replaceChildren();
  control("count").textContent = shown.length + " of " + data.rows.length + " claims and names";
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
  control(id).hidden = control(id).length < 3; // nothing to choose from
}

choices("source", data.rows.map((row) => row.path));
choices("word", data.rows.flatMap((row) => row.cells.filter(Boolean).map((cell) => cell.verdict)));
for (const id of ["source", "word", "differs", "night"]) control(id).addEventListener("change", show);
control("search").addEventListener("input", show);
control("controls").addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target === control("search")) return;
  event.preventDefault();
  control("search").focus();
});
control("night").checked = matchMedia("(prefers-color-scheme: dark)").matches;
head();
show();
