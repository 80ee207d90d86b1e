"use strict";
/* Everything is put in as text, or into a frame that may not run scripts. */
const data = JSON.parse(document.getElementById("data").textContent);
const control = (id) => document.getElementById(id);

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}
