// Runs before the page is painted, so that a chosen theme never flashes.
try {
  const chosen = localStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  /* storage is off: follow the system */
}
