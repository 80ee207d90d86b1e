/* A list that is made as far as it is looked at, of what the controls choose. */
const searched = () => control("search").value.toLowerCase().split(/\s+/).filter(Boolean);

/* `all` it may hold; `make` gives the element of one, `batch` of them at once; `chosen` says whether the controls want it; `told`
   is given what is, whenever that changed, before anything is made. */
function listed({ all, into, make, batch, chosen, told }) {
  let shown = [];
  let next = 0;

  function more() {
    for (const one of shown.slice(next, next + batch)) into.append(make(one));
    next = Math.min(next + batch, shown.length);
  }

  const end = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting) || next >= shown.length) return;
    more();
    end.disconnect();
    end.observe(control("end")); // still in view? then it reports again
  }, { rootMargin: "1500px" });

  return function show() {
    document.documentElement.classList.toggle("night", control("night").checked);
    shown = all.filter(chosen);
    next = 0;
    into.replaceChildren();
    told(shown);
    more();
    end.disconnect();
    end.observe(control("end"));
  };
}

function choices(id, values, least) {
  for (const value of [...new Set(values)].sort()) control(id).append(new Option(value, value));
  control(id).hidden = control(id).length < least; // nothing to choose from
}

function heedControls(show, ids) {
  for (const id of [...ids, "night"]) control(id).addEventListener("change", show);
  control("controls").addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !["INPUT", "SELECT"].includes(document.activeElement.tagName)) {
      event.preventDefault();
      control("search").focus();
    }
  });
  control("night").checked = matchMedia("(prefers-color-scheme: dark)").matches;
}
