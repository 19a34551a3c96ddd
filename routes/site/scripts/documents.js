// Puts a button on each block of code that copies it, and leads from the
// fragments that headings had while the documentation was one page to where
// they are now. The pages work without either.
// In a block, since the scripts of a page share their names.
{
  const COPIED_MS = 2_000;

  const button = (code) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "copy";
    made.textContent = "Copy";
    made.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        made.textContent = "Copied";
      } catch {
        made.textContent = "Not allowed";
      }
      setTimeout(() => made.textContent = "Copy", COPIED_MS);
    });
    return made;
  };

  for (
    const code of navigator.clipboard
      ? document.querySelectorAll("pre > code")
      : []
  ) {
    const frame = document.createElement("div");
    frame.className = "code";
    code.parentElement.replaceWith(frame);
    frame.append(code.parentElement, button(code));
  }

  const leadOn = () => {
    const entry = document.getElementById(location.hash.slice(1));
    const link = entry?.matches(".contents li") && entry.querySelector("a");
    if (link) location.replace(link.href);
  };

  leadOn();
  addEventListener("hashchange", leadOn);
}
