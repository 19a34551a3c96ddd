// Keeps "10 h 43 min" current on a page that stays open, and says when it is over.
// The server wrote it as it was at `data-now` by its own clock, on which we count on,
// as the browser's may be wrong. In a block, since the scripts of a page share their
// names.
{
  const MINUTE = 60_000;

  // Not performance.now(), which stands still while the machine sleeps.
  const openedAt = Date.now();
  // What was kept from before is older than we can tell: then the browser's clock
  // is the better one.
  const [loaded] = performance.getEntriesByType("navigation");
  const isKept = loaded?.transferSize === 0;
  const now = (since) =>
    isKept ? Date.now() : Number(since) + Date.now() - openedAt;

  const left = (ms) => {
    const minutes = Math.floor(ms / MINUTE);
    if (minutes < 1) return "less than a minute";
    const hours = Math.floor(minutes / 60);
    return hours === 0
      ? `${minutes}\u00a0min`
      : `${hours}\u00a0h\u00a0${minutes % 60}\u00a0min`;
  };

  const show = () => {
    for (const place of document.querySelectorAll("[data-until]")) {
      const { until, now: since, says, over } = place.dataset;
      const ms = Number(until) - now(since);
      place.textContent = ms > 0 ? says.replace("{}", left(ms)) : over;
    }
  };

  setInterval(show, MINUTE / 4);
  document.addEventListener("visibilitychange", show);
}
