const list = control("notes");

/* What a note asks, and the line of code that it asks about. */
function question(note) {
  const heading = element("h2", "", note.asks);
  if (note.code) heading.append(note.asks ? " " : "", element("code", "", note.code));
  return heading;
}

function side(html, label, title, looks = "") {
  const frame = element("iframe");
  const night = (control("night").checked ? " nightMode night_mode" : "") + looks;
  frame.setAttribute("sandbox", "allow-same-origin"); // for measuring its height; scripts stay off
  frame.title = label + ": " + title;
  frame.dataset.html = "<!doctype html><meta charset=utf-8><base target=_blank><style>" + data.css
    + "</style><body class=\"card" + night + "\"><div id=qa>" + html + "</div>";
  frame.addEventListener("load", () => {
    const body = frame.contentDocument && frame.contentDocument.body;
    if (!body || !body.firstElementChild) return;
    const height = Math.ceil(body.getBoundingClientRect().height) + 3;
    frame.style.height = height + "px";
    frame.parentElement.classList.toggle("cut", frame.clientHeight + 4 < height); // if the page gives it no more room
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

function difference(note) {
  const box = element("pre", "diff");
  box.append(element("span", "legend", "- the notes   + torch\n"));
  for (const line of note.diff) {
    const sign = { "-": "minus", "+": "plus" }[line[0]] || "";
    box.append(element("span", sign, line + "\n"));
  }
  return box;
}
