// Finds operations while one types, and copies lines.
"use strict";

const find = document.getElementById("find");

// narrow shows the operations that hold every word.
function narrow() {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const group of document.querySelectorAll("[data-group]")) {
    let any = false;
    for (const row of group.querySelectorAll("[data-op]")) {
      row.hidden = !words.every((w) => row.dataset.op.includes(w));
      any ||= !row.hidden;
      shown += row.hidden ? 0 : 1;
    }
    group.hidden = !any;
  }
  document.getElementById("found").textContent = words.length ? `${shown} found` : "";
  history.replaceState(null, "", words.length ? `?q=${encodeURIComponent(find.value)}` : location.pathname);
}

if (find) {
  find.value = new URLSearchParams(location.search).get("q") || "";
  if (find.value) narrow();
  find.addEventListener("input", narrow);
  find.form.addEventListener("submit", (e) => {
    e.preventDefault();
    document.querySelector("[data-op]:not([hidden]) a")?.focus();
  });
}

document.addEventListener("keydown", (e) => {
  if (e.key !== "/" || e.ctrlKey || e.metaKey || e.target.matches("input, textarea")) return;
  e.preventDefault();
  if (find) find.focus();
  else location.href = "/docs";
});

document.addEventListener("click", async (e) => {
  const button = e.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
  button.textContent = "Copied";
});
