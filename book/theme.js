// What mdBook leaves out for whoever uses a keyboard and no mouse.

/** Names what opens the table of contents for what it is, and lets keys press it. */
function pressable() {
  const toggle = document.getElementById("mdbook-sidebar-toggle");
  if (!toggle) return;
  toggle.setAttribute("role", "button");
  toggle.tabIndex = 0;
  toggle.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    toggle.click();
  });
}

/** Lets the keyboard reach whatever is wider than its box, and nothing else: arrows move it then. */
function reachable() {
  for (const box of document.querySelectorAll("pre > code, .table-wrapper")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}

pressable();
reachable();
// Letters of another font are of another width.
document.fonts.ready.then(reachable);
addEventListener("resize", reachable);
