// Moves through the review queue by keys. In a block, since the scripts of a
// page share their names.
{
  const FIELDS = "input, textarea, select, [contenteditable]";

  const help = document.querySelector("[data-keys=help]");
  const links = [...document.querySelectorAll("[data-keys=list] .cards a")];

  /** Moves the focus along the list; on the page of an ad, to its neighbour. */
  const move = (step, rel) => {
    if (links.length === 0) {
      document.querySelector(`nav a[rel=${rel}]`)?.click();
      return;
    }
    const at = links.indexOf(document.activeElement);
    const next = at < 0 ? 0 : at + step;
    links[Math.min(Math.max(next, 0), links.length - 1)]?.focus();
  };

  const keys = {
    j: () => move(1, "next"),
    k: () => move(-1, "prev"),
    a: () => document.querySelector("form.approve")?.requestSubmit(),
    r: () => document.querySelector("form [name=policy_id]")?.focus(),
    "?": () => {
      if (help !== null) help.open = !help.open;
    },
  };

  if (help !== null) help.hidden = false;
  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey, repeat } = event;
    if (ctrlKey || metaKey || altKey || repeat) return;
    if (target instanceof Element && target.matches(FIELDS)) return;
    if (!Object.hasOwn(keys, key)) return;
    event.preventDefault();
    keys[key]();
  });
}
